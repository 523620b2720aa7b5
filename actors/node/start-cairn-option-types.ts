/**
 * The options of `startCairn`, and the result of a check whether a part of the node, such as the store, is
 * ready.
 */
import type { EgressPolicy } from "../../machines/egress/egress-policy.ts";
import type { Role } from "../../machines/runtime/cluster-node-roles.ts";
import type { ModelSettings } from "../models/index.ts";
import type { Log } from "../runtime/index.ts";
import type { GivenSecret } from "../secrets/secret-store.ts";
import type { LiveKitSettings } from "../session/livekit-credentials.ts";
import type { NatsPlace } from "./join-cluster.ts";
import type { StorePlace } from "./open-node-store.ts";

export interface StartCairnOptions {
  /** The folder for all durable data. It is created when it is missing. */
  readonly dataDir: string;
  /** Where the store is; by default in the data folder. */
  readonly store?: StorePlace | undefined;
  readonly workers: number;
  readonly userAgent: string;
  /** The version of Cairn that this node reports to other nodes and operators. */
  readonly version: string;
  /** The policy that decides to which hosts Cairn may connect. */
  readonly egress: EgressPolicy;
  /** Path of the Chromium to use (`CAIRN_CHROMIUM`). By default, Cairn searches for one. */
  readonly chromium?: string | undefined;
  /** Whether callers may run scripts in pages (`CAIRN_EVALUATE`). By default they may not. */
  readonly evaluate?: boolean | undefined;
  /** Whether an empty page is kept ready for the next session (`CAIRN_PREPARED_PAGE`). By default it is. */
  readonly preparesPage?: boolean | undefined;
  /**
   * Maximum number of sessions with a running browser (`CAIRN_LIVE_SESSIONS`). Further sessions hibernate or
   * wait.
   */
  readonly liveSessions?: number | undefined;
  /** Secrets from the environment variables `CAIRN_SECRET_<NAME>`. The keys are the names. */
  readonly secrets?: Readonly<Record<string, GivenSecret>> | undefined;
  /** The LiveKit server for sessions that were started without a LiveKit server of their own. */
  readonly livekit?: LiveKitSettings | undefined;
  /** The language models that Cairn may ask; none by default. */
  readonly models?: ModelSettings | undefined;
  /** Whether the node looks for a Chromium after its start, and installs one if it finds none. */
  readonly prepareBrowser?: boolean;
  /** The cluster's NATS server; absent when Cairn runs as a single node. */
  readonly nats?: NatsPlace | undefined;
  /** The roles of this node; by default all. */
  readonly roles?: readonly Role[] | undefined;
  /** Milliseconds for which a worker's lease of a shard (a group of actors) is valid. */
  readonly leaseTtl: number;
  /**
   * Called at each step of the start with a description of the step. Until the start is complete, requests
   * are answered with the last description.
   */
  readonly starting?: ((what: string) => void) | undefined;
  readonly log: Log;
}

export interface ReadyCheck {
  readonly ok: boolean;
  readonly detail: string;
  /**
   * True if the node works without this part, such as Redis. Only operations that need it then fail or use a
   * fallback.
   */
  readonly optional?: boolean;
}
