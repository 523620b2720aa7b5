/** The request and the result of `list_sessions`, and the lines that a language model receives. */
import { z } from "zod";
import { listLimits } from "../runtime/shared-runtime-limits.ts";

export const listSessionsSchema = z
  .object({
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(listLimits.maxSize)
      .default(listLimits.defaultSize)
      .describe("Entries of this answer, at most"),
    cursor: z.string().min(1).optional().describe("next_cursor of the answer before"),
  })
  .strict();
export type ListSessions = z.output<typeof listSessionsSchema>;

/** The states of a listed session. A closed session is not listed. */
const listedPhases = ["starting", "waking", "live", "hibernated", "failed"] as const;

export const sessionListSchema = z.object({
  sessions: z.array(
    z.object({
      room_name: z.string(),
      state: z
        .enum(listedPhases)
        .describe("hibernated: the next request restores it; failed: recover_browser_session restores it"),
      url: z
        .string()
        .nullable()
        .describe("Address of the active tab after the last action; null when it cannot be read"),
      last_used_at: z.iso.datetime().describe("When the session last started, acted or changed its state"),
      error: z.object({ code: z.string(), message: z.string() }).optional().describe("Why it failed"),
    }),
  ),
  next_cursor: z.string().nullable().describe("Where the next answer begins; null after the last"),
});
export type SessionList = z.infer<typeof sessionListSchema>;
export type ListedSession = SessionList["sessions"][number];

export function isListed(phase: string): phase is ListedSession["state"] {
  const listed: readonly string[] = listedPhases;
  return listed.includes(phase);
}

export function sessionListText({ sessions, next_cursor }: SessionList): string {
  if (sessions.length === 0) return "There are no sessions.";
  const lines = sessions.map(({ room_name, state, url, last_used_at, error }) =>
    [room_name, state, url ?? "(unknown address)", last_used_at, ...(error ? [error.message] : [])].join(
      " | ",
    ),
  );
  return [...lines, ...(next_cursor === null ? [] : [`More: cursor ${next_cursor}`])].join("\n");
}
