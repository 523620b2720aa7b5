/**
 * Measures time and tokens of an analysis on twelve pages, from a few elements to more than 10,000. It is
 * compared with Playwright's snapshots, with `@playwright/mcp`, and with a floor: one evaluation in the page
 * that counts the interactive elements. In the row "after a change", an attribute of the body has changed
 * without a visible effect; in "after all moved", every element has moved by a pixel.
 */
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { provideChromium } from "../../actors/browser/index.ts";
import type { ContextSession } from "../../actors/browser/session/browser-session.ts";
import { tokensOf } from "../../machines/session/page/token-estimate.ts";
import { type SessionStage, sessionStage } from "../actors/browser/session/session-in-shared-test-browser.ts";
import { coverageOf } from "./support/accessibility-tree-recall.ts";
import { servePages } from "./support/bench-analysis-pages.ts";
import { JsonLineProcess } from "./support/bench-json-line-process.ts";
import { type Bench, median, type Report, type Row, rowsOf } from "./support/bench-module-interface.ts";
import { PlaywrightMcp } from "./support/bench-playwright-mcp.ts";

/**
 * A page with at least this number of elements is large. Its targets are multiples of the floor (the time to
 * count the elements). Smaller pages have fixed targets.
 */
const LARGE = 500;
/**
 * Target for a page with few elements: an analysis takes at most this number of milliseconds longer than the
 * floor (the time to count the elements).
 */
const TINY_OVER_FLOOR = 6;
const WARM_UP = 3;
/**
 * Number of rounds in which the compared tools are measured. A few rounds are enough, because these tools
 * take seconds on large pages and their times vary little.
 */
const PEER_ROUNDS = 3;
const HERE = import.meta.dir;

export const bench: Bench = {
  about:
    "analyze_page on twelve pages compared with Playwright's snapshots [--rounds 7] [--only <part of a name>]",
  needsPeers: true,
  run,
};

interface Peers {
  readonly aria: JsonLineProcess;
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
  const sites = await servePages();
  const stage = await sessionStage();
  const aria = new JsonLineProcess("node", [join(HERE, "support/aria-page.mjs"), path]);
  await aria.receive();
  const mcp = await PlaywrightMcp.start(path);
  const rows: Row[] = [];
  try {
    for (const [name, url] of sites.pages) {
      if (!name.includes(values.only)) continue;
      console.log(`${name} …`);
      const rounds = Number(values.rounds);
      rows.push(...(await rowsOf(name, () => measure(stage, { aria, mcp }, name, url, rounds))));
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

const FLOOR = `document.querySelectorAll("a[href], button, input, select, textarea, [onclick], [tabindex], [role]").length`;

async function measure(
  stage: SessionStage,
  { aria, mcp }: Peers,
  name: string,
  url: string,
  rounds: number,
): Promise<readonly Row[]> {
  // The cast is safe: `openSession` returns a `ContextSession`.
  const session = stage.session as ContextSession;
  aria.send(url);
  await Promise.all([aria.receive(), mcp.open(url), session.open(url)]);
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
    aria.send(mode);
    const { milliseconds } = await aria.receive();
    return Number(milliseconds);
  };
  let snapshot = "";
  for (let round = -WARM_UP; round < rounds; round++) {
    if (round >= -1 && round < PEER_ROUNDS) {
      const ariaMs = await ariaTime("default");
      const aiMs = await ariaTime("ai");
      const peer = await mcp.snapshot();
      snapshot = peer.text;
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
  const { nodes, reported, missing } = await coverageOf(session);
  if (missing.length > 0) console.log(`  not reported: ${missing.join("\n                ")}`);
  const floor = median(runs.floor);
  const large = elements >= LARGE;
  const most = large ? floor * 10 : floor + TINY_OVER_FLOOR;
  const over = { bound: "at most", value: most, label: large ? "10 × floor" : "floor + 6 ms" } as const;
  const snapshotTokens = tokensOf(snapshot);
  const row = (what: string, figures: readonly number[], unit: string, target?: Row["target"]): Row => ({
    name: `${name} (${elements}): ${what}`,
    figure: median(figures),
    unit,
    runs: figures,
    ...(target ? { target } : {}),
  });
  const atMost = (label: string, value: number): Row["target"] => ({ bound: "at most", value, label });
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
          row("… of ariaSnapshot ai", runs.changed, "ms", atMost("1/4", median(runs.ai) / 4)),
          row("… of browser_snapshot", runs.changed, "ms", atMost("1/5", median(runs.snapshot) / 5)),
        ]
      : []),
    row("analysis after all moved", runs.moved, "ms"),
    row("delta, unchanged", runs.delta, "ms", atMost("1/5 of after all moved", median(runs.moved) / 5)),
    row("browser_snapshot tokens", [snapshotTokens], ""),
    row(
      "tokens of the lines",
      [tokensOf(last.clickableElementsString)],
      "",
      atMost("1/3 of browser_snapshot", snapshotTokens / 3),
    ),
    row("tokens of the whole answer", [tokensOf(JSON.stringify(last))], ""),
    row(`reported of ${nodes} accessible nodes`, [nodes === 0 ? 100 : (reported / nodes) * 100], "%", {
      bound: "at least",
      value: 99.5,
      label: "visible, interactive",
    }),
  ];
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ milliseconds: number; result: Result }> {
  const start = performance.now();
  const result = await work();
  return { milliseconds: performance.now() - start, result };
}
