/**
 * The public interface of the folder `models`: typed questions to a configured language model, with limits on
 * calls and cost.
 */
export type { AnswerStore } from "./model-answer-cache.ts";
export { createModels } from "./model-calls.ts";
export { ModelBudget, type Usage } from "./model-costs.ts";
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
} from "./model-question.ts";
export { type ModelSettings, noModels } from "./model-settings.ts";
export type { ModelStatus } from "./model-status.ts";
export { readPrompt, renderPrompt } from "./render-prompts-from-markdown-files.ts";
