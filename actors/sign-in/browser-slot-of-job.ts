/**
 * The browser slot of a background job, such as an exploration. Sessions of people have priority: between two
 * steps the job checks whether a session waits for the slot. The job then closes its browser, and takes a
 * slot again when one is free.
 */
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";

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
      // The slot that was unused for the longest time is freed first. A job's slot has the time 0, so it is
      // freed before the slots of sessions.
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

  /** Whether a person's session waits for the browser slot that this job occupies. */
  get isWanted(): boolean {
    return this.#yielded !== undefined && !this.#isReleased;
  }

  /** Frees the browser slot of the job. It must be called after the browser is closed. */
  release(): void {
    this.#isReleased = true;
    this.#yielded?.(true);
    this.#release();
  }
}
