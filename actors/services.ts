/**
 * What the kinds' effects and queries can reach on the node that runs them. Made once a worker, in `worker.ts`.
 */
import type { Store } from "../store/index.ts";
import type { Reader } from "./reading/index.ts";

export interface CairnServices {
  readonly store: Store;
  readonly reader: Reader;
}
