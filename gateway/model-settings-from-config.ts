/**
 * Builds the settings of models for the actors. The operator chooses the hosts of models, so the egress
 * policy does not apply to them.
 */
import type { ModelSettings } from "../actors/index.ts";
import type { Config } from "./config.ts";
import type { GivenSecrets } from "./environment-secrets.ts";

/** @param secrets secrets from the environment, which are removed from every prompt */
export function modelSettings(config: Config, secrets: GivenSecrets): ModelSettings {
  const { openaiApiKey, openaiBaseUrl, geminiApiKey, geminiBaseUrl, modelStrong, modelFast, modelEmbedding } =
    config;
  const keys = [
    openaiApiKey,
    geminiApiKey,
    config.apiKey,
    config.surrealPass,
    config.natsPass,
    config.redisUrl,
  ];
  return {
    openaiKey: openaiApiKey,
    openaiUrl: openaiBaseUrl,
    geminiKey: geminiApiKey,
    geminiUrl: geminiBaseUrl,
    strong: modelStrong,
    fast: modelFast,
    embedding: modelEmbedding,
    secrets: [
      ...keys.flatMap((key) => key ?? []),
      ...config.apiKeys.map(({ key }) => key),
      ...Object.values(secrets).map(({ value }) => value),
    ],
  };
}
