/** Calls Google's models through Google's SDK. */
import { ApiError, GoogleGenAI } from "@google/genai";
import {
  type Generated,
  type GenerateRequest,
  IDEMPOTENCY_HEADER,
  ModelCallFailed,
  type ModelDriver,
} from "./model-driver-interface.ts";

export class GeminiDriver implements ModelDriver {
  readonly #client: GoogleGenAI;

  constructor(key: string, url: string | undefined) {
    this.#client = new GoogleGenAI({
      apiKey: key,
      ...(url === undefined ? {} : { httpOptions: { baseUrl: url } }),
    });
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
      this.#client.models.generateContent({
        model,
        contents: user,
        config: {
          systemInstruction: system,
          responseMimeType: "application/json",
          responseJsonSchema: schema,
          temperature,
          maxOutputTokens,
          abortSignal: signal,
          ...(idempotencyKey ? { httpOptions: { headers: { [IDEMPOTENCY_HEADER]: idempotencyKey } } } : {}),
        },
      }),
    );
    const {
      promptTokenCount = 0,
      candidatesTokenCount = 0,
      thoughtsTokenCount = 0,
    } = answer.usageMetadata ?? {};
    return {
      text: answer.text ?? "",
      input_tokens: promptTokenCount,
      output_tokens: candidatesTokenCount + thoughtsTokenCount,
    };
  }

  async embed(model: string, texts: readonly string[], signal: AbortSignal) {
    const answer = await asked(() =>
      this.#client.models.embedContent({ model, contents: [...texts], config: { abortSignal: signal } }),
    );
    const vectors = (answer.embeddings ?? []).map(({ values = [] }) => values);
    const counts = (answer.embeddings ?? []).map(({ statistics }) => statistics?.tokenCount ?? 0);
    return { vectors, input_tokens: counts.reduce((sum, count) => sum + count, 0) };
  }

  async check(signal: AbortSignal): Promise<void> {
    await asked(() => this.#client.models.list({ config: { pageSize: 1, abortSignal: signal } }));
  }
}

async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    const status = cause instanceof ApiError ? cause.status : undefined;
    const message = cause instanceof Error ? cause.message : String(cause);
    // Google's API reports a wrong API key with status 400, like any invalid request. Only its message names
    // the key.
    const isKey = status === 400 && /api key/i.test(message);
    throw new ModelCallFailed(status, message, { cause, ...(isKey ? { problem: "refused_key" } : {}) });
  }
}
