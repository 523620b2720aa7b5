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
} from "./livekit-access-token.ts";
export { checkPublisher } from "./livekit-publisher-packages.ts";
export { Publisher, type PublisherOptions, type PublisherProxy } from "./video-publisher.ts";
