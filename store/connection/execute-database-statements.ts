/**
 * Executes statements and returns plain rows, as a thin layer over the SDK. Only this file uses the SDK's
 * `RecordId`; elsewhere ids are arrays or strings. The SDK's client is connected to the database itself, or
 * to a channel that leads to the database's thread (`database-engine-for-threads.ts`).
 */
import { RecordId, type Surreal } from "surrealdb";
import { Unavailable } from "../../machines/errors.ts";
import { commitLimits } from "../../machines/runtime/shared-runtime-limits.ts";
import { storeLimits } from "../store-limits.ts";
import { isConflict, storeFailure } from "./convert-database-errors.ts";

export type Bindings = Readonly<Record<string, unknown>>;
export type Key = string | number | readonly (string | number)[];

/** Builds a record id for the database. */
export function record(table: string, key: Key): RecordId {
  return new RecordId(table, typeof key === "string" || typeof key === "number" ? key : [...key]);
}

/**
 * Replaces each record id in a row, such as `id`, `in` and `out`, by its key: a string, a number or an array. A value
 * that is no row is returned unchanged.
 */
export function plainRow(row: unknown): unknown {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return row;
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) out[name] = value instanceof RecordId ? value.id : value;
  return out;
}

/**
 * The connection over which statements are sent. It is an interface, so that tests can replace the class
 * `Connection`.
 */
export interface Link {
  /** The connected client. After a reconnect, this field contains a new client. */
  readonly client: Surreal;
  /** Name of the database in error messages. */
  readonly place: string;
  /**
   * Registers a listener, and returns a function that removes it. The listener is called when the connection
   * is lost and pending requests of the current client will not be answered.
   */
  lost?(listener: (error: Error) => void): () => void;
  /**
   * Reports that a statement sent by this client timed out. If the client's connection is dead, it is
   * replaced.
   */
  unanswered?(client: Surreal): void;
}

/**
 * Executes the database statements of one thread.
 *
 * SurrealDB 3.0 has five properties that every statement in `store/` must respect. Tests in `test/store`
 * cover them:
 * - A SELECT of single fields from a list of record ids needs a condition, even one that is always true:
 *   `SELECT url FROM $ids WHERE id`.
 * - If a SELECT uses an index, LIMIT counts rows before a condition on other fields removes some of them.
 * - `>` also returns equal values (as `>=` does) if the field is not the last field of the index.
 * - A key range with parameters must be at the top level of a statement, not inside a closure or a RETURN.
 * - A LIMIT does not end the scan of a key range: the range is read to its end.
 */
export class Database {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  /**
   * Numbers of successful and failed requests to the database so far. A transaction counts as one request,
   * and so do several statements that are sent together.
   */
  readonly statements = { ok: 0, failed: 0 };

  get client(): Surreal {
    return this.#link.client;
  }

  get place(): string {
    return this.#link.place;
  }

  /**
   * Executes statements and returns their results unchanged. Throws `store.unavailable` after `within`
   * milliseconds without an answer. The database may still execute the statements later, so running them
   * twice must be safe.
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
      // In a failed transaction every statement has an error. Only one of them is the cause; the others state
      // that the query was not executed.
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

  /**
   * Returns the rows of the last statement. The cast is safe: all tables are SCHEMAFULL, so the database
   * checks the fields of each row.
   */
  async rows<Row>(sql: string, bindings: Bindings = {}): Promise<Row[]> {
    const results = await this.retried(() => this.run(sql, bindings));
    const last = results.at(-1);
    return Array.isArray(last) ? (last.map(plainRow) as Row[]) : [];
  }

  /**
   * Runs the statements in one request to the database, and returns the rows of each statement in order. All
   * statements use the same parameter values.
   */
  async each<Row>(statements: readonly string[], bindings: Bindings = {}): Promise<Row[][]> {
    if (statements.length === 0) return [];
    const results = await this.retried(() => this.run(statements.join(";\n"), bindings));
    return results.map((rows) => (Array.isArray(rows) ? (rows.map(plainRow) as Row[]) : []));
  }

  async row<Row>(sql: string, bindings: Bindings = {}): Promise<Row | undefined> {
    return (await this.rows<Row>(sql, bindings))[0];
  }

  /**
   * Runs all statements in one transaction. The transaction is retried if it conflicts with another
   * transaction.
   */
  async transaction(statements: string, bindings: Bindings = {}, within?: number): Promise<unknown[]> {
    return await this.retried(() => this.run(`BEGIN;\n${statements}\nCOMMIT;`, bindings, within));
  }

  /** Retries a transaction after conflicts, with exponential backoff and jitter. */
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
