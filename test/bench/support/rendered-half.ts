/**
 * The rendered half of the crawl bench: the same pages, each shown by a browser, and what `auto` costs where no
 * browser is needed.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provideChromium } from "../../../actors/browser/index.ts";
import { median, type Row } from "./bench.ts";
import { type CairnCrawl, crawlWithCairn } from "./cairn-crawl.ts";
import { runContestant } from "./contestant.ts";
import type { Measured } from "./meter.ts";

/** Crawls of each kind, of `auto` beside `http`, in each run. */
const AUTO_PAIRS = 4;
/** A browser takes a second or so for each page of the slowest peer. */
const RENDERED = 60;

export interface RenderedOptions {
  readonly start: string;
  readonly runs: number;
  /** Pages of the comparison of `auto` with `http`. */
  readonly staticPages: number;
  readonly tell: (who: string, measured: Measured) => Measured;
}

export async function renderedHalf({ start, runs, staticPages, tell }: RenderedOptions): Promise<Row[]> {
  const { path } = await provideChromium({
    folder: tmpdir(),
    signal: new AbortController().signal,
    log: (_level, message) => console.log(message),
  });
  const cairn: Measured[] = [];
  const bare: Measured[] = [];
  const crawlee: Measured[] = [];
  const http: Measured[] = [];
  const auto: Measured[] = [];
  const stored = (crawl: CairnCrawl) => crawl.stored;
  for (let number = 1; number <= runs; number++) {
    console.log(`rendered, run ${number} of ${runs} …`);
    cairn.push(tell("cairn, browser", stored(await crawlWithCairn(start, RENDERED, { render: "browser" }))));
    bare.push(tell("four bare pages", await contestant("bare-pages.mjs", start, path)));
    crawlee.push(tell("PlaywrightCrawler", await contestant("playwright-crawler.mjs", start, path)));
    // Both ways round and often: one and the same crawl differs by a third from one time to the next.
    for (let pair = 0; pair < AUTO_PAIRS; pair++) {
      for (const render of pair % 2 === 0 ? (["http", "auto"] as const) : (["auto", "http"] as const)) {
        const crawl = await crawlWithCairn(start, staticPages, { render });
        (render === "http" ? http : auto).push(tell(`cairn, ${render}`, stored(crawl)));
      }
    }
  }
  const bareRow = row("four bare Playwright pages: shown", "pages/s", bare.map(rate));
  const crawleeCpu = row("PlaywrightCrawler: CPU", "CPU s/page", crawlee.map(cpu));
  const httpRow = row("Cairn, http: stored", "pages/s", http.map(rate));
  return [
    {
      ...row("Cairn, every page rendered: stored", "pages/s", cairn.map(rate)),
      target: { sense: "at least", value: bareRow.figure, says: "four bare pages" },
    },
    bareRow,
    row("PlaywrightCrawler: in its data set", "pages/s", crawlee.map(rate)),
    {
      ...row("Cairn, every page rendered: CPU to stored", "CPU s/page", cairn.map(cpu)),
      target: { sense: "at most", value: crawleeCpu.figure / 2, says: "1/2 of PlaywrightCrawler" },
    },
    row("four bare Playwright pages: CPU", "CPU s/page", bare.map(cpu)),
    crawleeCpu,
    {
      ...row("Cairn, auto on a static site: stored", "pages/s", auto.map(rate)),
      target: { sense: "at least", value: httpRow.figure * 0.9, says: "within 10 % of http" },
    },
    httpRow,
  ];
}

async function contestant(script: string, start: string, chromium: string): Promise<Measured> {
  const storage = await mkdtemp(join(tmpdir(), "cairn-bench-crawlee-"));
  try {
    return await runContestant("node", [join(import.meta.dir, script), start, String(RENDERED), chromium], {
      CRAWLEE_STORAGE_DIR: storage,
    });
  } finally {
    await rm(storage, { recursive: true, force: true });
  }
}

function row(name: string, unit: string, runs: readonly number[]): Row {
  return { name, figure: median(runs), unit, runs };
}

const rate = ({ pages, seconds }: Measured) => pages / seconds;
const cpu = ({ pages, cpuSeconds }: Measured) => cpuSeconds / pages;
