/**
 * What the sessions of one worker share: places in its browser, and what they come back from.
 *
 * Neighbours: `../worker.ts` makes it once, `browsing.ts` uses it.
 */
import type { Store } from "../../store/index.ts";
import type { EgressProxy, UpstreamProxy } from "../egress/index.ts";
import type { Log } from "../runtime/index.ts";
import { type GivenSecret, Secrets } from "../secrets/secrets.ts";
import { Places } from "./browser-slots.ts";
import { SessionStates } from "./saved-states.ts";

export interface SessionServices {
  readonly places: Places;
  readonly states: SessionStates;
  readonly secrets: Secrets;
  /** A way out that leads through another proxy; to be closed. */
  readonly wayThrough: (upstream: UpstreamProxy) => Promise<EgressProxy>;
  readonly log: Log;
}

export interface SessionServicesOptions {
  readonly store: Store;
  readonly dataDir: string;
  /** Sessions that may have a browser at a time. */
  readonly live: number;
  /** Secrets of the environment. */
  readonly given: Readonly<Record<string, GivenSecret>>;
  readonly wayThrough: (upstream: UpstreamProxy) => Promise<EgressProxy>;
  readonly log: Log;
}

export function sessionServices(options: SessionServicesOptions): SessionServices {
  const { store, dataDir, live, given, wayThrough, log } = options;
  // Its key is made when the first secret needs it: a folder without secrets needs none.
  const secrets = new Secrets(dataDir, given);
  const states = new SessionStates(store, () => secrets.vault);
  return { places: new Places(live), states, secrets, wayThrough, log };
}
