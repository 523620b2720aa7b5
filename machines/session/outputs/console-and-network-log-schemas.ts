/** Schemas of a session's console messages and network log. */
import { z } from "zod";
import { logLimits } from "../session-limits.ts";
import { roomRef } from "../session-name-in-request.ts";

const logs = logLimits;

const since = z
  .number()
  .int()
  .min(0)
  .default(0)
  .describe("Only what came after the entry of this seq; the last answer's next_since");
const limit = (most: number) =>
  z
    .number()
    .int()
    .min(1)
    .max(most)
    .default(Math.min(logs.defaultEntries, most))
    .describe("The newest so many");

export const consoleLevels = ["debug", "log", "info", "warning", "error"] as const;
export type ConsoleLevel = (typeof consoleLevels)[number];

const consoleOptions = {
  since,
  limit: limit(logs.messages),
  level: z.enum(consoleLevels).default("debug").describe("Messages of this level and above"),
};
export const consoleRequestSchema = roomRef(consoleOptions);
export type ConsoleOptions = z.output<z.ZodObject<typeof consoleOptions>>;

const consoleMessageSchema = z.object({
  seq: z.number().int(),
  at: z.number().describe("Seconds since the epoch"),
  level: z.enum(consoleLevels),
  source: z.string().describe("console, exception, network, security, …"),
  text: z.string(),
  url: z.string().optional(),
  line: z.number().int().optional(),
  tab: z.string().describe("target id of its tab"),
});
export type ConsoleMessage = z.infer<typeof consoleMessageSchema>;

export const consoleLogSchema = z.object({
  messages: z.array(consoleMessageSchema),
  next_since: z.number().int(),
  left_out: z.number().int().describe("That match as well and are older, or are kept no more"),
});
export type ConsoleLog = z.infer<typeof consoleLogSchema>;

const networkOptions = {
  since,
  limit: limit(logs.requests),
  url: z.string().min(1).optional().describe("Only addresses in which this text is"),
  type: z
    .string()
    .min(1)
    .optional()
    .describe("document, script, stylesheet, image, xhr, fetch, websocket, …"),
  failed: z.boolean().default(false).describe("Only what failed or was answered with 400 and above"),
  include_headers: z.boolean().default(false).describe("With the headers, those that hold secrets masked"),
};
export const networkRequestSchema = roomRef(networkOptions);
export type NetworkOptions = z.output<z.ZodObject<typeof networkOptions>>;

const headers = z.record(z.string(), z.string());
const networkEntrySchema = z.object({
  seq: z.number().int(),
  at: z.number().describe("Seconds since the epoch, when it began"),
  method: z.string(),
  url: z.string(),
  type: z.string(),
  state: z.enum(["pending", "done", "failed"]),
  status: z.number().int().optional(),
  mime_type: z.string().optional(),
  bytes: z.number().optional().describe("As they came over the network"),
  ms: z.number().optional(),
  from_cache: z.boolean().optional(),
  error: z.string().optional(),
  code: z.string().optional().describe("Why Cairn's way out refused it: egress.refused, …"),
  tab: z.string().describe("target id of its tab"),
  request_headers: headers.optional(),
  response_headers: headers.optional(),
});
export type NetworkEntry = z.infer<typeof networkEntrySchema>;

export const networkLogSchema = z.object({
  requests: z.array(networkEntrySchema),
  next_since: z.number().int(),
  pending: z.number().int().describe("Requests under way in the tab that is shown"),
  left_out: z.number().int().describe("That match as well and are older, or are kept no more"),
});
export type NetworkLog = z.infer<typeof networkLogSchema>;
