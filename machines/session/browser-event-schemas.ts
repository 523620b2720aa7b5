/**
 * Schemas of the twelve browser events in the protocol specification, of hand-overs of control to a person,
 * and of `result_ready`.
 */
import { z } from "zod";
import { videoStateShape } from "./outputs/livekit-schemas.ts";
import { screenContentSchema, sessionOutcomeSchema } from "./session-protocol.ts";

const room = { room_name: z.string() };
const page = { ...room, tab: z.number().int().describe("Number of the tab") };

const actionSchema = z.object({
  action_type: z.string().describe("As its caller called it"),
  params: z.record(z.string(), z.unknown()).describe("What was typed is masked"),
});
const act = {
  ...room,
  action: actionSchema,
  command_id: z.string(),
  job_id: z.string().optional().describe("Of the queue that it came from"),
};
const presentation = { ...room, session_id: z.string().describe("The room once more") };

/**
 * The schema of a session's event. The payload appears twice: flat, and as `data`. The event has its time and
 * a number in the session.
 */
function eventSchema<Type extends string, Payload extends z.ZodRawShape>(type: Type, payload: Payload) {
  return z.object({
    type: z.literal(type),
    ...payload,
    data: z.object(payload).describe("The same payload once more"),
    timestamp: z.number().describe("Seconds since the epoch, with fraction"),
    event_id: z.string(),
    seq: z
      .number()
      .int()
      .describe("One more than that of the room's event before; a new session begins with 1"),
  });
}

export const pageNavigationSchema = eventSchema("page_navigation", {
  ...page,
  url: z.string(),
  within_document: z.boolean().describe("The address changed, the document did not"),
});
export const pageLoadCompleteSchema = eventSchema("page_load_complete", { ...page, url: z.string() });
export const actionQueuedSchema = eventSchema("action_queued", act);
export const actionProcessingSchema = eventSchema("action_processing", act);
export const actionCompletedSchema = eventSchema("action_completed", {
  ...act,
  result: sessionOutcomeSchema,
});
export const actionErrorSchema = eventSchema("action_error", {
  ...act,
  error: z.string(),
  result: sessionOutcomeSchema,
});

export const domChangeTypes = ["nodes", "text", "attributes", "mixed"] as const;
export const domChangeSchema = eventSchema("dom_change", {
  ...page,
  change_type: z.enum(domChangeTypes),
  url: z.string().describe("Of the frame that changed"),
  added: z.number().int().describe("Elements and texts"),
  removed: z.number().int(),
  texts: z.number().int(),
  attributes: z.array(z.string()).describe("Names of those that changed"),
  targets: z.array(z.string()).describe("Where, such as ul#list; the first few"),
  said: z.array(z.string()).describe("What came to be read there; the first few"),
});
export const browserErrorSchema = eventSchema("browser_error", {
  ...room,
  error: z.string(),
  code: z.string(),
});
export const screenContentUpdateSchema = eventSchema("screen_content_update", {
  ...page,
  screen_content: screenContentSchema,
});
export const presentationStartedSchema = eventSchema("presentation_started", presentation);
export const presentationPausedSchema = eventSchema("presentation_paused", presentation);
export const presentationResumedSchema = eventSchema("presentation_resumed", presentation);
export const controlTakenSchema = eventSchema("control_taken", { ...room, by: z.string() });
export const controlReleasedSchema = eventSchema("control_released", {
  ...room,
  by: z.string(),
  reason: z.enum(["released", "silent"]).describe("silent: the holder gave no sign of life"),
});
/**
 * Events about the video in the LiveKit room. A failure is also reported as a `browser_error` with the same
 * code.
 */
export const videoStateSchema = eventSchema("video_state", { ...room, ...videoStateShape });
const participant = {
  ...room,
  identity: z.string().describe("Of a participant of the LiveKit room"),
  name: z.string().optional(),
};
export const participantJoinedSchema = eventSchema("participant_joined", participant);
export const participantLeftSchema = eventSchema("participant_left", participant);
/** The LiveKit room has ended, because all participants have left or because it was deleted. */
export const roomFinishedSchema = eventSchema("room_finished", room);
/**
 * Reports that a large result was stored: data of an action with more than `sessionLimits.outcomeLength`
 * characters, or a query's result with more than `sessionLimits.largeResult`. It is kept for
 * `retentionLimits.results`.
 */
export const resultReadySchema = eventSchema("result_ready", {
  ...room,
  result_id: z.string().describe("For GET /api/results/{result_id}"),
  size: z.number().int().describe("Characters of its JSON"),
  of: z.string().describe("What it is the result of: an action's name or a query's"),
  command_id: z.string().optional(),
});

export const sessionEventSchema = z.discriminatedUnion("type", [
  pageNavigationSchema,
  pageLoadCompleteSchema,
  actionQueuedSchema,
  actionProcessingSchema,
  actionCompletedSchema,
  actionErrorSchema,
  domChangeSchema,
  browserErrorSchema,
  screenContentUpdateSchema,
  presentationStartedSchema,
  presentationPausedSchema,
  presentationResumedSchema,
  controlTakenSchema,
  controlReleasedSchema,
  videoStateSchema,
  participantJoinedSchema,
  participantLeftSchema,
  roomFinishedSchema,
  resultReadySchema,
]);
export type SessionEventMessage = z.infer<typeof sessionEventSchema>;
export type SessionEventType = SessionEventMessage["type"];
