/**
 * What the sessions of one worker share: places in its browser, and what they come back from.
 *
 * Neighbours: `../worker.ts` makes it once, `browsing.ts` uses it.
 */
import type { Store } from "../../store/index.ts";
import type { Log } from "../runtime/index.ts";
import { openVault, type Vault } from "../vault.ts";
import { Places } from "./places.ts";
import { SessionStates } from "./states.ts";

export interface SessionServices {
  readonly places: Places;
  readonly states: SessionStates;
  readonly log: Log;
}

export interface SessionServicesOptions {
  readonly store: Store;
  readonly dataDir: string;
  /** Sessions that may have a browser at a time. */
  readonly live: number;
  readonly log: Log;
}

export function sessionServices({ store, dataDir, live, log }: SessionServicesOptions): SessionServices {
  // Nobody needs the key before the first secret, and a folder without secrets needs none.
  let vault: Promise<Vault> | undefined;
  const opened = (): Promise<Vault> => {
    vault ??= openVault(dataDir);
    return vault;
  };
  return { places: new Places(live), states: new SessionStates(store, opened), log };
}
