/**
 * An inverted index: which ids stand under which key. Shared by the indexes of a map (`recognition.ts`, `words.ts`).
 */
const NONE: ReadonlySet<string> = new Set();

export class Postings {
  readonly #entries = new Map<string, Set<string>>();

  add(key: string, id: string): void {
    const ids = this.#entries.get(key);
    if (ids) ids.add(id);
    else this.#entries.set(key, new Set([id]));
  }

  remove(key: string, id: string): void {
    const ids = this.#entries.get(key);
    ids?.delete(id);
    if (ids?.size === 0) this.#entries.delete(key);
  }

  get(key: string): ReadonlySet<string> {
    return this.#entries.get(key) ?? NONE;
  }
}
