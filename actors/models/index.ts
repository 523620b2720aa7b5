/**
 * The public interface of the folder `models`: typed questions to a configured language model, with limits on
 * calls and cost.
 */
export type { AnswerStore } from "./answer-cache.ts";
export type {
  Completion,
  CompletionRequest,
  Embeddings,
  JsonSchema,
  Models,
  OutputSchema,
  Prompt,
  RefusedCompletion,
  Tier,
} from "./completion.ts";
export { createModels } from "./configured-models.ts";
export { type ModelSettings, noModels } from "./model-settings.ts";
export type { ModelStatus } from "./model-status.ts";
export { readPrompt, renderPrompt } from "./render-prompt.ts";
export { ModelBudget, type Usage } from "./usage.ts";
