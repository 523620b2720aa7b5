/**
 * Builds the typed writes of action outcomes, so that a repeated command gets the same answer however late it
 * comes.
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
