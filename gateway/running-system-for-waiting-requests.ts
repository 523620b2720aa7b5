/**
 * Holds the running system, for which requests wait during the start. The gateway listens before the store is
 * open and after it is closed. Only `/health` and `/ready` answer without waiting.
 */
import { Unavailable } from "../machines/errors.ts";
import type { Cairn } from "./actor-system-interface.ts";
import { gatewayLimits } from "./gateway-limits.ts";

type State =
  | { readonly is: "starting" }
  | { readonly is: "running"; readonly cairn: Cairn }
  | { readonly is: "stopped" };

export class StartingSystem {
  readonly #patience: number;
  #state: State = { is: "starting" };
  #busyWith = "";
  #waiting: (() => void)[] = [];

  /** @param patience maximum time in milliseconds that a request waits for the start */
  constructor(patience: number = gatewayLimits.startPatience) {
    this.#patience = patience;
  }

  /** Sets the description of the current start step, such as `the store is being opened`. */
  starting(what: string): void {
    this.#busyWith = `: ${what}`;
  }

  fill(cairn: Cairn): void {
    this.#change({ is: "running", cairn });
  }

  /**
   * Marks Cairn as stopped, so that no further request uses it. Returns the running Cairn, which the caller then
   * stops. Returns `undefined` if none was running.
   */
  empty(): Cairn | undefined {
    const cairn = this.current;
    this.#change({ is: "stopped" });
    return cairn;
  }

  get current(): Cairn | undefined {
    return this.#state.is === "running" ? this.#state.cairn : undefined;
  }

  /** The state of Cairn's start, as `/ready` reports it. */
  get detail(): string {
    return this.#state.is === "starting" ? `starting${this.#busyWith}` : this.#state.is;
  }

  /** Returns the running system. Throws `system.unavailable` (503) when it does not start in time. */
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
