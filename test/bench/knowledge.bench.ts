/**
 * Measures what a map can do besides storing pages. It measures the inference of hidden actions, answers to
 * questions on a manual, the time of a search, and the CPU time for making a page searchable. That CPU time
 * is compared with the CPU time for storing the page.
 */

import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { embedTexts, fusedSearch } from "../../actors/knowledge/answers/word-and-meaning-search.ts";
import { createModels } from "../../actors/models/index.ts";
import { EmbeddingServer } from "../actors/models/test-embedding-server.ts";
import { pythonManual } from "../e2e/support/python-manual-site.ts";
import { serveFolder } from "../sites/serve-test-folder.ts";
import { manualQueries } from "../store/python-manual-queries-with-answers.ts";
import {
  copiesInMap,
  cpuSeconds,
  indexedManual,
  type MeasuredManual,
  measuredManual,
} from "./support/bench-manual-indexing-cost.ts";
import { type Bench, median, type Report, type Row } from "./support/bench-module-interface.ts";
import { scoreForms } from "./support/compare-forms-with-independent-parser.ts";
import { scoreGaps } from "./support/measure-inferred-map-actions.ts";

/**
 * A file of questions with known answers. The authors of the questions had not seen how the search ranks
 * pages.
 */
const QUESTIONS = join(import.meta.dir, "support/manual-questions.json");
const RECALL_AT = 5;
/** Maximum number of queries that are printed with their times. */
const SLOWEST = 5;
/** Time limit for computing the vectors of a manual, in milliseconds. */
const EMBED_WITHIN = 120_000;

export const bench: Bench = {
  about: "gaps, retrieval and search [--only forms,gaps,search] [--questions file] [--pages 0]",
  run,
};

interface Question {
  readonly question: string;
  readonly expected_url_suffixes: readonly string[];
}

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      only: { type: "string", default: "forms,gaps,search" },
      questions: { type: "string" },
      pages: { type: "string", default: "10000" },
    },
  });
  const parts = values.only.split(",");
  const rows: Row[] = [];
  if (parts.includes("forms")) rows.push(await formRow());
  if (parts.includes("gaps")) rows.push(...(await gapRows()));
  if (parts.includes("search")) rows.push(...(await searchRows(values.questions, Number(values.pages))));
  return {
    bench: "knowledge",
    conditions: { cores: cpus().length, date: new Date().toISOString().slice(0, 10) },
    rows,
  };
}

async function formRow(): Promise<Row> {
  const { pages, forms, fields, right, wrong } = await scoreForms();
  if (wrong.length > 0) console.log(`fields that differ:\n  ${wrong.join("\n  ")}`);
  return {
    name: `fields of ${forms} forms on ${pages} third-party pages that equal those in the DOM (${fields})`,
    figure: fields === 0 ? 0 : right / fields,
    unit: "",
    target: { bound: "at least", value: 0.98, label: "of the fields" },
  };
}

async function gapRows(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const by of ["offline", "scripted model"] as const) {
    const { hidden, stored, right, weak } = await scoreGaps(by);
    rows.push(
      {
        name: `${by}: precision of stored actions (${stored} of ${hidden} hidden)`,
        figure: stored === 0 ? 0 : right / stored,
        unit: "",
        target: { bound: "at least", value: 0.8, label: "of the stored" },
      },
      {
        name: `${by}: share of hidden actions found again`,
        figure: hidden === 0 ? 0 : right / hidden,
        unit: "",
      },
      {
        name: `${by}: stored at or under 0.6`,
        figure: weak,
        unit: "",
        target: { bound: "at most", value: 0, label: "none" },
      },
    );
  }
  return rows;
}

async function searchRows(file: string | undefined, pages: number): Promise<readonly Row[]> {
  const site = serveFolder(await pythonManual());
  const manual = await measuredManual(`${site.origin}/`);
  try {
    const own = manualQueries.map(
      ([question, paths]): Question => ({
        question,
        expected_url_suffixes: paths.map((path) => `${path}.html`),
      }),
    );
    const questions = (await Bun.file(file ?? QUESTIONS).json()) as readonly Question[];
    const rows = [
      ...(await recallRow(manual, "questions by others", questions)),
      ...(await recallRow(manual, "queries of the tests", own)),
      ...cpuRows(manual),
      ...(await latencyRows(manual, `${manual.pages} pages`, own)),
      ...(await fusedRows(manual, own, questions)),
    ];
    if (pages > manual.pages) {
      await copiesInMap(manual, pages);
      rows.push(
        {
          name: `memory of the index of ${pages} pages, for each page`,
          figure: await indexedManual(manual, pages),
          unit: "bytes",
        },
        ...(await recallRow(manual, `questions by others, ${pages} pages`, questions)),
        ...(await latencyRows(manual, `${pages} pages`, [...own, ...questions])),
      );
    }
    return rows;
  } finally {
    await manual.stop();
    await site.stop();
  }
}

/**
 * Measures the search by words and vectors. The vectors come from a scripted embedding server, which counts
 * words.
 */
async function fusedRows(
  manual: MeasuredManual,
  own: readonly Question[],
  questions: readonly Question[],
): Promise<readonly Row[]> {
  const server = new EmbeddingServer();
  const models = createModels(server.settings);
  try {
    await embedTexts(manual.store, models, manual.map, AbortSignal.timeout(EMBED_WITHIN));
    const search = (query: string, topK: number) =>
      fusedSearch(manual.store, models, manual.map, query, topK);
    const fused = { ...manual, search };
    return [
      ...(await recallRow(fused, "questions, fused with vectors", questions)),
      ...(await latencyRows(fused, "fused", own)),
    ];
  } finally {
    server.stop();
  }
}

async function recallRow(
  { search }: MeasuredManual,
  name: string,
  questions: readonly Question[],
): Promise<Row[]> {
  const missed: string[] = [];
  for (const { question, expected_url_suffixes } of questions) {
    const hits = await search(question, RECALL_AT);
    if (!hits.some(({ url }) => expected_url_suffixes.some((suffix) => url.endsWith(suffix))))
      missed.push(question);
  }
  if (missed.length > 0) console.log(`not found (${name}):\n  ${missed.join("\n  ")}`);
  return [
    {
      name: `recall@${RECALL_AT}, ${questions.length} ${name}`,
      figure: 1 - missed.length / questions.length,
      unit: "",
      target: { bound: "at least", value: 0.85, label: "of the questions" },
    },
  ];
}

function cpuRows({ storing, indexing }: MeasuredManual): Row[] {
  return [
    {
      name: "CPU of storing a page with its links, screen, actions and transitions",
      figure: storing * 1_000,
      unit: "ms",
    },
    {
      name: "CPU of making a page searchable",
      figure: indexing * 1_000,
      unit: "ms",
      target: { bound: "at most", value: storing * 1_000, label: "the CPU of storing it" },
    },
  ];
}

/**
 * Measures the time until a search returns its first results, and the CPU time that all threads use for it.
 * Before the measurement, each query runs once.
 */
async function latencyRows(
  { search }: MeasuredManual,
  what: string,
  questions: readonly Question[],
): Promise<readonly Row[]> {
  for (const { question } of questions) await search(question, RECALL_AT);
  const times: { readonly question: string; readonly ms: number }[] = [];
  const before = cpuSeconds();
  for (const { question } of questions) {
    const begun = performance.now();
    await search(question, RECALL_AT);
    times.push({ question, ms: performance.now() - begun });
  }
  const cpu = (1_000 * (cpuSeconds() - before)) / times.length;
  times.sort((a, b) => b.ms - a.ms);
  const slowest = times.slice(0, SLOWEST).map(({ question, ms }) => `${ms.toFixed(0)} ms ${question}`);
  console.log(`slowest of ${times.length} queries (${what}):\n  ${slowest.join("\n  ")}`);
  return [
    {
      name: `first results, ${what}, p50`,
      figure: median(times.map(({ ms }) => ms)),
      unit: "ms",
      target: { bound: "at most", value: 50, label: "milliseconds" },
    },
    {
      name: `first results, ${what}, p95`,
      figure: times[Math.floor(times.length * 0.05)]?.ms ?? 0,
      unit: "ms",
    },
    { name: `CPU of a search, ${what}, mean`, figure: cpu, unit: "ms" },
  ];
}
