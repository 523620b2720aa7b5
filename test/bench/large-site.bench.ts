/**
 * Crawls a large generated site: memory must not grow with the pages, and the status must be answered quickly
 * at any time. The queue and the known pages are in the store, so 10,000 pages should need the memory of
 * 1,000.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { Cairn, dataFolder } from "../e2e/support/cairn-test-process.ts";
import { type Bench, median, type Report, type Row } from "./support/bench-module-interface.ts";
import { ProcessMeter } from "./support/bench-process-meter.ts";
import { startSite } from "./support/start-bench-site.ts";

const MEGABYTE = 1_000_000;
const STATUS_EVERY = 50;
/**
 * Number of pages in each of two groups: the first and the last pages of the crawl. The memory during the
 * first group is compared with the memory during the last group.
 */
const WINDOW = 1_000;

export const bench: Bench = { about: "memory and answers over a large site [--pages 10000]", run };

interface Reading {
  readonly pages: number;
  readonly rss: number;
  /** Response time of one request for the job's status, in milliseconds. */
  readonly responseTime: number;
}

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: { pages: { type: "string", default: "10000" } },
  });
  const pages = Number(values.pages);
  const site = await startSite("generated", pages);
  const data = await dataFolder();
  const cairn = await Cairn.start({ data: data.path });
  try {
    const meter = new ProcessMeter(cairn.pid);
    const readings: Reading[] = [];
    const { status, body } = await cairn.post("/api/knowledge/explore/start", {
      start_url: `${site.origin}/`,
      max_pages: 2 * pages,
      max_depth: 20,
      job_id: "large-site",
    });
    if (status !== 200) throw new Error(`the job was not accepted: ${JSON.stringify(body)}`);
    let stored: number | undefined;
    let printed = 0;
    for (;;) {
      const asked = performance.now();
      const { status: state, progress, error } = await cairn.status("large-site");
      const responseTime = performance.now() - asked;
      readings.push({ pages: progress.completed, rss: meter.sample(), responseTime });
      if (progress.completed >= printed + WINDOW) {
        printed += WINDOW;
        console.log(
          `  ${progress.completed} stored, ${progress.searchable} searchable, ${meter.read(1).seconds.toFixed(0)} s`,
        );
      }
      if (progress.queued === 0 && progress.completed > pages)
        stored ??= meter.read(progress.completed).seconds;
      if (state === "completed") break;
      if (state !== "queued" && state !== "running")
        throw new Error(`the job ended ${state}: ${JSON.stringify(error)}`);
      await Bun.sleep(STATUS_EVERY);
    }
    const all = meter.stop(readings.at(-1)?.pages ?? 0);
    return {
      bench: "large-site",
      conditions: { pages: all.pages, cores: cpus().length, date: new Date().toISOString().slice(0, 10) },
      rows: rowsOf(readings, pages, {
        stored: stored ?? all.seconds,
        searchable: all.seconds,
        peak: all.peakRss,
      }),
    };
  } finally {
    await cairn.kill();
    await data.remove();
    site.stop();
  }
}

function rowsOf(
  readings: readonly Reading[],
  pages: number,
  {
    stored,
    searchable,
    peak,
  }: { readonly stored: number; readonly searchable: number; readonly peak: number },
): Row[] {
  const early = memoryBetween(readings, WINDOW, 2 * WINDOW);
  const late = memoryBetween(readings, pages - WINDOW, pages);
  const answers = readings.map(({ responseTime }) => responseTime).sort((a, b) => a - b);
  const at = (share: number) => answers[Math.floor(share * (answers.length - 1))] ?? 0;
  return [
    {
      name: "status, p50",
      figure: at(0.5),
      unit: "ms",
      target: { bound: "at most", value: 10, label: "throughout" },
    },
    { name: "status, p99", figure: at(0.99), unit: "ms" },
    { name: "status, slowest", figure: at(1), unit: "ms" },
    { name: "stored", figure: pages / stored, unit: "pages/s" },
    { name: "searchable", figure: pages / searchable, unit: "pages/s" },
    { name: `memory, pages ${WINDOW} to ${2 * WINDOW}`, figure: early, unit: "MB" },
    {
      name: `memory, pages ${pages - WINDOW} to ${pages}`,
      figure: late,
      unit: "MB",
      target: {
        bound: "at most",
        value: early * 1.25,
        label: `flat: 1.25 × that of pages ${WINDOW} to ${2 * WINDOW}`,
      },
    },
    { name: "peak memory", figure: peak / MEGABYTE, unit: "MB" },
  ];
}

/**
 * Returns the median resident memory in MB while the crawl stores the pages with the numbers `from` to `to`.
 */
function memoryBetween(readings: readonly Reading[], from: number, to: number): number {
  return (
    median(readings.filter(({ pages }) => pages >= from && pages <= to).map(({ rss }) => rss)) / MEGABYTE
  );
}
