/**
 * An inverted index from keys to ids. Most keys have one id, which is stored without a Set to save memory.
 */
const NONE: ReadonlySet<string> = new Set();

export class Postings {
  readonly #entries = new Map<string, string | Set<string>>();

  add(key: string, id: string): void {
    const ids = this.#entries.get(key);
    if (ids === undefined) this.#entries.set(key, id);
    else if (typeof ids !== "string") ids.add(id);
    else if (ids !== id) this.#entries.set(key, new Set([ids, id]));
  }

  remove(key: string, id: string): void {
    const ids = this.#entries.get(key);
    if (ids === id) this.#entries.delete(key);
    if (ids === undefined || typeof ids === "string") return;
    ids.delete(id);
    if (ids.size === 0) this.#entries.delete(key);
  }

  get(key: string): ReadonlySet<string> {
    const ids = this.#entries.get(key);
    if (ids === undefined) return NONE;
    return typeof ids === "string" ? new Set([ids]) : ids;
  }
}
