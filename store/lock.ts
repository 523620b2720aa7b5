/**
 * A lock in the database, by the database's own clock, for work that one of several nodes does for all.
 *
 * It saves the others the work and no more: a holder that stood still past its time may wake up and go on beside the
 * next one, so what is done under it must bear that. Neighbour: `index.ts` migrates a server's database under one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Unavailable } from "../machines/errors.ts";
import { limits } from "../machines/limits.ts";
import { type Database, record } from "./database.ts";

/** Does `work` while nobody else holds the lock; waits for those who do. */
export async function underLock<T>(database: Database, name: string, work: () => Promise<T>): Promise<T> {
  const owner = crypto.randomUUID();
  const { ttl, lookAgain } = limits.store.lock;
  await database.transaction(`DEFINE TABLE IF NOT EXISTS lock TYPE NORMAL SCHEMAFULL;
    DEFINE FIELD IF NOT EXISTS owner ON lock TYPE string;
    DEFINE FIELD IF NOT EXISTS until ON lock TYPE datetime;`);
  const until = performance.now() + limits.store.migrateWithin;
  while (!(await take(database, name, owner))) {
    if (performance.now() > until) {
      throw new Unavailable("store.lock_held", `Another node holds the lock "${name}" of ${database.place}.`);
    }
    await sleep(lookAgain);
  }
  // One that fails to extend it is told by its next statement; the lock alone is no reason to stop.
  const extend = setInterval(() => take(database, name, owner).catch(() => undefined), ttl / 3);
  try {
    return await work();
  } finally {
    clearInterval(extend);
    await database.run("DELETE $id WHERE owner = $owner RETURN NONE", { id: record("lock", name), owner });
  }
}

/** Takes the lock, or extends it for who has it already. */
async function take(database: Database, name: string, owner: string): Promise<boolean> {
  const results = await database.retried(() =>
    database.run(
      `IF (SELECT VALUE owner FROM ONLY $id WHERE until > time::now()) IN [NONE, $owner] {
         UPSERT $id SET owner = $owner, until = time::now() + duration::from_millis($ttl) RETURN NONE;
         RETURN true;
       } ELSE { RETURN false }`,
      { id: record("lock", name), owner, ttl: limits.store.lock.ttl },
    ),
  );
  return results.at(-1) === true;
}
