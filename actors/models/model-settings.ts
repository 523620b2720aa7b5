/** Settings of the language models. They are plain data, because they are sent to worker threads. */

export interface ModelSettings {
  readonly openaiKey?: string | undefined;
  /** Address of a server with an OpenAI-compatible API. */
  readonly openaiUrl?: string | undefined;
  readonly geminiKey?: string | undefined;
  readonly geminiUrl?: string | undefined;
  /** Name of the model that decides and plans. The default depends on the provider. */
  readonly strong?: string | undefined;
  /** Name of the model that classifies and sorts. The default depends on the provider. */
  readonly fast?: string | undefined;
  readonly embedding?: string | undefined;
  /** Values of secrets, such as API keys. They are masked in every prompt. */
  readonly secrets: readonly string[];
}

export const noModels: ModelSettings = { secrets: [] };
