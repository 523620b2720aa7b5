/**
 * Watches the status of a job, and checks that its counts always add up and never decrease, even if the
 * process is killed meanwhile.
 */
import type { ExplorationStatus } from "../../../machines/exploration/exploration-protocol.ts";
import type { Cairn } from "./cairn-test-process.ts";

/**
 * A job counts as stuck if its status does not change for this time, in milliseconds. The slowest step of a
 * job takes much less, even on a loaded machine.
 */
const STANDSTILL = 90_000;
const ENDED = new Set(["completed", "cancelled", "failed"]);

export class JobWatch {
  readonly jobId: string;
  /** Descriptions of contradictions between the counts of a status. A correct Cairn produces none. */
  readonly contradictions: string[] = [];
  readings = 0;
  last: ExplorationStatus | undefined;

  constructor(jobId: string) {
    this.jobId = jobId;
  }

  /**
   * Reads the status until `until` returns true or the job ends. If the job is stuck, throws an error with
   * all diagnostics.
   */
  async follow(
    cairn: Cairn,
    until: (status: ExplorationStatus) => boolean = () => false,
    pause = 50,
  ): Promise<ExplorationStatus> {
    let changed = Date.now();
    let before = "";
    for (;;) {
      const status = await this.read(cairn);
      if (until(status) || ENDED.has(status.status)) return status;
      const now = JSON.stringify([status.status, status.progress]);
      if (now !== before) [before, changed] = [now, Date.now()];
      if (Date.now() - changed > STANDSTILL) {
        throw new Error(`The job stands still at ${now}.\n${await cairn.circumstances()}`);
      }
      await Bun.sleep(pause);
    }
  }

  async read(cairn: Cairn): Promise<ExplorationStatus> {
    const status = await cairn.status(this.jobId);
    this.#check(status);
    this.readings++;
    this.last = status;
    return status;
  }

  #check(status: ExplorationStatus): void {
    const { completed, queued, failed, searchable, skipped } = status.progress;
    const now = `${status.status} ${JSON.stringify(status.progress)}`;
    for (const [name, value] of Object.entries({ completed, queued, failed, searchable, skipped })) {
      if (!Number.isInteger(value) || value < 0) this.contradictions.push(`${name} is ${value}: ${now}`);
    }
    if (searchable > completed) this.contradictions.push(`more searchable than stored: ${now}`);
    if (status.status === "completed" && queued !== 0)
      this.contradictions.push(`completed with a queue: ${now}`);
    if (status.status === "completed" && searchable !== completed) {
      this.contradictions.push(`completed before everything was searchable: ${now}`);
    }
    const before = this.last?.progress;
    if (!before) return;
    const was = `${this.last?.status} ${JSON.stringify(before)}`;
    if (known(status) < known(this.last))
      this.contradictions.push(`known pages were lost: ${was} then ${now}`);
    for (const name of ["completed", "failed", "searchable", "skipped", "external_links"] as const) {
      if (status.progress[name] < before[name])
        this.contradictions.push(`${name} went back: ${was} then ${now}`);
    }
    if (this.last && ENDED.has(this.last.status) && this.last.status !== status.status) {
      this.contradictions.push(`an ended job went on: ${was} then ${now}`);
    }
  }
}

/**
 * Returns how many URLs the job has found within its limits. It is the sum of the counts by state, because
 * every URL is in exactly one state.
 */
function known(status: ExplorationStatus | undefined): number {
  if (!status) return 0;
  const { completed, queued, failed, skipped } = status.progress;
  return completed + queued + failed + skipped;
}
