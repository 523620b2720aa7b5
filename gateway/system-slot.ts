/**
 * Where the running system will be: the gateway listens before the store is open, and after it closes.
 *
 * Until the system is there, whatever needs it is refused with 503, and `/health` and `/ready` answer.
 */
import { Unavailable } from "../machines/errors.ts";
import type { Cairn } from "./system.ts";

export class SystemSlot {
  #cairn: Cairn | undefined;
  #detail = "starting: opening the store";

  fill(cairn: Cairn): void {
    this.#cairn = cairn;
    this.#detail = "running";
  }

  /** No request reaches the system any more; answers the one that was there. */
  empty(detail: string): Cairn | undefined {
    const cairn = this.#cairn;
    this.#cairn = undefined;
    this.#detail = detail;
    return cairn;
  }

  get detail(): string {
    return this.#detail;
  }

  get current(): Cairn | undefined {
    return this.#cairn;
  }

  /** The system, or `system.unavailable` (503). */
  require(): Cairn {
    if (this.#cairn) return this.#cairn;
    throw new Unavailable(
      "system.unavailable",
      `Cairn cannot answer this now (${this.#detail}). Try again shortly.`,
    );
  }
}
