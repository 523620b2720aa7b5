/**
 * A lock in the database, timed by the database's clock. One node holds it to do work for all nodes, or one
 * Cairn to use the database alone. A holder that stalls beyond the lock's lifetime may continue next to a new
 * holder, so the work under a lock must tolerate that.
 */
import { clearInterval, setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import { Refused, Unavailable } from "../../machines/errors.ts";
import { storeLimits } from "../limits.ts";
import { type Database, record } from "./database.ts";

/** Runs `work` under the lock. It waits while another process holds the lock. */
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
    await sleep(storeLimits.lock.retryEvery);
  }
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/**
 * Locks the database for this Cairn until the returned function is called. Throws `store.in_use` when another
 * Cairn holds the lock and renews it. If the holder does not renew it, its process is dead, and the lock is
 * taken over.
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

  /** Time at which the lock expires, as text; `undefined` when the lock is free. */
  async until(): Promise<string | undefined> {
    const row = await this.#database.row<{ until: string }>("SELECT <string> until AS until FROM $id", {
      id: this.#id,
    });
    return row?.until;
  }

  /**
   * Acquires a free lock, or renews a lock that this process holds, and renews it periodically from then on.
   */
  async take(): Promise<boolean> {
    return await this.#takeIf("SELECT VALUE owner FROM ONLY $id WHERE until > time::now()");
  }

  /** Acquires the lock if its holder has not renewed it since the time `until` was read. */
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

  async #takeIf(ownerQuery: string, stale?: string): Promise<boolean> {
    const { ttl } = storeLimits.lock;
    const results = await this.#database.retried(() =>
      this.#database.run(
        `IF (${ownerQuery}) IN [NONE, $owner] {
           UPSERT $id SET owner = $owner, until = time::now() + duration::from_millis($ttl) RETURN NONE;
           RETURN true;
         } ELSE { RETURN false }`,
        { id: this.#id, owner: this.#owner, ttl, stale },
      ),
    );
    if (results.at(-1) !== true) return false;
    // A failed renewal is not reported, because the next statement of the holder will fail as well.
    this.#extending ??= setInterval(() => this.take().catch(() => undefined), ttl / 4).unref();
    return true;
  }
}
