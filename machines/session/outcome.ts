/**
 * What an act in a session comes to. Neighbour: `actions.ts` says which acts there are.
 */

/** Why an act was not done, or not as it was meant. */
export type ActCode =
  | "element_not_found"
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
  /** The same act was done twice already, and the page stayed as it was. */
  | "no_progress"
  /** Whoever runs Cairn has not allowed it; `data.setting` says what would. */
  | "not_enabled"
  | "text_not_found"
  /** Validation kept a form from being sent; `data.fields` says which fields. */
  | "form_invalid"
  | "file_not_allowed"
  | "file_not_found"
  | "login_failed"
  /** A secret was asked for where it does not belong, or there is none of that name. */
  | "secret_refused"
  /** It was done, and the window that it opened was closed: the session has no room for another tab. */
  | "tab_limit"
  /** The session has no room for another file. */
  | "download_limit"
  /** What is asked for needs a model, and none is configured. */
  | "model_needed"
  | "failed";

/** What may be said with an act. */
export interface ActOptions {
  /** The same act asked for again with it is done once. */
  readonly id?: string | undefined;
  /** The name that its caller has for it, which events tell. */
  readonly called?: string | undefined;
  /** Of the queue that it came from. */
  readonly job_id?: string | undefined;
  /** A stale element may be found again, where nothing else can be meant. */
  readonly retry?: boolean | undefined;
}

/** What came of an act. `data` of a failure holds `code`. */
export interface ActOutcome {
  readonly success: boolean;
  readonly error: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export function failedAct(
  code: ActCode,
  error: string,
  data: Readonly<Record<string, unknown>> = {},
): ActOutcome {
  return { success: false, error, data: { code, ...data } };
}
