/** Calls models through OpenAI's API: at OpenAI, or at a compatible server that `OPENAI_BASE_URL` names. */
import OpenAI, { APIError } from "openai";
import {
  type Generated,
  type GenerateRequest,
  IDEMPOTENCY_HEADER,
  ModelCallFailed,
  type ModelDriver,
} from "./model-driver-interface.ts";

/**
 * Placeholder for a missing API key: self-hosted compatible servers often need no key, but the SDK requires
 * one.
 */
const NO_KEY = "none";

export class OpenAiDriver implements ModelDriver {
  readonly #client: OpenAI;

  constructor(key: string | undefined, url: string | undefined) {
    // The SDK's own retries are off: Cairn repeats calls within the deadline of the question.
    this.#client = new OpenAI({ apiKey: key ?? NO_KEY, baseURL: url ?? null, maxRetries: 0 });
  }

  async generate({
    model,
    system,
    user,
    schema,
    temperature,
    maxOutputTokens,
    idempotencyKey,
    signal,
  }: GenerateRequest): Promise<Generated> {
    const answer = await asked(() =>
      this.#client.chat.completions.create(
        {
          model,
          messages: [
            { role: "system", content: system },
            { role: "user", content: user },
          ],
          // Reasoning models accept only their default temperature. So the parameter is left out when it is
          // 0.
          ...(temperature > 0 ? { temperature } : {}),
          max_completion_tokens: maxOutputTokens,
          response_format: { type: "json_schema", json_schema: { name: "answer", schema: { ...schema } } },
        },
        { signal, ...(idempotencyKey ? { headers: { [IDEMPOTENCY_HEADER]: idempotencyKey } } : {}) },
      ),
    );
    return {
      text: answer.choices?.[0]?.message?.content ?? "",
      input_tokens: answer.usage?.prompt_tokens ?? 0,
      output_tokens: answer.usage?.completion_tokens ?? 0,
    };
  }

  async embed(model: string, texts: readonly string[], signal: AbortSignal) {
    const answer = await asked(() =>
      this.#client.embeddings.create({ model, input: [...texts], encoding_format: "float" }, { signal }),
    );
    return {
      vectors: answer.data.map(({ embedding }) => embedding),
      input_tokens: answer.usage?.prompt_tokens ?? 0,
    };
  }

  async check(signal: AbortSignal): Promise<void> {
    await asked(() => this.#client.models.list({ signal }));
  }
}

async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    const status = cause instanceof APIError ? cause.status : undefined;
    const wait = cause instanceof APIError ? Number(cause.headers?.get("retry-after")) : Number.NaN;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ModelCallFailed(status, message, {
      cause,
      ...(wait > 0 ? { retryAfter: wait * 1_000 } : {}),
    });
  }
}
