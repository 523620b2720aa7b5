/**
 * The type and style checks that run at the same time as the tests. The import rules and the language are
 * checked by the tests in `house/`.
 */
import { join } from "node:path";

export interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly output: string;
}

/** Default time limit of a test in milliseconds. It is long, because a busy machine is slow. */
export const TEST_TIMEOUT = "30000";

const HERE = join(import.meta.dir, "..");
const MODULES = join(HERE, "node_modules");
/**
 * The native compiler (TypeScript 7) checks types in a third of the time of TypeScript 6. The project also
 * contains TypeScript 6, because only that version has an API for programs.
 */
const TYPE_CHECKER = join(MODULES, "typescript-native/bin/tsc");
const STYLE_CHECKER = join(MODULES, ".bin/biome");

/** The command of each check. It runs in the project's folder. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  types: [
    process.execPath,
    TYPE_CHECKER,
    "--noEmit",
    "-p",
    ".",
    "--incremental",
    "--tsBuildInfoFile",
    ".cache/types.json",
  ],
  style: [STYLE_CHECKER, "check", "--error-on-warnings", "."],
};

/** Runs the named checks, or all, at the same time. A failing check does not stop the others. */
export async function runChecks(
  root: string = HERE,
  names: readonly string[] = Object.keys(CHECKS),
): Promise<readonly CheckResult[]> {
  return await Promise.all(
    names.map(async (name) => {
      const command = CHECKS[name] ?? [];
      const started = performance.now();
      const child = Bun.spawn([...command], { cwd: root, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
      const [out, errors, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      const seconds = (performance.now() - started) / 1_000;
      return { name, passed: code === 0, seconds, output: out + errors };
    }),
  );
}

/** Prints the results of all checks, and the output of failed ones. Returns the number of failures. */
export function reportChecks(results: readonly CheckResult[]): number {
  for (const { name, passed, seconds, output } of results) {
    if (!passed) console.log(output.trimEnd());
    console.log(`${passed ? "ok  " : "FAIL"} ${name} (${seconds.toFixed(1)} s)`);
  }
  return results.filter(({ passed }) => !passed).length;
}
