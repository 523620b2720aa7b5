/**
 * An act that was not done, or not as it was meant: what its caller is told.
 */
import type { ActCode } from "../../../machines/session/outcome.ts";

export class ActFailure extends Error {
  readonly code: ActCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: ActCode, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = "ActFailure";
    this.code = code;
    this.data = data;
  }
}
