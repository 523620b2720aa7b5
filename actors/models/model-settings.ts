/** Settings of the models, as plain data: they are sent to worker threads. */

export interface ModelSettings {
  readonly openaiKey?: string | undefined;
  /** Any server that speaks the API of OpenAI. */
  readonly openaiUrl?: string | undefined;
  readonly geminiKey?: string | undefined;
  readonly geminiUrl?: string | undefined;
  /** Names of models, by tier; defaults depend on the provider. */
  readonly strong?: string | undefined;
  readonly fast?: string | undefined;
  readonly embedding?: string | undefined;
  /** Values that never leave in a prompt. */
  readonly secrets: readonly string[];
}

export const noModels: ModelSettings = { secrets: [] };
