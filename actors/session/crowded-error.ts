/**
 * How it is told that a session has no browser now: it is at rest, or all places are taken. Neighbours: `../session.ts`
 * and `desk.ts` tell it, `places.ts` has the places.
 */
import { Unavailable } from "../../machines/errors.ts";

/** The code by which a look hears that the session has to be woken before. */
export const ASLEEP = "session.asleep";

export function crowded(
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
