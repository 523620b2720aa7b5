/**
 * Opens the one real database: in this process (`rocksdb://<dir>`, `mem://`) or on a server (`ws(s)`, `http(s)`).
 *
 * On disk it is RocksDB: each commit is in its log, and the log on the disk (fdatasync, shared by commits of the same
 * moment), before it is acknowledged. SurrealKV is refused: opened again after some tens of megabytes it had lost
 * inserts and deletes of acknowledged commits (`test/store/durability.test.ts` has the figures).
 *
 * RocksDB locks its folder itself (a lock of the operating system on its LOCK file, so it goes with the process
 * that held it, however that ended); what is left to do here is to tell the failures apart, because the SDK does
 * not pass on the errors of an engine that could not be opened, and waits for ever instead. SurrealDB does not let go
 * of the folder when the client is closed: it stays locked until the process ends, so one process opens one folder
 * once (measured: still locked 8 s after `close`). Neighbour: `server-connection.ts` is the way to a server.
 */
import type { DriverContext, SurrealEngine } from "surrealdb";
import { CairnError, Refused } from "../../machines/errors.ts";
import { storeLimits } from "../limits.ts";
import { connectInTime } from "./connect-client.ts";
import { Database, type Link } from "./database.ts";
import { EmbeddedEngine } from "./embedded-engine.ts";
import { FreeSpace } from "./free-space.ts";
import { ServerConnection } from "./server-connection.ts";

/** Of an embedded database, and of a server's unless others are named. */
export const NAMESPACE = "cairn";
export const DATABASE = "cairn";

export interface ConnectionOptions {
  readonly url: string;
  /** The rest is for servers. Without a name nobody signs in, which few servers allow. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly namespace?: string | undefined;
  readonly database?: string | undefined;
}

export interface Connection extends Link {
  /** Set for a database in this process: its engine also takes encoded requests. */
  readonly embedded: EmbeddedEngine | undefined;
  /** Set for a database on this machine's disk. */
  readonly space: FreeSpace | undefined;
  close(): Promise<void>;
}

const EMBEDDED = ["mem", "rocksdb"];
const SERVER = ["ws", "wss", "http", "https"];

/** A connected client on Cairn's namespace and database. */
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

/** The way to a server, not opened yet. */
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

async function openEmbedded(url: string): Promise<Connection> {
  const folder = folderOf(url);
  const place = folder === undefined ? url : `the database in ${folder}`;
  const space = folder === undefined ? undefined : new FreeSpace(folder);
  space?.check();
  let embedded: EmbeddedEngine | undefined;
  const engine = (context: DriverContext) => {
    embedded = new EmbeddedEngine(context, space);
    // The two packages declare the class of their features apart, which is all that their types differ in.
    return embedded as unknown as SurrealEngine;
  };
  const options = { namespace: NAMESPACE, database: DATABASE };
  const client = await connectInTime({ mem: engine, rocksdb: engine }, url, options, place);
  try {
    const names = `DEFINE NAMESPACE IF NOT EXISTS ${NAMESPACE}; USE NS ${NAMESPACE};
      DEFINE DATABASE IF NOT EXISTS ${DATABASE}; USE NS ${NAMESPACE} DB ${DATABASE};`;
    await new Database({ client, place }).run(names, {}, storeLimits.openWithin);
  } catch (error) {
    await client.close().catch(() => undefined); // The reason it could not be opened is the one to tell.
    throw error;
  }
  const close = async () => {
    await client.close();
  };
  return { client, place, embedded, space, close };
}

/** The folder of a store on this machine's disk. */
export function folderOf(url: string): string | undefined {
  return /^rocksdb:\/\/([^?]+)/i.exec(url)?.[1];
}
