/** Checks whether the configured model can be used, for the route `/ready` and the command `doctor`. */

export interface ModelStatus {
  readonly configured: boolean;
  readonly ok: boolean;
  readonly detail: string;
}
