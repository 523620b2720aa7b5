/** Errors for a session without a browser: it is hibernated, or all slots are taken. */
import { Unavailable } from "../../machines/errors.ts";

/** The code that tells a query to wake the session first. */
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
