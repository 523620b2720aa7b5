/** The gateway's interface to navigation runs: start, wait for, cancel and read a run. */
import { setTimeout as pause } from "node:timers/promises";
import { assertUrlAllowed, type EgressPolicy } from "../../machines/egress/egress-policy.ts";
import { Refused } from "../../machines/errors.ts";
import { parseStartUrl } from "../../machines/exploration/normalise-url.ts";
import type {
  NavigationRequest,
  NavigationResult,
  NavigationStatus,
} from "../../machines/navigation/navigation-schemas.ts";
import type { Store } from "../../store/index.ts";
import type { CairnSystem } from "../cairn-system.ts";

/** Milliseconds between two queries of a run's state while a caller waits for its end. */
const POLL_EVERY = 250;

interface Waiting {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((done: number, total: number | undefined, message: string) => void) | undefined;
}

export class NavigationService {
  readonly #system: CairnSystem;
  readonly #store: Store;
  readonly #egress: EgressPolicy;

  constructor(system: CairnSystem, store: Store, egress: EgressPolicy) {
    this.#system = system;
    this.#store = store;
    this.#egress = egress;
  }

  /** Starts a run and returns immediately, without waiting for its end. */
  async start(
    { run_id = `run-${crypto.randomUUID()}`, ...given }: NavigationRequest,
    commandId?: string,
  ): Promise<{ readonly run_id: string; readonly status: NavigationStatus }> {
    const seed_links = given.seed_links.map(parseStartUrl);
    for (const seed of seed_links) assertUrlAllowed(new URL(seed), this.#egress);
    await this.#store.ping();
    const request = { ...given, run_id, seed_links };
    const id = commandId === undefined ? {} : { id: commandId };
    return await this.#system.ask("navigation", run_id, { type: "START", request }, id);
  }

  async result(runId: string): Promise<NavigationResult> {
    const result = await this.#system.query("navigation", runId, "result", null);
    if (result) return result;
    throw new Refused("navigation.not_found", `There is no run ${runId}. POST /api/navigate starts one.`, {
      status: 404,
    });
  }

  async cancel(runId: string): Promise<{ readonly run_id: string; readonly status: NavigationStatus }> {
    return await this.#system.ask("navigation", runId, { type: "CANCEL" });
  }

  /** Waits for the end of a run. Aborting the signal ends only the wait; the run continues. */
  async wait(runId: string, { signal, progress }: Waiting): Promise<NavigationResult> {
    for (;;) {
      const result = await this.result(runId);
      const { status, decisions, articles } = result;
      const last = decisions.at(-1);
      progress?.(
        decisions.length,
        undefined,
        last === undefined ? status : `${last.action} ${last.url}, ${articles.length} articles`,
      );
      if (status !== "queued" && status !== "running") return result;
      await pause(POLL_EVERY, undefined, { signal });
    }
  }
}
