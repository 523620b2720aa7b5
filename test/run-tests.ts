/**
 * `npm test [-- <filter>… <bun test flags>…]`: checks types and style, runs `bun test` on the test files, slowest
 * first, and lists the slowest files. A filter is a part of a path (`npm test -- machines store`), and flags such as
 * `-t name` or `--bail` are passed on. `--full` adds the long forms, and `--update-timings` writes `timings.json`.
 */
import { readdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, relative, sep } from "node:path";
import { parseArgs } from "node:util";
import { provideForTests } from "./provide-test-programs.ts";
import {
  LOCAL_TIMES,
  prepareLocalTimes,
  readLocalTimes,
  shareLocalTimes,
  slowestFiles,
} from "./test-file-times.ts";
import { failedFiles, failuresOf, type Tally, tallyOf } from "./test-output-parser.ts";
import { reportChecks, runChecks, TEST_TIMEOUT } from "./type-and-style-checks.ts";
import { type FirstRun, filesToRepeat, verdictOf } from "./verdict-of-test-run.ts";

const ROOT = join(import.meta.dir, "..");
/**
 * Number of test processes for each CPU core. It is above one, because tests wait for pages and leases most
 * of the time.
 */
const PROCESSES_PER_CORE = 2;
/** Maximum number of test processes. Each may start a Cairn, a store and a Chromium, which need memory. */
const MAX_PROCESSES = 8;
const PROCESSES = String(Math.min(PROCESSES_PER_CORE * availableParallelism(), MAX_PROCESSES));

/**
 * Disables the compiler's highest optimisation level in the test processes. Most tests run their code too rarely for
 * it: without it, the unit tests of dialogues and explorations take 19 s of CPU time instead of 24 s.
 */
const ENGINE = { BUN_JSC_useFTLJIT: "0" };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: "boolean", default: false },
    "test-name-pattern": { type: "string", short: "t" },
    bail: { type: "boolean" },
    timeout: { type: "string", default: TEST_TIMEOUT },
    parallel: { type: "string", default: PROCESSES },
    "update-timings": { type: "boolean" },
  },
});

async function testFiles(): Promise<readonly string[]> {
  const entries = await readdir(join(ROOT, "test"), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.startsWith("test/bench/") && !path.includes("/node_modules/"))
    .sort();
}

/**
 * Returns the test files of this run. The files `*.full.test.ts` are included with `--full` or if a filter
 * selects them.
 */
function chosenFiles(all: readonly string[]): readonly string[] {
  if (positionals.length > 0) return all.filter((path) => positionals.some((part) => path.includes(part)));
  return values.full ? all : all.filter((path) => !path.endsWith(".full.test.ts"));
}

const files = chosenFiles(await testFiles());
if (files.length === 0) {
  console.error(`No test file matches ${positionals.join(", ")}.`);
  console.log("0 passed, 1 failed");
  process.exit(1);
}
const isWhole = positionals.length === 0;
/**
 * Resolves with the number of failed type and style checks, which run at the same time as the tests. If a
 * filter selects some tests, the checks do not run, and the number is 0.
 */
const checks = isWhole ? runChecks().then(reportChecks) : Promise.resolve(0);
if (isWhole) await provideForTests((line) => console.error(line), values);

interface Run extends FirstRun {
  /** The complete output of `bun test`. */
  readonly report: string;
}

/** @param isComplete whether all tests of the files run; only then are the times of the files stored */
async function run(files: readonly string[], parallel: string, isComplete: boolean): Promise<Run> {
  const pattern = values["test-name-pattern"];
  const child = Bun.spawn(
    [
      process.execPath,
      "test",
      `--timeout=${values.timeout}`,
      `--parallel=${parallel}`,
      // `--no-isolate`: the test files of a process share its modules. So modules are loaded, and shared
      // parts of tests are started, once for each process instead of once for each file.
      "--no-isolate",
      `--timings=${LOCAL_TIMES}`,
      ...(isComplete ? ["--update-timings"] : []),
      ...(values.bail ? ["--bail"] : []),
      ...(pattern === undefined ? [] : ["-t", pattern]),
      ...files.map((file) => `./${file}`),
    ],
    {
      cwd: ROOT,
      env: { ...process.env, ...ENGINE, ...(values.full ? { CAIRN_TEST_TIER: "full" } : {}) },
      stdin: "ignore",
      stdout: "inherit",
      stderr: "pipe",
    },
  );
  let report = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stderr) {
    process.stderr.write(chunk);
    report += decoder.decode(chunk, { stream: true });
  }
  const tally = tallyOf(report, await child.exited);
  return { report, failures: failuresOf(report), failedFiles: failedFiles(report), ...tally };
}

const isComplete = values["test-name-pattern"] === undefined && !values.bail;
await prepareLocalTimes();
const first = await run(files, values.parallel, isComplete);
if (values["update-timings"]) await shareLocalTimes(await testFiles());
const failedChecks = await checks;
// Failures are printed again at the end, because they may be far up in the output.
for (const failure of first.failures) console.log(`\n${failure}`);
const repeated = values.bail ? [] : filesToRepeat(first);
let repeat: Tally | undefined;
if (repeated.length > 0) {
  console.log(`\nOnce more, each by itself: ${repeated.join(", ")}`);
  const second = await run(repeated, "1", false);
  for (const failure of second.failures) console.log(`\n${failure}`);
  repeat = second;
}
if (isWhole && isComplete) console.log(`\n${slowestFiles(await readLocalTimes(), files)}`);
const { passed, failed, unsteady } = verdictOf(first, repeat, values.full);
if (unsteady.length > 0)
  console.log(`\nUnsteady: ${unsteady.join(", ")} failed beside others and passed alone.`);
if (failedChecks > 0) console.log(`\n${failedChecks} of the checks failed; see above.`);
console.log(`${passed} passed, ${failed + failedChecks} failed`);
process.exit(failed + failedChecks === 0 ? 0 : 1);
