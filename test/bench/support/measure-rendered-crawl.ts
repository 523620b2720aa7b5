/**
 * The part of the crawl bench that uses a browser. Measures crawls in which the browser renders each page,
 * and the cost of the mode `auto` on pages that need no browser.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provideChromium } from "../../../actors/browser/index.ts";
import { type CairnCrawl, crawlWithCairn } from "./bench-cairn-crawl.ts";
import { runPeerProcess } from "./bench-compared-tool-process.ts";
import { type Row, row } from "./bench-module-interface.ts";
import { cpu, type Measured, rate } from "./bench-process-meter.ts";

/** Number of pairs of crawls in each run. A pair is one crawl with `auto` and one with `http`. */
const AUTO_PAIRS = 4;
/** Number of rendered pages. It is low, because the slowest compared tool takes about a second for each. */
const RENDERED_PAGES = 60;

export interface RenderedOptions {
  readonly start: string;
  readonly runs: number;
  /** Number of static pages on which the modes `auto` and `http` are compared. */
  readonly staticPages: number;
  readonly printRun: (who: string, measured: Measured) => Measured;
}

export async function renderedCrawl({ start, runs, staticPages, printRun }: RenderedOptions): Promise<Row[]> {
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
    cairn.push(
      printRun("cairn, browser", stored(await crawlWithCairn(start, RENDERED_PAGES, { render: "browser" }))),
    );
    bare.push(printRun("four bare pages", await runPeer("bare-pages.mjs", start, path)));
    crawlee.push(printRun("PlaywrightCrawler", await runPeer("playwright-crawler.mjs", start, path)));
    // Two runs of the same crawl differ by up to a third in time. The crawls with `http` and with `auto` are
    // therefore run in pairs, and each of the two is the first in half of the pairs.
    for (let pair = 0; pair < AUTO_PAIRS; pair++) {
      for (const render of pair % 2 === 0 ? (["http", "auto"] as const) : (["auto", "http"] as const)) {
        const crawl = await crawlWithCairn(start, staticPages, { render });
        (render === "http" ? http : auto).push(printRun(`cairn, ${render}`, stored(crawl)));
      }
    }
  }
  const bareRow = row("four bare Playwright pages: loaded", "pages/s", bare.map(rate));
  const crawleeCpu = row("PlaywrightCrawler: CPU", "CPU s/page", crawlee.map(cpu));
  const httpRow = row("Cairn, http: stored", "pages/s", http.map(rate));
  return [
    {
      ...row("Cairn, every page rendered: stored", "pages/s", cairn.map(rate)),
      target: { bound: "at least", value: bareRow.figure, label: "four bare pages" },
    },
    bareRow,
    row("PlaywrightCrawler: in its data set", "pages/s", crawlee.map(rate)),
    {
      ...row("Cairn, every page rendered: CPU to stored", "CPU s/page", cairn.map(cpu)),
      target: { bound: "at most", value: crawleeCpu.figure / 2, label: "1/2 of PlaywrightCrawler" },
    },
    row("four bare Playwright pages: CPU", "CPU s/page", bare.map(cpu)),
    crawleeCpu,
    {
      ...row("Cairn, auto on a static site: stored", "pages/s", auto.map(rate)),
      target: { bound: "at least", value: httpRow.figure * 0.9, label: "within 10 % of http" },
    },
    httpRow,
  ];
}

async function runPeer(script: string, start: string, chromium: string): Promise<Measured> {
  const storage = await mkdtemp(join(tmpdir(), "cairn-bench-crawlee-"));
  try {
    return await runPeerProcess(
      "node",
      [join(import.meta.dir, script), start, String(RENDERED_PAGES), chromium],
      {
        CRAWLEE_STORAGE_DIR: storage,
      },
    );
  } finally {
    await rm(storage, { recursive: true, force: true });
  }
}
