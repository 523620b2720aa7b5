/** The error for a room name under which there is no session. */
import { Refused } from "../errors.ts";

export function sessionNotFound(room: string): Refused {
  return new Refused("session.not_found", `There is no session ${room}. start_browser_session starts one.`, {
    status: 404,
  });
}
