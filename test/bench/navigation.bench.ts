/**
 * Measures navigation runs on sites of third-party software with known content: whether page types,
 * decisions, extracted content and its relevance are right.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NavigationResult } from "../../machines/navigation/navigation-run-schemas.ts";
import { Cairn } from "../e2e/support/cairn-test-process.ts";
import {
  knownPages,
  Scores,
  scoreDecision,
  scoreQuestion,
  type Tally,
} from "./navigation/navigation-bench-scoring.ts";
import {
  type ForeignSite,
  foreignSites,
  type ServedSite,
  serveForeignSite,
} from "./navigation/navigation-bench-sites.ts";
import type { Bench, Report, Row } from "./support/bench-module-interface.ts";

/**
 * Maximum number of pages of each kind (threads, pages, messages) of a site that are previewed. A preview is
 * a run's decision about one page, without following links.
 */
const PREVIEWED = 12;

export const bench: Bench = {
  about: "navigation runs on eighteen foreign sites (options: names of sites, --misses, --reload)",
  run,
};

async function run(options: readonly string[]): Promise<Report> {
  const names = options.filter((option) => !option.startsWith("--"));
  const sites = foreignSites.filter(({ name }) => names.length === 0 || names.includes(name));
  const data = await mkdtemp(join(tmpdir(), "cairn-bench-navigation-"));
  const cairn = await Cairn.start({ data, env: { CAIRN_WORKERS: "1" } });
  const total = new Scores();
  const heldBack = new Scores();
  const seconds: number[] = [];
  try {
    for (const site of sites) {
      const served = await serveForeignSite(site, options.includes("--reload"));
      try {
        const own = new Scores();
        seconds.push(...(await benchSite(cairn, site, served, own)));
        printSite(site.name, own, options.includes("--misses"));
        addScores(site.heldBack ? heldBack : total, own);
      } finally {
        await served.stop();
      }
    }
  } finally {
    await cairn.stop();
    await rm(data, { recursive: true, force: true });
  }
  printTypes(total);
  return {
    bench: "navigation",
    conditions: { sites: sites.length, runs: seconds.length, "pages in no truth": total.unknown },
    rows: [
      ...rowsOf(total),
      ...rowsOf(heldBack).map((row) => ({ ...row, name: `held back: ${row.name}` })),
      { name: "seconds of a run", figure: mean(seconds), unit: "s", target: target("at most", 60) },
    ],
  };
}

async function benchSite(
  cairn: Cairn,
  site: ForeignSite,
  served: ServedSite,
  scores: Scores,
): Promise<number[]> {
  const { world, map, origin } = served;
  const forum = world.kind === "forum";
  const known = knownPages(served);
  const samples = [
    map.index,
    ...map.listings,
    ...map.others,
    ...Object.values(map.boards ?? {}),
    ...Object.values(map.sections ?? {}),
    ...sample(Object.values(map.threads ?? {})),
    ...sample(Object.values(map.pages ?? {})),
    ...sample(Object.values(map.messages ?? {})),
  ];
  // All pages are tested with the same question, because a page's type does not depend on the question.
  const prompt = world.questions[0]?.prompt ?? "";
  const wanted = new Set(world.questions[0]?.expected);
  for (let from = 0; from < samples.length; from += 20) {
    const seeds = samples.slice(from, from + 20).map((path) => origin + path);
    const { decisions } = await navigate(cairn, prompt, seeds, { preview: true, max_seconds: 300 });
    for (const decision of decisions) scoreDecision(scores, decision, known, forum, wanted);
  }
  const seconds: number[] = [];
  for (const question of world.questions) {
    const seed = origin + seedPath(served, question.seed);
    const result = await navigate(cairn, question.prompt, [seed], question.request);
    seconds.push(result.usage.seconds);
    scoreQuestion(scores, site, served, question, result);
  }
  return seconds;
}

async function navigate(
  cairn: Cairn,
  prompt: string,
  seeds: readonly string[],
  more: Readonly<Record<string, unknown>>,
): Promise<NavigationResult> {
  const { status, body } = await cairn.call("navigate_with_intent", { prompt, seed_links: seeds, ...more });
  if (status !== 200) throw new Error(`navigate_with_intent answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

function seedPath({ map, world }: ServedSite, seed: string): string {
  const [kind, id = ""] = seed.split(":");
  const thread = world.kind === "forum" ? world.threads.find((one) => one.id === id) : undefined;
  const path = {
    index: map.index,
    board: map.boards?.[id] ?? map.index,
    section: map.sections?.[id] ?? map.index,
    page: map.pages?.[id],
    thread: map.threads?.[id] ?? map.messages?.[thread?.posts[0]?.id ?? ""],
  }[kind ?? ""];
  return path ?? map.index;
}

function sample(paths: readonly string[]): readonly string[] {
  const step = Math.max(1, Math.floor(paths.length / PREVIEWED));
  return paths.filter((_, index) => index % step === 0).slice(0, PREVIEWED);
}

const SCORES = ["pageTypes", "decisions", "extraction", "relevance", "precision", "recall", "posts"] as const;

function addScores(total: Scores, own: Scores): void {
  for (const name of SCORES) {
    total[name].right += own[name].right;
    total[name].all += own[name].all;
  }
  for (const [label, count] of own.types) total.types.set(label, (total.types.get(label) ?? 0) + count);
  total.unknown += own.unknown;
}

function printSite(name: string, scores: Scores, misses: boolean): void {
  const cell = (tally: Tally) => (tally.all === 0 ? "-" : `${tally.right}/${tally.all}`);
  console.log(`${name}: ${SCORES.map((score) => `${score} ${cell(scores[score])}`).join(", ")}`);
  if (!misses) return;
  for (const score of SCORES)
    for (const miss of scores[score].misses.slice(0, 12)) console.log(`  ${score}: ${miss}`);
}

/**
 * Prints a table with a row for each true type of page, and a column for each type that the run has assigned.
 * Each cell is a number of pages.
 */
function printTypes({ types }: Scores): void {
  const pairs = [...types].map(([label, count]) => [...label.split(" → "), String(count)]);
  const columns = [...new Set(pairs.map(([, type]) => type ?? ""))].sort();
  console.log(`\n${["".padEnd(10), ...columns].join("  ")}`);
  for (const kind of new Set(pairs.map(([kind]) => kind ?? ""))) {
    const cells = columns.map((type) =>
      (types.get(`${kind} → ${type}`) ?? 0).toString().padStart(type.length),
    );
    console.log([kind.padEnd(10), ...cells].join("  "));
  }
}

function rowsOf(scores: Scores): Row[] {
  const row = (name: string, tally: Tally, least: number): Row & { readonly all: number } => ({
    all: tally.all,
    name: `${name} (${tally.right} of ${tally.all})`,
    figure: 100 * tally.share,
    unit: "%",
    target: target("at least", least),
  });
  const rows = [
    row("page types", scores.pageTypes, 90),
    row("decisions", scores.decisions, 90),
    row("extraction", scores.extraction, 90),
    row("relevance", scores.relevance, 85),
    row("precision of what is kept", scores.precision, 85),
    row("recall of what fits", scores.recall, 90),
    row("posts with author and date", scores.posts, 95),
  ];
  return rows.filter(({ all }) => all > 0).map(({ all: _, ...shown }) => shown);
}

const target = (bound: "at least" | "at most", value: number) => ({
  bound,
  value,
  label: "protocol specification",
});
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
