/** The services that all sessions of one worker share: browser slots, saved states, secrets. */
import type { Store } from "../../store/index.ts";
import type { EgressProxy, UpstreamProxy } from "../egress/index.ts";
import type { Log } from "../runtime/index.ts";
import { type GivenSecret, Secrets } from "../secrets/secret-store.ts";
import { BrowserSlots } from "./browser-slots.ts";
import { SessionStates } from "./encrypted-session-states.ts";
import type { VideoServices } from "./session-video.ts";

export interface SessionServices {
  readonly slots: BrowserSlots;
  readonly states: SessionStates;
  readonly secrets: Secrets;
  /** Starts a local egress proxy that connects through an upstream proxy. The caller closes it. */
  readonly proxyThrough: (upstream: UpstreamProxy) => Promise<EgressProxy>;
  /** The services for videos in LiveKit rooms. */
  readonly video: VideoServices;
  readonly log: Log;
}

export interface SessionServicesOptions {
  readonly store: Store;
  readonly dataDir: string;
  /** Maximum number of sessions with a running browser in this worker. */
  readonly live: number;
  /** Secrets from environment variables. The keys are the names of the secrets. */
  readonly environmentSecrets: Readonly<Record<string, GivenSecret>>;
  readonly proxyThrough: (upstream: UpstreamProxy) => Promise<EgressProxy>;
  readonly video: VideoServices;
  readonly log: Log;
}

export function sessionServices(options: SessionServicesOptions): SessionServices {
  const { store, dataDir, live, environmentSecrets: given, proxyThrough: wayThrough, video, log } = options;
  // The encryption key is created at its first use.
  const secrets = new Secrets(dataDir, given);
  const states = new SessionStates(store, () => secrets.vault);
  return { slots: new BrowserSlots(live), states, secrets, proxyThrough: wayThrough, video, log };
}
