/**
 * Acts that are under way, or not in the store yet: a file in the data folder, of which a process that is killed leaves
 * what its next start puts into the store.
 *
 * Written at once by the operating system, which keeps it when the process dies; not forced onto the disk, so that it
 * costs microseconds: of a machine that loses its power the last moments may be lost. Lines are notes; a later one of the
 * same act stands for the earlier. Neighbour: `audit-desk.ts` writes and empties it.
 */
import {
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { z } from "zod";
import { guardLimits } from "../../machines/audit/limits.ts";
import { outcomes } from "../../machines/audit/protocol.ts";
import type { StoredNote } from "../../store/index.ts";
import type { Log } from "../runtime/index.ts";

const noteSchema = z.object({
  id: z.tuple([z.number(), z.string()]),
  at: z.number(),
  caller: z.string(),
  act: z.string(),
  detail: z.string().nullable(),
  subject: z.string().nullable(),
  outcome: z.enum(outcomes),
  code: z.string().nullable(),
  request_id: z.string(),
  ms: z.number(),
});

export class AuditJournal {
  readonly #path: string;
  readonly #log: Log;
  /** What stands for each act, by its name. */
  readonly #lines = new Map<string, string>();
  #file: number | undefined;
  #bytes = 0;
  /** What the process before left. */
  readonly left: readonly StoredNote[];

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
    this.left = this.#read();
    for (const note of this.left) this.#lines.set(note.id[1], lineOf(note));
  }

  put(note: StoredNote): void {
    const line = lineOf(note);
    this.#lines.set(note.id[1], line);
    this.#attempt(() => {
      this.#file ??= openSync(this.#path, "a", 0o600);
      this.#bytes += writeSync(this.#file, line);
    });
  }

  /** They are in the store, or will never be. */
  drop(notes: readonly StoredNote[]): void {
    for (const { id } of notes) this.#lines.delete(id[1]);
    this.#attempt(() => {
      this.#file ??= openSync(this.#path, "a", 0o600);
      if (this.#lines.size === 0) {
        ftruncateSync(this.#file, 0);
        this.#bytes = 0;
      } else if (this.#bytes > guardLimits.journalBytes) this.#rewrite();
    });
  }

  close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) this.#attempt(() => closeSync(file));
  }

  /** At no moment there is less in the file than what is live. */
  #rewrite(): void {
    const text = [...this.#lines.values()].join("");
    writeFileSync(`${this.#path}.new`, text, { mode: 0o600 });
    renameSync(`${this.#path}.new`, this.#path);
    this.close();
    this.#bytes = Buffer.byteLength(text);
  }

  /** An act is not refused since its note cannot be kept twice. */
  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#log("error", "the journal of acts cannot be written: what is not in the store yet may be lost", {
        error,
      });
    }
  }

  #read(): readonly StoredNote[] {
    let text: string;
    try {
      text = readFileSync(this.#path, "utf8");
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT"))
        this.#log("error", "the journal of acts cannot be read", { error });
      return [];
    }
    const notes = new Map<string, StoredNote>();
    let torn = 0;
    for (const line of text.split("\n").filter((each) => each !== "")) {
      const note = noteOf(line);
      if (note) notes.set(note.id[1], note);
      else torn += 1;
    }
    if (torn > 0) this.#log("warn", "lines of the journal of acts cannot be read", { lines: torn });
    return [...notes.values()];
  }
}

function lineOf(note: StoredNote): string {
  return `${JSON.stringify(note)}\n`;
}

/** `undefined`: it was cut off while it was written. */
function noteOf(line: string): StoredNote | undefined {
  try {
    return noteSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
