/**
 * Caches answers of language models under the hash of the question: in memory, and in a store that all
 * workers share.
 */
import { createHash } from "node:crypto";
import { modelLimits } from "./model-limits.ts";

/**
 * Stores answers of models for about an hour. If an answer is missing or cannot be read, the model is called
 * again.
 */
export interface AnswerStore {
  get(key: string): Promise<string | undefined>;
  put(key: string, text: string): Promise<void>;
}

export function questionKey(parts: unknown): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

export class AnswerCache {
  readonly #answers = new Map<string, { readonly until: number; readonly value: unknown }>();
  readonly #store: AnswerStore | undefined;

  constructor(store: AnswerStore | undefined) {
    this.#store = store;
  }

  async get(key: string, now: number): Promise<{ readonly value: unknown } | undefined> {
    const found = this.#answers.get(key);
    if (found && found.until > now) return found;
    this.#answers.delete(key);
    const stored = await this.#store?.get(key).catch(() => undefined);
    return stored === undefined ? undefined : { value: JSON.parse(stored) };
  }

  async set(key: string, value: unknown, now: number): Promise<void> {
    this.#answers.set(key, { until: now + modelLimits.cacheFor, value });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > modelLimits.cachedAnswers && oldest !== undefined) this.#answers.delete(oldest);
    // A failed write to the store is ignored: the caller has its answer, and the next run asks the model
    // again.
    await this.#store?.put(key, JSON.stringify(value)).catch(() => {});
  }
}
