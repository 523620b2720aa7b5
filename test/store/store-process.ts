/**
 * A process of its own that does one thing with a store, for tests of what crosses processes.
 * `bun store-process.ts <what> <url> [argument]`: prints one line of JSON.
 */
import { CairnError } from "../../machines/errors.ts";
import { openStore, restoreStore } from "../../store/index.ts";
import { fillStore, inventory } from "./inventory.ts";

const [what = "", url = "", argument = ""] = process.argv.slice(2);

async function run(): Promise<unknown> {
  if (what === "restore" || what === "restore-forced") {
    return await restoreStore({ url, from: argument, force: what === "restore-forced" });
  }
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

try {
  console.log(JSON.stringify(await run()));
} catch (error) {
  if (!(error instanceof CairnError)) throw error;
  console.log(JSON.stringify({ code: error.code, message: error.message, status: error.status }));
}
process.exit(0);
