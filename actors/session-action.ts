/** Performs an action in a session for an effect of another actor: asks for it by an id, and waits for its outcome. */
import { TimedOut } from "../machines/errors.ts";
import type { ActionOutcome } from "../machines/session/action-outcome.ts";
import type { Action } from "../machines/session/actions.ts";
import type { EffectScope } from "./runtime/index.ts";
import type { CairnServices } from "./services.ts";
import { sealAction } from "./session/seal-action.ts";

export interface RequestedSessionAction {
  readonly room: string;
  readonly action: Action;
  /** An action with this id is done once, also when it is asked for again after a crash. */
  readonly id: string;
  /** Milliseconds to wait for the outcome. */
  readonly within: number;
  /** The action types a secret: it is stored encrypted, because commands are stored before they run. */
  readonly hasSecret?: boolean;
}

export async function performInSession(
  { room, action, id, within, hasSecret = false }: RequestedSessionAction,
  scope: EffectScope<CairnServices>,
): Promise<ActionOutcome> {
  const { secrets } = scope.services.sessions;
  const stored = hasSecret ? await sealAction(room, action, { secrets, oneKey: true }) : action;
  await scope.ask("session", room, { type: "ACT", action: stored }, { id });
  const until = performance.now() + within;
  while (performance.now() < until) {
    const { outcome } = await scope.query("session", room, "outcome", { id });
    if (outcome) return outcome;
  }
  throw new TimedOut("session.timeout", `The action in session ${room} did not end in time.`);
}
