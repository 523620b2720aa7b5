/**
 * A file in the data folder with the audit entries that are not in the store yet. Lines are written without
 * fsync, because fsync would be slow: a killed process loses no entry, but a power failure may lose the last
 * ones. A later line of an entry replaces the earlier one.
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
import { guardLimits } from "../../machines/audit/api-caller-limits.ts";
import { outcomes } from "../../machines/audit/audit-entry-schemas.ts";
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
  /** Maps the id of each audit entry to its latest line in the journal. */
  readonly #lines = new Map<string, string>();
  #file: number | undefined;
  #bytes = 0;
  /** Audit entries that the previous process did not write to the store. */
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

  /** Removes entries that are stored already, or that will never be stored. */
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

  /** Replaces the file of the journal by one that contains only the entries that are not in the store yet. */
  #rewrite(): void {
    const text = [...this.#lines.values()].join("");
    writeFileSync(`${this.#path}.new`, text, { mode: 0o600 });
    renameSync(`${this.#path}.new`, this.#path);
    this.close();
    this.#bytes = Buffer.byteLength(text);
  }

  /**
   * If the audit journal fails, the error is only reported. The audited action is not refused because of it.
   */
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

/** Parses a line of the journal. Returns `undefined` for a line that a crash cut off. */
function noteOf(line: string): StoredNote | undefined {
  try {
    return noteSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
