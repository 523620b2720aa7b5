/** The interface to the API of one model provider, reduced to the calls that Cairn makes. */
import type { JsonSchema } from "./model-question.ts";

export interface GenerateRequest {
  readonly model: string;
  readonly system: string;
  readonly user: string;
  readonly schema: JsonSchema;
  readonly temperature: number;
  readonly maxOutputTokens: number;
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

  constructor(
    problem: CallProblem,
    message: string,
    options: ErrorOptions & { readonly retryAfter?: number } = {},
  ) {
    super(message, options);
    this.problem = problem;
    this.retryAfter = options.retryAfter;
  }
}

/** Returns the problem for an HTTP status. The status is `undefined` when the server was not reached. */
export function problemOf(status: number | undefined): CallProblem {
  if (status === 401 || status === 403) return "refused_key";
  if (status === 429) return "busy";
  if (status === undefined || status >= 500 || status === 408) return "unavailable";
  return "rejected";
}
