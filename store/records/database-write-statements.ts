/**
 * Converts typed writes (`machines/machine-emissions.ts`) to SurrealQL. A write replaces existing rows, so it can be
 * repeated safely. All rows of a write are in one statement, because one statement per row takes several
 * times as long.
 */

import { UNNAMED_ROLE } from "../../machines/knowledge/account-roles-that-see-controls.ts";
import { OBSERVED_LINK } from "../../machines/knowledge/screens/page-to-screen.ts";
import type { StoreWrite } from "../../machines/machine-emissions.ts";
import type { KnowledgeId, UrlKey } from "../../machines/records/record-ids.ts";
import { record } from "../connection/execute-database-statements.ts";
import { storeLimits } from "../store-limits.ts";
import {
  type EdgeTable,
  edgeRow,
  edges,
  type NodeTable,
  nodeFields,
  nodeRow,
} from "./database-table-fields.ts";

// The cast is safe: `edges` has exactly the names of the edge tables as its keys.
const edgeTables = Object.keys(edges) as readonly EdgeTable[];

/** Statements in SurrealQL, together with the parameter values that they share. */
export class Script {
  readonly #statements: string[] = [];
  readonly #bindings: Record<string, unknown> = {};
  readonly #edgesDeletedFrom = new Set<EdgeTable>();

  /** Adds a statement. Each `%` in it becomes the name of the parameter that holds `value`. */
  add(statement: string, value: unknown): void {
    const name = `v${this.#statements.length}`;
    this.#bindings[name] = value;
    this.#statements.push(`${statement.replaceAll("%", `$${name}`)};`);
  }

  /**
   * Records that this script may delete edges. `addWrite` then inserts edges into the same tables by another
   * statement.
   *
   * @param table the table of these edges, or a node table at which the deleted edges start or end
   */
  noteDeletedEdges(table: EdgeTable | NodeTable): void {
    for (const edge of edgeTables)
      if (edge === table || edges[edge].in === table || edges[edge].out === table)
        this.#edgesDeletedFrom.add(edge);
  }

  mayHaveDeletedEdges(edge: EdgeTable): boolean {
    return this.#edgesDeletedFrom.has(edge);
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

/**
 * Returns the clause for "insert or replace". It names every field, because SurrealQL has no shorter bulk
 * replacement.
 *
 * @param fields the fields of the table, at least one
 */
export function replacing(
  fields: readonly string[],
  combined: Readonly<Record<string, string>> = {},
): string {
  const updates = fields.map((field) => `${field} = ${combined[field] ?? `$input.${field}`}`);
  return ` ON DUPLICATE KEY UPDATE ${updates.join(", ")}`;
}

/**
 * Combines the account roles of a stored row with those of a new observation
 * (knowledge/account-roles-that-see-controls.ts). A transition that was inferred without a role does not change the
 * stored roles.
 */
const COMBINED_ROLES = `IF roles = NONE { NONE }
  ELSE IF $input.roles != NONE { array::sort(array::union(roles, $input.roles)) }
  ELSE IF $input.inferred { roles } ELSE { array::sort(array::union(roles, ["${UNNAMED_ROLE}"])) }`;

/**
 * Records which searchable texts a transaction changes, so that indexes in memory
 * (`store/search/search-index-cache.ts`) read these texts again. An interrupted deletion of the map may leave
 * old change records. The first change of a map therefore deletes them.
 */
function addTextChange(
  script: Script,
  texts: readonly { readonly id: readonly [KnowledgeId, UrlKey] }[],
): void {
  const changes = [...Map.groupBy(texts, ({ id: [map] }) => map)].map(([map, some]) => ({
    map,
    version: record("text_version", [map, 0]),
    keys: some.map(({ id: [, key] }) => key),
  }));
  script.add(
    `FOR $change IN % {
      LET $now = (INSERT INTO text_version { id: $change.version, epoch: rand::ulid(), version: 1 }
        ON DUPLICATE KEY UPDATE version += 1 RETURN VALUE version)[0];
      IF $now = 1 { DELETE text_change:[$change.map, NONE]..=[$change.map, ..] RETURN NONE };
      UPSERT type::record("text_change", [$change.map, $now]) CONTENT { keys: $change.keys } RETURN NONE;
      DELETE text_change:[$change.map, NONE]..=[$change.map, $now - ${storeLimits.textChanges}] RETURN NONE
    }`,
    changes,
  );
}

/**
 * Adds the statements of a write to a script.
 *
 * CPU time of one commit on RocksDB, and the elapsed time (median, two loaded cores) in parentheses:
 * - 25 pages, 750 edges and 200 URL rows: 102 ms (208 ms)
 * - one actor's row: 1.2 ms (2.3 ms)
 * - 64 commits of one row each in one transaction: 10.7 ms (11.7 ms)
 */
export function addWrite(script: Script, write: StoreWrite): void {
  switch (write.op) {
    case "put": {
      if (write.rows.length === 0) return;
      const rows = write.rows.map((row) => nodeRow(write.table, row));
      const combined = write.adds_roles ? { roles: COMBINED_ROLES } : {};
      const replace = replacing(nodeFields[write.table], combined);
      script.add(`INSERT INTO ${write.table} %${replace} RETURN NONE`, rows);
      if (write.table === "page_text") addTextChange(script, write.rows);
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
      script.noteDeletedEdges(write.table);
      script.add(
        "DELETE % RETURN NONE",
        write.ids.map((id) => record(write.table, id)),
      );
      if (write.table === "page_text")
        addTextChange(
          script,
          write.ids.map((id) => ({ id })),
        );
      return;
    case "relate": {
      if (write.rows.length === 0) return;
      const { fields } = edges[write.edge];
      const rows = write.rows.map((row) => edgeRow(write.edge, row));
      // An edge table without fields has nothing to update, so an existing edge is replaced by an equal edge.
      const replaced = fields.length === 0 ? ["out"] : fields;
      const replace = `INSERT RELATION INTO ${write.edge} %${replacing(replaced, { roles: COMBINED_ROLES })} RETURN NONE`;
      if (script.mayHaveDeletedEdges(write.edge)) {
        // A database in memory has a defect: `INSERT IGNORE` does not insert an edge that the same
        // transaction has deleted before. So the edges are written by the statement that replaces existing
        // edges.
        script.add(replace, rows);
        return;
      }
      // Inserting is faster than updating, and nearly all edges are new. So the edges are first inserted;
      // existing edges are ignored, and `RETURN BEFORE` returns them. The slower updating statement runs only
      // if there are existing edges: it takes 2 µs for each field of each row.
      const insert = `INSERT RELATION IGNORE INTO ${write.edge} %`;
      script.add(`IF array::any((${insert} RETURN BEFORE)) { ${replace} }`, rows);
      return;
    }
    case "tally": {
      if (write.rows.length === 0) return;
      script.noteDeletedEdges(write.edge);
      const rows = write.rows.map(({ in: from, out, successes, failures, at }) => ({
        id: record(write.edge, [from[0], from[1], out[1]]),
        successes,
        failures,
        at,
      }));
      // Only existing transitions are updated, so a removed transition does not come back. A success confirms
      // an inferred transition. A failure removes an inferred transition, or restores the action that it had
      // before the inference.
      script.add(
        `FOR $row IN % {
          UPDATE $row.id SET successes += $row.successes, failures += $row.failures, seen_at = $row.at RETURN NONE;
          IF $row.successes > 0 {
            UPDATE $row.id SET inferred = false, confidence = ${OBSERVED_LINK}, before = NONE
            WHERE inferred = true RETURN NONE
          } ELSE {
            DELETE $row.id WHERE inferred = true AND before = NONE RETURN NONE;
            UPDATE $row.id SET action = before, inferred = false, before = NONE, reasoning = NONE
            WHERE inferred = true RETURN NONE
          }
        }`,
        rows,
      );
      return;
    }
    case "unrelate":
      if (write.from.length === 0) return;
      script.noteDeletedEdges(write.edge);
      script.add(
        `FOR $from IN % { DELETE ${write.edge}:[$from[0], $from[1], NONE]..=[$from[0], $from[1], ..] RETURN NONE }`,
        write.from,
      );
  }
}
