/**
 * The latest commands of an actor with their outcomes, so that a repeated command gets the same answer. Every
 * step searches them, and every commit writes them. So they are stored in two arrays of numbers and one text,
 * which is faster than objects.
 */

import type { Outcome } from "../actor-messages.ts";
import { stepLimits } from "../actor-runtime-limits.ts";

/** A stored command as an array of its id, its reply and its error. A reply of `null` is left out. */
export type StoredCommand = readonly [
  id: string,
  body?: unknown,
  error?: Extract<Outcome, { ok: false }>["error"],
];

export class RecentCommands {
  static readonly none = new RecentCommands([], [], "");

  /** Hashes of the command ids. The first is that of the oldest command. */
  readonly #hashes: readonly number[];
  /** For each command, the length of its JSON in `text`. */
  readonly #lengths: readonly number[];
  /** The recorded commands as JSON, separated by commas. */
  readonly text: string;

  private constructor(hashes: readonly number[], lengths: readonly number[], text: string) {
    this.#hashes = hashes;
    this.#lengths = lengths;
    this.text = text;
  }

  static of(stored: readonly StoredCommand[]): RecentCommands {
    const last = stored.slice(-stepLimits.rememberedCommands);
    const texts = last.map((command) => JSON.stringify(command));
    const hashes = last.map(([id]) => hashOf(id));
    const lengths = texts.map(({ length }) => length);
    return new RecentCommands(hashes, lengths, texts.join(","));
  }

  get size(): number {
    return this.#hashes.length;
  }

  /**
   * Returns a copy of the list with one more command. If the list is full, the oldest command is left out.
   */
  with(id: string, outcome: Outcome): RecentCommands {
    const text = JSON.stringify(storedOf(id, outcome));
    const full = this.size >= stepLimits.rememberedCommands;
    const hashes = this.#hashes.slice(full ? 1 : 0);
    const lengths = this.#lengths.slice(full ? 1 : 0);
    const [oldest = 0] = this.#lengths;
    const kept = full ? this.text.slice(oldest + 1) : this.text;
    hashes.push(hashOf(id));
    lengths.push(text.length);
    return new RecentCommands(hashes, lengths, kept === "" ? text : `${kept},${text}`);
  }

  /** Returns the outcome of a command, or `undefined` when it is not recorded. */
  find(id: string): Outcome | undefined {
    const hash = hashOf(id);
    for (let at = this.#hashes.indexOf(hash); at >= 0; at = this.#hashes.indexOf(hash, at + 1)) {
      const [known, body = null, error] = this.#at(at);
      if (known === id) return error ? { ok: false, error } : { ok: true, body };
    }
    return undefined;
  }

  without(id: string): RecentCommands {
    const all = this.#hashes.map((_, at) => this.#at(at));
    return RecentCommands.of(all.filter(([known]) => known !== id));
  }

  #at(index: number): StoredCommand {
    let start = 0;
    for (let i = 0; i < index; i++) start += (this.#lengths[i] ?? 0) + 1;
    // The cast is safe: `of` and `with` built this text from values of the type `StoredCommand`.
    return JSON.parse(this.text.slice(start, start + (this.#lengths[index] ?? 0))) as StoredCommand;
  }
}

function storedOf(id: string, outcome: Outcome): StoredCommand {
  if (!outcome.ok) return [id, null, outcome.error];
  return outcome.body === null ? [id] : [id, outcome.body];
}

/** Returns a 31-bit hash of the id's UTF-16 units. Two ids may have the same hash. */
function hashOf(id: string): number {
  let hash = 0;
  for (let i = 0; i < id.length; i++) hash = (Math.imul(hash, 31) + id.charCodeAt(i)) | 0;
  return hash & 0x7fffffff;
}
