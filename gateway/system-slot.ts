/**
 * Where the running system will be: the gateway listens before the store is open, and after it closes.
 *
 * Who comes while the store opens waits a little instead of being sent away; `/health` and `/ready` do not wait.
 */
import { Unavailable } from "../machines/errors.ts";
import { gatewayLimits } from "./limits.ts";
import type { Cairn } from "./system.ts";

type State =
  | { readonly is: "starting" }
  | { readonly is: "running"; readonly cairn: Cairn }
  | { readonly is: "stopped" };

export class SystemSlot {
  readonly #patience: number;
  #state: State = { is: "starting" };
  #busyWith = "";
  #waiting: (() => void)[] = [];

  /** `patience`: milliseconds that a request waits for the system to start. */
  constructor(patience: number = gatewayLimits.startPatience) {
    this.#patience = patience;
  }

  /** What the start is busy with, such as `the store is being opened`. */
  starting(what: string): void {
    this.#busyWith = `: ${what}`;
  }

  fill(cairn: Cairn): void {
    this.#change({ is: "running", cairn });
  }

  /** No request reaches the system any more; answers the one that was there. */
  empty(): Cairn | undefined {
    const cairn = this.current;
    this.#change({ is: "stopped" });
    return cairn;
  }

  get current(): Cairn | undefined {
    return this.#state.is === "running" ? this.#state.cairn : undefined;
  }

  /** For `/ready`, while there is no system to ask. */
  get detail(): string {
    return this.#state.is === "starting" ? `starting${this.#busyWith}` : this.#state.is;
  }

  /** The system, as soon as it is there; `system.unavailable` (503) when it is not in time. */
  async available(): Promise<Cairn> {
    if (this.#state.is === "starting") await this.#settled();
    const cairn = this.current;
    if (cairn) return cairn;
    throw new Unavailable(
      "system.unavailable",
      `Cairn cannot answer this now (${this.detail}). Try again shortly.`,
    );
  }

  #change(state: State): void {
    this.#state = state;
    for (const wake of this.#waiting) wake();
    this.#waiting = [];
  }

  #settled(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#patience);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
