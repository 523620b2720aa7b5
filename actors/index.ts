/** The actors' public face: a running Cairn, and the work on a store that nobody has open. */
export { checkBrowser } from "./browser-readiness.ts";
export { checkStore, restoreStore } from "./data-folder.ts";
export { type CairnNode, startCairn } from "./node.ts";
export type { NatsPlace } from "./node-cluster.ts";
export type { StorePlace } from "./node-store.ts";
export type { Repeat } from "./repeats.ts";
export type { ResultsAnswer, ResultsRequest } from "./results.ts";
export type { GivenSecret, SecretInfo } from "./secrets.ts";
export type { ReadyCheck, StartCairnOptions } from "./start-options.ts";
