/**
 * Statements in, plain rows out: the thin layer between the SDK and everything else in `store/`.
 *
 * Rows here have arrays or strings as ids; `RecordId` is the SDK's business and ends at this border. The client
 * behind it may be the real database (`connection.ts`) or the way to it (`served-engine.ts`): both look alike.
 *
 * Five things of SurrealDB 3.0 that every statement here has to know (each is held by a test in `test/store`):
 * named fields of an array of records need a condition (`SELECT url FROM $ids WHERE id`); a LIMIT over an index
 * cuts before a condition outside of that index filters; `>` on an index field that is not the index's last one
 * works as `>=`; a key range with parameters stands at the top level of a statement, never inside a closure or
 * a RETURN; a LIMIT does not end the scan of a key range, which is read whole whatever the limit.
 */
import { RecordId, type Surreal } from "surrealdb";
import { Unavailable } from "../../machines/errors.ts";
import { commitLimits } from "../../machines/runtime/limits.ts";
import { storeLimits } from "../limits.ts";
import { isConflict, storeFailure } from "./store-failure.ts";

export type Bindings = Readonly<Record<string, unknown>>;
export type Key = string | number | readonly (string | number)[];

/** The record's id as the database wants it. */
export function record(table: string, key: Key): RecordId {
  return new RecordId(table, typeof key === "string" || typeof key === "number" ? key : [...key]);
}

/** A row with its ids (`id`, `in`, `out`) as arrays or strings. A row of values alone stays as it is. */
export function plainRow(row: unknown): unknown {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return row;
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) out[name] = value instanceof RecordId ? value.id : value;
  return out;
}

/** Where statements go: a `Connection`. */
export interface Link {
  /** Another one after a connection that broke off. */
  readonly client: Surreal;
  /** For messages. */
  readonly place: string;
  /** Told when what was sent over the present client will not be answered any more; the answer ends it. */
  lost?(tell: (error: Error) => void): () => void;
  /** A statement over this client had no answer in its time: if it is the connection that is dead, it is made anew. */
  unanswered?(client: Surreal): void;
}

export class Database {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  /** Requests made so far: each a statement, several, or a transaction. */
  readonly statements = { ok: 0, failed: 0 };

  get client(): Surreal {
    return this.#link.client;
  }

  get place(): string {
    return this.#link.place;
  }

  /**
   * The results of all statements, as the database gave them. Throws `store.unavailable` when there is no answer
   * `within` so many milliseconds: the statements may still be carried out, so only what may happen twice is sent.
   */
  async run(
    sql: string,
    bindings: Bindings = {},
    within: number = storeLimits.answerWithin,
  ): Promise<unknown[]> {
    let responses: Awaited<ReturnType<ReturnType<Surreal["query"]>["responses"]>>;
    try {
      const { client } = this.#link;
      responses = await this.#answered(client.query(sql, { ...bindings }).responses(), client, within);
    } catch (error) {
      this.statements.failed += 1;
      throw storeFailure(error, this.place);
    }
    const failed = responses.flatMap((response) => (response.success ? [] : [response.error]));
    if (failed.length > 0) {
      // Of a failed transaction every statement has an error; only one of them is the reason.
      const reason = failed.find((error) => !/^The query was not executed/.test(error.message)) ?? failed[0];
      this.statements.failed += 1;
      throw reason && isConflict(reason) ? reason : storeFailure(reason, this.place);
    }
    this.statements.ok += 1;
    return responses.map((response) => (response.success ? response.result : undefined));
  }

  async #answered<T>(answer: Promise<T>, client: Surreal, within: number): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopListening: (() => void) | undefined;
    const never = new Promise<never>((_, reject) => {
      const silent = () => {
        reject(new Unavailable("store.unavailable", `${this.place} did not answer in ${within} ms.`));
        this.#link.unanswered?.(client);
      };
      timer = setTimeout(silent, within);
      stopListening = this.#link.lost?.(reject);
    });
    try {
      return await Promise.race([answer, never]);
    } finally {
      clearTimeout(timer);
      stopListening?.();
    }
  }

  /** The rows of the last statement. `Row` is what the schema says they are: SCHEMAFULL tables keep that promise. */
  async rows<Row>(sql: string, bindings: Bindings = {}): Promise<Row[]> {
    const results = await this.retried(() => this.run(sql, bindings));
    const last = results.at(-1);
    return Array.isArray(last) ? (last.map(plainRow) as Row[]) : [];
  }

  /** The rows of each of many statements, in their order; they share one trip and the bindings. */
  async each<Row>(statements: readonly string[], bindings: Bindings = {}): Promise<Row[][]> {
    if (statements.length === 0) return [];
    const results = await this.retried(() => this.run(statements.join(";\n"), bindings));
    return results.map((rows) => (Array.isArray(rows) ? (rows.map(plainRow) as Row[]) : []));
  }

  async row<Row>(sql: string, bindings: Bindings = {}): Promise<Row | undefined> {
    return (await this.rows<Row>(sql, bindings))[0];
  }

  /** All statements or none of them; sent again when another transaction was faster. */
  async transaction(statements: string, bindings: Bindings = {}, within?: number): Promise<unknown[]> {
    return await this.retried(() => this.run(`BEGIN;\n${statements}\nCOMMIT;`, bindings, within));
  }

  /** Repeats what lost a conflict, with a growing and scattered pause. */
  async retried<T>(attempt: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!isConflict(error) || tries >= commitLimits.conflictRetries)
          throw storeFailure(error, this.place);
        const pause = commitLimits.conflictPause * 2 ** tries * (0.5 + Math.random());
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }
}
