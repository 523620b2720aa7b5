/** The gateway's interface to navigation runs: start, wait for, cancel and read a run. */
import { setTimeout as pause } from "node:timers/promises";
import { assertUrlAllowed, type EgressPolicy } from "../../machines/egress/egress-policy.ts";
import { Refused } from "../../machines/errors.ts";
import { parseStartUrl } from "../../machines/exploration/crawl/normalise-url.ts";
import type {
  NavigationRequest,
  NavigationResult,
  NavigationStatus,
  StartNavigation,
} from "../../machines/navigation/navigation-run-schemas.ts";
import type { Store } from "../../store/index.ts";
import { encryptLogin } from "../login-recipe-encryption-and-secrets.ts";
import type { Secrets } from "../secrets/secret-store.ts";
import type { CairnSystem } from "../typed-actor-system.ts";
import { loginPurpose } from "./navigation-run-sessions.ts";

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

  readonly #secrets: Secrets;

  constructor(system: CairnSystem, store: Store, egress: EgressPolicy, secrets: Secrets) {
    this.#system = system;
    this.#secrets = secrets;
    this.#store = store;
    this.#egress = egress;
  }

  /** Starts a run and returns immediately, without waiting for its end. */
  async start(
    { run_id = `run-${crypto.randomUUID()}`, login, room_name, session_id, ...given }: StartNavigation,
    commandId?: string,
  ): Promise<{ readonly run_id: string; readonly status: NavigationStatus }> {
    const seed_links = given.seed_links.map(parseStartUrl);
    for (const seed of seed_links) assertUrlAllowed(new URL(seed), this.#egress);
    await this.#store.ping();
    const room = room_name ?? session_id;
    if (room !== undefined) await this.#checkRoom(room);
    if (given.knowledge_id !== undefined) await this.#checkMap(given.knowledge_id);
    const request: NavigationRequest = {
      ...given,
      run_id,
      seed_links,
      ...(room === undefined ? {} : { room_name: room }),
      ...(login === undefined ? {} : await this.#sealed(run_id, login)),
    };
    const id = commandId === undefined ? {} : { id: commandId };
    return await this.#system.ask("navigation", run_id, { type: "START", request }, id);
  }

  async #checkRoom(room: string): Promise<void> {
    const { phase } = await this.#system.query("session", room, "phase", { wait: false });
    if (phase !== "absent" && phase !== "closed") return;
    throw new Refused(
      "session.not_found",
      `There is no session ${room}. Start it with start_browser_session, and sign in there.`,
      { status: 404 },
    );
  }

  async #checkMap(map: string): Promise<void> {
    const { deleting } = await this.#system.query("knowledge", map, "status", null);
    if (!deleting) return;
    throw new Refused(
      "knowledge.deleting",
      `Map ${map} is being deleted. Try again in a moment, or name another with knowledge_id.`,
      { status: 409 },
    );
  }

  /** Encrypts the login recipe, because it is stored with the run. */
  async #sealed(
    runId: string,
    login: NonNullable<StartNavigation["login"]>,
  ): Promise<Pick<NavigationRequest, "login" | "login_digest">> {
    assertUrlAllowed(new URL(login.url), this.#egress);
    return await encryptLogin(login, runId, loginPurpose(runId), this.#secrets);
  }

  async result(runId: string): Promise<NavigationResult> {
    const result = await this.#system.query("navigation", runId, "result", null);
    if (result) return result;
    throw new Refused("navigation.not_found", `There is no run ${runId}. start_navigation starts one.`, {
      status: 404,
    });
  }

  async cancel(runId: string): Promise<{ readonly run_id: string; readonly status: NavigationStatus }> {
    // A command to a run that does not exist would create its actor in the store. So the result of the run is
    // queried first, which throws if there is no such run.
    await this.result(runId);
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
