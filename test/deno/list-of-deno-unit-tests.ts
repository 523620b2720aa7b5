/**
 * The list of unit tests that run on Deno, and the command that runs them. `npm run check` checks their
 * types.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const FOLDERS = ["test/machines", "test/actors/runtime", "test/store"];
/** Test files that cannot run on Deno, because they test or use something of Bun. */
const BUN_ONLY = [
  // The test starts a SurrealDB server that uses Bun's sockets (`test/store/test-surreal-server.ts`).
  "test/store/connection/surrealdb-server-connection.test.ts",
  // The test starts complete nodes, whose worker threads need Bun.
  "test/actors/runtime/drivers/nats/cluster.nats.test.ts",
  // The test measures the memory of JavaScriptCore, the engine of Bun.
  "test/store/search/memory-of-search-word-caches.test.ts",
];

export async function unitTests(): Promise<readonly string[]> {
  const files: string[] = [];
  for (const folder of FOLDERS) {
    for (const name of await readdir(join(ROOT, folder), { recursive: true })) {
      if (name.endsWith(".test.ts")) files.push(`${folder}/${name}`);
    }
  }
  return files.filter((file) => !BUN_ONLY.includes(file)).sort();
}

export function denoTests(paths: readonly string[]): readonly string[] {
  const config = join(import.meta.dirname, "deno.json");
  const script = join(import.meta.dirname, "run-deno-tests.ts");
  return [
    join(ROOT, "node_modules/.bin/deno"),
    "run",
    "-A",
    "--no-check",
    "--config",
    config,
    script,
    ...paths,
  ];
}
