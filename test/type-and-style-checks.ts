/**
 * The type and style checks that run at the same time as the tests. The import rules and the language are
 * checked by the tests in `house/`.
 */
import { join } from "node:path";
import { missingPackages } from "../actors/streaming/check-livekit-packages-installed.ts";

export interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly output: string;
  /** A text that states which files were not checked, and why. */
  readonly left?: string | undefined;
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
/**
 * Number of threads of the type checker. Each thread computes its own types. So four threads take 32 s of CPU
 * time and 2.8 GB of memory, while one thread takes 22 s and 1.4 GB. The tests use the other cores.
 */
const TYPE_CHECKER_THREADS = "1";
const STYLE_CHECKER = join(MODULES, ".bin/biome");

/** The files that import optional packages. Without the packages, their types cannot be checked. */
const USERS_OF_OPTIONAL = [
  "actors/streaming/video-publisher-process.ts",
  "test/e2e/video/voice-agent.full.test.ts",
];

interface Check {
  /** The program with its arguments. It runs in the folder of the project. */
  readonly command: readonly string[];
  readonly left?: string | undefined;
}

const CHECKS: Readonly<Record<string, (root: string) => Promise<Check>>> = {
  types: async (root) => {
    const missing = missingPackages();
    const project = missing.length === 0 ? "." : await projectWithoutOptional(root);
    const left =
      missing.length === 0
        ? undefined
        : `without ${USERS_OF_OPTIONAL.join(" and ")}: ${missing.join(" and ")} not installed`;
    const cache = ["--incremental", "--tsBuildInfoFile", ".cache/types.json"];
    const threads = ["--checkers", TYPE_CHECKER_THREADS];
    return {
      command: [process.execPath, TYPE_CHECKER, "--noEmit", "-p", project, ...threads, ...cache],
      left,
    };
  },
  style: async () => ({ command: [STYLE_CHECKER, "check", "--error-on-warnings", "."] }),
};

/** Writes a configuration of the type check without the files that import optional packages. */
async function projectWithoutOptional(root: string): Promise<string> {
  const path = ".cache/without-optional.json";
  const { exclude = [] } = await Bun.file(join(root, "tsconfig.json")).json();
  const excluded = [...exclude, ...USERS_OF_OPTIONAL].map((file: string) => `../${file}`);
  await Bun.write(join(root, path), JSON.stringify({ extends: "../tsconfig.json", exclude: excluded }));
  return path;
}

/** Runs the named checks, or all, at the same time. A failing check does not stop the others. */
export async function runChecks(
  root: string = HERE,
  names: readonly string[] = Object.keys(CHECKS),
): Promise<readonly CheckResult[]> {
  return await Promise.all(
    names.map(async (name) => {
      const check = CHECKS[name];
      if (!check) throw new Error(`There is no check ${name}.`);
      const { command, left } = await check(root);
      const started = performance.now();
      const child = Bun.spawn([...command], { cwd: root, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
      const [out, errors, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      const seconds = (performance.now() - started) / 1_000;
      return { name, passed: code === 0, seconds, output: out + errors, left };
    }),
  );
}

/** Prints the results of all checks, and the output of failed ones. Returns the number of failures. */
export function reportChecks(results: readonly CheckResult[]): number {
  for (const { name, passed, seconds, output, left } of results) {
    if (!passed) console.log(output.trimEnd());
    const scope = left === undefined ? "" : `, ${left}`;
    console.log(`${passed ? "ok  " : "FAIL"} ${name} (${seconds.toFixed(1)} s)${scope}`);
  }
  return results.filter(({ passed }) => !passed).length;
}
