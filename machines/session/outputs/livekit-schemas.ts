/**
 * Schemas of LiveKit: the parameters of a session's start, the state of its video, and the content of
 * webhooks.
 */
import { z } from "zod";
import { videoFailures, videoStates } from "../../streaming/video-publisher-process-messages.ts";
import { sessionLimits } from "../session-limits.ts";

/** Maximum length of an access token in characters. It suffices for a token with metadata. */
const TOKEN_LENGTH = 10_000;
const NAME_LENGTH = 1_000;

export const livekitShape = {
  fps: z
    .number()
    .int()
    .min(1)
    .max(60)
    .default(sessionLimits.fps)
    .describe("Video frames per second, at most"),
  livekit_url: z
    .string()
    .min(1)
    .max(NAME_LENGTH)
    .optional()
    .describe("LiveKit server, such as wss://livekit.example.com. Default: LIVEKIT_URL"),
  livekit_api_key: z
    .string()
    .min(1)
    .max(NAME_LENGTH)
    .optional()
    .describe("With livekit_api_secret, Cairn makes its own token. Default: LIVEKIT_API_KEY"),
  livekit_api_secret: z
    .string()
    .min(1)
    .max(NAME_LENGTH)
    .optional()
    .describe("Secret of livekit_api_key. Default: LIVEKIT_API_SECRET"),
  livekit_token: z
    .string()
    .min(1)
    .max(TOKEN_LENGTH)
    .optional()
    .describe("Access token that may publish in the room. It takes precedence over key and secret"),
  video: z
    .boolean()
    .default(true)
    .describe("false: without video in a LiveKit room, although LIVEKIT_URL is set"),
};

/** The LiveKit options with which a session was started, as the actor stores them. */
export const livekitOptionsSchema = z
  .object({
    fps: z.number().int(),
    access: z
      .string()
      .exactOptional()
      .describe("Encrypted server and credentials; absent: those of the settings"),
  })
  .readonly();
export type LiveKitOptions = z.infer<typeof livekitOptionsSchema>;

const failing = {
  code: z.enum(videoFailures).optional(),
  error: z.string().optional(),
};

export const videoReportSchema = z.object({
  state: z.enum(videoStates),
  viewers: z.number().int().describe("Other participants of the room that are visible"),
  ...failing,
});

/** The payload of the event `video_state`. */
export const videoStateShape = {
  state: z
    .enum(videoStates)
    .describe("failed: Cairn tries again; ended: it does not, until recover_browser_session"),
  ...failing,
};

export const noticeKinds = ["participant_joined", "participant_left", "room_finished"] as const;

export const noticeSchema = z.object({
  notice: z.enum(noticeKinds),
  identity: z.string().exactOptional(),
  name: z.string().exactOptional(),
});
