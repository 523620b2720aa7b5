/** The video of a browser in a LiveKit room: a publisher in a process of its own, access tokens, webhooks. */
export {
  type LiveKitKey,
  publisherIdentity,
  publisherToken,
  type RoomNotice,
  readWebhook,
} from "./access-token.ts";
export { checkPublisher } from "./optional-packages.ts";
export { Publisher, type PublisherOptions, type PublisherProxy } from "./publisher.ts";
