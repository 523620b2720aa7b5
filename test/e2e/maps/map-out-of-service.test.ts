/**
 * Tests a Cairn whose map is out of service. The job reports that, the map can be returned to service, and
 * then all pages are ingested and counted.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { kinds } from "../../../machines/actor-kinds.ts";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { ownCairnOfTests } from "../support/own-test-cairn.ts";

setDefaultTimeout(120_000);
const MAP = "shop";

const site = siteOfTests({
  "/": html("Start", '<a href="/a">a</a> <a href="/b">b</a> <a href="/gone">gone</a>'),
  "/a": html("A", "<p>Some text about the letter a.</p>"),
  "/b": html("B", "<p>Some text about the letter b.</p>"),
  "*": new Response("gone", { status: 410 }),
});

const own = await ownCairnOfTests({ env: { CAIRN_WORKERS: "1" } });
let { cairn } = own;

async function explore(jobId: string) {
  const request = { start_url: site.url("/"), job_id: jobId, knowledge_id: MAP, respect_robots: false };
  expect((await cairn.post("/api/knowledge/explore/start", request)).status).toBe(200);
  for (;;) {
    const { body } = await cairn.get(`/api/knowledge/explore/status/${jobId}`);
    if (["completed", "failed", "cancelled"].includes(body.status)) return body;
    await Bun.sleep(50);
  }
}

/** Marks the map as out of service in the stored data. No Cairn may use the data folder at that time. */
async function parkTheMap(): Promise<void> {
  const script = join(import.meta.dir, "take-actor-out-of-service-test-process.ts");
  const parking = Bun.spawn([process.execPath, script, own.data, "knowledge", MAP], { stderr: "inherit" });
  expect(await parking.exited).toBe(0);
}

async function metric(line: string): Promise<number> {
  const text = await (await fetch(new URL("/metrics", cairn.url))).text();
  const found = text.split("\n").find((each) => each.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1) ?? Number.NaN);
}

test.if(isFull)(
  "metrics and status pages show current explorations, and count the pages of all workers",
  async () => {
    expect(await explore("first")).toMatchObject({ status: "completed", error: null });
    const { body } = await cairn.get("/api/actors?kind=exploration&state=completed");
    expect(body.actors).toMatchObject([
      { id: "first", version: kinds.exploration.version, state: "completed" },
    ]);
    const { body: actor } = await cairn.get("/api/actors/exploration/first");
    expect(actor).toMatchObject({
      machine: { id: "exploration" },
      context: { job_id: "first" },
      parked: null,
    });
    expect(actor.last_events.at(-1)).toMatchObject({ outcome: "ok", state: "completed" });
    expect(await metric('cairn_exploration_pages_total{result="completed"}')).toBe(3);
    expect(await metric('cairn_exploration_pages_total{result="failed"}')).toBe(1);
    expect(await metric('cairn_commands_total{kind="exploration",result="ok"}')).toBeGreaterThan(0);
    expect(await metric('cairn_store_statements_total{result="ok"}')).toBeGreaterThan(10);
    const shards = await metric("cairn_shards_owned");
    const { body: nodes } = await cairn.get("/api/nodes");
    expect(nodes.nodes).toMatchObject([{ self: true, shards }]);
  },
);

test.if(isFull)(
  "an exploration whose map is out of service fails with that reason, and the map gets the exploration's pages after its repair",
  async () => {
    await cairn.stop();
    await parkTheMap();
    cairn = await own.start();
    expect((await cairn.get("/api/actors?state=parked")).body.actors).toMatchObject([{ id: MAP }]);
    const failed = await explore("second");
    expect(failed).toMatchObject({ status: "failed", error: { code: "actor.parked" } });
    expect(failed.progress.completed).toBe(3);
    expect((await cairn.post(`/api/actors/knowledge/${MAP}/unpark`, {})).body).toMatchObject({
      unparked: true,
    });
    const search = { query_type: "search", params: { query: "letter" }, knowledge_id: MAP };
    for (;;) {
      const { body } = await cairn.post("/api/knowledge/query", search);
      if (body.data?.results?.length === 2) break;
      await Bun.sleep(100);
    }
    expect(await explore("third")).toMatchObject({ status: "completed", error: null });
  },
);
