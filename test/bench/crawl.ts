/**
 * How fast, how costly and how large a crawl is, beside a well-known crawler and beside doing nothing at all.
 *
 * Over the same pages in one run: Cairn, which stores everything and makes it searchable; Crawlee's
 * CheerioCrawler; and the floor, plain fetch and link extraction. The site is served by a process of its own,
 * runs are interleaved, figures are medians. Then a larger site shows whether memory grows with the pages, and
 * `support/rendered-half.ts` does the same for pages that a browser shows. `--half http` or `rendered` runs one.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pythonManual } from "../e2e/python-manual.ts";
import { type Bench, median, type Report, type Row } from "./support/bench.ts";
import { type CairnCrawl, crawlWithCairn } from "./support/cairn-crawl.ts";
import { runContestant } from "./support/contestant.ts";
import type { Measured } from "./support/meter.ts";
import { renderedHalf } from "./support/rendered-half.ts";
import { startSite } from "./support/site-process.ts";

const PAGES = 300;
const MANY_PAGES = 3_000;
/** Copies of the manual that make a site of more than `MANY_PAGES`. */
const COPIES = 6;
const MEGABYTE = 1_000_000;
const SUPPORT = join(import.meta.dir, "support");

export const bench: Bench = {
  about: "pages/s, CPU and memory of a crawl [--runs 3] [--half http|rendered]",
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
  if (values.half !== "rendered") rows.push(...(await httpHalf(manual, runs)));
  if (values.half !== "http") {
    const site = await startSite(manual);
    rows.push(
      ...(await renderedHalf({
        start: `${site.origin}/index.html`,
        runs,
        staticPages: PAGES,
        tell: (who, measured) => tell(who, measured, (result) => result),
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

async function httpHalf(manual: string, runs: number): Promise<Row[]> {
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
  const many = await startSite(manual, COPIES);
  const large = tell(
    "cairn",
    await crawlWithCairn(`${many.origin}/copies.html`, MANY_PAGES),
    (crawl) => crawl.stored,
  );
  many.stop();

  return [
    ...speed(cairn, crawlee, floor),
    ...cost(cairn, crawlee, floor),
    ...memory(cairn, crawlee, floor, large),
  ];
}

function crawlFloor(start: string): Promise<Measured> {
  return runContestant(process.execPath, [join(SUPPORT, "floor.ts"), start, String(PAGES)], {});
}

/** Crawlee keeps what it crawls in a folder; each run has its own. */
async function crawlCrawlee(start: string): Promise<Measured> {
  const storage = await mkdtemp(join(tmpdir(), "cairn-bench-crawlee-"));
  try {
    return await runContestant("node", [join(SUPPORT, "crawlee.mjs"), start, String(PAGES)], {
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
    { ...stored, target: { sense: "at least", value: floorRow.figure / 4, says: "1/4 of the floor" } },
    {
      ...stored,
      name: "Cairn: stored, beside CheerioCrawler",
      target: { sense: "at least", value: crawleeRow.figure * 10, says: "10 × CheerioCrawler" },
    },
    {
      ...row("Cairn: searchable after the last page", "s", behind),
      target: { sense: "at most", value: 30, says: "behind the crawl" },
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
  const limit = { sense: "at most", value: 400, says: "whatever the pages" } as const;
  const early = around(large, PAGES, 2 * PAGES);
  const late = around(large, MANY_PAGES - PAGES, MANY_PAGES);
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
      target: { sense: "at most", value: early * 1.25, says: `flat: 1.25 × that of page ${PAGES}` },
    },
    row("floor: peak memory", "MB", floor.map(megabytes)),
    row("CheerioCrawler: peak memory", "MB", crawlee.map(megabytes)),
  ];
}

/** The median resident set while that many pages were stored, in MB. */
function around({ memory: readings }: CairnCrawl, from: number, to: number): number {
  const within = readings.filter(({ pages }) => pages >= from && pages <= to);
  return median(within.map(({ rss }) => rss)) / MEGABYTE;
}

function row(name: string, unit: string, runs: readonly number[]): Row {
  return { name, figure: median(runs), unit, runs };
}

const rate = ({ pages, seconds }: Measured) => pages / seconds;
const cpu = ({ pages, cpuSeconds }: Measured) => cpuSeconds / pages;
