/**
 * Asks the configured models. A question has one deadline for all its tries: a call to a busy server is
 * repeated with backoff. An answer that does not fit the schema is returned to the model once with the
 * problem.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Redactor } from "../../machines/session/state/secret-redaction.ts";
import { answerJson } from "./json-in-model-answer.ts";
import { AnswerCache, type AnswerStore, questionKey } from "./model-answer-cache.ts";
import { addUsage, noUsage, type Usage } from "./model-costs.ts";
import {
  type Generated,
  type GenerateRequest,
  ModelCallFailed,
  type ModelDriver,
} from "./model-driver-interface.ts";
import { modelLimits } from "./model-limits.ts";
import { costOf } from "./model-price-table.ts";
import type {
  Completion,
  CompletionRequest,
  Embeddings,
  Models,
  OutputSchema,
  RefusedCompletion,
  Tier,
} from "./model-question.ts";
import type { ModelSettings } from "./model-settings.ts";
import type { ModelStatus } from "./model-status.ts";
import { withUntrusted } from "./render-prompts-from-markdown-files.ts";

interface Names {
  readonly strong: string;
  readonly fast: string;
  readonly embedding: string;
}

const DEFAULTS = {
  openai: { strong: "gpt-5", fast: "gpt-5-mini", embedding: "text-embedding-3-small" },
  gemini: { strong: "gemini-2.5-pro", fast: "gemini-2.5-flash", embedding: "gemini-embedding-001" },
} as const satisfies Record<string, Names>;

const NOT_CONFIGURED = "No model is configured. Set OPENAI_API_KEY, OPENAI_BASE_URL or GEMINI_API_KEY.";

/**
 * Creates the models that the settings name.
 * @param answers the answer cache that all workers share; without it, each worker has its own
 */
export function createModels(settings: ModelSettings, answers?: AnswerStore): Models {
  const { openaiKey, openaiUrl, geminiKey } = settings;
  const isOpenAi = openaiKey !== undefined || openaiUrl !== undefined;
  if (!isOpenAi && geminiKey === undefined) return absentModels;
  return new ConfiguredModels(settings, isOpenAi ? "openai" : "gemini", answers);
}

/** Used when no model is configured: refuses every question with `not_configured`. */
const absentModels: Models = {
  configured: false,
  complete: async () => refused("not_configured", NOT_CONFIGURED, noUsage),
  embed: async () => refused("not_configured", NOT_CONFIGURED, noUsage),
  status: async () => ({
    configured: false,
    ok: true,
    detail: "none configured, the offline policy answers",
  }),
};

function refused(reason: RefusedCompletion["reason"], message: string, usage: Usage): RefusedCompletion {
  return { ok: false, reason, message, usage };
}

/**
 * A question to a model that is not answered yet: how it is cancelled, and what its calls have cost so far.
 */
interface Asking {
  readonly signal: AbortSignal;
  readonly cancelled: () => boolean;
  usage: Usage;
}

class ConfiguredModels implements Models {
  readonly configured = true;
  readonly #settings: ModelSettings;
  readonly #provider: keyof typeof DEFAULTS;
  readonly #names: Names;
  readonly #redactor = new Redactor();
  readonly #cache: AnswerCache;
  #driver: Promise<ModelDriver> | undefined;
  #status: { readonly until: number; readonly status: Promise<ModelStatus> } | undefined;

  constructor(settings: ModelSettings, provider: keyof typeof DEFAULTS, answers: AnswerStore | undefined) {
    this.#cache = new AnswerCache(answers);
    this.#settings = settings;
    this.#provider = provider;
    const { strong, fast, embedding } = DEFAULTS[provider];
    this.#names = {
      strong: settings.strong ?? strong,
      fast: settings.fast ?? fast,
      embedding: settings.embedding ?? embedding,
    };
    this.#redactor.add(...settings.secrets);
  }

  async complete<T>(request: CompletionRequest<T>): Promise<Completion<T>> {
    const { tier, schema, budget, run, temperature = 0 } = request;
    const { maxOutputTokens = modelLimits.maxOutputTokens } = request;
    const model = this.#names[tier as Tier];
    // Secrets are masked before page text is put between markers (a fence). The fence rewrites some
    // characters, so that a secret would no longer be recognised.
    const prompt = this.#redactor.mask(request.prompt);
    const { system } = prompt;
    const question = withUntrusted(prompt);
    const json = this.#redactor.mask(schema.json);
    const key = questionKey([model, system, question, json, temperature]);
    const cached = await this.#cache.get(key, performance.now());
    // This method cached the value under the same schema, so the cast is safe.
    if (cached) return { ok: true, value: cached.value as T, usage: noUsage, cached: true };
    const asking = this.#begin(request.signal, request.within);
    let user = question;
    for (let answers = 0; answers < modelLimits.invalidAnswers; answers++) {
      const exhausted = budget?.exhausted;
      if (exhausted)
        return refused("over_budget", `The run's budget of ${exhausted} is used up.`, asking.usage);
      const before = asking.usage;
      const call = { model, system, user, schema: json, temperature, maxOutputTokens };
      const answer = await this.#generate(call, run, asking);
      budget?.add(difference(asking.usage, before));
      if ("ok" in answer) return answer;
      const value = answerJson(answer.text);
      const parsed = parsedBy(schema, value);
      if (parsed.ok) {
        await this.#cache.set(key, parsed.value, performance.now());
        return { ok: true, value: parsed.value, usage: asking.usage, cached: false };
      }
      const problem = parsed.problem.slice(0, modelLimits.problemLength);
      user = `${question}\n\nYour answer was:\n${answer.text.slice(0, modelLimits.problemLength)}\nIt is not valid: ${problem}\nAnswer again with JSON that fits the schema, and nothing else.`;
    }
    return refused("out_of_schema", "The model's answers did not fit the schema.", asking.usage);
  }

  async embed(texts: readonly string[], { signal }: { readonly signal: AbortSignal }): Promise<Embeddings> {
    const asking = this.#begin(signal);
    const model = this.#names.embedding;
    const plain = texts.map((text) => this.#redactor.text(text));
    const answer = await this.#call(asking, async (driver) => {
      const { vectors, input_tokens } = await driver.embed(model, plain, asking.signal);
      return { vectors, usage: usageOf(model, { input_tokens, output_tokens: 0 }) };
    });
    if ("ok" in answer) return answer;
    if (answer.vectors.length === texts.length)
      return { ok: true, vectors: answer.vectors, usage: asking.usage };
    const message = `The model answered ${answer.vectors.length} vectors for ${texts.length} texts.`;
    return refused("out_of_schema", message, asking.usage);
  }

  status(): Promise<ModelStatus> {
    const now = performance.now();
    if (!this.#status || this.#status.until <= now)
      this.#status = { until: now + modelLimits.statusFor, status: this.#check() };
    return this.#status.status;
  }

  async #check(): Promise<ModelStatus> {
    const { strong, fast } = this.#names;
    const what = `${this.#provider} (${strong}, ${fast})`;
    try {
      const driver = await this.#connected();
      const signal = AbortSignal.timeout(modelLimits.statusWithin);
      await Promise.race([driver.check(signal), aborted(signal)]);
      return { configured: true, ok: true, detail: `${what} answers` };
    } catch (error) {
      const isKey = error instanceof ModelCallFailed && error.problem === "refused_key";
      const why = isKey ? "refuses its key" : `does not answer: ${String(error)}`;
      const detail = this.#redactor.text(`${what} ${why}`);
      return { configured: true, ok: false, detail: `${detail}. The offline policy answers meanwhile.` };
    }
  }

  #begin(given: AbortSignal, within: number = modelLimits.within): Asking {
    const signal = AbortSignal.any([given, AbortSignal.timeout(within)]);
    return { signal, cancelled: () => given.aborted, usage: noUsage };
  }

  async #generate(
    call: Omit<GenerateRequest, "signal" | "idempotencyKey">,
    run: string | undefined,
    asking: Asking,
  ): Promise<Generated | RefusedCompletion> {
    return await this.#call(asking, async (driver, finished) => {
      const idempotency =
        run === undefined ? {} : { idempotencyKey: questionKey([run, Object.entries(call), finished]) };
      const answer = await driver.generate({ ...call, ...idempotency, signal: asking.signal });
      return { ...answer, usage: usageOf(call.model, answer) };
    });
  }

  /**
   * Calls the model until it answers, the number of tries is reached, or the deadline has passed. `work` is
   * one call. Its argument `finished` is the number of earlier calls that ended with an error of the server.
   */
  async #call<Answer extends { readonly usage: Usage }>(
    asking: Asking,
    work: (driver: ModelDriver, finished: number) => Promise<Answer>,
  ): Promise<Answer | RefusedCompletion> {
    const { signal } = asking;
    let last = "";
    let finished = 0;
    for (let tries = 0; tries < modelLimits.tries; tries++) {
      if (signal.aborted) break;
      try {
        const driver = await this.#connected();
        const answer = await Promise.race([work(driver, finished), aborted(signal)]);
        asking.usage = addUsage(asking.usage, answer.usage);
        return answer;
      } catch (error) {
        // A failed call counts in the usage too, because the server may have received it.
        asking.usage = addUsage(asking.usage, { ...noUsage, calls: 1 });
        if (signal.aborted) break;
        last = this.#redactor.text(error instanceof Error ? error.message : String(error));
        if (!(error instanceof ModelCallFailed)) return refused("unavailable", last, asking.usage);
        if (error.finished) finished += 1;
        if (error.problem === "refused_key") return refused("refused_key", last, asking.usage);
        if (error.problem === "rejected") return refused("unavailable", last, asking.usage);
        if (tries + 1 < modelLimits.tries)
          await pause(waitAfter(tries, error.retryAfter), undefined, { signal }).catch(() => {});
      }
    }
    if (asking.cancelled()) return refused("cancelled", "The question was cancelled.", asking.usage);
    if (signal.aborted) return refused("deadline", "The model did not answer in time.", asking.usage);
    return refused("unavailable", last, asking.usage);
  }

  /** Loads the SDK with the first question, because it is large and most workers ask no model. */
  #connected(): Promise<ModelDriver> {
    this.#driver ??= this.#connect();
    return this.#driver;
  }

  async #connect(): Promise<ModelDriver> {
    const { openaiKey, openaiUrl, geminiKey = "", geminiUrl } = this.#settings;
    if (this.#provider === "openai") {
      const { OpenAiDriver } = await import("./openai-driver.ts");
      return new OpenAiDriver(openaiKey, openaiUrl);
    }
    const { GeminiDriver } = await import("./gemini-driver.ts");
    return new GeminiDriver(geminiKey, geminiUrl);
  }
}

/** Parses the value by the schema. When the schema itself throws, the value counts as invalid. */
function parsedBy<T>(schema: OutputSchema<T>, value: unknown): ReturnType<OutputSchema<T>["parse"]> {
  if (value === undefined) return { ok: false, problem: "It holds no JSON." };
  try {
    return schema.parse(value);
  } catch (error) {
    return { ok: false, problem: String(error) };
  }
}

function usageOf(
  model: string,
  { input_tokens, output_tokens }: Pick<Generated, "input_tokens" | "output_tokens">,
): Usage {
  return { calls: 1, input_tokens, output_tokens, cost_usd: costOf(model, input_tokens, output_tokens) };
}

function difference(now: Usage, before: Usage): Usage {
  return {
    calls: now.calls - before.calls,
    input_tokens: now.input_tokens - before.input_tokens,
    output_tokens: now.output_tokens - before.output_tokens,
    cost_usd: now.cost_usd === null || before.cost_usd === null ? null : now.cost_usd - before.cost_usd,
  };
}

/**
 * Returns the pause before the next attempt. It is the time that the server requested. Without such a
 * request, it grows exponentially, with random jitter.
 */
function waitAfter(tries: number, retryAfter: number | undefined): number {
  const { backoff, longestBackoff } = modelLimits;
  const step = Math.min(backoff * 2 ** tries, longestBackoff);
  return retryAfter ?? step * (1 + Math.random());
}

/** Rejects when the signal aborts, because SDKs do not always end a hanging request on abort. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
