/** Runs an action in a browser session for another actor: sends it with an id, and waits for its outcome. */
import { TimedOut } from "../machines/errors.ts";
import type { ActionOutcome } from "../machines/session/actions/action-outcome.ts";
import type { Action } from "../machines/session/actions/browser-action-parameters.ts";
import type { EffectScope } from "./runtime/index.ts";
import { sealAction } from "./session/encrypt-action-secrets.ts";
import type { CairnServices } from "./worker-services.ts";

export interface RequestedSessionAction {
  readonly room: string;
  readonly action: Action;
  /**
   * Identifies the action. An action that is requested again with the same id after a crash is not run twice.
   */
  readonly id: string;
  /** Maximum time to wait for the outcome of the action, in milliseconds. */
  readonly within: number;
  /**
   * Whether the action types a secret. The text is then encrypted, because a command is stored before it
   * runs.
   */
  readonly hasSecret?: boolean;
  /**
   * Whether the question of a page before it is left (`beforeunload`) stays open, so that the caller answers it. By
   * default, the session accepts it.
   */
  readonly asksBeforeLeaving?: boolean;
}

export async function performInSession(
  { room, action, id, within, hasSecret = false, asksBeforeLeaving = false }: RequestedSessionAction,
  scope: EffectScope<CairnServices>,
): Promise<ActionOutcome> {
  const stored = hasSecret
    ? await sealAction(room, action, { secrets: scope.services.sessions.secrets, oneKey: true })
    : action;
  const { kind, id: actor } = scope.address;
  const command = { type: "ACT", action: stored, task: `${kind}/${actor}` } as const;
  const given = asksBeforeLeaving ? { ...command, asks_before_leaving: true } : command;
  await scope.ask("session", room, given, { id });
  const until = performance.now() + within;
  while (performance.now() < until) {
    const { outcome } = await scope.query("session", room, "outcome", { id });
    if (outcome) return outcome;
  }
  throw new TimedOut("session.timeout", `The action in session ${room} did not end in time.`);
}
