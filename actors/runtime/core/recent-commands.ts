/**
 * The commands that an actor was given last, with what they were answered: a repetition is answered the same.
 *
 * Each step of an actor looks through all of them and each commit writes them all, and of a thousand actors in memory
 * hardly any is in the processor's cache. So they are not objects but two rows of numbers, and one text as it is stored.
 * Neighbours: `record.ts` keeps it in an actor's record, `step.ts` looks and adds.
 */
import { stepLimits } from "../limits.ts";
import type { Outcome } from "../message.ts";

/** One command as it is stored; its body is left out when it is null. */
export type StoredCommand = readonly [
  id: string,
  body?: unknown,
  error?: Extract<Outcome, { ok: false }>["error"],
];

export class Remembered {
  static readonly none = new Remembered([], [], "");

  /** Of each command's id, the oldest first. */
  readonly #hashes: readonly number[];
  /** Characters of each command's text. */
  readonly #lengths: readonly number[];
  /** The commands as JSON, with a comma between them. */
  readonly text: string;

  private constructor(hashes: readonly number[], lengths: readonly number[], text: string) {
    this.#hashes = hashes;
    this.#lengths = lengths;
    this.text = text;
  }

  static of(stored: readonly StoredCommand[]): Remembered {
    const last = stored.slice(-stepLimits.rememberedCommands);
    const texts = last.map((command) => JSON.stringify(command));
    const hashes = last.map(([id]) => hashOf(id));
    const lengths = texts.map(({ length }) => length);
    return new Remembered(hashes, lengths, texts.join(","));
  }

  get size(): number {
    return this.#hashes.length;
  }

  /** With one command more, which is not among them; the oldest goes where there are as many as are kept. */
  with(id: string, outcome: Outcome): Remembered {
    const text = JSON.stringify(storedOf(id, outcome));
    const full = this.size >= stepLimits.rememberedCommands;
    const hashes = this.#hashes.slice(full ? 1 : 0);
    const lengths = this.#lengths.slice(full ? 1 : 0);
    const [oldest = 0] = this.#lengths;
    const kept = full ? this.text.slice(oldest + 1) : this.text;
    hashes.push(hashOf(id));
    lengths.push(text.length);
    return new Remembered(hashes, lengths, kept === "" ? text : `${kept},${text}`);
  }

  /** What a command was answered; `undefined` when it is not among them. */
  find(id: string): Outcome | undefined {
    const hash = hashOf(id);
    for (let at = this.#hashes.indexOf(hash); at >= 0; at = this.#hashes.indexOf(hash, at + 1)) {
      const [known, body = null, error] = this.#at(at);
      if (known === id) return error ? { ok: false, error } : { ok: true, body };
    }
    return undefined;
  }

  without(id: string): Remembered {
    const all = this.#hashes.map((_, at) => this.#at(at));
    return Remembered.of(all.filter(([known]) => known !== id));
  }

  #at(index: number): StoredCommand {
    let start = 0;
    for (let i = 0; i < index; i++) start += (this.#lengths[i] ?? 0) + 1;
    return JSON.parse(this.text.slice(start, start + (this.#lengths[index] ?? 0))) as StoredCommand; // Written by `with`.
  }
}

function storedOf(id: string, outcome: Outcome): StoredCommand {
  if (!outcome.ok) return [id, null, outcome.error];
  return outcome.body === null ? [id] : [id, outcome.body];
}

/** 31-bit, of the UTF-16 units; two ids may share one. */
function hashOf(id: string): number {
  let hash = 0;
  for (let i = 0; i < id.length; i++) hash = (Math.imul(hash, 31) + id.charCodeAt(i)) | 0;
  return hash & 0x7fffffff;
}
