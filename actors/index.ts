/** The public interface of `actors/`: a running Cairn, and operations on a store that no Cairn has open. */

export { type CairnNode, startCairn } from "./cairn-node.ts";
export type { ResultsAnswer, ResultsRequest } from "./exploration/exploration-results.ts";
export { createModels, type ModelSettings } from "./models/index.ts";
export { checkBrowser } from "./node/chromium-at-node-start.ts";
export { checkNats, type NatsPlace } from "./node/join-cluster.ts";
export type { StorePlace } from "./node/open-node-store.ts";
export { checkStore, restoreStore } from "./node/restore-and-check-store.ts";
export type { ReadyCheck, StartCairnOptions } from "./node/start-cairn-option-types.ts";
export type { Repeat } from "./operations/encrypted-idempotent-requests.ts";
export type { GivenSecret, SecretInfo } from "./secrets/secret-store.ts";
export type { LiveKitRequest } from "./session/livekit-credentials.ts";
export { checkPublisher } from "./streaming/index.ts";
