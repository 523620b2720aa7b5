/**
 * Tests a navigation run whose node is killed ten times, so that other nodes have to finish it. The servers
 * of the site and the model count the requests.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type Scripted, ScriptedModelServer } from "../../actors/models/scripted-model-server.ts";
import { serveStoneForum } from "../../sites/stone-forum-test-site.ts";
import type { ScriptedSite } from "../../sites/test-site-with-given-routes.ts";
import { seed } from "../../test-run-tier-and-seed.ts";
import type { Cairn } from "../support/cairn-test-process.ts";
import { ProcessCluster } from "../support/cluster-of-cairn-processes.ts";

setDefaultTimeout(500_000);
const KILLS = 10;
const THREADS = 18;
/**
 * Delay in milliseconds for each page and each answer of the model. It makes kills happen while the run is in
 * progress.
 */
const SLOW = 120;

const model = new ScriptedModelServer();
let site: ScriptedSite;
let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start();
  site = serveStoneForum({ threads: THREADS, answerTime: SLOW });
});

afterAll(async () => {
  await cluster?.close();
  await site?.stop();
  model.stop();
});

/** Starts a node and returns before the node is ready. Meanwhile, the other nodes work on the navigation run. */
function launch(env: Readonly<Record<string, string>>): Promise<Cairn> {
  return cluster.launch({ OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: model.key, ...env });
}

async function ready(cairn: Cairn): Promise<Cairn> {
  while ((await cairn.get("/ready").catch(() => undefined))?.status !== 200) await Bun.sleep(50);
  return cairn;
}

/**
 * Returns the answers of a scripted model that follows every link to a thread and finds every thread
 * relevant.
 */
function answer(body: string): Scripted {
  if (body.includes("is_relevant")) return { json: { is_relevant: true, reason: "It is about stones." } };
  if (body.includes("relevance_score")) {
    const urls = [...body.matchAll(/: (http[^\s"\\]+\/threads\/\d+)/g)].map(([, url = ""]) => url);
    const links = urls.map((url) => ({ url, anchor_text: "", relevance_score: 0.9, detected_date: null }));
    return { json: { links } };
  }
  if (body.includes("web navigation assistant")) {
    const json = { page_type: "forum_listing", target_url: null, confidence: 0.9, reasoning: "It lists." };
    return { json: { action: "EXTRACT_LINKS", ...json } };
  }
  const json = { target_section: "forum", time_range_days: null, entities: [], max_articles: null };
  return { json: { topic: "stones granite basalt", ...json, output: "summary" } };
}

interface Sent {
  /** Identifies the request: the path of a page, or the body of a call to the model. */
  readonly key: string;
  readonly kind: "page" | "call";
  /**
   * Times in milliseconds since the epoch at which the request arrived and its response was complete. `ended`
   * is null if the response was never complete.
   */
  readonly at: number;
  readonly ended: number | null;
}

/** Returns the requests of the run to the site and to the model, in the order in which they were sent. */
function sentRequests(): readonly Sent[] {
  const pages = site.log
    .filter(({ path }) => path !== "/robots.txt")
    .map(({ path, at, ended }): Sent => ({ key: path, kind: "page", at, ended }));
  const calls = model.calls.map(({ body, at, ended }): Sent => ({ key: body, kind: "call", at, ended }));
  return [...pages, ...calls].sort((one, other) => one.at - other.at);
}

/** The time of a kill: when its signal was sent, and when the process had ended. */
interface Kill {
  readonly from: number;
  readonly until: number;
}

/**
 * A request that was sent twice. `first`: the first of the two requests. `kill`: the kill of the node between
 * the two requests. `before`: the request directly before the second one.
 */
interface Repetition {
  readonly first: Sent;
  readonly before: Sent | undefined;
  readonly kill: Kill | undefined;
}

function repetitions(sent: readonly Sent[], kills: readonly Kill[]): readonly Repetition[] {
  return sent.flatMap((again, index) => {
    const first = sent.slice(0, index).findLast(({ key }) => key === again.key);
    if (!first) return [];
    const kill = kills.find(({ from, until }) => until >= first.at && from <= again.at);
    return [{ first, before: sent[index - 1], kill }];
  });
}

test(`a navigation run ends on other nodes after ten kills with the same articles (seed ${seed})`, async () => {
  model.reset();
  model.answerTo = answer;
  model.answerTime = SLOW;
  const node = () => launch({ CAIRN_ROLES: "compute,browser", CAIRN_STORE: "bus" });
  const home = await launch({ CAIRN_ROLES: "gateway" });
  for (let started = 0; started < 3; started++) await node();
  await ready(home);
  const run_id = "killed";
  const started = await home.post("/api/navigate", {
    run_id,
    prompt: "What do people say about stones in the forum",
    seed_links: [site.url("/forum")],
    render: "http",
    max_articles: 60,
    max_seconds: 3_000,
    max_llm_calls: 400,
    max_cost_usd: 50,
  });
  expect(started.status).toBe(200);
  let random = seed;
  const next = (below: number) => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    return random % below;
  };
  const kills: Kill[] = [];
  while (kills.length < KILLS) {
    const before = site.requests.length + model.calls.length;
    while (site.requests.length + model.calls.length < before + 2) await Bun.sleep(5);
    await Bun.sleep(next(2 * SLOW));
    const owner = await cluster.hostOf("navigation", run_id, home);
    if (!owner) continue;
    const from = Date.now();
    await cluster.kill(owner);
    kills.push({ from, until: Date.now() });
    await node();
  }
  let result = await home.get(`/api/navigate/${run_id}`);
  while (result.body.status === "running" || result.status === 503) {
    await Bun.sleep(200);
    result = await home.get(`/api/navigate/${run_id}`);
  }
  const sent = sentRequests();
  const repeated = repetitions(sent, kills);
  const count = (kind: Sent["kind"], list: readonly { readonly kind: Sent["kind"] }[]) =>
    list.filter((one) => one.kind === kind).length;
  // The requests that were answered before the kill, and still sent a second time. For each one:
  // milliseconds from the end of the answer to the kill.
  const answered = repeated.flatMap(({ first, kill }) =>
    first.ended !== null && kill && first.ended < kill.from ? [kill.from - first.ended] : [],
  );
  const firsts = repeated.map(({ first }) => first);
  console.log(
    `${kills.length} kills: ${count("page", sent)} page requests, ${count("page", firsts)} repeated; ` +
      `${count("call", sent)} model calls, ${count("call", firsts)} repeated, ` +
      `${model.charged.length} charged; ${firsts.length - answered.length} of the repeated were cut off, ` +
      `${answered.length} were answered before the kill (ms: ${answered.join(", ") || "none"}); ` +
      `${result.body.articles.length} articles`,
  );
  expect(result.body).toMatchObject({ status: "completed", stopped_reason: "no_more_pages" });
  expect(result.body.articles).toHaveLength(THREADS);
  expect(count("page", sent)).toBeGreaterThan(THREADS);
  expect(count("call", sent)).toBeGreaterThan(THREADS);
  // The model server supports idempotency keys, so it charges a question that is sent twice only once.
  expect(new Set(model.charged).size).toBe(model.charged.length);
  expect(new Set(model.calls.map(({ body }) => body)).size).toBe(model.charged.length);
  // Each response is stored before the next request is sent. After a kill, another node repeats at most one
  // request, the last before the kill, and sends it first.
  for (const { first, before, kill } of repeated) {
    expect(kill).toBeDefined();
    expect(before).toBe(first);
  }
});
