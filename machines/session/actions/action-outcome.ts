/** The outcome of an action, and its error codes. */

/** Why an action was not done, or was done in another way than the caller requested. */
export type ActionErrorCode =
  | "element_not_found"
  /**
   * The action was not done, because its description matches several elements. `data.candidates` lists them.
   */
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
  /** The action was not done, because it has already run twice without changing the page. */
  | "no_progress"
  /** The action was not done, because the operator has not enabled it. `data.setting` names the setting. */
  | "not_enabled"
  | "text_not_found"
  /** The page rejected the form because of invalid values. `data.fields` lists the fields. */
  | "form_invalid"
  | "file_not_allowed"
  | "file_not_found"
  | "login_failed"
  /** The secret does not exist, or may be used only on other hosts. */
  | "secret_refused"
  /**
   * The action was done, but its new window was closed, because the session has the maximum number of tabs.
   */
  | "tab_limit"
  /** The session has the maximum number of downloaded files. */
  | "download_limit"
  /** The action needs a language model, and none is configured. */
  | "model_needed"
  | "failed";

/** Options of an action, in addition to its parameters. */
export interface ActionOptions {
  /** An action with this id runs only once, however often it is requested. */
  readonly id?: string | undefined;
  /** The name by which the caller requested the action, for events. It may be an alias. */
  readonly called?: string | undefined;
  /** Id of the queue job that requested the action. */
  readonly job_id?: string | undefined;
  /**
   * Whether Cairn may search the page for the element of a stale index, an index from an earlier state of the
   * page. If exactly one element matches, the action runs on it.
   */
  readonly retry?: boolean | undefined;
  /**
   * What the action does while a person controls the browser: it waits, or it is refused. The default is
   * `refuse`.
   */
  readonly when_held?: "refuse" | "wait" | undefined;
  /** Whether the question of the page before it is left (`beforeunload`) stays open for the caller. */
  readonly asks_before_leaving?: boolean | undefined;
}

/** The outcome of an action. If it failed, `data` contains `code`. */
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
