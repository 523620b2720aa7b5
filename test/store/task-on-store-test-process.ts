/**
 * A process that runs one task on a store, for tests with several processes. `bun task-on-store-test-process.ts <task> <url>
 * [argument]` prints one line of JSON.
 */
import { randomBytes } from "node:crypto";
import { CairnError } from "../../machines/errors.ts";
import { Database } from "../../store/connection/execute-database-statements.ts";
import { connect } from "../../store/connection/open-database.ts";
import { openStore, restoreStore } from "../../store/index.ts";
import { fillStore, inventory } from "./fill-store-and-list-its-content.ts";

const [what = "", url = "", argument = ""] = process.argv.slice(2);

async function run(): Promise<unknown> {
  if (what === "restore" || what === "restore-forced") {
    return await restoreStore({ url, from: argument, force: what === "restore-forced" });
  }
  if (what === "large-commit") return await commitLarge(url);
  const user = url.startsWith("ws") ? { username: "root", password: "secret" } : {};
  const store = await openStore({ url, ...user });
  switch (what) {
    case "hold":
      console.log(JSON.stringify("holding"));
      setInterval(() => {}, 1_000);
      return await new Promise(() => {});
    case "fill":
      await fillStore(store);
      return "filled";
    case "backup":
      return await store.backup(argument);
    case "inventory":
      return await inventory(store);
    default:
      return "opened";
  }
}

/** Commits 30 MB in one transaction, and then 30 MB in small transactions. */
async function commitLarge(at: string): Promise<string> {
  const database = new Database(await connect({ url: at }));
  const insert = "INSERT INTO large_commit $rows RETURN NONE";
  const rows = (first: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ id: first + n, text: randomBytes(1_500).toString("hex") }));
  await database.run("DEFINE TABLE large_commit SCHEMALESS");
  await database.run(insert, { rows: rows(0, 10_000) });
  for (let turn = 1; turn <= 60; turn++) await database.run(insert, { rows: rows(turn * 10_000, 200) });
  return "went on";
}

try {
  console.log(JSON.stringify(await run()));
} catch (error) {
  if (!(error instanceof CairnError)) throw error;
  console.log(JSON.stringify({ code: error.code, message: error.message, status: error.status }));
}
process.exit(0);
