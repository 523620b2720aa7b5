/**
 * Stores the audit log (`machines/audit/audit-entry-schemas.ts`) and reads it newest first. SurrealDB reads a key range
 * to its end, even with a LIMIT. So entries are read from time windows that grow, starting with a minute.
 */
import type { AuditNote } from "../../machines/audit/audit-entry-schemas.ts";
import { retentionLimits } from "../../machines/janitor/retention-limits.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";

export interface StoredNote extends AuditNote {
  readonly id: readonly [at: number, name: string];
}

export interface AuditRequest {
  readonly caller?: string | undefined;
  readonly act?: string | undefined;
  readonly subject?: string | undefined;
  readonly outcome?: string | undefined;
  readonly limit: number;
  /** Id of an audit entry. Only older entries are returned. */
  readonly before?: StoredNote["id"] | undefined;
}

const FILTERS = ["caller", "act", "subject", "outcome"] as const;
/**
 * Audit entries are searched in windows of time. Each window is longer than the previous one by this factor.
 */
const WINDOW_GROWTH = 8;

export class AuditStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds entries. The caller may add an entry again after a lost answer; the entry is stored only once. */
  async add(notes: readonly StoredNote[]): Promise<void> {
    const rows = notes.map(({ id, ...note }) => ({
      id: record("audit", id),
      // SurrealDB does not accept null for an absent field, so fields with the value null are left out.
      ...Object.fromEntries(Object.entries(note).filter(([, value]) => value !== null)),
    }));
    await this.#database.rows("INSERT IGNORE INTO audit $rows RETURN NONE", { rows });
  }

  /** Lists audit entries, newest first. */
  async list({ limit, before, ...given }: AuditRequest, now: number): Promise<readonly StoredNote[]> {
    const filters = FILTERS.filter((name) => given[name] !== undefined);
    const where =
      filters.length === 0 ? "" : `WHERE ${filters.map((name) => `${name} = $${name}`).join(" AND ")}`;
    const found: StoredNote[] = [];
    const first = now - retentionLimits.audit;
    let until: StoredNote["id"] = before ?? [now + 1, ""];
    let stretch = retentionLimits.auditStretch;
    while (found.length < limit && until[0] > first) {
      const since = Math.max(first, until[0] - stretch);
      const rows = await this.#database.rows<StoredNote>(
        `SELECT * FROM audit:[$since, NONE]..[$until, $name] ${where} ORDER BY id DESC LIMIT $limit`,
        { ...given, since, until: until[0], name: until[1], limit: limit - found.length },
      );
      found.push(...rows);
      until = [since, ""];
      stretch *= WINDOW_GROWTH;
    }
    return found;
  }
}
