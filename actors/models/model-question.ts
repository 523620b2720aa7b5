/**
 * A question to a language model and its result. A failed question is a result too and throws nothing,
 * because callers then decide without a model.
 */

import type { ModelBudget, Usage } from "./model-costs.ts";
import type { ModelStatus } from "./model-status.ts";

/** The `strong` model decides and plans; the `fast` model classifies and sorts. */
export type Tier = "strong" | "fast";

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The shape of the answer that a model must give. The model receives it as JSON Schema, and the model's
 * answer is checked against it. `outputSchema` creates one from a zod schema.
 */
export interface OutputSchema<T> {
  readonly json: JsonSchema;
  parse(
    value: unknown,
  ): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };
}

export interface Prompt {
  readonly system: string;
  readonly user: string;
  /**
   * Text of web pages. The prompt puts it between markers and calls it data, because it may contain
   * instructions to the model.
   */
  readonly untrusted?: readonly { readonly label: string; readonly text: string }[];
}

export interface CompletionRequest<T> {
  readonly tier: Tier;
  readonly prompt: Prompt;
  readonly schema: OutputSchema<T>;
  /** The budget for model calls, which all questions of a run share. */
  readonly budget?: ModelBudget;
  /**
   * The navigation run that asks. The idempotency key of a call is derived from it, so a call that is
   * repeated after a kill of the process has the same key. A server that supports such keys then does not
   * charge twice.
   */
  readonly run?: string;
  /** Time limit for the question in milliseconds, including repeated calls. */
  readonly within?: number;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly signal: AbortSignal;
}

export type RefusedCompletion = {
  readonly ok: false;
  readonly reason:
    | "not_configured"
    | "refused_key"
    | "over_budget"
    | "deadline"
    | "out_of_schema"
    | "unavailable"
    | "cancelled";
  readonly message: string;
  readonly usage: Usage;
};

export type Completion<T> =
  | { readonly ok: true; readonly value: T; readonly usage: Usage; readonly cached: boolean }
  | RefusedCompletion;

export type Embeddings =
  | { readonly ok: true; readonly vectors: readonly (readonly number[])[]; readonly usage: Usage }
  | RefusedCompletion;

export interface Models {
  /** Whether a model is configured. A configured model may still be unreachable or refuse its API key. */
  readonly configured: boolean;
  /** Asks the model a question. It never rejects: a failure is returned as a value. */
  complete<T>(request: CompletionRequest<T>): Promise<Completion<T>>;
  /** Returns one vector for each text. It never rejects: a failure is returned as a value. */
  embed(texts: readonly string[], options: { readonly signal: AbortSignal }): Promise<Embeddings>;
  /** Returns whether the model answers. The result is cached for some seconds. */
  status(): Promise<ModelStatus>;
}
