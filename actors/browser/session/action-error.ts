/** The error of an action that failed or did not have the intended effect. */

import type { ActionErrorCode } from "../../../machines/session/actions/action-outcome.ts";
import { sessionLimits } from "../../../machines/session/session-limits.ts";

export class ActionFailure extends Error {
  readonly code: ActionErrorCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: ActionErrorCode, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = "ActionFailure";
    this.code = code;
    this.data = data;
  }
}

/** Whether a page did not answer in time, because its scripts compute for long. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ActionFailure && error.code === "timeout";
}

/**
 * Returns the failure of an action whose new window was closed, because the session had its maximum number of
 * tabs. The action itself was done.
 *
 * @param data what the action reports about its effect
 */
export function tooManyTabs(data: Readonly<Record<string, unknown>>): ActionFailure {
  const { tabs } = sessionLimits;
  return new ActionFailure(
    "tab_limit",
    `It was done, but a window that it opened was closed at once: a session has ${tabs} tabs at most. Close one with close, and do not repeat it for its own sake.`,
    { ...data, tabs },
  );
}
