/**
 * The browser sessions of signed-in navigation runs. A session opens with the first page of a run and is kept
 * between visits. It closes with the run, or after some time without a visit.
 */
import type { NavigationRequest } from "../../machines/navigation/navigation-run-schemas.ts";
import { storageOf } from "../../machines/session/state/playwright-storage-state.ts";
import { SECOND } from "../../machines/time-and-size-units.ts";
import { SignedInReader, type SignInOptions, type VisitScope } from "../sign-in/signed-in-page-reader.ts";
import type { CairnServices } from "../worker-services.ts";

/**
 * Milliseconds without a visit after which the browser of a run is closed, for example after the run was
 * cancelled.
 */
const IDLE = 30 * SECOND;

/**
 * Returns the purpose under which the login recipe of a navigation run is encrypted. The vault decrypts the
 * recipe only for the same purpose.
 */
export function loginPurpose(runId: string): string {
  return `navigate/${runId}`;
}

interface OpenRun {
  readonly reader: SignedInReader;
  timer?: ReturnType<typeof setTimeout>;
}

class RunSessions {
  readonly #open = new Map<string, OpenRun>();

  /**
   * Returns the page reader of a navigation run. The caller must call `rest` after each visit. The reader is
   * then closed if it is not used for some time.
   */
  take(runId: string, options: SignInOptions): SignedInReader {
    const run = this.#open.get(runId) ?? { reader: new SignedInReader(options) };
    clearTimeout(run.timer);
    this.#open.set(runId, run);
    return run.reader;
  }

  rest(runId: string): void {
    const run = this.#open.get(runId);
    if (!run) return;
    run.timer = setTimeout(() => void this.close(runId), IDLE);
    run.timer.unref();
  }

  async close(runId: string): Promise<void> {
    const run = this.#open.get(runId);
    this.#open.delete(runId);
    clearTimeout(run?.timer);
    await run?.reader.close();
  }
}

const sessions = new WeakMap<CairnServices, RunSessions>();

/**
 * Returns the sessions of this worker's navigation runs. A run that moves to another worker signs in again
 * there.
 */
export function runSessions(services: CairnServices): RunSessions {
  const known = sessions.get(services) ?? new RunSessions();
  sessions.set(services, known);
  return known;
}

/** Returns how a run signs in, or `undefined` for a run without a login. */
export function signInOf(
  runId: string,
  { login, room_name }: Pick<NavigationRequest, "login" | "room_name">,
): SignInOptions | undefined {
  if (login !== undefined) return { sealed: { login, purpose: loginPurpose(runId) } };
  return room_name === undefined ? undefined : { storage: (scope) => storageOfRoom(room_name, scope) };
}

/** Returns cookies and storage of an existing session. A hibernated session is woken for this. */
async function storageOfRoom(room: string, scope: VisitScope) {
  await scope.ask("session", room, { type: "WAKE" });
  return storageOf(await scope.query("session", room, "storageState", { databases: false }));
}
