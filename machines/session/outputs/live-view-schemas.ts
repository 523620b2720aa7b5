/** Schemas of the live view of a session: its frames, the input of a person, and who controls the browser. */
import { z } from "zod";
import { liveViewLimits, sessionLimits } from "../session-limits.ts";
import { isNamed, named, room } from "../session-name-in-request.ts";

export const frameRequestSchema = z.object({
  /** Number of the newest frame that the viewer has; 0 when it has none. */
  after: z.number().int().min(0),
  max_width: z.number().int().min(100).max(3_840),
  max_height: z.number().int().min(100).max(2_160),
  quality: z.number().int().min(10).max(100),
  /** Maximum number of frames per second that the viewer requests. */
  fps: z.number().min(1).max(60),
});
export type FrameRequest = z.infer<typeof frameRequestSchema>;

export interface ViewFrame {
  readonly seq: number;
  /** The frame as a JPEG in base64. */
  readonly data: string;
  /** Width of the page's viewport in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly url: string;
}

const share = z.number().min(0).max(1);
const point = { x: share.describe("Share of the picture's width"), y: share };
const modifiers = z.number().int().min(0).max(15).default(0).describe("Alt 1, Control 2, Meta 4, Shift 8");
const button = z.enum(["none", "left", "middle", "right"]).default("left");
const key = {
  key: z.string().min(1).max(40).describe("`key` of a browser's keyboard event"),
  code: z.string().max(40).default(""),
  modifiers,
};

export const inputEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("mouse_move"), ...point, button: button.default("none"), modifiers }).strict(),
  z
    .object({
      type: z.enum(["mouse_down", "mouse_up"]),
      ...point,
      button,
      click_count: z.number().int().min(1).max(3).default(1),
      modifiers,
    })
    .strict(),
  z
    .object({ type: z.literal("wheel"), ...point, delta_x: z.number(), delta_y: z.number(), modifiers })
    .strict(),
  z
    .object({
      type: z.enum(["touch_start", "touch_move", "touch_end"]),
      points: z.array(z.object(point)).max(5),
      modifiers,
    })
    .strict(),
  z
    .object({
      type: z.literal("key_down"),
      ...key,
      text: z.string().max(8).optional(),
      repeat: z.boolean().default(false),
    })
    .strict(),
  z.object({ type: z.literal("key_up"), ...key }).strict(),
  z.object({ type: z.literal("paste"), text: z.string().max(liveViewLimits.pasteLength) }).strict(),
  z
    .object({
      type: z.literal("resize"),
      width: z
        .number()
        .int()
        .min(100)
        .max(sessionLimits.viewport.width * 2),
      height: z
        .number()
        .int()
        .min(100)
        .max(sessionLimits.viewport.height * 2),
    })
    .strict(),
  z
    .object({ type: z.literal("dialog"), accept: z.boolean(), text: z.string().max(10_000).optional() })
    .strict(),
]);
export type InputEvent = z.infer<typeof inputEventSchema>;

export const inputEventsSchema = z.array(inputEventSchema).min(1).max(liveViewLimits.events);

/** A secret id that only the person who has control knows. Each input event must contain it. */
export const holderSchema = z.string().min(8).max(100);

export const takeControlSchema = z
  .object({
    ...room,
    holder: holderSchema.optional().describe("The id of an earlier answer: keeps the control that it names"),
    by: z.string().min(1).max(100).default("a person").describe("Who takes it, as others read it"),
  })
  .strict()
  .refine(isNamed, named);

export const releaseControlSchema = z
  .object({ ...room, holder: holderSchema })
  .strict()
  .refine(isNamed, named);

export const controlSchema = z.object({
  room_name: z.string(),
  holder: z
    .string()
    .nullable()
    .describe("Send it with input, and to release control; null when control is free"),
  expires_in_ms: z.number().int().describe("Control is free again after this time without a renewal"),
});

/** Who controls the browser of a session: the agent, or a person. */
export interface Control {
  readonly holder: string;
  /** The name of the person who has control of the browser. Messages to other callers contain it. */
  readonly name: string;
}
