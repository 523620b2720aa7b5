/**
 * Measures a process tree by samples: elapsed time, CPU seconds and resident memory. The CPU time of each
 * process is taken from its last sample. The counters of the parent would miss ended renderers of the
 * browser: Linux adds the CPU time of a child process only when its parent waits for it.
 */
import { usageOf } from "../../e2e/support/process-tree.ts";

const SAMPLE_EVERY = 50;

export interface Measured {
  readonly pages: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Highest resident memory of all samples, in bytes. */
  readonly peakRss: number;
}

export const rate = ({ pages, seconds }: Measured): number => pages / seconds;
export const cpu = ({ pages, cpuSeconds }: Measured): number => cpuSeconds / pages;

export class ProcessMeter {
  readonly #pid: number;
  readonly #began = performance.now();
  /** CPU seconds of each process in its last sample, by pid. */
  readonly #cpu = new Map<number, number>();
  readonly #cpuBefore: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #peak = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.sample();
    this.#cpuBefore = this.#cpuSeconds;
    this.#timer = setInterval(() => this.sample(), SAMPLE_EVERY);
  }

  /** Measures and returns the resident memory in bytes. */
  sample(): number {
    const { rss, cpuByProcess } = usageOf(this.#pid);
    for (const [pid, seconds] of cpuByProcess) this.#cpu.set(pid, seconds);
    this.#peak = Math.max(this.#peak, rss);
    return rss;
  }

  /** Returns the measurements so far, without ending the measurement. */
  read(pages: number): Measured {
    this.sample();
    return {
      pages,
      seconds: (performance.now() - this.#began) / 1_000,
      cpuSeconds: this.#cpuSeconds - this.#cpuBefore,
      peakRss: this.#peak,
    };
  }

  /** Returns the CPU seconds that a process had used at the last sample. */
  cpuSecondsOf(pid: number): number {
    return this.#cpu.get(pid) ?? 0;
  }

  stop(pages: number): Measured {
    const measured = this.read(pages);
    clearInterval(this.#timer);
    return measured;
  }

  get #cpuSeconds(): number {
    let sum = 0;
    for (const seconds of this.#cpu.values()) sum += seconds;
    return sum;
  }
}
