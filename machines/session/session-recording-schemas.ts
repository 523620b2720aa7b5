/** Schemas of recordings, for export, list and replay. */
import { z } from "zod";
import { interactionTypeSchema } from "./page/page-snapshot.ts";
import { sessionLimits } from "./session-limits.ts";
import { roomRef } from "./session-name-in-request.ts";

const fingerprintSchema = z.object({
  role: z.string(),
  name: z.string(),
  text: z.string(),
  tag: z.string(),
  type: z.string(),
  interaction: interactionTypeSchema,
  attributes: z.record(z.string(), z.string()),
  selector: z.string().describe("CSS; ` >>> ` leads into a shadow root"),
  frame: z.array(z.string()).describe("Selectors of the frames that lead to it"),
  words: z
    .object({ own: z.string(), around: z.string() })
    .nullable()
    .describe("Its own words and names, and those of its row, card or form"),
  alone: z.boolean().describe("No other on its page had its name"),
});

export const recordedStepSchema = z.object({
  action: z.string().min(1).max(100),
  params: z.record(z.string(), z.unknown()).describe("Without indices and secrets"),
  targets: z.record(z.string(), fingerprintSchema).describe("By the path of the index that stood there"),
  needs: z.array(z.string()).describe("Paths of what was not recorded, since it may be a secret"),
  url: z.string(),
  effect: z.string().optional(),
});

const head = {
  recording_id: z.string(),
  room_name: z.string(),
  name: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable().describe("null while it is made"),
};
export const recordingHeadSchema = z.object(head);
export type RecordingHead = z.infer<typeof recordingHeadSchema>;
export const recordingSchema = z.object({ ...head, steps: z.array(recordedStepSchema) });
export type Recording = z.infer<typeof recordingSchema>;
export const recordingListSchema = z.object({ recordings: z.array(recordingHeadSchema) });

export const recordingRefSchema = z.object({ recording_id: z.string().min(1).max(200) }).strict();
export const startRecordingSchema = roomRef({
  name: z.string().min(1).max(200).optional().describe("For lists; the room's without it"),
});
export const recordingStateSchema = z.object({
  status: z.enum(["recording", "stopped"]),
  recording_id: z.string(),
  room_name: z.string(),
});

export const replaySchema = roomRef({
  recording_id: z.string().min(1).max(200).optional(),
  steps: z
    .array(recordedStepSchema)
    .max(sessionLimits.recordedSteps)
    .optional()
    .describe("In place of recording_id: those of an export"),
  from: z.number().int().min(0).default(0).describe("The step to begin with"),
  values: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('What was not recorded, by step and path, such as { "2.text": "…" }'),
}).refine(({ recording_id, steps }) => (recording_id === undefined) !== (steps === undefined), {
  path: ["recording_id"],
  message: "either recording_id or steps is needed",
});

const boundSchema = z.object({
  index: z.number().int(),
  score: z.number(),
  by: z.enum(["identity", "score"]),
});
export const replayedSchema = z.object({
  success: z.boolean(),
  error: z.string().nullable(),
  data: z
    .object({
      code: z.string().optional(),
      /** Number of steps in the recording. */
      steps: z.number().int(),
      next: z.number().int().describe("The step to go on from"),
      done: z.array(
        z.object({
          step: z.number().int(),
          action: z.string(),
          bound: z.record(z.string(), boundSchema),
          effect: z.string().optional(),
        }),
      ),
      candidates: z
        .array(z.object({ highlight_index: z.number().int(), score: z.number(), line: z.string() }))
        .optional()
        .describe("What may be meant, when it cannot be told which; they can be acted on"),
      path: z.string().optional(),
      needs: z.array(z.string()).optional(),
    })
    .loose(),
});
export type Replayed = z.infer<typeof replayedSchema>;
