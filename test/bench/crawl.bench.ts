/**
 * Compares speed, CPU time and memory of a crawl over the same pages: Cairn, Crawlee's CheerioCrawler, and
 * the floor (the least possible work: plain fetch and link extraction). The site runs in its own process, the
 * tools take turns, and figures are medians. A larger site shows whether memory grows with the number of
 * pages; `support/measure-rendered-crawl.ts` measures rendered pages.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pythonManual } from "../e2e/support/python-manual-site.ts";
import { type CairnCrawl, crawlWithCairn } from "./support/bench-cairn-crawl.ts";
import { runPeerProcess } from "./support/bench-compared-tool-process.ts";
import { type Bench, median, type Report, type Row, row } from "./support/bench-module-interface.ts";
import { cpu, type Measured, rate } from "./support/bench-process-meter.ts";
import { renderedCrawl } from "./support/measure-rendered-crawl.ts";
import { startSite } from "./support/start-bench-site.ts";

const PAGES = 300;
const MANY_PAGES = 3_000;
/**
 * Number of copies of the crawled manual on the larger site. Together they have more than `MANY_PAGES` pages.
 */
const COPIES = 6;
const MEGABYTE = 1_000_000;
const SUPPORT = join(import.meta.dir, "support");

export const bench: Bench = {
  about: "pages/s, CPU and memory of a crawl, HTTP and rendered [--runs 3] [--half http|rendered]",
  needsPeers: true,
  run,
};

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: { runs: { type: "string", default: "3" }, half: { type: "string" } },
  });
  const runs = Number(values.runs);
  const manual = await pythonManual();
  const rows: Row[] = [];
  if (values.half !== "rendered") rows.push(...(await httpCrawl(manual, runs)));
  if (values.half !== "http") {
    const site = await startSite(manual);
    rows.push(
      ...(await renderedCrawl({
        start: `${site.origin}/index.html`,
        runs,
        staticPages: PAGES,
        printRun: (who, measured) => tell(who, measured, (result) => result),
      })),
    );
    site.stop();
  }
  return {
    bench: "crawl",
    conditions: { pages: PAGES, runs, cores: cpus().length, date: new Date().toISOString().slice(0, 10) },
    rows,
  };
}

async function httpCrawl(manual: string, runs: number): Promise<Row[]> {
  const site = await startSite(manual);
  const start = `${site.origin}/index.html`;
  const cairn: CairnCrawl[] = [];
  const crawlee: Measured[] = [];
  const floor: Measured[] = [];
  for (let number = 1; number <= runs; number++) {
    console.log(`run ${number} of ${runs} …`);
    cairn.push(tell("cairn", await crawlWithCairn(start, PAGES), (crawl) => crawl.stored));
    floor.push(tell("floor", await crawlFloor(start), (measured) => measured));
    crawlee.push(tell("CheerioCrawler", await crawlCrawlee(start), (measured) => measured));
  }
  site.stop();

  console.log(`${MANY_PAGES} pages …`);
  const largeSite = await startSite(manual, COPIES);
  const large = tell(
    "cairn",
    await crawlWithCairn(`${largeSite.origin}/copies.html`, MANY_PAGES),
    (crawl) => crawl.stored,
  );
  largeSite.stop();

  return [
    ...speed(cairn, crawlee, floor),
    ...cost(cairn, crawlee, floor),
    ...memory(cairn, crawlee, floor, large),
  ];
}

function crawlFloor(start: string): Promise<Measured> {
  return runPeerProcess(
    process.execPath,
    [join(SUPPORT, "bench-minimal-fetch-crawler.ts"), start, String(PAGES)],
    {},
  );
}

/** Crawlee stores its results in a folder, so each run gets a new folder. */
async function crawlCrawlee(start: string): Promise<Measured> {
  const storage = await mkdtemp(join(tmpdir(), "cairn-bench-crawlee-"));
  try {
    return await runPeerProcess("node", [join(SUPPORT, "crawlee.mjs"), start, String(PAGES)], {
      CRAWLEE_STORAGE_DIR: storage,
    });
  } finally {
    await rm(storage, { recursive: true, force: true });
  }
}

function tell<T>(who: string, result: T, measured: (result: T) => Measured): T {
  const { pages, seconds, cpuSeconds, peakRss } = measured(result);
  const figures = `${(pages / seconds).toFixed(1)} pages/s, ${(cpuSeconds / pages).toFixed(4)} CPU s/page`;
  console.log(`  ${who}: ${pages} pages, ${figures}, ${(peakRss / MEGABYTE).toFixed(0)} MB`);
  return result;
}

function speed(
  cairn: readonly CairnCrawl[],
  crawlee: readonly Measured[],
  floor: readonly Measured[],
): Row[] {
  const floorRow = row("floor: fetched", "pages/s", floor.map(rate));
  const crawleeRow = row("CheerioCrawler: in its data set", "pages/s", crawlee.map(rate));
  const stored = row(
    "Cairn: stored",
    "pages/s",
    cairn.map((crawl) => rate(crawl.stored)),
  );
  const behind = cairn.map(({ stored: last, searchable }) => searchable.seconds - last.seconds);
  return [
    { ...stored, target: { bound: "at least", value: floorRow.figure / 4, label: "1/4 of the floor" } },
    {
      ...stored,
      name: "Cairn: stored, relative to CheerioCrawler",
      target: { bound: "at least", value: crawleeRow.figure * 10, label: "10 × CheerioCrawler" },
    },
    {
      ...row("Cairn: searchable after the last page", "s", behind),
      target: { bound: "at most", value: 30, label: "after the crawl" },
    },
    row(
      "Cairn: searchable",
      "pages/s",
      cairn.map((crawl) => rate(crawl.searchable)),
    ),
    floorRow,
    crawleeRow,
  ];
}

function cost(cairn: readonly CairnCrawl[], crawlee: readonly Measured[], floor: readonly Measured[]): Row[] {
  return [
    row(
      "Cairn: CPU to stored",
      "CPU s/page",
      cairn.map((crawl) => cpu(crawl.stored)),
    ),
    row(
      "Cairn: CPU to searchable",
      "CPU s/page",
      cairn.map((crawl) => cpu(crawl.searchable)),
    ),
    row("floor: CPU", "CPU s/page", floor.map(cpu)),
    row("CheerioCrawler: CPU", "CPU s/page", crawlee.map(cpu)),
  ];
}

function memory(
  cairn: readonly CairnCrawl[],
  crawlee: readonly Measured[],
  floor: readonly Measured[],
  large: CairnCrawl,
): Row[] {
  const megabytes = ({ peakRss }: Measured) => peakRss / MEGABYTE;
  const limit = { bound: "at most", value: 400, label: "for any number of pages" } as const;
  const early = memoryWhileStoring(large, PAGES, 2 * PAGES);
  const late = memoryWhileStoring(large, MANY_PAGES - PAGES, MANY_PAGES);
  return [
    {
      ...row(
        "Cairn: peak memory",
        "MB",
        cairn.map((crawl) => megabytes(crawl.searchable)),
      ),
      target: limit,
    },
    { ...row(`Cairn: peak memory, ${MANY_PAGES} pages`, "MB", [megabytes(large.searchable)]), target: limit },
    row(`Cairn: memory, pages ${PAGES} to ${2 * PAGES}`, "MB", [early]),
    {
      ...row(`Cairn: memory, pages ${MANY_PAGES - PAGES} to ${MANY_PAGES}`, "MB", [late]),
      target: { bound: "at most", value: early * 1.25, label: `flat: 1.25 × that of page ${PAGES}` },
    },
    row("floor: peak memory", "MB", floor.map(megabytes)),
    row("CheerioCrawler: peak memory", "MB", crawlee.map(megabytes)),
  ];
}

/**
 * Returns the median resident memory in MB while the crawl stores the pages with the numbers `from` to `to`.
 */
function memoryWhileStoring({ memory: readings }: CairnCrawl, from: number, to: number): number {
  const within = readings.filter(({ pages }) => pages >= from && pages <= to);
  return median(within.map(({ rss }) => rss)) / MEGABYTE;
}
