/** The services that all sessions of one worker share: browser slots, saved states, secrets. */
import type { Store } from "../../store/index.ts";
import type { EgressProxy, UpstreamProxy } from "../egress/index.ts";
import type { Log } from "../runtime/index.ts";
import { type GivenSecret, Secrets } from "../secrets/secrets.ts";
import { BrowserSlots } from "./browser-slots.ts";
import { SessionStates } from "./saved-states.ts";

export interface SessionServices {
  readonly slots: BrowserSlots;
  readonly states: SessionStates;
  readonly secrets: Secrets;
  /** Creates an egress proxy through an upstream proxy; the caller closes it. */
  readonly proxyThrough: (upstream: UpstreamProxy) => Promise<EgressProxy>;
  readonly log: Log;
}

export interface SessionServicesOptions {
  readonly store: Store;
  readonly dataDir: string;
  /** Maximum number of sessions with a browser. */
  readonly live: number;
  /** Secrets of the environment. */
  readonly environmentSecrets: Readonly<Record<string, GivenSecret>>;
  readonly proxyThrough: (upstream: UpstreamProxy) => Promise<EgressProxy>;
  readonly log: Log;
}

export function sessionServices(options: SessionServicesOptions): SessionServices {
  const { store, dataDir, live, environmentSecrets: given, proxyThrough: wayThrough, log } = options;
  // The key is created when it is first needed.
  const secrets = new Secrets(dataDir, given);
  const states = new SessionStates(store, () => secrets.vault);
  return { slots: new BrowserSlots(live), states, secrets, proxyThrough: wayThrough, log };
}
