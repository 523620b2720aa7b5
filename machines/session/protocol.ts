/**
 * The protocol of the kind `session`: its commands, queries and answers.
 * Names and shapes are those of the protocol specification; further fields are additions.
 */
import { z } from "zod";
import { readingLimits } from "../reading/limits.ts";
import { sessionLimits } from "./limits.ts";
import { restoredSchema } from "./restore-report.ts";
import { named, type RoomRef, room, roomOf } from "./room-name.ts";
import { environmentShape } from "./session-environment.ts";

export { type RoomRef, roomNameSchema, roomOf } from "./room-name.ts";
export {
  type Screenshot,
  type ScreenshotOptions,
  screenshotRequestSchema,
  screenshotSchema,
} from "./screenshot-schemas.ts";

const isNamed = (input: RoomRef): boolean => roomOf(input) !== "";

export const roomRefSchema = z.object(room).strict().refine(isNamed, named);

const { viewport, fps } = sessionLimits;

export const startSessionSchema = z
  .object({
    ...room,
    initial_url: z
      .string()
      .min(1)
      .max(readingLimits.urlLength)
      .optional()
      .describe("Address to open at once"),
    viewport_width: z.number().int().min(100).max(7_680).default(viewport.width).describe("In CSS pixels"),
    viewport_height: z.number().int().min(100).max(7_680).default(viewport.height).describe("In CSS pixels"),
    fps: z.number().int().min(1).max(60).default(fps).describe("Video frames per second"),
    livekit_url: z.string().optional(),
    livekit_api_key: z.string().optional(),
    livekit_api_secret: z.string().optional(),
    livekit_token: z.string().optional(),
    ...environmentShape,
  })
  .strict()
  .refine(isNamed, named);
export type StartSession = z.output<typeof startSessionSchema>;

/** The options of a start that are stored. */
export interface SessionOptions {
  /** The sealed environment; see `environment.ts`. */
  readonly environment?: string;
  readonly initial_url: string | null;
  readonly viewport_width: number;
  readonly viewport_height: number;
}

const failing = { error: z.string().optional(), code: z.string().optional() };

export const sessionStateSchema = z.object({
  status: z.enum(["started", "paused", "resumed", "closed", "error"]),
  room_name: z.string(),
  ...failing,
});
export type SessionAnswer = z.infer<typeof sessionStateSchema>;

export const recoveredSchema = z.object({
  status: z.enum(["recovered", "error"]),
  room_name: z.string(),
  restored: restoredSchema.optional(),
  ...failing,
});

export const executeActionSchema = z
  .object({
    ...room,
    action_type: z.string().min(1).max(100).describe("navigate, click, type, scroll, wait, go_back, …"),
    params: z.record(z.string(), z.unknown()).default({}).describe("Action-specific parameters"),
    id: z.string().min(1).max(200).optional().describe("The same act asked for again with it is done once"),
    retry: z
      .boolean()
      .default(false)
      .describe(
        "A stale element is looked for on the page of now, and acted on where nothing else can be meant",
      ),
  })
  .strict()
  .refine(isNamed, named);

export const actOutcomeSchema = z.object({
  success: z.boolean(),
  error: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
});

export const clickByIndexSchema = z
  .object({
    ...room,
    highlightIndex: z.number().int().min(0).optional().describe("highlight_index of an analysis"),
    index: z.number().int().min(0).optional().describe("The same, by its other name"),
    id: z.string().min(1).max(200).optional().describe("The same click asked for again with it is done once"),
  })
  .strict()
  .refine(isNamed, named)
  .refine(({ highlightIndex, index }) => (highlightIndex ?? index) !== undefined, {
    path: ["highlightIndex"],
    message: "highlightIndex is needed",
  });

export const clickAnswerSchema = z.object({
  success: z.boolean(),
  data: z
    .object({
      clicked: z.boolean(),
      elementFound: z.boolean(),
      elementStillExists: z.boolean(),
      elementInfo: z
        .object({
          tagName: z.string(),
          textContent: z.string().optional(),
          attributes: z.record(z.string(), z.string()),
        })
        .optional(),
    })
    .loose()
    .optional(),
  error: z.string().optional(),
});
export type ClickAnswer = z.infer<typeof clickAnswerSchema>;

export const browserContextSchema = z.object({
  url: z.string(),
  title: z.string(),
  ready_state: z.string(),
  scroll_x: z.number(),
  scroll_y: z.number(),
  viewport_width: z.number(),
  viewport_height: z.number(),
  cursor_x: z.number(),
  cursor_y: z.number(),
  tab: z.number().int().describe("Number of the tab that is shown"),
  tabs: z.array(z.object({ url: z.string() })),
  restored: restoredSchema.optional().describe("It came back from hibernation, or after a crash"),
});
export type BrowserContextInfo = z.infer<typeof browserContextSchema>;

export const screenContentSchema = browserContextSchema.omit({ ready_state: true }).extend({
  dom_summary: z
    .string()
    .describe("Title, headings, landmarks, names of controls, text; no values of fields"),
  visible_elements_count: z.number().int(),
});
export type ScreenContent = z.infer<typeof screenContentSchema>;
