/**
 * Builds the database writes for outcomes of actions. If a command is sent again, even much later, its stored
 * outcome is returned.
 */
import type { Emitted } from "../machine-emissions.ts";
import { type SettledAction, storedOutcome } from "./session-context.ts";

export function outcomesWritten(room: string, actions: readonly SettledAction[], at: number): Emitted {
  const rows = actions.map(({ id, outcome }) => ({
    id: [room, id] as const,
    body: JSON.stringify(storedOutcome(outcome)),
    at,
  }));
  return { type: "write", writes: [{ op: "put", table: "action_outcome", rows }] };
}
