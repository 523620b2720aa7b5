/**
 * Measures a process tree from now on: wall time, CPU seconds, and the resident set, sampled all the while.
 *
 * CPU time is counted process by process, as last seen: a browser's renderers end during a crawl, and what they
 * used is lost with them to whoever looks only at the end (nobody of the tree waits for a zygote's children).
 */
import { usageOf } from "../../e2e/process-tree.ts";

const SAMPLE_EVERY = 50;

export interface Measured {
  readonly pages: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Bytes. */
  readonly peakRss: number;
}

export class Meter {
  readonly #pid: number;
  readonly #began = performance.now();
  /** CPU seconds of every process that was ever seen, as last seen. */
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

  /** The resident set now, in bytes. */
  sample(): number {
    const { rss, cpuByProcess } = usageOf(this.#pid);
    for (const [pid, seconds] of cpuByProcess) this.#cpu.set(pid, seconds);
    this.#peak = Math.max(this.#peak, rss);
    return rss;
  }

  /** The figures so far; measuring goes on. */
  read(pages: number): Measured {
    this.sample();
    return {
      pages,
      seconds: (performance.now() - this.#began) / 1_000,
      cpuSeconds: this.#cpuSeconds - this.#cpuBefore,
      peakRss: this.#peak,
    };
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
