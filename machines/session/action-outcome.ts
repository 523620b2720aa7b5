/** The outcome of an action, and its error codes. */

/** Why an action was not done, or not as requested. */
export type ActionErrorCode =
  | "element_not_found"
  /** Several elements fit what was named; `data.candidates` lists them. */
  | "element_ambiguous"
  | "element_stale"
  | "element_covered"
  | "element_disabled"
  | "element_not_visible"
  | "no_analysis"
  | "invalid_params"
  | "not_applied"
  | "navigation_blocked"
  | "navigation_failed"
  | "dialog_open"
  | "timeout"
  | "interrupted"
  /** The same action ran twice already and the page did not change. */
  | "no_progress"
  /** The operator has not enabled it; `data.setting` names the setting. */
  | "not_enabled"
  | "text_not_found"
  /** Validation rejected the form; `data.fields` lists the fields. */
  | "form_invalid"
  | "file_not_allowed"
  | "file_not_found"
  | "login_failed"
  /** The secret does not exist, or is bound to another host. */
  | "secret_refused"
  /** The action was done, but its new window was closed: the session has no room for another tab. */
  | "tab_limit"
  /** The session has no room for another file. */
  | "download_limit"
  /** It needs a model, and none is configured. */
  | "model_needed"
  | "failed";

/** Options of an action. */
export interface ActionOptions {
  /** An action with this id runs once, however often it is requested. */
  readonly id?: string | undefined;
  /** The caller's name of the action, for events. */
  readonly called?: string | undefined;
  /** Id of the queue job it came from. */
  readonly job_id?: string | undefined;
  /** Resolve a stale element again if exactly one element of the current page matches it. */
  readonly retry?: boolean | undefined;
}

/** The outcome of an action. `data` of a failure holds `code`. */
export interface ActionOutcome {
  readonly success: boolean;
  readonly error: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export function failedAction(
  code: ActionErrorCode,
  error: string,
  data: Readonly<Record<string, unknown>> = {},
): ActionOutcome {
  return { success: false, error, data: { code, ...data } };
}
