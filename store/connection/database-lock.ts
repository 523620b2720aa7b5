/**
 * A lock in the database, timed by the database's clock. One node holds it to do work for all nodes, or one
 * Cairn holds it to use the database alone. Work under the lock must tolerate a second holder, because a
 * holder may stall longer than the lock's lifetime.
 */
import { clearInterval, setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import { Refused, Unavailable } from "../../machines/errors.ts";
import { storeLimits } from "../store-limits.ts";
import { type Database, record } from "./execute-database-statements.ts";

/** Runs `work` while this process holds the lock. If another process holds the lock, waits for it first. */
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
 * Locks the database for this Cairn until the returned function is called. If another Cairn holds the lock
 * and still renews it, throws `store.in_use`. If the lock is no longer renewed, its holder's process is dead,
 * and this Cairn takes the lock.
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
  #renewal: Promise<void> | undefined;

  constructor(database: Database, name: string) {
    this.#database = database;
    this.#name = name;
  }

  async prepare(): Promise<void> {
    await this.#database.transaction(`DEFINE TABLE IF NOT EXISTS lock TYPE NORMAL SCHEMAFULL;
      DEFINE FIELD IF NOT EXISTS owner ON lock TYPE string;
      DEFINE FIELD IF NOT EXISTS until ON lock TYPE datetime;`);
  }

  /** Returns the time at which the lock expires, as text; `undefined` if no process holds the lock. */
  async until(): Promise<string | undefined> {
    const row = await this.#database.row<{ until: string }>("SELECT <string> until AS until FROM $id", {
      id: this.#id,
    });
    return row?.until;
  }

  /** Acquires the lock if it is free or held by this process, and then renews it periodically. */
  async take(): Promise<boolean> {
    return await this.#takeIf("SELECT VALUE owner FROM ONLY $id WHERE until > time::now()");
  }

  /**
   * Takes the lock from its holder if the expiry time is still `until`. A different expiry time shows that
   * the holder has renewed the lock and is alive.
   */
  async takeFrom(until: string | undefined): Promise<boolean> {
    return await this.#takeIf("SELECT VALUE owner FROM ONLY $id WHERE <string> until != $stale", until);
  }

  /**
   * Frees the lock. A renewal that has already been sent is awaited first, because it would take the freed
   * lock again.
   */
  async release(): Promise<void> {
    clearInterval(this.#extending);
    await this.#renewal;
    const bindings = { id: this.#id, owner: this.#owner };
    await this.#database.retried(() =>
      this.#database.run("DELETE $id WHERE owner = $owner RETURN NONE", bindings),
    );
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
    this.#extending ??= setInterval(() => this.#renew(), ttl / 4).unref();
    return true;
  }

  #renew(): void {
    // An error of this renewal is ignored, because the next statement of the lock's holder fails with the
    // same error.
    this.#renewal ??= this.take().then(
      () => this.#endRenewal(),
      () => this.#endRenewal(),
    );
  }

  #endRenewal(): void {
    this.#renewal = undefined;
  }
}
