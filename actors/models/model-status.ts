/** Whether the configured model can be used, for `/ready` and `doctor`. */

export interface ModelStatus {
  readonly configured: boolean;
  readonly ok: boolean;
  readonly detail: string;
}
