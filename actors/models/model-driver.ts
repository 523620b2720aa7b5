/** A provider's API, reduced to what Cairn asks of it. */
import type { JsonSchema } from "./completion.ts";

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

/** Every method rejects with `ModelCallFailed`. */
export interface ModelDriver {
  generate(request: GenerateRequest): Promise<Generated>;
  embed(
    model: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly vectors: readonly (readonly number[])[]; readonly input_tokens: number }>;
  /** Resolves when the server accepts the key. */
  check(signal: AbortSignal): Promise<void>;
}

/** `busy` and `unavailable` may pass; the others stay. */
export type CallProblem = "refused_key" | "busy" | "unavailable" | "rejected";

export class ModelCallFailed extends Error {
  readonly problem: CallProblem;
  /** Milliseconds after which the server wants to be called again. */
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

/** The problem of an HTTP status; `undefined` status: the server was not reached. */
export function problemOf(status: number | undefined): CallProblem {
  if (status === 401 || status === 403) return "refused_key";
  if (status === 429) return "busy";
  if (status === undefined || status >= 500 || status === 408) return "unavailable";
  return "rejected";
}
