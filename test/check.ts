/**
 * `npm run check`: what must hold before any test is worth running: types, style, and the import table; and
 * what only it looks at: all unit tests that run on Deno.
 *
 * Every step runs even when one before it failed, so that one look shows everything. A step more (another
 * runtime, another linter) is a line more in `steps`.
 */
import { join } from "node:path";
import { denoTests, unitTests } from "./deno/process.ts";

interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

const ROOT = join(import.meta.dir, "..");
const bin = (name: string): string => join(ROOT, "node_modules", ".bin", name);

const steps: readonly Step[] = [
  {
    name: "types",
    command: [bin("tsc"), "--noEmit", "-p", ".", "--incremental", "--tsBuildInfoFile", ".cache/types.json"],
  },
  { name: "style", command: [bin("biome"), "check", "."] },
  { name: "imports", command: [process.execPath, "test", "./test/house/imports.test.ts"] },
  { name: "deno", command: denoTests(await unitTests({ long: true })) },
];

let failed = 0;
for (const { name, command } of steps) {
  const started = performance.now();
  const code = await Bun.spawn([...command], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  }).exited;
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
  if (code !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
