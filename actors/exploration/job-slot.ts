/**
 * The browser slot of an exploration. It yields to sessions of people: the owner asks between two steps whether the slot
 * is wanted, closes its browser then, and takes a slot again when one is free.
 */
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../services.ts";

export class JobSlot {
  readonly #release: () => void;
  #yielded: ((yielded: boolean) => void) | undefined;
  #isReleased = false;

  private constructor(release: () => void) {
    this.#release = release;
  }

  static async take({
    address,
    services,
    signal,
  }: Pick<EffectScope<CairnServices>, "address" | "services" | "signal">): Promise<JobSlot> {
    const slot = await services.sessions.slots.takeForJob(address.id, signal);
    const own = new JobSlot(slot.release);
    slot.assign({
      // Idle for longer than any session, so it is the first to yield.
      idleSince: 0,
      hibernate: () =>
        own.#isReleased
          ? Promise.resolve(true)
          : new Promise((resolve) => {
              own.#yielded = resolve;
            }),
    });
    return own;
  }

  /** Whether a session of a person waits for the slot. */
  get isWanted(): boolean {
    return this.#yielded !== undefined && !this.#isReleased;
  }

  /** Call when the browser is closed. */
  release(): void {
    this.#isReleased = true;
    this.#yielded?.(true);
    this.#release();
  }
}
