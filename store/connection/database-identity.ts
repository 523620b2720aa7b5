/**
 * Which database this is: a number that it keeps for life, so that one is not taken for another.
 *
 * A restored backup is another database: what was committed since the backup is not in it.
 */
import type { Database } from "./database.ts";

export async function identityOf(database: Database): Promise<bigint> {
  await database.transaction(`DEFINE TABLE IF NOT EXISTS identity TYPE NORMAL SCHEMAFULL;
    DEFINE FIELD IF NOT EXISTS name ON identity TYPE string;`);
  const fresh = crypto.getRandomValues(new BigUint64Array(1)).join("");
  const row = await database.row<{ name: string }>(
    "INSERT IGNORE INTO identity { id: identity:store, name: $fresh } RETURN NONE; SELECT name FROM identity:store",
    { fresh },
  );
  return BigInt(row?.name ?? fresh);
}
