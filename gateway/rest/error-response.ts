/**
 * An error as a caller sees it: `{ "error": { code, message, details? } }` with the status that fits.
 *
 * The only place where a thrown value becomes an answer, so a stack, a path or an internal message cannot
 * leave by another door. What is our own fault is logged whole and told in one sentence.
 */
import { z } from "zod";
import { asCairnError, type CairnError, type ErrorBody } from "../../machines/errors.ts";
import type { PathRedaction } from "../security/path-redaction.ts";

export const errorSchema = z.object({
  error: z.object({
    code: z.string().describe("group.code, stable: programs may rely on it"),
    message: z.string().describe("What happened and what to do, for people"),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** The body of every error response. */
export type Failure = z.infer<typeof errorSchema>;

/** Statuses that ask the caller to come back, and after how many seconds. */
const retryAfter: Readonly<Record<number, string>> = { 429: "1", 503: "2" };

/** What of an error may leave the process. */
export function publicBody(error: CairnError, places: PathRedaction): ErrorBody {
  if (error.status !== 500) return places.hidden(error.toBody());
  return {
    code: error.code,
    message: "Something went wrong inside Cairn. Its log says more; look for this answer's x-request-id.",
  };
}

export function failureResponse(thrown: unknown, places: PathRedaction): Response {
  const error = asCairnError(thrown);
  const headers: Record<string, string> = {};
  const told = error.details?.retry_after;
  const wait = typeof told === "number" ? String(told) : retryAfter[error.status];
  if (wait !== undefined) headers["retry-after"] = wait;
  if (error.status === 401) headers["www-authenticate"] = "Bearer";
  return Response.json({ error: publicBody(error, places) }, { status: error.status, headers });
}
