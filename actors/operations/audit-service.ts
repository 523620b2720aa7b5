/**
 * The audit log for the gateway. Entries are accepted immediately and written to the store in batches a
 * moment later, so an audited action needs no commit of its own. The journal file keeps entries over a crash,
 * and a bounded queue keeps them while the store is unreachable.
 */
import { join } from "node:path";
import { guardLimits } from "../../machines/audit/api-caller-limits.ts";
import type { AuditAct, AuditNote, AuditPage, ListAudit } from "../../machines/audit/audit-entry-schemas.ts";
import { CairnError, Refused } from "../../machines/errors.ts";
import type { AuditStore, StoredNote } from "../../store/index.ts";
import { askLimits } from "../runtime/actor-runtime-limits.ts";
import type { Clock, Log } from "../runtime/index.ts";
import { AuditJournal } from "./journal-of-unstored-audit-entries.ts";

const { writeDelay: noteWithin, writeBatch: noteBatch } = guardLimits;

export class AuditService {
  readonly #store: AuditStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #most: number;
  readonly #journal: AuditJournal;
  #waiting: StoredNote[] = [];
  #cancel: (() => void) | undefined;
  #writing: Promise<void> | undefined;
  #dropped = 0;

  /**
   * Creates the audit log.
   * @param folder folder of the journal file; only this process uses it
   * @param most the maximum number of entries that wait for the store
   */
  constructor(
    store: AuditStore,
    clock: Clock,
    log: Log,
    folder: string,
    most: number = guardLimits.maxUnwritten,
  ) {
    this.#most = most;
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#journal = new AuditJournal(join(folder, "acts.jsonl"), log);
    for (const note of this.#journal.left) this.#wait(note);
  }

  /** Records the start of an audited action. The returned function records its outcome. */
  begin(action: AuditAct): (note: AuditNote) => void {
    const name = crypto.randomUUID();
    // The outcome `interrupted` is written to the journal before the action runs. If the process ends during
    // the action, this outcome stays in the journal.
    this.#journal.put({ ...action, outcome: "interrupted", code: null, ms: 0, id: [action.at, name] });
    return (note) => this.#add({ ...note, id: [note.at, name] });
  }

  note(note: AuditNote): void {
    this.#add({ ...note, id: [note.at, crypto.randomUUID()] });
  }

  #add(note: StoredNote): void {
    this.#journal.put(note);
    this.#wait(note);
  }

  #wait(note: StoredNote): void {
    this.#waiting.push(note);
    if (this.#waiting.length > this.#most) {
      this.#journal.drop(this.#waiting.splice(0, 1));
      this.#dropped += 1;
    }
    this.#cancel ??= this.#clock.after(noteWithin, () => void this.#write());
  }

  async list({ limit, cursor, ...filters }: ListAudit): Promise<AuditPage> {
    await this.#write();
    const before = cursor === undefined ? undefined : parseCursor(cursor);
    // One more entry than requested is read. When this entry exists, there is a further page of entries.
    const rows = await this.#store.list({ ...filters, limit: limit + 1, before }, this.#clock.now());
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      entries: shown.map(({ at, caller, act, detail, subject, outcome, code, request_id, ms }) => ({
        at: new Date(at).toISOString(),
        caller,
        act,
        detail: detail ?? null,
        subject: subject ?? null,
        outcome,
        code: code ?? null,
        request_id,
        ms,
      })),
      next_cursor: last && rows.length > limit ? last.id.join(".") : null,
    };
  }

  /**
   * Writes the waiting entries to the store. Entries that the store does not accept stay in the journal, and
   * the next start writes them.
   */
  async close(): Promise<void> {
    await this.#write();
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#waiting.length > 0)
      this.#log("warn", "audit entries could not be written to the store; the next start writes them", {
        entries: this.#waiting.length,
      });
    this.#journal.close();
  }

  /**
   * Writes the waiting entries to the store. Only one such write runs at a time, so the entries keep their
   * order.
   */
  async #write(): Promise<void> {
    while (this.#writing) await this.#writing;
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#waiting.length === 0) return;
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    if (this.#dropped > 0) {
      this.#log("warn", "audit entries were dropped because the store was away for long", {
        entries: this.#dropped,
      });
      this.#dropped = 0;
    }
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, noteBatch);
      try {
        await this.#store.add(batch);
      } catch (error) {
        if (!(error instanceof CairnError)) throw error;
        // Entries that could not be written are written again later. The store ignores an entry that it
        // already has.
        this.#cancel ??= this.#clock.after(askLimits.timeout, () => void this.#write());
        return;
      }
      this.#journal.drop(batch);
      const written = new Set(batch);
      this.#waiting = this.#waiting.filter((note) => !written.has(note));
    }
  }
}

function parseCursor(cursor: string): StoredNote["id"] {
  const [, at = "", name = ""] = /^(\d{1,15})\.([\w-]{36})$/.exec(cursor) ?? [];
  if (name !== "") return [Number(at), name];
  throw new Refused(
    "request.invalid",
    "The cursor is not one of the audit log. Pass next_cursor unchanged.",
    {
      status: 422,
    },
  );
}
