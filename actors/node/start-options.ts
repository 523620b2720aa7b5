/**
 * What a Cairn is started with, and how it says that a part of it is ready. Neighbour: `node.ts` starts it.
 */
import type { EgressPolicy } from "../../machines/egress/egress-policy.ts";
import type { Role } from "../../machines/runtime/roles.ts";
import type { NatsPlace } from "./join-cluster.ts";
import type { StorePlace } from "./node-store.ts";
import type { Log } from "../runtime/index.ts";
import type { GivenSecret } from "../secrets/secrets.ts";

export interface StartCairnOptions {
  /** Folder of everything that lasts; made if it is not there. */
  readonly dataDir: string;
  /** Where everything is kept that has to last; in the data folder when it is not given. */
  readonly store?: StorePlace | undefined;
  readonly workers: number;
  readonly userAgent: string;
  /** Of this Cairn, as other nodes and operators are told. */
  readonly version: string;
  /** Which hosts may be explored. */
  readonly egress: EgressPolicy;
  /** `CAIRN_CHROMIUM`: the only Chromium to use; else one is looked for. */
  readonly chromium?: string | undefined;
  /** `CAIRN_EVALUATE`: whether callers of sessions may run scripts of their own in pages; not when it is not given. */
  readonly evaluate?: boolean | undefined;
  /** `CAIRN_LIVE_SESSIONS`: sessions with a browser at a time; the others are at rest, or wait. */
  readonly liveSessions?: number | undefined;
  /** `CAIRN_SECRET_<NAME>`, by name. */
  readonly secrets?: Readonly<Record<string, GivenSecret>> | undefined;
  /** A Cairn that stays gets its Chromium ready behind its start, and installs one when there is none. */
  readonly prepareBrowser?: boolean;
  /** The NATS that the nodes of one system share; alone without it. */
  readonly nats?: NatsPlace | undefined;
  /** What this node does of the system's work; all of it when they are not given. */
  readonly roles?: readonly Role[] | undefined;
  /** Milliseconds. */
  readonly leaseTtl: number;
  /** Told what the start is busy with, for those who wait. */
  readonly starting?: ((what: string) => void) | undefined;
  readonly log: Log;
}

export interface ReadyCheck {
  readonly ok: boolean;
  readonly detail: string;
}
