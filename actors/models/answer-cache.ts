/** Answers of models by the hash of the question, for a limited time. */
import { createHash } from "node:crypto";
import { modelLimits } from "./model-limits.ts";

export function questionKey(parts: unknown): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

export class AnswerCache {
  readonly #answers = new Map<string, { readonly until: number; readonly value: unknown }>();

  get(key: string, now: number): { readonly value: unknown } | undefined {
    const found = this.#answers.get(key);
    if (found && found.until > now) return found;
    this.#answers.delete(key);
    return undefined;
  }

  set(key: string, value: unknown, now: number): void {
    this.#answers.set(key, { until: now + modelLimits.cacheFor, value });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > modelLimits.cachedAnswers && oldest !== undefined) this.#answers.delete(oldest);
  }
}
