/** Settings of the language models. They are plain data, because they are sent to worker threads. */

export interface ModelSettings {
  readonly openaiKey?: string | undefined;
  /** Address of a server with an OpenAI-compatible API. */
  readonly openaiUrl?: string | undefined;
  readonly geminiKey?: string | undefined;
  readonly geminiUrl?: string | undefined;
  /**
   * Names of the models: `strong` decides and plans, `fast` classifies and sorts. The defaults depend on the
   * provider.
   */
  readonly strong?: string | undefined;
  readonly fast?: string | undefined;
  readonly embedding?: string | undefined;
  /** Values of secrets, such as API keys. They are masked in every prompt. */
  readonly secrets: readonly string[];
}

export const noModels: ModelSettings = { secrets: [] };
