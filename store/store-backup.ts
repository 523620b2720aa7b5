/**
 * Backs up the store into one compressed file, and restores such a file. The file is gzip of JSON lines: a
 * header with the schema version, batches of rows, and a footer with the row count of each table. A backup
 * reads one transaction, so it is consistent while other work continues.
 */
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import {
  BoundExcluded,
  BoundIncluded,
  type RecordId,
  RecordIdRange,
  type RecordIdValue,
  type SurrealTransaction,
} from "surrealdb";
import { Refused } from "../machines/errors.ts";
import { retentionLimits } from "../machines/janitor/retention-limits.ts";
import { storeFailure } from "./connection/convert-database-errors.ts";
import { knownMigrations, migrate, schemaVersion } from "./connection/database-migrations.ts";
import { Database, type Key, plainRow, record } from "./connection/execute-database-statements.ts";
import {
  type ConnectionOptions,
  connect,
  DATABASE,
  folderOf,
  NAMESPACE,
} from "./connection/open-database.ts";
import { type EdgeTable, edges, nodeFields, runtimeFields } from "./records/database-table-fields.ts";
import { storeLimits } from "./store-limits.ts";

const FORMAT = 1;
/** The tables in the order in which a restore fills them: nodes before edges. */
const TABLES: readonly string[] = [
  ...Object.keys(runtimeFields),
  ...Object.keys(nodeFields),
  ...Object.keys(edges),
];

interface Header {
  readonly cairn_backup: number;
  readonly schema: number;
  readonly created_at: string;
}
interface Bunch {
  readonly table: string;
  readonly rows: readonly StoredRow[];
}
interface Footer {
  readonly counts: Readonly<Record<string, number>>;
}
interface StoredRow {
  readonly id: Key;
  readonly in?: Key;
  readonly out?: Key;
  readonly [field: string]: unknown;
}

/** Writes a new backup file into `folder` and returns its path. `label` is part of its name. */
export async function backup(
  database: Database,
  folder: string,
  label = "cairn",
): Promise<{ readonly file: string; readonly records: number }> {
  const stamp = new Date().toISOString().replace(/[:.]/g, "-");
  // The random part of the file name distinguishes two backups that were made at the same time.
  const file = join(folder, `${label}-${stamp}-${crypto.randomUUID().slice(0, 8)}.backup.gz`);
  const partial = `${file}.partial`;
  const counts: Record<string, number> = {};
  try {
    await mkdir(folder, { recursive: true });
    await pipeline(Readable.from(lines(database, counts)), createGzip(), createWriteStream(partial));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw storeFailure(error, folder);
  }
  return { file, records: total(counts) };
}

const BEFORE_MIGRATION = "before-migration-from-";

/**
 * Returns the label of a backup that is made before a migration.
 *
 * @param from the schema version of the data in the backup
 */
export function beforeMigration(from: number): string {
  return `${BEFORE_MIGRATION}${String(from).padStart(4, "0")}`;
}

/** Deletes old backups that were made before migrations. The newest backups are kept. */
export async function dropOldBackups(folder: string): Promise<void> {
  const migrationBackups = (await readdir(folder)).filter((name) => name.startsWith(BEFORE_MIGRATION)).sort();
  // The names of backups sort by version and time, so the oldest backup is first.
  for (const name of migrationBackups.slice(0, -retentionLimits.migrationBackups))
    await rm(join(folder, name));
}

async function* lines(database: Database, counts: Record<string, number>): AsyncGenerator<string> {
  const header: Header = {
    cairn_backup: FORMAT,
    schema: await schemaVersion(database),
    created_at: new Date().toISOString(),
  };
  yield `${JSON.stringify(header)}\n`;
  const moment = await database.client.beginTransaction();
  try {
    const present = await presentTables(database);
    for (const table of TABLES) {
      counts[table] = 0;
      if (!present.has(table)) continue;
      for await (const rows of bunches(moment, table)) {
        counts[table] += rows.length;
        yield `${JSON.stringify({ table, rows } satisfies Bunch)}\n`;
      }
    }
  } finally {
    await moment.cancel();
  }
  yield `${JSON.stringify({ counts } satisfies Footer)}\n`;
}

/**
 * Returns the names of the tables that the database has. Before a migration, it lacks the tables of later
 * releases.
 */
async function presentTables(database: Database): Promise<ReadonlySet<string>> {
  const [info] = await database.run("INFO FOR DB");
  // The cast is safe: the database returns an object of definitions by name.
  const { tables } = info as { readonly tables: Readonly<Record<string, string>> };
  return new Set(Object.keys(tables));
}

/**
 * Reads a table in batches, in key order. One query finds the last key of each batch, and each batch is read
 * as a separate range. With LIMIT alone, SurrealDB would read the rest of the table for each batch.
 */
async function* bunches(moment: SurrealTransaction, table: string): AsyncGenerator<StoredRow[]> {
  const [lasts] = await moment
    .query<[RecordId[]]>(
      `RETURN array::clump((SELECT VALUE id FROM ${table}), $size).map(|$bunch| array::last($bunch))`,
      { size: storeLimits.backupBatch },
    )
    .collect();
  let after: BoundExcluded<RecordIdValue> | undefined;
  for (const { id } of lasts) {
    const source = new RecordIdRange(table, after, new BoundIncluded(id));
    const [found] = await moment.query<[unknown[]]>("SELECT * FROM $source", { source }).collect();
    // The cast is safe: every row has an id, which `plainRow` converts to an array, a string or a number.
    yield found.map((row) => plainRow(row) as StoredRow);
    after = new BoundExcluded(id);
  }
}

export interface RestoreOptions extends ConnectionOptions {
  /** The store to fill: `rocksdb://<folder>` or a server's URL. No running Cairn may have it open. */
  readonly url: string;
  /** Path of a file that `backup` wrote. */
  readonly from: string;
  /** Whether to replace a store that already contains data. */
  readonly force?: boolean | undefined;
}

/**
 * Restores a backup. Throws `store.not_empty` if the store contains data, unless `force` is set. A database
 * on a server must be empty even with `force`, because its old data would be lost after a failure. On disk, a
 * new folder is filled and checked, and then replaces the old folder.
 */
export async function restoreStore({
  from,
  force = false,
  ...options
}: RestoreOptions): Promise<{ readonly records: number }> {
  const { url } = options;
  const folder = folderOf(url);
  if (folder === undefined) return await restoreOnServer(options, from);
  const present = (await exists(folder)) ? await records(url) : 0;
  if (present > 0 && !force) {
    throw new Refused(
      "store.not_empty",
      `The store in ${folder} holds ${present} records. Restore into another CAIRN_DATA, or replace it with --force.`,
      { status: 409, details: { records: present } },
    );
  }
  const newFolder = `${folder}.restoring`;
  const old = `${folder}.replaced`;
  try {
    await rm(newFolder, { recursive: true, force: true });
    await mkdir(dirname(folder), { recursive: true });
    const restored = await fill({ url: `rocksdb://${newFolder}` }, from);
    await rm(old, { recursive: true, force: true });
    if (await exists(folder)) await rename(folder, old);
    await rename(newFolder, folder);
    await rm(old, { recursive: true, force: true });
    return { records: restored };
  } catch (error) {
    await rm(newFolder, { recursive: true, force: true });
    throw storeFailure(error, folder);
  }
}

async function exists(path: string): Promise<boolean> {
  // A folder whose status cannot be read counts as missing. If it exists nevertheless, moving it fails later.
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function restoreOnServer(options: ConnectionOptions, from: string): Promise<{ records: number }> {
  const { namespace = NAMESPACE, database = DATABASE } = options;
  if ((await withDatabase(options, schemaVersion)) > 0) {
    throw new Refused(
      "store.not_empty",
      `A Cairn has used database ${database} of the server, and a backup fills only an empty one. Name another with SURREAL_DB.`,
      { status: 409 },
    );
  }
  try {
    return { records: await fill(options, from) };
  } catch (error) {
    // The restore has failed, so the partly filled database is removed. A user without the permission for this
    // cannot remove it. The next restore then fails with `store.not_empty`.
    const name = `\`${namespace}\``;
    await withDatabase(options, (half) =>
      half.run(`USE NS ${name}; REMOVE DATABASE \`${database}\`; DEFINE DATABASE \`${database}\``),
    ).catch(() => undefined);
    throw error;
  }
}

async function withDatabase<T>(
  options: ConnectionOptions,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const connection = await connect(options);
  try {
    return await work(new Database(connection));
  } finally {
    await connection.close();
  }
}

/**
 * Returns the number of records in a folder's store. Throws `store.locked` if a process has the store open.
 */
async function records(url: string): Promise<number> {
  return await withDatabase({ url }, async (database) => {
    if ((await schemaVersion(database)) === 0) return 0;
    let sum = 0;
    for (const table of TABLES) {
      sum += (await database.row<{ count: number }>(`SELECT count() FROM ${table} GROUP ALL`))?.count ?? 0;
    }
    return sum;
  });
}

async function fill(options: ConnectionOptions, from: string): Promise<number> {
  const connection = await connect(options);
  const database = new Database(connection);
  const counts: Record<string, number> = {};
  const known = await knownMigrations();
  let header: Header | undefined;
  let footer: Footer | undefined;
  try {
    for await (const part of parts(from)) {
      if ("cairn_backup" in part) {
        header = checked(part, known.at(-1)?.version ?? 0, from);
        await migrate(database, known, { upTo: header.schema });
      } else if (!header) throw notABackup(from);
      else if ("counts" in part) footer = part;
      else {
        await insert(database, part);
        counts[part.table] = (counts[part.table] ?? 0) + part.rows.length;
      }
    }
    if (!footer || TABLES.some((table) => (counts[table] ?? 0) !== (footer?.counts[table] ?? 0)))
      throw damaged(from);
    await migrate(database, known);
    return total(counts);
  } finally {
    await connection.close();
  }
}

async function* parts(from: string): AsyncGenerator<Header | Bunch | Footer> {
  const unpacked = createGunzip();
  const packed = pipeline(createReadStream(from), unpacked);
  // This handler prevents an unhandled rejection. The error itself is handled below, because it makes
  // `readline` throw or end early.
  packed.catch(() => undefined);
  let isBackup = false;
  try {
    for await (const line of createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY })) {
      // The cast is safe: the generator `lines` of this file has written each line of a backup. The callers
      // check that a header and a footer exist.
      const part = JSON.parse(line) as Header | Bunch | Footer;
      if (typeof part !== "object" || part === null) throw notABackup(from);
      isBackup ||= "cairn_backup" in part;
      yield part;
    }
    await packed;
  } catch (cause) {
    // If the file is not a backup, zlib, the JSON parser or the file system throws an error.
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    // zlib reports this error if the compressed data ends too early. It reports the same error for an empty file,
    // which is no damaged backup.
    if (code === "Z_BUF_ERROR" && (await stat(from)).size > 0) throw damaged(from, cause);
    if (cause instanceof SyntaxError || /^(Z_|ENOENT|EISDIR|ERR_)/.test(code))
      throw isBackup ? damaged(from, cause) : notABackup(from, cause);
    throw cause;
  }
}

function checked(header: Header, newest: number, from: string): Header {
  if (header.cairn_backup > FORMAT || header.schema > newest) {
    throw new Refused(
      "store.newer_schema",
      `${from} was written by a newer release (schema ${header.schema}, this one knows ${newest}). Restore it with that.`,
      { status: 409 },
    );
  }
  return header;
}

function damaged(from: string, cause?: unknown): Refused {
  return new Refused(
    "store.backup_damaged",
    `${from} is damaged or ends early: nothing was restored. Use another backup.`,
    {
      cause,
    },
  );
}

function notABackup(from: string, cause?: unknown): Refused {
  return new Refused("store.not_a_backup", `${from} is not a backup of Cairn.`, { cause });
}

async function insert(database: Database, { table, rows }: Bunch): Promise<void> {
  const edge = table in edges ? edges[table as EdgeTable] : undefined;
  const stored = rows.map((row) => ({
    ...row,
    id: record(table, row.id),
    ...(edge && row.in !== undefined && row.out !== undefined
      ? { in: record(edge.in, row.in), out: record(edge.out, row.out) }
      : {}),
  }));
  await database.rows(`INSERT ${edge ? "RELATION " : ""}INTO ${table} $rows RETURN NONE`, { rows: stored });
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
