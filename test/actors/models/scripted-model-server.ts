/**
 * A model server for tests with the HTTP APIs of OpenAI and Gemini. Its answers are scripted. It counts calls
 * and tokens and records every request.
 */
import type { ModelSettings } from "../../../actors/models/index.ts";

/**
 * A scripted answer: a value that is sent as JSON, a text that is sent unchanged, an error status, or no
 * answer at all.
 */
export type Scripted =
  | { readonly json: unknown }
  | { readonly text: string }
  | { readonly status: number; readonly retryAfter?: number }
  | "hang";

export interface Recorded {
  readonly path: string;
  readonly body: string;
  readonly authorization: string;
  readonly idempotencyKey: string | null;
  /** Time at which the request arrived, in milliseconds since the epoch. */
  readonly at: number;
  /**
   * Time at which the response to the request was complete, in milliseconds since the epoch; null before
   * that.
   */
  readonly ended: number | null;
}

const DIALECTS = ["openai", "gemini"] as const;
export type Dialect = (typeof DIALECTS)[number];
export const dialects: readonly Dialect[] = DIALECTS;

/** Number of characters that the server counts as one token. */
const TOKEN = 4;

export class ScriptedModelServer {
  readonly key = "sk-scripted-0123456789";
  readonly requests: Recorded[] = [];
  /**
   * The bodies of the model calls that were charged. A call with the idempotency key of an earlier call is
   * not charged.
   */
  readonly charged: string[] = [];
  /** Delay of each answer, in milliseconds. */
  answerTime = 0;
  readonly tokens = { input: 0, output: 0 };
  /** The answers to the next requests, in order. When all have been sent, the last one is sent again. */
  script: Scripted[] = [{ json: {} }];
  /** If set, this function chooses the answer by the body of the request, and `script` is not used. */
  answerTo: ((body: string) => Scripted) | undefined;
  #server: ReturnType<typeof Bun.serve>;
  readonly #byKey = new Map<string, Promise<Response>>();

  constructor() {
    this.#server = Bun.serve({ port: 0, idleTimeout: 60, fetch: (request) => this.#answer(request) });
  }

  get url(): string {
    return this.#server.url.origin;
  }

  /** The recorded requests, except requests for the list of models. */
  get calls(): readonly Recorded[] {
    return this.requests.filter(({ path }) => !/\/models(\?|$)/.test(path));
  }

  settings(dialect: Dialect, more: Partial<ModelSettings> = {}): ModelSettings {
    const place =
      dialect === "openai"
        ? { openaiKey: this.key, openaiUrl: `${this.url}/v1`, strong: "gpt-4.1", fast: "gpt-4.1-mini" }
        : { geminiKey: this.key, geminiUrl: this.url };
    return { secrets: [], ...place, ...more };
  }

  /** The environment variables that make a Cairn process use this server as its model. */
  environment(dialect: Dialect): Record<string, string> {
    return dialect === "openai"
      ? { OPENAI_BASE_URL: `${this.url}/v1`, OPENAI_API_KEY: this.key }
      : { GEMINI_BASE_URL: this.url, GEMINI_API_KEY: this.key };
  }

  reset(...script: Scripted[]): void {
    this.script = script;
    this.requests.length = 0;
    this.charged.length = 0;
    this.#byKey.clear();
    this.tokens.input = 0;
    this.tokens.output = 0;
  }

  stop(): void {
    this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const body = await request.text();
    const key = request.headers.get("authorization") ?? request.headers.get("x-goog-api-key") ?? "";
    const idempotencyKey = request.headers.get("idempotency-key");
    const entry: Recorded & { ended: number | null } = {
      path: pathname + search,
      body,
      authorization: key,
      idempotencyKey,
      at: Date.now(),
      ended: null,
    };
    this.requests.push(entry);
    const answer = (idempotencyKey && this.#byKey.get(idempotencyKey)) || this.#charge(pathname, key, body);
    if (idempotencyKey) this.#byKey.set(idempotencyKey, answer);
    const response = (await answer).clone();
    // Status 409 means that a call with this idempotency key is still running. This answer is not stored for
    // the key, because it is not the result of the call.
    if (idempotencyKey && response.status === 409) this.#byKey.delete(idempotencyKey);
    entry.ended = Date.now();
    return response;
  }

  async #charge(pathname: string, key: string, body: string): Promise<Response> {
    if (!key.includes(this.key))
      return Response.json({ error: { message: "wrong key", code: 401 } }, { status: 401 });
    if (/\/models$/.test(pathname)) return Response.json({ object: "list", data: [], models: [] });
    const next = this.answerTo?.(body) ?? (this.script.length > 1 ? this.script.shift() : this.script[0]);
    if (next === undefined || next === "hang") return await new Promise<Response>(() => {});
    await Bun.sleep(this.answerTime);
    if ("status" in next) {
      const headers: Record<string, string> = next.retryAfter
        ? { "retry-after": String(next.retryAfter) }
        : {};
      return Response.json(
        { error: { message: "scripted", code: next.status } },
        { status: next.status, headers },
      );
    }
    this.charged.push(body);
    const input = Math.ceil(body.length / TOKEN);
    this.tokens.input += input;
    if (pathname.includes("mbed")) return this.#embeddings(pathname, body, input);
    const text = "json" in next ? JSON.stringify(next.json) : next.text;
    const output = Math.ceil(text.length / TOKEN);
    this.tokens.output += output;
    if (pathname.startsWith("/v1/"))
      return Response.json({
        id: "answer",
        object: "chat.completion",
        created: 0,
        model: "scripted",
        choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: text } }],
        usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
      });
    return Response.json({
      candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts: [{ text }] } }],
      usageMetadata: {
        promptTokenCount: input,
        candidatesTokenCount: output,
        totalTokenCount: input + output,
      },
    });
  }

  #embeddings(pathname: string, body: string, input: number): Response {
    if (pathname.startsWith("/v1/")) {
      const { input: texts } = JSON.parse(body) as { input: string[] };
      const data = texts.map((text, index) => ({ object: "embedding", index, embedding: [text.length, 1] }));
      return Response.json({
        object: "list",
        data,
        model: "scripted",
        usage: { prompt_tokens: input, total_tokens: input },
      });
    }
    const { requests } = JSON.parse(body) as { requests: { content: { parts: { text: string }[] } }[] };
    return Response.json({
      embeddings: requests.map(({ content }) => ({ values: [content.parts[0]?.text.length ?? 0, 1] })),
    });
  }
}
