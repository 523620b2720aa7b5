/** Schemas of screenshots: as a tool, as an action, and as part of a snapshot. */
import { z } from "zod";
import { roomRef } from "../session-name-in-request.ts";

export const pictureOptions = {
  format: z.enum(["png", "jpeg", "webp"]).default("png"),
  quality: z.number().int().min(1).max(100).optional().describe("Of jpeg and webp"),
  full_page: z.boolean().default(false),
  index: z.number().int().min(0).optional().describe("Only this element"),
  highlight: z
    .boolean()
    .optional()
    .describe("With numbered boxes over what an analysis tells; the page itself stays as it is"),
};
export const screenshotRequestSchema = roomRef(pictureOptions);
export type ScreenshotOptions = z.output<z.ZodObject<typeof pictureOptions>>;

export const screenshotSchema = z.object({
  format: z.string(),
  mime_type: z.string(),
  data: z.string().describe("Base64"),
  url: z.string(),
  width: z.number().optional(),
  height: z.number().optional(),
  highlighted: z.number().int().optional().describe("How many boxes are on it"),
});
export type Screenshot = z.infer<typeof screenshotSchema>;
