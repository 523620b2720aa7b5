/** The interface to the API of one model provider, reduced to the calls that Cairn makes. */
import type { JsonSchema } from "./model-question.ts";

/** Name of the request header with which a server recognises a repeated call. */
export const IDEMPOTENCY_HEADER = "Idempotency-Key";

export interface GenerateRequest {
  readonly model: string;
  readonly system: string;
  readonly user: string;
  readonly schema: JsonSchema;
  readonly temperature: number;
  readonly maxOutputTokens: number;
  /** Value of the HTTP header `Idempotency-Key`. If the field is absent, the header is not sent. */
  readonly idempotencyKey?: string;
  readonly signal: AbortSignal;
}

export interface Generated {
  readonly text: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** The calls to one model provider. Every method rejects with `ModelCallFailed`. */
export interface ModelDriver {
  generate(request: GenerateRequest): Promise<Generated>;
  embed(
    model: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly vectors: readonly (readonly number[])[]; readonly input_tokens: number }>;
  /** Checks the API key. Resolves when the server accepts the key. */
  check(signal: AbortSignal): Promise<void>;
}

/**
 * Why a call failed. `busy` and `unavailable` are temporary, so the call is repeated; the other problems are
 * permanent.
 */
export type CallProblem = "refused_key" | "busy" | "unavailable" | "rejected";

export class ModelCallFailed extends Error {
  readonly problem: CallProblem;
  /** Milliseconds that the server asks the client to wait before the next call. */
  readonly retryAfter: number | undefined;
  /**
   * Whether the server has finished the call. False if no response arrived, or if the server reports that a
   * call with the same idempotency key is still running.
   */
  readonly finished: boolean;

  constructor(
    status: number | undefined,
    message: string,
    options: ErrorOptions & { readonly problem?: CallProblem; readonly retryAfter?: number } = {},
  ) {
    super(message, options);
    this.problem = options.problem ?? problemOf(status);
    this.retryAfter = options.retryAfter;
    this.finished = status !== undefined && status !== UNDER_WAY;
  }
}

/**
 * The HTTP status with which a server refuses a call while another call with the same idempotency key is
 * running (IETF draft, Stripe).
 */
const UNDER_WAY = 409;

/**
 * Returns the problem that an HTTP status shows.
 *
 * @param status `undefined` if the server was not reached
 */
function problemOf(status: number | undefined): CallProblem {
  if (status === 401 || status === 403) return "refused_key";
  if (status === 429 || status === UNDER_WAY) return "busy";
  if (status === undefined || status >= 500 || status === 408) return "unavailable";
  return "rejected";
}
