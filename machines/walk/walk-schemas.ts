/** What a walk takes and answers. */
import { z } from "zod";

export const walkRequestSchema = z.object({
  room_name: z.string(),
  knowledge_id: z.string(),
  target: z.string(),
});
export type WalkRequest = z.infer<typeof walkRequestSchema>;

export const walkedStepSchema = z.object({
  description: z.string(),
  tool_name: z.string(),
  outcome: z.enum(["done", "failed", "surprise"]),
  /** The screen that was recognised afterwards. */
  screen_id: z.string().nullable(),
  error: z.string().nullable(),
});
export type WalkedStep = z.infer<typeof walkedStepSchema>;

export const walkStatusSchema = z.enum(["walking", "arrived", "failed", "cancelled"]);
export type WalkStatus = z.infer<typeof walkStatusSchema>;

export const walkResultSchema = z.object({
  walk_id: z.string(),
  status: walkStatusSchema,
  steps: z.array(walkedStepSchema),
  reroutes: z.number().int(),
  screen_id: z.string().nullable(),
  url: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type WalkResult = z.infer<typeof walkResultSchema>;
