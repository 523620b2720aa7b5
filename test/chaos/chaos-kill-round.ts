/**
 * A round of the job (the exploration of a manual) with kills: all processes are killed at random moments,
 * and Cairn is started again without any other help. The job must continue by itself, and end with the pages,
 * links and texts of an undisturbed job. Its counts must always be consistent.
 */
import type { ExplorationStatus } from "../../machines/exploration/exploration-protocol.ts";
import { Cairn, dataFolder } from "../e2e/support/cairn-test-process.ts";
import { JobWatch } from "../e2e/support/check-counts-of-running-exploration.ts";
import { differences, type StoredSite, storedSite } from "../e2e/support/compare-stored-site.ts";
import { countReachable, type SiteCount } from "../e2e/support/page-count-without-cairn.ts";
import { pythonManual } from "../e2e/support/python-manual-site.ts";
import { type ServedSite, serveFolder } from "../sites/serve-test-folder.ts";

const JOB = "chaos";
/**
 * Maximum random delay in milliseconds before a kill. Without it, every kill would follow directly after a
 * status request.
 */
const JITTER = 150;
/** About half of the restarts are killed too, at most this number of milliseconds after they began. */
const RESTART_KILL = 2_000;
const STATUS_EVERY = 100;

/** The first page of the Python manual, and the depth of its last pages. */
const MANUAL = { path: "/index.html", max_depth: 3 };

export interface Stage {
  readonly site: ServedSite;
  readonly count: SiteCount;
  stop(): Promise<void>;
}

export interface Round {
  /**
   * The progress of the job at each kill, as `<stored pages>/<searchable pages>`. The entry is `restart` if
   * the kill happened while Cairn restarted after an earlier kill.
   */
  readonly kills: readonly string[];
  readonly status: string;
  readonly readings: number;
  readonly seconds: number;
  readonly stored: StoredSite;
  /** Descriptions of expectations that were violated. The list is empty when the round has passed. */
  readonly faults: readonly string[];
}

export async function setStage(): Promise<Stage> {
  const site = serveFolder(await pythonManual());
  const count = await countReachable(site.origin + MANUAL.path, MANUAL.max_depth);
  return { site, count, stop: () => site.stop() };
}

/**
 * Runs the job once, from a new data folder to its end, and returns what it has stored.
 *
 * @param moments shares of the work (0 to 1) at which all processes are killed; an empty list for no kills
 * @param reference what an undisturbed job has stored; this job must store the same texts
 */
export async function playRound(
  stage: Stage,
  random: () => number,
  {
    moments,
    reference,
  }: { readonly moments: readonly number[]; readonly reference?: StoredSite | undefined },
): Promise<Round> {
  const began = performance.now();
  const data = await dataFolder();
  const watch = new JobWatch(JOB);
  const kills: string[] = [];
  let cairn = await Cairn.start({ data: data.path });
  try {
    await begin(cairn, stage);
    for (const moment of moments) {
      const seen = await watch.follow(cairn, (status) => workDone(status, stage) >= moment, STATUS_EVERY);
      if (seen.status !== "running" && seen.status !== "queued") break;
      await Bun.sleep(random() * JITTER);
      await cairn.kill();
      kills.push(`${seen.progress.completed}/${seen.progress.searchable}`);
      if (random() < 0.5) {
        const restarted = await Cairn.launch({ data: data.path });
        await Bun.sleep(random() * RESTART_KILL);
        await restarted.kill();
        kills.push("restart");
      }
      cairn = await Cairn.start({ data: data.path });
    }
    const end = await watch.follow(cairn, undefined, STATUS_EVERY);
    const stored = await storedSite(cairn, JOB);
    return {
      kills,
      status: end.status,
      readings: watch.readings,
      seconds: (performance.now() - began) / 1_000,
      stored,
      faults: [...(await faultsOf(cairn, end, stored, stage, reference)), ...watch.contradictions],
    };
  } finally {
    await cairn.kill();
    await data.remove();
  }
}

async function begin(cairn: Cairn, { site }: Stage): Promise<void> {
  const { status, body } = await cairn.post("/api/knowledge/explore/start", {
    start_url: site.origin + MANUAL.path,
    max_depth: MANUAL.max_depth,
    max_pages: 10_000,
    job_id: JOB,
  });
  if (status !== 200) throw new Error(`the job was not accepted: ${status} ${JSON.stringify(body)}`);
}

/**
 * Returns one to three random numbers from 0 to 1, sorted. They are the shares of the job's work at which all
 * processes are killed.
 */
export function killMoments(random: () => number): number[] {
  const wanted = 1 + Math.floor(random() * 3);
  return Array.from({ length: wanted }, random).sort((a, b) => a - b);
}

/**
 * Returns the share of the work that is done. Storing the pages counts as one half, and making them
 * searchable as the second half.
 */
function workDone(status: ExplorationStatus, stage: Stage): number {
  return (status.progress.completed + status.progress.searchable) / (2 * stage.count.pages.size);
}

async function faultsOf(
  cairn: Cairn,
  end: ExplorationStatus,
  stored: StoredSite,
  { count }: Stage,
  reference: StoredSite | undefined,
): Promise<string[]> {
  const faults: string[] = [];
  if (end.status !== "completed") faults.push(`ended ${end.status}: ${JSON.stringify(end.error)}`);
  for (const [what, keys] of Object.entries(differences(stored, count))) {
    faults.push(`${what} (${keys.length}): ${keys.slice(0, 3).join(", ")}`);
  }
  if (end.progress.completed !== stored.pages.length) {
    faults.push(`${end.progress.completed} completed, ${stored.pages.length} stored`);
  }
  const otherText = [...(reference?.texts ?? [])].filter(([key, text]) => stored.texts.get(key) !== text);
  if (otherText.length > 0)
    faults.push(`${otherText.length} pages hold another text, such as ${otherText[0]?.[0]}`);
  const hits = await cairn.post("/api/knowledge/query", {
    query_type: "search",
    params: { query: "python module", top_k: 100 },
    knowledge_id: end.knowledge_id,
  });
  const urls: string[] = hits.body.data.results.map((result: { url: string }) => result.url);
  if (urls.length === 0) faults.push("a search finds nothing");
  if (new Set(urls).size !== urls.length) faults.push("a search names a page twice");
  return faults;
}
