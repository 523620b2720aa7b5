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
 * once (measured: still locked 8 s after `close`).
 */
import { createRemoteEngines, type DriverContext, Surreal, type SurrealEngine } from "surrealdb";
import { CairnError, Refused, Unavailable } from "../machines/errors.ts";
import { limits } from "../machines/limits.ts";
import { EmbeddedEngine } from "./embedded-engine.ts";
import { storeFailure } from "./failure.ts";
import { FreeSpace } from "./free-space.ts";

export const NAMESPACE = "cairn";
export const DATABASE = "cairn";

export interface ConnectionOptions {
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

export interface Connection {
  readonly client: Surreal;
  /** The URL without a password, for messages. */
  readonly place: string;
  /** Set for a database in this process: its engine also takes encoded requests. */
  readonly embedded: EmbeddedEngine | undefined;
  /** Set for a database on this machine's disk. */
  readonly space: FreeSpace | undefined;
}

const EMBEDDED = ["mem", "rocksdb"];
const REMOTE = ["ws", "wss", "http", "https"];

/** A connected client on Cairn's namespace and database. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  const scheme = /^([a-z+]+):/i.exec(options.url)?.[1]?.toLowerCase() ?? "";
  if (scheme === "surrealkv") {
    throw new Refused(
      "store.unsupported",
      "SurrealKV lost committed writes when it was opened again, so Cairn does not use it: use rocksdb://<folder>.",
    );
  }
  if (!EMBEDDED.includes(scheme) && !REMOTE.includes(scheme)) {
    throw new Refused(
      "store.bad_url",
      `"${options.url}" is no store: use rocksdb://<folder>, mem://, or a SurrealDB server's ws(s):// or http(s):// URL.`,
    );
  }
  const patience = performance.now() + limits.store.lockPatience;
  for (;;) {
    try {
      return await attempt(options);
    } catch (error) {
      const locked = error instanceof CairnError && error.code === "store.locked";
      if (!locked || performance.now() > patience) throw error;
      await new Promise((resolve) => setTimeout(resolve, limits.store.lockPause));
    }
  }
}

async function attempt({ url, username, password }: ConnectionOptions): Promise<Connection> {
  const place = placeOf(url);
  const folder = folderOf(url);
  const space = folder === undefined ? undefined : new FreeSpace(folder);
  space?.check();
  let embedded: EmbeddedEngine | undefined;
  let failed: (error: unknown) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    failed = reject;
  });
  const watched = (engine: SurrealEngine) => {
    engine.subscribe("error", failed);
    return engine;
  };
  const local = (context: DriverContext) => {
    embedded = new EmbeddedEngine(context, space);
    // The two packages declare the class of their features apart, which is all that their types differ in.
    return watched(embedded as unknown as SurrealEngine);
  };
  const remote = createRemoteEngines();
  const client = new Surreal({
    engines: {
      mem: local,
      rocksdb: local,
      ...Object.fromEntries(
        Object.entries(remote).map(([name, make]) => [
          name,
          (context: DriverContext) => watched(make(context)),
        ]),
      ),
    },
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new Unavailable("store.unavailable", `${place} did not answer in ${limits.store.openWithin} ms.`),
        ),
      limits.store.openWithin,
    );
  });
  try {
    const connected = client.connect(url, {
      namespace: NAMESPACE,
      database: DATABASE,
      ...(username === undefined ? {} : { authentication: { username, password: password ?? "" } }),
    });
    await Promise.race([connected, failure, late]);
    // The namespace and database of a server may not be there yet; an embedded one makes them by itself.
    await client.query(`DEFINE NAMESPACE IF NOT EXISTS ${NAMESPACE}; USE NS ${NAMESPACE};
      DEFINE DATABASE IF NOT EXISTS ${DATABASE}; USE NS ${NAMESPACE} DB ${DATABASE};`);
    await client.use({ namespace: NAMESPACE, database: DATABASE });
  } catch (error) {
    await client.close().catch(() => undefined); // The reason it could not be opened is the one to tell.
    throw storeFailure(error, place);
  } finally {
    clearTimeout(timer);
    failure.catch(() => undefined); // Later errors of the engine reach the calls that meet them.
  }
  return { client, place, embedded, space };
}

/** The folder of a store on this machine's disk. */
export function folderOf(url: string): string | undefined {
  return /^rocksdb:\/\/([^?]+)/i.exec(url)?.[1];
}

function placeOf(url: string): string {
  const folder = folderOf(url);
  if (folder !== undefined) return `the database in ${folder}`;
  return url.replace(/\/\/[^/@]*@/, "//");
}
