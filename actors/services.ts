/**
 * What the kinds' effects and queries can reach on the node that runs them. Made once a worker, in `worker.ts`.
 */
import type { Store } from "../store/index.ts";
import type { Browser } from "./browser/index.ts";
import type { Reader } from "./reading/index.ts";
import type { RoomEvents } from "./session/room-events.ts";
import type { SessionServices } from "./session/session-services.ts";

export interface CairnServices {
  readonly store: Store;
  readonly reader: Reader;
  /** Starts with the first page that is rendered, and is closed when the worker drains. */
  readonly browser: Browser;
  /** What the rooms whose browsers are here tell. */
  readonly events: RoomEvents;
  /** Where live sessions have their places in it, and what they come back from. */
  readonly sessions: SessionServices;
}
