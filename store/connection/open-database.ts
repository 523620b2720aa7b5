/**
 * Opens the database: embedded (`rocksdb://<dir>`, `mem://`) or on a server (`ws(s)`, `http(s)`). RocksDB
 * acknowledges a commit after fdatasync of its log. SurrealKV is refused, because it lost acknowledged
 * inserts and deletes after some tens of megabytes and a restart (figures in
 * `test/store/committed-data-after-kill.full.test.ts`).
 */
import type { DriverContext, SurrealEngine } from "surrealdb";
import { CairnError, Refused } from "../../machines/errors.ts";
import { storeLimits } from "../store-limits.ts";
import { connectInTime } from "./connect-database-client.ts";
import { DiskSpaceGuard } from "./disk-space-guard.ts";
import { EmbeddedEngine } from "./embedded-database-engine.ts";
import { Database, type Link } from "./execute-database-statements.ts";
import { ServerConnection } from "./surrealdb-server-connection.ts";

/** Name of the namespace. An embedded database always uses it; on a server it is the default. */
export const NAMESPACE = "cairn";
/** Name of the database. An embedded database always uses it; on a server it is the default. */
export const DATABASE = "cairn";

export interface ConnectionOptions {
  readonly url: string;
  /**
   * User name for a database server. If it is absent, the client does not sign in, which few servers permit.
   * An embedded database ignores all options but `url`.
   */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly namespace?: string | undefined;
  readonly database?: string | undefined;
}

export interface Connection extends Link {
  /** The engine of the embedded database if this thread has opened it; otherwise `undefined`. */
  readonly embedded: EmbeddedEngine | undefined;
  /** Checks the free disk space for a database on this machine. */
  readonly space: DiskSpaceGuard | undefined;
  close(): Promise<void>;
}

const EMBEDDED = ["mem", "rocksdb"];
const SERVER = ["ws", "wss", "http", "https"];

/** Connects a client to Cairn's namespace and database. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  const scheme = /^([a-z+]+):/i.exec(options.url)?.[1]?.toLowerCase() ?? "";
  if (scheme === "surrealkv") {
    throw new Refused(
      "store.unsupported",
      "SurrealKV lost committed writes when it was opened again, so Cairn does not use it: use rocksdb://<folder>.",
    );
  }
  if (SERVER.includes(scheme)) {
    const connection = serverConnection(options);
    await connection.open();
    return connection;
  }
  if (!EMBEDDED.includes(scheme)) {
    throw new Refused(
      "store.bad_url",
      `"${options.url}" is no store: use rocksdb://<folder>, mem://, or a SurrealDB server's ws(s):// or http(s):// URL.`,
    );
  }
  const patience = performance.now() + storeLimits.lockPatience;
  for (;;) {
    try {
      return await openEmbedded(options.url);
    } catch (error) {
      const locked = error instanceof CairnError && error.code === "store.locked";
      if (!locked || performance.now() > patience) throw error;
      await new Promise((resolve) => setTimeout(resolve, storeLimits.lockPause));
    }
  }
}

/** Creates a connection to a SurrealDB server, but does not open it yet. */
export function serverConnection({
  url,
  username,
  password,
  namespace = NAMESPACE,
  database = DATABASE,
}: ConnectionOptions): ServerConnection {
  const user = username === undefined ? undefined : { username, password: password ?? "" };
  return new ServerConnection({ url, user, namespace, database });
}

/**
 * Opens a database in this process.
 *
 * RocksDB locks its folder by an operating-system lock, which ends with the process. A process can open a
 * folder only once, because SurrealDB keeps the lock after the client is closed (measured: still locked 8 s
 * after `close`). `connectInTime` sets a time limit, because the SDK would wait forever for an engine that
 * cannot be opened.
 */
async function openEmbedded(url: string): Promise<Connection> {
  const folder = folderOf(url);
  const place = folder === undefined ? url : `the database in ${folder}`;
  const space = folder === undefined ? undefined : new DiskSpaceGuard(folder);
  space?.checkAtStart();
  let embedded: EmbeddedEngine | undefined;
  const engine = (context: DriverContext) => {
    embedded = new EmbeddedEngine(context, space);
    // The cast is safe: both types are the same, except that two packages declare the class for the engine's
    // features. The two declarations are equal.
    return embedded as unknown as SurrealEngine;
  };
  const options = { namespace: NAMESPACE, database: DATABASE };
  const client = await connectInTime({ mem: engine, rocksdb: engine }, url, options, place);
  try {
    const names = `DEFINE NAMESPACE IF NOT EXISTS ${NAMESPACE}; USE NS ${NAMESPACE};
      DEFINE DATABASE IF NOT EXISTS ${DATABASE}; USE NS ${NAMESPACE} DB ${DATABASE};`;
    await new Database({ client, place }).run(names, {}, storeLimits.openWithin);
  } catch (error) {
    // An error while closing is ignored. The caller receives the error that prevented opening.
    await client.close().catch(() => undefined);
    throw error;
  }
  const close = async () => {
    await client.close();
  };
  return { client, place, embedded, space, close };
}

/** Returns the folder of a store that is on this machine's disk; `undefined` for any other store. */
export function folderOf(url: string): string | undefined {
  return /^rocksdb:\/\/([^?]+)/i.exec(url)?.[1];
}
