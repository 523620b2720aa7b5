/** Stores the results of requests with an `Idempotency-Key` in memory, for tests of the gateway. */
import type { Repeats } from "../../gateway/actor-system-interface.ts";

type Known = Awaited<ReturnType<Repeats["begin"]>>;

export class MemoryRepeats implements Repeats {
  readonly known = new Map<string, Known>();

  async begin(id: string, fingerprint: string): Promise<Known> {
    const known = this.known.get(id) ?? { fingerprint };
    this.known.set(id, known);
    return known;
  }

  async end(id: string, repeat: Known): Promise<void> {
    this.known.set(id, JSON.parse(JSON.stringify(repeat)));
  }
}
