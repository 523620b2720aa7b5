/**
 * Compares `analyze_page` with `browser_snapshot` of `@playwright/mcp` over stdio: the time until the answer,
 * and the number of tokens that a model receives. The page changes before each measured call, and the client
 * then waits for about as long as a model thinks; only in the rows "at once" it does not wait. The row
 * "floor" is the shortest possible time, that of a stub server that only makes one round trip to a page.
 */
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { provideChromium } from "../../actors/browser/index.ts";
import { tokensOf } from "../../machines/session/page/token-estimate.ts";
import { recallOf } from "./support/aria-snapshot-recall.ts";
import { servePages } from "./support/bench-analysis-pages.ts";
import { CairnMcp } from "./support/bench-cairn-mcp.ts";
import { McpProcess } from "./support/bench-mcp-process.ts";
import { type Bench, median, type Report, type Row, rowsOf } from "./support/bench-module-interface.ts";
import { changes, removeDialog } from "./support/bench-page-change-scripts.ts";
import { PlaywrightMcp } from "./support/bench-playwright-mcp.ts";

/**
 * If a page has at least this number of elements, the report sets a target for its figure "one row changed,
 * delta".
 */
const LARGE = 500;
/** Delay in milliseconds after which the page changes. */
const CHANGE_AFTER = 500;
/** Pause between two calls in milliseconds. Even the fastest model needs longer for a turn. */
const TURN = 1_000;

export const bench: Bench = {
  about:
    "analyze_page over stdio compared with @playwright/mcp at the client [--rounds 3] [--only <parts of names>]",
  needsPeers: true,
  run,
};

interface Servers {
  readonly cairn: CairnMcp;
  readonly peer: PlaywrightMcp;
  /** A stub server, which only makes one round trip to a page. It gives the floor, the least possible time. */
  readonly floor: McpProcess;
}

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: { rounds: { type: "string", default: "3" }, only: { type: "string", default: "" } },
  });
  const { path } = await provideChromium({
    folder: tmpdir(),
    signal: new AbortController().signal,
    log: (_level, message) => console.log(message),
  });
  const pages = await servePages();
  const cairn = await CairnMcp.start();
  const peer = await PlaywrightMcp.start(path);
  const floor = await McpProcess.start({
    command: process.execPath,
    args: [join(import.meta.dir, "support/bench-minimal-mcp-server.ts"), path],
    cwd: import.meta.dir,
  });
  const rows: Row[] = [
    { name: "tool list", figure: tokensOf(await cairn.tools()), unit: "tokens" },
    { name: "tool list of @playwright/mcp", figure: tokensOf(await peer.tools()), unit: "tokens" },
  ];
  const rounds = Number(values.rounds);
  const servers = { cairn, peer, floor };
  try {
    // The first page is measured once without reporting it. Otherwise its figures would include the time in which the
    // new processes compile their code.
    const [unmeasured] = pages.pages;
    if (unmeasured) await measure(servers, ...unmeasured, rounds);
    for (const [name, url] of pages.pages) {
      if (!values.only.split(",").some((part) => name.includes(part))) continue;
      console.log(`${name} …`);
      rows.push(...(await rowsOf(name, () => measure(servers, name, url, rounds))));
    }
  } finally {
    await cairn.close();
    peer.close();
    floor.close();
    await Promise.all(pages.served.map((site) => site.stop()));
  }
  return {
    bench: "mcp",
    conditions: {
      rounds: values.rounds,
      cores: cpus().length,
      date: new Date().toISOString().slice(0, 10),
    },
    rows,
  };
}

const revisionIn = (text: string): number => Number(/^.* rev (\d+)/.exec(text)?.[1]);
const elementsIn = (text: string): number => text.match(/^\W*\[\d+\]/gm)?.length ?? 0;
const later = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

class Pair {
  readonly cairn: number[] = [];
  readonly peer: number[] = [];
}

async function measure(
  { cairn, peer, floor }: Servers,
  name: string,
  url: string,
  rounds: number,
): Promise<readonly Row[]> {
  const atOnce = new Pair();
  const first = new Pair();
  const opening = new Pair();
  let lines = "";
  let snapshot = "";
  for (let round = 0; round < rounds; round++) {
    for (const pair of [atOnce, first]) {
      const opened = await cairn.open(url);
      const openedThere = await peer.open(url);
      if (pair === first) await later(TURN);
      const shown = await cairn.analyze();
      const shownThere = await peer.snapshot();
      lines = shown.text;
      snapshot = shownThere.text;
      pair.cairn.push(shown.milliseconds);
      pair.peer.push(shownThere.milliseconds);
      if (pair === first) continue;
      opening.cairn.push(opened.milliseconds + shown.milliseconds);
      opening.peer.push(openedThere.milliseconds + shownThere.milliseconds);
    }
  }
  const floors: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await later(TURN);
    floors.push(await floor.ping());
  }
  const recall = recallOf((await peer.snapshotWithBoxes()).text, lines);
  const elements = elementsIn(lines);
  let revision = revisionIn(lines);
  const times = new Map(changes.map(({ what }) => [what, new Pair()]));
  const tokens = new Map<string, number[]>(changes.map(({ what }) => [what, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { what, script } of changes) {
      const run = `setTimeout(() => { ${script(round)} }, ${CHANGE_AFTER})`;
      await Promise.all([cairn.run(run), peer.run(run)]);
      await later(CHANGE_AFTER + TURN);
      const changed = await cairn.analyze(revision);
      const there = await peer.snapshot();
      revision = revisionIn(changed.text);
      times.get(what)?.cairn.push(changed.milliseconds);
      times.get(what)?.peer.push(there.milliseconds);
      tokens.get(what)?.push(tokensOf(changed.text));
    }
    await Promise.all([cairn.run(removeDialog(round)), peer.run(removeDialog(round))]);
    revision = revisionIn((await cairn.analyze(revision)).text);
  }
  if (recall.missing.length > 0)
    console.log(`  not reported: ${recall.missing.slice(0, 5).join("\n                ")}`);
  const whole = tokensOf(lines);
  const wholeThere = tokensOf(snapshot);
  const row = (what: string, figure: number, unit: string, target?: Row["target"]): Row => ({
    name: `${name} (${elements}): ${what}`,
    figure,
    unit,
    ...(target ? { target } : {}),
  });
  const atMost = (label: string, value: number): Row["target"] => ({ bound: "at most", value, label });
  const timed = (what: string, { cairn: here, peer: there }: Pair, divisor?: number): Row => ({
    ...row(
      what,
      median(here),
      "ms",
      divisor === undefined
        ? undefined
        : atMost(
            `1/${divisor} of browser_snapshot, ${Math.round(median(there))} ms`,
            median(there) / divisor,
          ),
    ),
    runs: here,
  });
  return [
    row("tokens", whole, "tokens", atMost("1/3 of browser_snapshot", wholeThere / 3)),
    row(
      `recall of ${recall.nodes} nodes`,
      recall.nodes === 0 ? 100 : (recall.reported / recall.nodes) * 100,
      "%",
      {
        bound: "at least",
        value: 99.5,
        label: "interactive nodes of browser_snapshot",
      },
    ),
    { ...row("floor, a stub with one round trip to a page", median(floors), "ms"), runs: floors },
    timed("first answer", first, 2),
    timed("first answer, at once", atOnce, 2),
    timed(`navigation and first answer (peer ${Math.round(median(opening.peer))} ms)`, opening),
    ...changes.flatMap(({ what }) => {
      const isRow = what === "one row changed" && elements >= LARGE;
      return [
        timed(what, times.get(what) ?? new Pair(), 5),
        row(
          `${what}, delta`,
          median(tokens.get(what) ?? []),
          "tokens",
          isRow ? atMost("2 % of the first answer", whole / 50) : undefined,
        ),
      ];
    }),
  ];
}
