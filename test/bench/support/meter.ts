/** Measures a process tree from now on: wall time, CPU seconds, and the resident set sampled all the while. */
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
  readonly #cpuBefore: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #peak = 0;

  constructor(pid: number) {
    this.#pid = pid;
    const now = usageOf(pid);
    this.#cpuBefore = now.cpuSeconds;
    this.#peak = now.rss;
    this.#timer = setInterval(() => this.sample(), SAMPLE_EVERY);
  }

  /** The resident set now, in bytes. */
  sample(): number {
    const { rss } = usageOf(this.#pid);
    this.#peak = Math.max(this.#peak, rss);
    return rss;
  }

  /** The figures so far; measuring goes on. */
  read(pages: number): Measured {
    const now = usageOf(this.#pid);
    this.#peak = Math.max(this.#peak, now.rss);
    return {
      pages,
      seconds: (performance.now() - this.#began) / 1_000,
      cpuSeconds: now.cpuSeconds - this.#cpuBefore,
      peakRss: this.#peak,
    };
  }

  stop(pages: number): Measured {
    const measured = this.read(pages);
    clearInterval(this.#timer);
    return measured;
  }
}
