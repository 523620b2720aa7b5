/**
 * The public interface of the folder `streaming`. A process of its own publishes the video of a browser in a
 * LiveKit room; this folder also creates access tokens and checks webhooks.
 */

export { checkPublisher } from "./check-livekit-packages-installed.ts";
export {
  type LiveKitKey,
  publisherIdentity,
  publisherToken,
  type RoomNotice,
  readWebhook,
} from "./livekit-access-token.ts";
export { Publisher, type PublisherOptions, type PublisherProxy } from "./video-publisher.ts";
