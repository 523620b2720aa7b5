/** Errors for a session without a browser: the session hibernates, or all browser slots are taken. */
import { Unavailable } from "../../machines/errors.ts";

/** The error code of a query to a hibernated session. The gateway wakes the session and repeats the query. */
export const HIBERNATED = "session.asleep";

export function crowdedError(
  room: string,
  position: number,
  more: Readonly<Record<string, unknown>> = {},
): Unavailable {
  return new Unavailable(
    "session.crowded",
    `Session ${room} waits for a browser: all are in use (CAIRN_LIVE_SESSIONS), and it is number ${position} of those that wait. Ask again; it keeps its turn.`,
    { details: { position, ...more } },
  );
}
