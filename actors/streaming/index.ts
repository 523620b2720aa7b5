/**
 * The public interface of the folder `streaming`: publishes the video of a browser in a LiveKit room by a
 * process of its own, and handles access tokens and webhooks.
 */
export {
  type LiveKitKey,
  publisherIdentity,
  publisherToken,
  type RoomNotice,
  readWebhook,
} from "./access-token.ts";
export { checkPublisher } from "./optional-packages.ts";
export { Publisher, type PublisherOptions, type PublisherProxy } from "./publisher.ts";
