/** The services that effects and queries use. Each worker creates them once. */
import type { Store } from "../store/index.ts";
import type { Browser } from "./browser/index.ts";
import type { Models } from "./models/index.ts";
import type { Reader } from "./reading/index.ts";
import type { SessionServices } from "./session/services-shared-by-sessions.ts";
import type { RoomEvents } from "./session/session-event-publisher.ts";
import type { CairnSystem } from "./typed-actor-system.ts";

export interface CairnServices {
  /**
   * Sends commands and queries to other actors. Effects use the functions of their scope instead: the scope
   * sends a command with the same id when the effect runs again after a crash.
   */
  readonly actors: CairnSystem;
  readonly store: Store;
  readonly reader: Reader;
  /** The browser. It starts with the first rendered page and is closed when the worker drains. */
  readonly browser: Browser;
  /** Numbers and publishes the events of the sessions whose browsers are in this worker. */
  readonly events: RoomEvents;
  /** Asks a language model, if one is configured. */
  readonly models: Models;
  /** Limits the number of live browsers in this worker, and stores the states of its sessions. */
  readonly sessions: SessionServices;
}
