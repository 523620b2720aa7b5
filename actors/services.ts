/** The services that effects and queries use. Each worker creates them once. */
import type { Store } from "../store/index.ts";
import type { Browser } from "./browser/index.ts";
import type { CairnSystem } from "./cairn-system.ts";
import type { Models } from "./models/index.ts";
import type { Reader } from "./reading/index.ts";
import type { RoomEvents } from "./session/room-events.ts";
import type { SessionServices } from "./session/session-services.ts";

export interface CairnServices {
  /** Other actors, outside of a step. Effects ask with their scope, which keeps the identity of the question. */
  readonly actors: CairnSystem;
  readonly store: Store;
  readonly reader: Reader;
  /** Starts with the first rendered page and is closed when the worker drains. */
  readonly browser: Browser;
  /** Numbers and publishes the events of rooms whose browsers are in this worker. */
  readonly events: RoomEvents;
  /** Answers typed questions by a language model, when one is configured. */
  readonly models: Models;
  /** Browser slots and saved states of live sessions. */
  readonly sessions: SessionServices;
}
