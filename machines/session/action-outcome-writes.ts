/**
 * Builds the typed writes that store the outcomes of actions. A command that is sent again gets the stored
 * outcome, even a long time later.
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
