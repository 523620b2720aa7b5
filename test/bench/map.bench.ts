/**
 * Measures maps: whether their screens match the screens that a person counts in an application, whether a
 * changed page is recognised, whether routes lead to their target, and how fast a large map answers. Times
 * are compared with a floor, the smallest request to the same server.
 */

import { spawn } from "node:child_process";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { AgentResponse } from "../../machines/knowledge/knowledge-protocol.ts";
import { Cairn, dataFolder } from "../e2e/support/cairn-test-process.ts";
import { usageOf } from "../e2e/support/process-tree.ts";
import { appNames } from "../sites/apps/start-fixture-app.ts";
import { randomFrom } from "../support/seeded-random.ts";
import { generateNetwork, MAP, type Network } from "./support/bench-generated-map.ts";
import { type Bench, median, type Report, type Row } from "./support/bench-module-interface.ts";
import { type AppScore, scoreOwnApps } from "./support/compare-fixture-app-screens.ts";
import { type ForeignScore, scoreForeignApps } from "./support/compare-third-party-screens.ts";
import { type OneAddress, recogniseAtOneAddress } from "./support/measure-recognition-at-one-address.ts";

const MEGABYTE = 1_000_000;
const SECOND = 1_000;
/**
 * Pause in milliseconds before the first question. Cairn's start ends during it, and then does not slow down
 * the answer.
 */
const SETTLE = 500;
/**
 * Number of questions before the measurement begins. The first questions are slower, because their code is
 * not compiled yet.
 */
const WARM_UP = 100;
/**
 * After this number of questions to the map, the bench measures one request to the smallest route. The
 * duration of this request is the floor: no answer can be faster.
 */
const FLOOR_EVERY = 4;

export const bench: Bench = {
  about:
    "maps [--part speed,address,own,recognition,routes,disturbed,foreign] [--app NAME] [--pairs 200] [--screens 10000] [--transitions 50000] [--questions 2000] [--starts 5]",
  run,
};

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      part: { type: "string", default: "speed,address,own,recognition,routes" },
      app: { type: "string", multiple: true },
      pairs: { type: "string", default: "200" },
      screens: { type: "string", default: "10000" },
      transitions: { type: "string", default: "50000" },
      questions: { type: "string", default: "2000" },
      starts: { type: "string", default: "5" },
    },
  });
  const [screens, transitions, questions] = [values.screens, values.transitions, values.questions].map(
    Number,
  );
  const parts = new Set(values.part.split(","));
  const rows: Row[] = [];
  if (["own", "recognition", "routes", "disturbed"].some((part) => parts.has(part))) {
    const names = appNames.filter((name) => !values.app || values.app.includes(name));
    const recognise = parts.has("recognition");
    const pairs = parts.has("routes") || parts.has("disturbed") ? Number(values.pairs) : 0;
    const disturb = parts.has("disturbed");
    for (const score of await scoreOwnApps({ names, recognise, pairs, disturb }))
      rows.push(...ownRows(score));
  }
  if (parts.has("foreign")) {
    for (const score of await scoreForeignApps(values.app)) rows.push(...screenRows(score, 0.9));
  }
  if (parts.has("address")) {
    rows.push(...addressRows(await recogniseAtOneAddress(screens ?? 0, (questions ?? 0) / 4)));
  }
  const conditions = { cores: cpus().length, date: new Date().toISOString().slice(0, 10) };
  if (!parts.has("speed")) return { bench: "map", conditions, rows };
  const made = generateNetwork(screens ?? 0, transitions ?? 0);
  const data = await dataFolder();
  try {
    console.log(`making the map …`);
    await makeMap(data.path, values.screens, values.transitions);
    const firsts: FirstAnswer[] = [];
    for (let start = 1; start <= Number(values.starts); start++)
      firsts.push(await firstAnswer(data.path, made));
    const answers = await askMany(data.path, made, questions ?? 0);
    return {
      bench: "map",
      conditions: {
        screens: made.urls.length,
        transitions: made.links.reduce((sum, links) => sum + links.length, 0),
        questions: questions ?? 0,
        "clicks of a route (median)": median(answers.clicks),
        ...conditions,
      },
      rows: [...rows, ...speed(answers), ...first(firsts), ...correctness(answers), ...memory(answers)],
    };
  } finally {
    await data.remove();
  }
}

function addressRows({ screens, whole, names, milliseconds, first }: OneAddress): Row[] {
  const share = (right: readonly boolean[]) => right.filter(Boolean).length / right.length;
  const atLeast = (value: number) => ({ bound: "at least", value, label: String(value) }) as const;
  const name = `${screens} screens at one address`;
  const within = { bound: "at most", value: 5, label: "5 ms" } as const;
  return [
    { name: `${name}: recognised`, figure: share(whole), unit: "", target: atLeast(0.98) },
    { name: `${name}: from title, headings, names`, figure: share(names), unit: "", target: atLeast(0.95) },
    { name: `${name}: p50`, figure: median(milliseconds), unit: "ms", target: within },
    { name: `${name}: first question`, figure: first, unit: "ms" },
  ];
}

/**
 * Returns the result rows for the score of an application. Also prints the wrong and the missing screens,
 * because a score does not show its cause.
 */
function screenRows(
  { app, f1, precision, recall, wrong, missing }: AppScore | ForeignScore,
  least: number,
): Row[] {
  for (const one of wrong) console.log(`  ${app}: no true screen: ${one.slice(0, 300)}`);
  if (missing.length > 0) console.log(`  ${app}: not found: ${missing.slice(0, 40).join(", ")}`);
  const target = { bound: "at least", value: least, label: String(least) } as const;
  return [
    { name: `${app}: F1 of screens`, figure: f1, unit: "", target },
    { name: `${app}: precision`, figure: precision, unit: "" },
    { name: `${app}: recall`, figure: recall, unit: "" },
  ];
}

function ownRows(score: AppScore): Row[] {
  const { app, recognised, walked, disturbed } = score;
  const rows = screenRows(score, 0.98);
  const atLeast = (value: number) => ({ bound: "at least", value, label: String(value) }) as const;
  if (recognised) {
    for (const one of recognised.wrong) console.log(`  ${app}: not recognised: ${one}`);
    const share = (right: number) => right / recognised.asked;
    rows.push(
      {
        name: `${app}: recognised from changed pages`,
        figure: share(recognised.whole),
        unit: "",
        target: atLeast(0.98),
      },
      {
        name: `${app}: from title, headings, names`,
        figure: share(recognised.names),
        unit: "",
        target: atLeast(0.95),
      },
      { name: `${app}: from the address alone`, figure: share(recognised.address), unit: "" },
    );
  }
  if (walked) {
    for (const one of walked.wrong) console.log(`  ${app}: wrong walk: ${one}`);
    const stretched = { bound: "at most", value: 1.1, label: "1.1 of the shortest" } as const;
    rows.push(
      {
        name: `${app}: walks that arrived`,
        figure: walked.arrived / walked.pairs,
        unit: "",
        target: atLeast(0.99),
      },
      { name: `${app}: walks`, figure: walked.pairs, unit: "" },
      { name: `${app}: walks by address`, figure: walked.byAddress, unit: "" },
      { name: `${app}: clicks to the shortest way`, figure: walked.stretch, unit: "", target: stretched },
    );
  }
  if (disturbed) {
    for (const one of disturbed.wrong) console.log(`  ${app}: wrong disturbed walk: ${one}`);
    const share = disturbed.arrived / disturbed.pairs;
    rows.push({
      name: `${app}: disturbed walks that arrived`,
      figure: share,
      unit: "",
      target: atLeast(0.95),
    });
    rows.push({ name: `${app}: disturbed walks`, figure: disturbed.pairs, unit: "" });
    if (disturbed.avoided !== undefined)
      rows.push({
        name: `${app}: broken transition avoided at the second walk`,
        figure: Number(disturbed.avoided),
        unit: "",
        target: atLeast(1),
      });
  }
  return rows;
}

/**
 * Generates a map in a separate process. The folder of the store stays locked until the process that opened
 * it has ended.
 */
async function makeMap(folder: string, screens: string, transitions: string): Promise<void> {
  const script = join(import.meta.dir, "support/bench-generated-map.ts");
  const child = spawn(process.execPath, [script, folder, screens, transitions], { stdio: "inherit" });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`making the map ended with ${code}`);
}

interface FirstAnswer {
  readonly milliseconds: number;
  /**
   * CPU seconds of the complete process. Unlike elapsed time, they hardly depend on other processes of the
   * machine.
   */
  readonly cpu: number;
}

/**
 * Returns how long a newly started Cairn takes to answer its first question about a map, which it must load
 * first.
 */
async function firstAnswer(folder: string, made: Network): Promise<FirstAnswer> {
  const cairn = await Cairn.start({ data: folder });
  try {
    await Bun.sleep(SETTLE);
    const before = usageOf(cairn.pid).cpuSeconds;
    const goal = made.urls.length - 2;
    const { milliseconds, answer } = await ask(cairn, routeTo(made, 0, goal));
    if (answer.metadata.steps !== distance(made, 0, goal)) throw new Error("the first answer is wrong");
    const first = { milliseconds, cpu: usageOf(cairn.pid).cpuSeconds - before };
    console.log(`  first answer: ${milliseconds.toFixed(0)} ms, ${first.cpu.toFixed(2)} CPU s`);
    return first;
  } finally {
    await cairn.stop();
  }
}

interface Answers {
  readonly routes: readonly number[];
  readonly recognitions: readonly number[];
  readonly floor: readonly number[];
  readonly clicks: readonly number[];
  readonly wrong: number;
  readonly unreachable: number;
  /**
   * Resident memory in bytes: after the start (`before`), and after all questions, when the map is in memory
   * (`after`).
   */
  readonly rss: { readonly before: number; readonly after: number };
}

async function askMany(folder: string, made: Network, questions: number): Promise<Answers> {
  const cairn = await Cairn.start({ data: folder });
  const random = randomFrom(11);
  const any = () => Math.floor(random() * made.urls.length);
  const answers = {
    routes: [] as number[],
    recognitions: [] as number[],
    floor: [] as number[],
    clicks: [] as number[],
  };
  let [wrong, unreachable] = [0, 0];
  try {
    const before = usageOf(cairn.pid).rss;
    for (let number = -WARM_UP; number < questions; number++) {
      const [from, to, here] = [any(), any(), any()];
      const route = await ask(cairn, routeTo(made, from, to, number % 2 === 0));
      const recognised = await ask(cairn, screenAt(made, here));
      if (number < 0) continue;
      answers.routes.push(route.milliseconds);
      answers.recognitions.push(recognised.milliseconds);
      if (number % FLOOR_EVERY === 0)
        answers.floor.push((await timed(() => cairn.get("/health"))).milliseconds);
      const expected = distance(made, from, to);
      if (expected === undefined) unreachable += 1;
      else answers.clicks.push(expected);
      if (!isRightRoute(route.answer, made, from, to, expected)) wrong += 1;
      if (pageNamed(recognised.answer) !== made.titles[here]) wrong += 1;
    }
    return { ...answers, wrong, unreachable, rss: { before, after: usageOf(cairn.pid).rss } };
  } finally {
    await cairn.stop();
  }
}

/** Returns the name of the page in an answer. If the answer names no page, returns the name of its screen. */
function pageNamed({ metadata }: AgentResponse): unknown {
  // The cast is unchecked. If the answer has another shape, the returned name is wrong, and the bench fails.
  const instance = metadata.instance as { readonly name: string } | null | undefined;
  return instance?.name ?? metadata.screen_name;
}

function routeTo(made: Network, from: number, to: number, byUrl = true): unknown {
  const title = made.titles[from] ?? "";
  const context = { current_url: made.urls[from], dom_summary: `${title} About ${title} More of ${title}` };
  const target = byUrl ? made.urls[to] : made.titles[to];
  return { instruction_type: "navigate_to_screen", target, context };
}

function screenAt(made: Network, here: number): unknown {
  const title = made.titles[here] ?? "";
  const dom_summary = `${title} About ${title} More of ${title} Save ${title}`;
  return {
    instruction_type: "find_screen",
    target: "",
    context: { current_url: made.urls[here], dom_summary },
  };
}

async function ask(
  cairn: Cairn,
  question: unknown,
): Promise<{ milliseconds: number; answer: AgentResponse }> {
  const { milliseconds, result } = await timed(() => cairn.post(`/api/knowledge/${MAP}/query`, question));
  if (result.status !== 200) throw new Error(`answered ${result.status}: ${JSON.stringify(result.body)}`);
  // The cast is not verified. The response schema defines this shape, and any other shape fails the checks
  // below.
  return { milliseconds, answer: result.body as AgentResponse };
}

async function timed<T>(work: () => Promise<T>): Promise<{ milliseconds: number; result: T }> {
  const began = performance.now();
  const result = await work();
  return { milliseconds: performance.now() - began, result };
}

/**
 * Whether the route in the answer is right. It must have as many clicks as the shortest route. Each click
 * must start where the previous click ended, and the last click must lead to the goal.
 */
function isRightRoute(
  answer: AgentResponse,
  made: Network,
  from: number,
  to: number,
  expected: number | undefined,
): boolean {
  if (!answer.success) return false;
  if (expected === undefined) {
    const [only, ...others] = answer.actions;
    return only?.tool_name === "navigate" && only.parameters.url === made.urls[to] && others.length === 0;
  }
  if (answer.metadata.steps !== expected || answer.actions.length !== expected) return false;
  let here = from;
  for (const { tool_name, parameters } of answer.actions) {
    const next = made.links[here]?.find((link) => made.titles[link] === parameters.text);
    if (tool_name !== "click" || next === undefined) return false;
    here = next;
  }
  return here === to;
}

/**
 * Returns the number of clicks from one screen to another. It is computed by a simple breadth-first search,
 * for comparison with Cairn's routes.
 */
function distance(made: Network, from: number, to: number): number | undefined {
  const seen = new Set([from]);
  let level = [from];
  for (let clicks = 0; level.length > 0; clicks++) {
    if (level.includes(to)) return clicks;
    const next: number[] = [];
    for (const here of level) {
      for (const there of made.links[here] ?? []) {
        if (seen.has(there)) continue;
        seen.add(there);
        next.push(there);
      }
    }
    level = next;
  }
  return undefined;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

function speed({ routes, recognitions, floor }: Answers): Row[] {
  const within = (value: number) => ({ bound: "at most", value, label: `${value} ms` }) as const;
  return [
    { name: "navigate_to_screen, p50", figure: median(routes), unit: "ms", target: within(5) },
    { name: "navigate_to_screen, p99", figure: percentile(routes, 0.99), unit: "ms", target: within(50) },
    { name: "find_screen, p50", figure: median(recognitions), unit: "ms", target: within(5) },
    { name: "find_screen, p99", figure: percentile(recognitions, 0.99), unit: "ms" },
    { name: "floor: the smallest request, p50", figure: median(floor), unit: "ms" },
    { name: "floor: the smallest request, p99", figure: percentile(floor, 0.99), unit: "ms" },
  ];
}

function first(answers: readonly FirstAnswer[]): Row[] {
  const target = { bound: "at most", value: SECOND, label: "1 s" } as const;
  const [times, cpu] = [answers.map(({ milliseconds }) => milliseconds), answers.map(({ cpu }) => cpu)];
  return [
    { name: "first answer after activation", figure: median(times), unit: "ms", runs: times, target },
    { name: "first answer, CPU", figure: median(cpu), unit: "s", runs: cpu },
  ];
}

function correctness({ wrong, unreachable }: Answers): Row[] {
  const target = { bound: "at most", value: 0, label: "as the reference search" } as const;
  return [
    { name: "answers that differ from the reference", figure: wrong, unit: "answers", target },
    { name: "questions without a route of clicks", figure: unreachable, unit: "questions" },
  ];
}

function memory({ rss }: Answers): Row[] {
  return [
    { name: "memory, started", figure: rss.before / MEGABYTE, unit: "MB" },
    { name: "memory, after all questions", figure: rss.after / MEGABYTE, unit: "MB" },
  ];
}
