/**
 * How the unit tests are run on Deno: the command that `deno.test.ts` and `npm run check` start. Types were
 * checked before, by TypeScript; `run.ts` is what it runs.
 */
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

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
