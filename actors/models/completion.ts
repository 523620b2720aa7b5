/** The question to a model and its result. A failure is a value, because callers fall back to an offline policy. */
import type { ModelStatus } from "./model-status.ts";
import type { ModelBudget, Usage } from "./usage.ts";

/** `strong` decides and plans, `fast` judges and sorts. */
export type Tier = "strong" | "fast";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The shape of an answer: sent to the model as JSON Schema, checked here. `outputSchema` makes one of a zod schema. */
export interface OutputSchema<T> {
  readonly json: JsonSchema;
  parse(
    value: unknown,
  ): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };
}

export interface Prompt {
  readonly system: string;
  readonly user: string;
  /** Text of pages. It is fenced and marked as data, because it may contain instructions. */
  readonly untrusted?: readonly { readonly label: string; readonly text: string }[];
}

export interface CompletionRequest<T> {
  readonly tier: Tier;
  readonly prompt: Prompt;
  readonly schema: OutputSchema<T>;
  /** Shared by the calls of one run. */
  readonly budget?: ModelBudget;
  /** Milliseconds for all tries together. */
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
  /** Whether a model is configured. It may still refuse its key or be away. */
  readonly configured: boolean;
  /** Never rejects. */
  complete<T>(request: CompletionRequest<T>): Promise<Completion<T>>;
  /** One vector for each text. Never rejects. */
  embed(texts: readonly string[], options: { readonly signal: AbortSignal }): Promise<Embeddings>;
  /** Whether the model answers; asked at most once in a while. */
  status(): Promise<ModelStatus>;
}
