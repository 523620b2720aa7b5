/**
 * A permanent random id of a database, so that two databases are never confused. A restored backup gets a new
 * id, because it lacks the commits after the backup.
 */
import type { Database } from "./execute-database-statements.ts";

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
