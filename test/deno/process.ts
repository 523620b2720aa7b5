/**
 * Which unit tests are run on Deno, and how: for `deno.test.ts` and `npm run check`. Types were checked before, by
 * TypeScript; `run.ts` is what the command runs.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const FOLDERS = ["test/machines", "test/actors/runtime", "test/store"];
/** What these try is bound to Bun. */
const LEFT_OUT = [
  // Its SurrealDB server is made of Bun's sockets (`test/store/surreal-server.ts`).
  "test/store/server.test.ts",
  // Whole nodes with their workers, which are Cairn's and run on Bun; the parts have tests of their own.
  "test/actors/runtime/drivers/nats/cluster.nats.test.ts",
];
/** Those that take more than ten seconds each. */
const LONG = [
  // Disk and full-text index, which are the database's own and the same on every runtime.
  "test/store/durability.test.ts",
  "test/store/search.test.ts",
  "test/store/backup.test.ts",
  // They wait for what a broker does, and are told the same by its client on every runtime.
  "test/actors/runtime/drivers/nats/broker-outage.nats.test.ts",
  "test/actors/runtime/drivers/nats/secured-broker.nats.test.ts",
  "test/actors/runtime/drivers/nats/lease.nats.test.ts",
];

export async function unitTests({ long }: { readonly long: boolean }): Promise<readonly string[]> {
  const without = long ? LEFT_OUT : [...LEFT_OUT, ...LONG];
  const files: string[] = [];
  for (const folder of FOLDERS) {
    for (const name of await readdir(join(ROOT, folder), { recursive: true })) {
      if (name.endsWith(".test.ts")) files.push(`${folder}/${name}`);
    }
  }
  return files.filter((file) => !without.includes(file)).sort();
}

export function denoTests(paths: readonly string[]): readonly string[] {
  const config = join(import.meta.dirname, "deno.json");
  const script = join(import.meta.dirname, "run.ts");
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
