/**
 * A lock in the database, by the database's own clock: for work that one of several nodes does for all, and for a
 * database that one Cairn uses alone.
 *
 * A holder that stood still past its time may wake up and go on beside the next one, so what is done under a lock
 * must bear that. Neighbour: `index.ts` migrates a server's database under one.
 */
import { clearInterval, setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import { Refused, Unavailable } from "../../machines/errors.ts";
import { storeLimits } from "../limits.ts";
import { type Database, record } from "./database.ts";

/** Does `work` while nobody else holds the lock; waits for those who do. */
export async function withDatabaseLock<T>(
  database: Database,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const lock = new Lock(database, name);
  await lock.prepare();
  const until = performance.now() + storeLimits.migrateWithin;
  while (!(await lock.take())) {
    if (performance.now() > until) {
      throw new Unavailable("store.lock_held", `Another node holds the lock "${name}" of ${database.place}.`);
    }
    await sleep(storeLimits.lock.lookAgain);
  }
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/**
 * Holds the database for this Cairn alone until the answer is called. Throws `store.in_use` when another one lives
 * that does the same; the lock of one that died without a word is taken over once it is seen to stand still.
 */
export async function holdExclusively(database: Database): Promise<() => Promise<void>> {
  const lock = new Lock(database, "alone");
  await lock.prepare();
  const before = await lock.until();
  if (!(await lock.take())) {
    await sleep(storeLimits.lock.ttl / 2);
    const extended = (await lock.until()) !== before;
    if (extended || !(await lock.takeFrom(before))) {
      throw new Refused(
        "store.in_use",
        `Another Cairn works with ${database.place}, and the two do not know of each other. Give both the same NATS_URL to make them one, or this one a database of its own with SURREAL_DB.`,
        { status: 409 },
      );
    }
  }
  return () => lock.release();
}

class Lock {
  readonly #database: Database;
  readonly #name: string;
  readonly #owner = crypto.randomUUID();
  #extending: ReturnType<typeof setInterval> | undefined;

  constructor(database: Database, name: string) {
    this.#database = database;
    this.#name = name;
  }

  async prepare(): Promise<void> {
    await this.#database.transaction(`DEFINE TABLE IF NOT EXISTS lock TYPE NORMAL SCHEMAFULL;
      DEFINE FIELD IF NOT EXISTS owner ON lock TYPE string;
      DEFINE FIELD IF NOT EXISTS until ON lock TYPE datetime;`);
  }

  /** When it runs out, as text; `undefined` when nobody holds it. */
  async until(): Promise<string | undefined> {
    const row = await this.#database.row<{ until: string }>("SELECT <string> until AS until FROM $id", {
      id: this.#id,
    });
    return row?.until;
  }

  /** Takes it when it is free, and extends it from then on; also for who has it already. */
  async take(): Promise<boolean> {
    return await this.#takeIf("SELECT VALUE owner FROM ONLY $id WHERE until > time::now()");
  }

  /** Takes it from a holder that has not extended it since it ran until then. */
  async takeFrom(until: string | undefined): Promise<boolean> {
    return await this.#takeIf("SELECT VALUE owner FROM ONLY $id WHERE <string> until != $stale", until);
  }

  async release(): Promise<void> {
    clearInterval(this.#extending);
    const bindings = { id: this.#id, owner: this.#owner };
    await this.#database.run("DELETE $id WHERE owner = $owner RETURN NONE", bindings);
  }

  get #id() {
    return record("lock", this.#name);
  }

  async #takeIf(held: string, stale?: string): Promise<boolean> {
    const { ttl } = storeLimits.lock;
    const results = await this.#database.retried(() =>
      this.#database.run(
        `IF (${held}) IN [NONE, $owner] {
           UPSERT $id SET owner = $owner, until = time::now() + duration::from_millis($ttl) RETURN NONE;
           RETURN true;
         } ELSE { RETURN false }`,
        { id: this.#id, owner: this.#owner, ttl, stale },
      ),
    );
    if (results.at(-1) !== true) return false;
    // One that cannot extend it is told by its next statement; the lock alone is no reason to stop.
    this.#extending ??= setInterval(() => this.take().catch(() => undefined), ttl / 4).unref();
    return true;
  }
}
