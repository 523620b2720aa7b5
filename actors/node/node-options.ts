/** The options of `startCairn`, and the readiness of a part. */
import type { EgressPolicy } from "../../machines/egress/egress-policy.ts";
import type { Role } from "../../machines/runtime/roles.ts";
import type { ModelSettings } from "../models/index.ts";
import type { Log } from "../runtime/index.ts";
import type { GivenSecret } from "../secrets/secrets.ts";
import type { NatsPlace } from "./join-cluster.ts";
import type { StorePlace } from "./node-store.ts";

export interface StartCairnOptions {
  /** Folder of everything that lasts; created when missing. */
  readonly dataDir: string;
  /** Where to store everything; by default in the data folder. */
  readonly store?: StorePlace | undefined;
  readonly workers: number;
  readonly userAgent: string;
  /** The version that other nodes and operators see. */
  readonly version: string;
  /** Which hosts may be opened. */
  readonly egress: EgressPolicy;
  /** `CAIRN_CHROMIUM`: the Chromium to use; by default one is searched. */
  readonly chromium?: string | undefined;
  /** `CAIRN_EVALUATE`: whether callers may run scripts in pages; off by default. */
  readonly evaluate?: boolean | undefined;
  /** `CAIRN_LIVE_SESSIONS`: maximum sessions with a browser; others hibernate or wait. */
  readonly liveSessions?: number | undefined;
  /** `CAIRN_SECRET_<NAME>`, by name. */
  readonly secrets?: Readonly<Record<string, GivenSecret>> | undefined;
  /** The models that answer questions; none by default. */
  readonly models?: ModelSettings | undefined;
  /** Finds or installs a Chromium after the start. */
  readonly prepareBrowser?: boolean;
  /** The NATS of the cluster; absent for a single node. */
  readonly nats?: NatsPlace | undefined;
  /** The node's roles; all by default. */
  readonly roles?: readonly Role[] | undefined;
  /** Lifetime of a lease in milliseconds. */
  readonly leaseTtl: number;
  /** Called with the current step of the start, for waiting requests. */
  readonly starting?: ((what: string) => void) | undefined;
  readonly log: Log;
}

export interface ReadyCheck {
  readonly ok: boolean;
  readonly detail: string;
  /** The part is optional: what fails without it answers in another way or with an error, all else works. */
  readonly optional?: boolean;
}
