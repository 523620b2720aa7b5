/**
 * Converts every thrown value to a response `{ "error": { code, message, details? } }`, so that no stack,
 * path or internal message leaves Cairn. An internal error is logged completely, and the caller gets one
 * sentence.
 */
import { z } from "zod";
import { asCairnError, type CairnError, type ErrorBody } from "../../machines/errors.ts";
import type { PathRedaction } from "../security/file-path-redaction.ts";

export const errorSchema = z.object({
  error: z.object({
    code: z.string().describe("group.code, stable: programs may rely on it"),
    message: z.string().describe("What happened and what to do, for people"),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** The body of every error response. */
export type Failure = z.infer<typeof errorSchema>;

/** The header `Retry-After` in seconds, for statuses after which the caller should try again. */
const retryAfter: Readonly<Record<number, string>> = { 429: "1", 503: "2" };

/**
 * Returns the part of an error that callers may see. For an internal error, this is a general sentence. If the
 * message that caused it was stored as a dead letter (a message that an actor could not handle), the sentence
 * contains the id of the dead letter.
 */
export function publicBody(error: CairnError, redaction: PathRedaction): ErrorBody {
  if (error.status !== 500) return redaction.hidden(error.toBody());
  const letter = error.details?.dead_letter;
  if (typeof letter === "string") {
    return {
      code: error.code,
      message: `The actor failed on this message, which is kept as dead letter ${letter}. GET /api/dead-letters and the console's view /dead-letters have its error.`,
    };
  }
  return {
    code: error.code,
    message:
      "Something went wrong inside Cairn. Its log says more; find the line with the x-request-id of this response.",
  };
}

export function failureResponse(thrown: unknown, redaction: PathRedaction): Response {
  const error = asCairnError(thrown);
  const headers: Record<string, string> = {};
  const given = error.details?.retry_after;
  const wait = typeof given === "number" ? String(given) : retryAfter[error.status];
  if (wait !== undefined) headers["retry-after"] = wait;
  if (error.status === 401) headers["www-authenticate"] = "Bearer";
  const { allow } = error.details ?? {};
  if (error.status === 405 && Array.isArray(allow)) headers.allow = allow.join(", ");
  return Response.json({ error: publicBody(error, redaction) }, { status: error.status, headers });
}
