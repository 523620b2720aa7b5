/** Schemas of the events of navigation runs. Each event has its payload twice: flat, and as `data`. */
import { z } from "zod";
import { decisionSchema, stoppedReasonSchema } from "./navigation-run-schemas.ts";

const run = { run_id: z.string() };

function eventSchema<Type extends string, Payload extends z.ZodRawShape>(type: Type, payload: Payload) {
  return z
    .object({
      type: z.literal(type),
      ...run,
      ...payload,
      data: z.object({ ...run, ...payload }).strict(),
      timestamp: z.number().describe("Seconds since the epoch, with fraction"),
    })
    .strict();
}

export const navigationEventSchema = z.discriminatedUnion("type", [
  eventSchema("nav:decision", decisionSchema.shape),
  eventSchema("nav:extracting_content", { url: z.string() }),
  eventSchema("nav:content_added", {
    url: z.string(),
    title: z.string(),
    count: z.number().int().describe("Number of articles of the run so far"),
  }),
  eventSchema("nav:stopped", {
    url: z.string().nullable().describe("The page that is not followed; null when the run ends"),
    reason: z.string().nullable().describe("In words; when the run ends, its `stopped_reason`"),
  }),
  eventSchema("nav:link_rejected", {
    url: z.string().describe("The address that is on no link of the page"),
    page: z.string().nullable(),
  }),
  eventSchema("nav:budget", {
    reason: stoppedReasonSchema.nullable(),
    calls: z.number().int(),
    input_tokens: z.number().int(),
    output_tokens: z.number().int(),
    cost_usd: z.number().nullable(),
  }),
]);
