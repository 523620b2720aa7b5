/**
 * Typed writes (`machines/emitted.ts`) as SurrealQL.
 *
 * Writing the same row twice is the same as writing it once: a record or an edge that exists is replaced. Each kind
 * of write is one statement; row by row it is several times as much. Measured on RocksDB with two cores that others
 * used as well (CPU time; the clock in brackets): one commit of 25 pages, 750 edges and 200 frontier rows 102 ms
 * (median 208 ms), of one actor's row 1.2 ms (2.3 ms), of 64 units in a group 10.7 ms (11.7 ms).
 * Neighbour: `actor-store.surreal.ts` puts these statements into its transaction.
 */
import type { StoreWrite } from "../../machines/emitted.ts";
import { record } from "../connection/database.ts";
import { edgeRow, edges, nodeFields, nodeRow } from "./tables.ts";

/** Statements that share one set of bindings. */
export class Script {
  readonly #statements: string[] = [];
  readonly #bindings: Record<string, unknown> = {};

  /** Adds a statement; `%` in it stands for the value's name. */
  add(statement: string, value: unknown): void {
    const name = `v${this.#statements.length}`;
    this.#bindings[name] = value;
    this.#statements.push(`${statement.replaceAll("%", `$${name}`)};`);
  }

  get statements(): string {
    return this.#statements.join("\n");
  }

  get bindings(): Readonly<Record<string, unknown>> {
    return this.#bindings;
  }

  get empty(): boolean {
    return this.#statements.length === 0;
  }
}

/** "Insert, or replace what is there": each field is named, because nothing shorter replaces a row in bulk. */
export function replacing(fields: readonly string[]): string {
  return fields.length === 0
    ? ""
    : ` ON DUPLICATE KEY UPDATE ${fields.map((field) => `${field} = $input.${field}`).join(", ")}`;
}

export function addWrite(script: Script, write: StoreWrite): void {
  switch (write.op) {
    case "put": {
      if (write.rows.length === 0) return;
      const rows = write.rows.map((row) => nodeRow(write.table, row));
      script.add(`INSERT INTO ${write.table} %${replacing(nodeFields[write.table])} RETURN NONE`, rows);
      return;
    }
    case "merge": {
      if (write.rows.length === 0) return;
      const rows = write.rows.map(({ id, ...fields }) => ({ id: record(write.table, id), fields }));
      script.add("FOR $row IN % { UPDATE $row.id MERGE $row.fields RETURN NONE }", rows);
      return;
    }
    case "remove":
      if (write.ids.length === 0) return;
      script.add(
        "DELETE % RETURN NONE",
        write.ids.map((id) => record(write.table, id)),
      );
      return;
    case "relate": {
      if (write.rows.length === 0) return;
      const { fields } = edges[write.edge];
      const rows = write.rows.map((row) => edgeRow(write.edge, row));
      // An edge without fields has nothing to replace.
      const insert = fields.length === 0 ? "INSERT RELATION IGNORE INTO" : "INSERT RELATION INTO";
      script.add(`${insert} ${write.edge} %${replacing(fields)} RETURN NONE`, rows);
      return;
    }
    case "unrelate":
      if (write.from.length === 0) return;
      script.add(
        `FOR $from IN % { DELETE ${write.edge}:[$from[0], $from[1], NONE]..=[$from[0], $from[1], ..] RETURN NONE }`,
        write.from,
      );
  }
}
