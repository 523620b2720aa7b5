/**
 * How fast a session tells what is on a page, and in how many tokens: on twelve pages from a few elements to more than
 * ten thousand, in a real Chromium, beside Playwright's snapshots and `@playwright/mcp`.
 *
 * The floor is one evaluation in the same page that counts the interactive elements. All figures of a page are taken
 * by turns, so that what else the machine does weighs on all of them. Before each analysis "after a change" an attribute
 * of the page's body is set, by which nothing is drawn anew; before one "after all moved" everything is laid out
 * elsewhere, so that every box differs. The peers know nothing of changes and always look anew. Tokens are the estimate that
 * `max_tokens` goes by, of both texts: of the lines a model reads, beside what `browser_snapshot` gives it.
 */
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { provideChromium } from "../../actors/browser/index.ts";
import type { ContextSession } from "../../actors/browser/session/browser-session.ts";
import { tokensOf } from "../../machines/session/token-estimate.ts";
import { type SessionStage, sessionStage } from "../actors/browser/session/stage.ts";
import { pythonManual } from "../e2e/python-manual.ts";
import { type ServedSite, serveFolder } from "../sites/folder.ts";
import { html, type ScriptedSite, serveSite } from "../sites/site.ts";
import { type Bench, median, type Report, type Row } from "./support/bench.ts";
import { coverageOf } from "./support/coverage.ts";
import { generatedPage } from "./support/generated-page.ts";
import { LineProcess } from "./support/line-process.ts";
import { PlaywrightMcp } from "./support/playwright-mcp.ts";

/** From this size on the targets are multiples of the floor. */
const LARGE = 500;
/** Milliseconds over the floor that a tiny page may take. */
const TINY_OVER_FLOOR = 6;
const WARM_UP = 3;
/** Peers take seconds on large pages, always about the same. */
const PEER_ROUNDS = 3;
const HERE = import.meta.dir;

export const bench: Bench = {
  about: "analyze_page on twelve pages beside Playwright's snapshots [--rounds 7] [--only <part of a name>]",
  needsPeers: true,
  run,
};

interface Peers {
  readonly aria: LineProcess;
  readonly mcp: PlaywrightMcp;
}

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: { rounds: { type: "string", default: "7" }, only: { type: "string", default: "" } },
  });
  const { path } = await provideChromium({
    folder: tmpdir(),
    signal: new AbortController().signal,
    log: (_level, message) => console.log(message),
  });
  const sites = await serve();
  const stage = await sessionStage();
  const aria = new LineProcess("node", [join(HERE, "support/aria-page.mjs"), path]);
  await aria.hear();
  const mcp = await PlaywrightMcp.start(path);
  const rows: Row[] = [];
  try {
    for (const [name, url] of sites.pages) {
      if (!name.includes(values.only)) continue;
      console.log(`${name} …`);
      rows.push(...(await measure(stage, { aria, mcp }, name, url, Number(values.rounds))));
    }
  } finally {
    aria.close();
    mcp.close();
    await stage.close();
    await Promise.all(sites.served.map((site) => site.stop()));
  }
  return {
    bench: "page",
    conditions: {
      rounds: values.rounds,
      cores: cpus().length,
      date: new Date().toISOString().slice(0, 10),
    },
    rows,
  };
}

interface Sites {
  readonly pages: readonly (readonly [name: string, url: string])[];
  readonly served: readonly (ServedSite | ScriptedSite)[];
}

async function serve(): Promise<Sites> {
  const modules = join(HERE, "node_modules");
  const own = serveSite({
    "/tiny": html("Tiny", `<h1>Tiny</h1><a href="/a">A</a><button>B</button><input aria-label="C">`),
    "/570": generatedPage(570),
    "/2700": generatedPage(2_700),
  });
  const sb = serveFolder(join(modules, "startbootstrap-sb-admin-2"));
  const gentelella = serveFolder(join(modules, "gentelella/dist"));
  const manual = serveFolder(await pythonManual());
  return {
    served: [own, sb, gentelella, manual],
    pages: [
      ["tiny", own.url("/tiny")],
      ["sb-admin login", `${sb.origin}/login.html`],
      ["sb-admin dashboard", `${sb.origin}/index.html`],
      ["sb-admin tables", `${sb.origin}/tables.html`],
      ["gentelella dashboard", `${gentelella.origin}/production/index.html`],
      ["gentelella form", `${gentelella.origin}/production/form.html`],
      ["gentelella tables", `${gentelella.origin}/production/tables_dynamic.html`],
      ["generated dashboard", own.url("/570")],
      ["manual os", `${manual.origin}/library/os.html`],
      ["generated forms", own.url("/2700")],
      ["manual contents", `${manual.origin}/contents.html`],
      ["manual index", `${manual.origin}/genindex-all.html`],
    ],
  };
}

const FLOOR = `document.querySelectorAll("a[href], button, input, select, textarea, [onclick], [tabindex], [role]").length`;

async function measure(
  stage: SessionStage,
  { aria, mcp }: Peers,
  name: string,
  url: string,
  rounds: number,
): Promise<readonly Row[]> {
  const session = stage.session as ContextSession; // What the browser opens is one.
  aria.tell(url);
  await Promise.all([aria.hear(), mcp.open(url), session.open(url)]);
  const first = await timed(() => stage.analyze());
  const { frames } = session.tab;
  const runs = {
    floor: [],
    warm: [],
    changed: [],
    moved: [],
    delta: [],
    aria: [],
    ai: [],
    snapshot: [],
  } as Record<"floor" | "warm" | "changed" | "moved" | "delta" | "aria" | "ai" | "snapshot", number[]>;
  const ariaTime = async (mode: string): Promise<number> => {
    aria.tell(mode);
    const { milliseconds } = await aria.hear();
    return Number(milliseconds);
  };
  let snapshot = "";
  for (let round = -WARM_UP; round < rounds; round++) {
    if (round >= -1 && round < PEER_ROUNDS) {
      const ariaMs = await ariaTime("default");
      const aiMs = await ariaTime("ai");
      const peer = await timed(() => mcp.snapshot());
      snapshot = peer.result;
      if (round >= 0) {
        runs.aria.push(ariaMs);
        runs.ai.push(aiMs);
        runs.snapshot.push(peer.milliseconds);
      }
    }
    await stage.run(`void document.body.setAttribute("data-round", "${round}")`);
    const changed = await timed(() => stage.analyze());
    await stage.run(`void (document.body.style.paddingTop = "${round & 1}px")`);
    const moved = await timed(() => stage.analyze());
    const floor = await timed(() => frames.evaluate(frames.main, FLOOR));
    const warm = await timed(() => stage.analyze());
    const { revision } = warm.result;
    const delta = await timed(() => stage.analyze({ since_revision: revision }));
    if (round < 0) continue;
    runs.floor.push(floor.milliseconds);
    runs.changed.push(changed.milliseconds);
    runs.moved.push(moved.milliseconds);
    runs.warm.push(warm.milliseconds);
    runs.delta.push(delta.milliseconds);
  }
  const last = await stage.analyze();
  const elements = last.totalElements;
  const { nodes, told, missing } = await coverageOf(session);
  if (missing.length > 0) console.log(`  not told: ${missing.join("\n            ")}`);
  const floor = median(runs.floor);
  const large = elements >= LARGE;
  const most = large ? floor * 10 : floor + TINY_OVER_FLOOR;
  const over = { sense: "at most", value: most, says: large ? "10 × floor" : "floor + 6 ms" } as const;
  const snapshotTokens = tokensOf(snapshot);
  const row = (what: string, figures: readonly number[], unit: string, target?: Row["target"]): Row => ({
    name: `${name} (${elements}): ${what}`,
    figure: median(figures),
    unit,
    runs: figures,
    ...(target ? { target } : {}),
  });
  const beside = (says: string, value: number): Row["target"] => ({ sense: "at most", value, says });
  return [
    row("floor", runs.floor, "ms"),
    row("ariaSnapshot()", runs.aria, "ms"),
    row("ariaSnapshot ai", runs.ai, "ms"),
    row("browser_snapshot", runs.snapshot, "ms"),
    row("first analysis", [first.milliseconds], "ms"),
    row("analysis, unchanged", runs.warm, "ms", over),
    row("analysis after a change", runs.changed, "ms", over),
    ...(large
      ? [
          row("… of ariaSnapshot ai", runs.changed, "ms", beside("1/4", median(runs.ai) / 4)),
          row("… of browser_snapshot", runs.changed, "ms", beside("1/5", median(runs.snapshot) / 5)),
        ]
      : []),
    row("analysis after all moved", runs.moved, "ms"),
    row("delta, unchanged", runs.delta, "ms", beside("1/5 of after all moved", median(runs.moved) / 5)),
    row("browser_snapshot tokens", [snapshotTokens], ""),
    row(
      "tokens of the lines",
      [tokensOf(last.clickableElementsString)],
      "",
      beside("1/3 of browser_snapshot", snapshotTokens / 3),
    ),
    row("tokens of the whole answer", [tokensOf(JSON.stringify(last))], ""),
    row(`told of ${nodes} accessible nodes`, [nodes === 0 ? 100 : (told / nodes) * 100], "%", {
      sense: "at least",
      value: 99.5,
      says: "visible, interactive",
    }),
  ];
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ milliseconds: number; result: Result }> {
  const start = performance.now();
  const result = await work();
  return { milliseconds: performance.now() - start, result };
}
