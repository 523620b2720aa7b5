/**
 * Migrates a database to the schema of this release. Migrations are numbered files, applied once and in
 * order, and cannot be reversed. A database with a newer schema is refused, because its rows may have a
 * meaning that this release does not know.
 */
import { readdir, readFile } from "node:fs/promises";
import { Refused } from "../../machines/errors.ts";
import { storeLimits } from "../store-limits.ts";
import { isConflict } from "./convert-database-errors.ts";
import type { Database } from "./execute-database-statements.ts";

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: string;
}

const SCHEMA = new URL("../schema/", import.meta.url);

/** Returns all migrations of this release, oldest first. */
export async function knownMigrations(): Promise<readonly Migration[]> {
  const files = (await readdir(SCHEMA)).filter((name) => /^\d{4}-.+\.surql$/.test(name)).sort();
  return await Promise.all(
    files.map(async (file) => ({
      version: Number(file.slice(0, 4)),
      name: file.slice(5, -".surql".length),
      statements: await readFile(new URL(file, SCHEMA), "utf8"),
    })),
  );
}

/** Returns the version of the newest applied migration; 0 for an empty database. */
export async function schemaVersion(database: Database): Promise<number> {
  const tables = await database.run("INFO FOR DB STRUCTURE");
  if (!JSON.stringify(tables).includes('"migration"')) return 0;
  const row = await database.row<{ version: number }>(
    "SELECT version FROM migration ORDER BY version DESC LIMIT 1",
  );
  return row?.version ?? 0;
}

export interface MigrateOptions {
  /**
   * Called once before the first change to a database that contains data. Receives the old and the new
   * version.
   */
  readonly before?: ((from: number, to: number) => Promise<void>) | undefined;
  /** Version of the last migration to apply. By default all migrations are applied. */
  readonly upTo?: number | undefined;
}

/**
 * Applies the migrations that the database does not have yet. Throws `store.newer_schema` if the database was
 * written by a newer release.
 */
export async function migrate(
  database: Database,
  known: readonly Migration[],
  { before, upTo = Number.POSITIVE_INFINITY }: MigrateOptions = {},
): Promise<void> {
  const current = await schemaVersion(database);
  const newest = known.at(-1)?.version ?? 0;
  assertKnown(current, newest, database.place);
  const missing = known.filter(({ version }) => version > current && version <= upTo);
  const last = missing.at(-1);
  if (!last) return;
  if (current > 0) await before?.(current, last.version);
  for (const migration of missing) await apply(database, migration);
}

/** Throws `store.newer_schema` if the version is higher than this release's schema version. */
export function assertKnown(found: number, known: number, place: string): void {
  if (found <= known) return;
  throw new Refused(
    "store.newer_schema",
    `${place} has schema version ${found}, this Cairn knows up to ${known}: it was used by a newer ` +
      "release. Start that release, or restore a backup from before the upgrade (`cairn restore <file>`).",
    { status: 409, details: { found, known } },
  );
}

async function apply(database: Database, { version, name, statements }: Migration): Promise<void> {
  try {
    await database.transaction(
      `DEFINE TABLE IF NOT EXISTS migration TYPE NORMAL SCHEMAFULL;
       DEFINE FIELD IF NOT EXISTS version ON migration TYPE int;
       DEFINE FIELD IF NOT EXISTS name ON migration TYPE string;
       DEFINE FIELD IF NOT EXISTS applied_at ON migration TYPE datetime;
       CREATE type::record("migration", $version) SET version = $version, name = $name, applied_at = time::now() RETURN NONE;
       ${statements}`,
      { version, name },
      storeLimits.migrateWithin,
    );
  } catch (error) {
    // The error is ignored if another node, which started at the same time, has already applied this
    // migration.
    if (isConflict(error) || (await schemaVersion(database)) < version) throw error;
  }
}
