/**
 * How fast a session tells what is on a page: on pages of several sizes, in a real Chromium.
 *
 * The floor is one evaluation in the same page that counts the interactive elements. All figures of a page are taken
 * by turns, so that what else the machine does weighs on all of them.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import type { ContextSession } from "../../actors/browser/session/browser-session.ts";
import { type SessionStage, sessionStage } from "../actors/browser/session/stage.ts";
import { type Bench, median, type Report, type Row } from "./support/bench.ts";
import { generatedPage } from "./support/generated-page.ts";

/** From this size on the targets are multiples of the floor. */
const LARGE = 500;
/** Milliseconds over the floor that a tiny page may take. */
const TINY_OVER_FLOOR = 6;
const WARM_UP = 3;

export const bench: Bench = {
  about: "analyze_page on pages of several sizes [--sizes 3,570,2700,17000] [--rounds 9]",
  run,
};

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      sizes: { type: "string", default: "3,570,2700,17000" },
      rounds: { type: "string", default: "9" },
    },
  });
  const stage = await sessionStage();
  const rows: Row[] = [];
  try {
    for (const size of values.sizes.split(",").map(Number))
      rows.push(...(await measure(stage, size, Number(values.rounds))));
  } finally {
    await stage.close();
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

async function measure(stage: SessionStage, size: number, rounds: number): Promise<readonly Row[]> {
  const first = await timed(() => stage.show(generatedPage(size)));
  const elements = first.result.totalElements;
  const { frames } = (stage.session as ContextSession).tab; // What the browser opens is one.
  const runs = {
    floor: [] as number[],
    warm: [] as number[],
    delta: [] as number[],
    changed: [] as number[],
  };
  for (let round = -WARM_UP; round < rounds; round++) {
    await stage.run(`void document.querySelector("h1").setAttribute("data-round", "${round}")`);
    const changed = await timed(() => stage.analyze());
    // The first answer after a change takes away the marks of newness; what stays is what is asked for.
    const { revision } = await stage.analyze();
    await stage.analyze();
    const floor = await timed(() => frames.evaluate(frames.main, FLOOR));
    const warm = await timed(() => stage.analyze());
    const delta = await timed(() => stage.analyze({ since_revision: revision }));
    if (warm.result.totalElements !== elements || delta.result.highlightedElements.length !== 0)
      throw new Error("an unchanged page was told otherwise");
    if (round < 0) continue;
    runs.floor.push(floor.milliseconds);
    runs.changed.push(changed.milliseconds);
    runs.warm.push(warm.milliseconds);
    runs.delta.push(delta.milliseconds);
  }
  const floor = median(runs.floor);
  const changed = median(runs.changed);
  const most =
    size >= LARGE
      ? { sense: "at most" as const, value: floor * 10, says: "10 times the floor" }
      : { sense: "at most" as const, value: floor + TINY_OVER_FLOOR, says: "6 ms over the floor" };
  const row = (name: string, figures: readonly number[], target?: Row["target"]): Row => ({
    name: `${elements} elements: ${name}`,
    figure: median(figures),
    unit: "ms",
    runs: figures,
    ...(target ? { target } : {}),
  });
  return [
    row("floor", runs.floor),
    row("opened and first analysis", [first.milliseconds]),
    row("analysis, unchanged", runs.warm, most),
    row("analysis after a change", runs.changed, most),
    row("delta, unchanged", runs.delta, {
      sense: "at most",
      value: changed / 5,
      says: "1/5 of the analysis after a change",
    }),
  ];
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ milliseconds: number; result: Result }> {
  const start = performance.now();
  const result = await work();
  return { milliseconds: performance.now() - start, result };
}
