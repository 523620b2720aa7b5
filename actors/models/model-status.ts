/** The status of the configured model: whether it can be used. The route `/ready` and the command `doctor` show it. */

export interface ModelStatus {
  readonly configured: boolean;
  readonly ok: boolean;
  readonly detail: string;
}
