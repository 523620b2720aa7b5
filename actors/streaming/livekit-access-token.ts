/**
 * Creates LiveKit's access tokens and checks its signed webhooks, by LiveKit's server SDK. The SDK is loaded
 * when it is first needed.
 */
import { Refused } from "../../machines/errors.ts";
import { videoLimits } from "../../machines/streaming/live-video-limits.ts";

export interface LiveKitKey {
  readonly key: string;
  readonly secret: string;
}

/**
 * Returns the identity of the participant that publishes the browser in a room. When a second participant
 * with this identity joins, LiveKit removes the first.
 */
export function publisherIdentity(room: string): string {
  return `cairn-${room}`;
}

/**
 * Returns a token that allows publishing in one room. Its holder cannot receive tracks of other participants.
 */
export async function publisherToken(room: string, { key, secret }: LiveKitKey): Promise<string> {
  const { AccessToken } = await import("livekit-server-sdk");
  const token = new AccessToken(key, secret, {
    identity: publisherIdentity(room),
    name: "Browser",
    ttl: videoLimits.tokenFor,
    attributes: { "cairn.role": "browser" },
  });
  token.addGrant({ roomJoin: true, room, canPublish: true, canPublishData: true, canSubscribe: false });
  return await token.toJwt();
}

/** The fields of LiveKit's webhooks that Cairn reads. */
export interface RoomNotice {
  readonly event: string;
  readonly room: string;
  readonly identity: string | undefined;
  readonly name: string | undefined;
}

/**
 * Returns the content of a webhook, if its signature is valid.
 *
 * @throws Refused `livekit.bad_signature` (401)
 */
export async function readWebhook(
  body: string,
  authorization: string | undefined,
  { key, secret }: LiveKitKey,
): Promise<RoomNotice> {
  const { WebhookReceiver } = await import("livekit-server-sdk");
  try {
    const { event, room, participant } = await new WebhookReceiver(key, secret).receive(body, authorization);
    return {
      event,
      room: room?.name ?? "",
      identity: participant?.identity,
      name: participant?.name || undefined,
    };
  } catch (cause) {
    throw new Refused(
      "livekit.bad_signature",
      "The webhook is not signed with LIVEKIT_API_KEY and LIVEKIT_API_SECRET. Set `webhook.api_key` of the LiveKit server to this key.",
      { status: 401, cause },
    );
  }
}
