/** The unit tests that run on Deno, and the command that runs them. Types are checked by `npm run check`. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const FOLDERS = ["test/machines", "test/actors/runtime", "test/store"];
/** Files whose subject or setup needs Bun. */
const BUN_ONLY = [
  // Its SurrealDB server uses Bun's sockets (`test/store/surreal-server.ts`).
  "test/store/connection/server-connection.test.ts",
  // Starts whole nodes, whose worker threads run on Bun. Their parts have unit tests.
  "test/actors/runtime/drivers/nats/cluster.nats.test.ts",
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
