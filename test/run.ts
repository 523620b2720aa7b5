/**
 * `npm test [-- <filter>… <bun test flags>…]`: runs `bun test` over the test files, benches excepted.
 *
 * A filter is a part of a path (`npm test -- machines store`); flags such as `-t name` or `--bail` are handed on. Files
 * run side by side in processes of their own, the slowest first (`timings.json`, which
 * `npm test -- --update-timings` writes anew); those that mostly wait run beside all others, in a process more. What
 * failed is told once more at the end; when that is one file or two, they are run again by themselves, and told as
 * unsteady when they pass then. The last line says `N passed, N failed`, for people and for machines that read only that.
 */
import { readdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, relative, sep } from "node:path";
import { parseArgs } from "node:util";
import { provideForTests } from "./provide.ts";
import { failedFiles, failuresOf, type Tally, tallyOf } from "./tally.ts";

const ROOT = join(import.meta.dir, "..");
/** Milliseconds a test may take when it names no time itself: real parts on a busy machine are slow. */
const TEST_TIMEOUT = "30000";
/** Real parts have work of their own, and whoever waits for a page to be still is wrong where they are starved. */
const PROCESSES = String(Math.max(2, Math.min(availableParallelism(), 6)));
/** Files that wait more than they work, for leases, deadlines, restarts and pauses that are real, and open no browser. */
const WAITING: readonly string[] = [
  "test/deno/deno.test.ts",
  "test/chaos/cluster/cluster.test.ts",
  "test/e2e/store-bus.test.ts",
  "test/e2e/store-away.test.ts",
  "test/e2e/cluster.test.ts",
  "test/actors/runtime/drivers/nats/cluster.nats.test.ts",
  "test/actors/runtime/drivers/nats/broker-outage.nats.test.ts",
  "test/actors/runtime/drivers/nats/bus.nats.test.ts",
  "test/actors/runtime/drivers/nats/lease.nats.test.ts",
  "test/actors/runtime/drivers/nats/secured-broker.nats.test.ts",
  "test/actors/exploration/crawl/manners.test.ts",
  "test/store/server.test.ts",
];
/** Files that may have failed by chance. */
const RUN_AGAIN = 2;

async function testFiles(): Promise<readonly string[]> {
  const entries = await readdir(join(ROOT, "test"), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.startsWith("test/bench/") && !path.includes("/node_modules/"))
    .sort();
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "test-name-pattern": { type: "string", short: "t" },
    bail: { type: "boolean" },
    timeout: { type: "string", default: TEST_TIMEOUT },
    parallel: { type: "string", default: PROCESSES },
    "update-timings": { type: "boolean" },
  },
});

const all = await testFiles();
const files =
  positionals.length === 0 ? all : all.filter((path) => positionals.some((filter) => path.includes(filter)));
if (files.length === 0) {
  console.error(`No test file matches ${positionals.join(", ")}.`);
  console.log("0 passed, 1 failed");
  process.exit(1);
}

if (files.length === all.length) await provideForTests((line) => console.error(line));

interface Run extends Tally {
  /** What `bun test` said. */
  readonly report: string;
  readonly failures: readonly string[];
  readonly failedFiles: readonly string[];
}

interface How {
  readonly parallel: string;
  /** Nothing is shown while it runs: its lines would fall between those of another run. */
  readonly silent?: boolean;
}

async function run(files: readonly string[], { parallel, silent = false }: How): Promise<Run> {
  const pattern = values["test-name-pattern"];
  const child = Bun.spawn(
    [
      process.execPath,
      "test",
      `--timeout=${values.timeout}`,
      `--parallel=${parallel}`,
      "--timings=test/timings.json",
      ...(values["update-timings"] ? ["--update-timings"] : []),
      ...(values.bail ? ["--bail"] : []),
      ...(pattern === undefined ? [] : ["-t", pattern]),
      ...files.map((file) => `./${file}`),
    ],
    { cwd: ROOT, stdin: "ignore", stdout: silent ? "ignore" : "inherit", stderr: "pipe" },
  );
  let report = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stderr) {
    if (!silent) process.stderr.write(chunk);
    report += decoder.decode(chunk, { stream: true });
  }
  const tally = tallyOf(report, await child.exited);
  return { report, failures: failuresOf(report), failedFiles: failedFiles(report), ...tally };
}

/** All of them; the waiting ones beside the others where there are both. */
async function runAll(): Promise<Run> {
  const { parallel } = values;
  const waiting = files.filter((file) => WAITING.includes(file));
  const others = files.filter((file) => !WAITING.includes(file));
  // A name that is looked for may be in only one of the two, and a run that finds none has failed.
  const apart = parallel !== "1" && values["test-name-pattern"] === undefined && !values["update-timings"];
  if (!apart || waiting.length === 0 || others.length === 0) return run(files, { parallel });
  const [most, rest] = await Promise.all([
    run(others, { parallel }),
    run(waiting, { parallel: "1", silent: true }),
  ]);
  process.stderr.write(rest.report);
  return {
    report: `${most.report}\n${rest.report}`,
    failures: [...most.failures, ...rest.failures],
    failedFiles: [...most.failedFiles, ...rest.failedFiles],
    passed: most.passed + rest.passed,
    failed: most.failed + rest.failed,
  };
}

const first = await runAll();
// Once more at the end: whoever keeps only the last lines of a long run sees what went wrong.
for (const failure of first.failures) console.log(`\n${failure}`);
const { passed, failed } = await again(first);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/**
 * Real parts on a machine that others keep busy fail now and then where nothing is wrong. A file or two that failed
 * beside others run once more by themselves, which counts; that they did not hold at once is told, as a defect of its
 * own kind. What really broke breaks again, and of many failures none is chance.
 */
async function again(first: Run): Promise<Tally> {
  const unsteady = first.failedFiles;
  const known = first.failures.length === first.failed;
  if (!known || unsteady.length === 0 || unsteady.length > RUN_AGAIN || values.bail) return first;
  console.log(`\nOnce more, by themselves: ${unsteady.join(", ")}`);
  const second = await run(unsteady, { parallel: "1" });
  for (const failure of second.failures) console.log(`\n${failure}`);
  if (second.failed > 0) return { passed: first.passed, failed: first.failed };
  console.log(`\nUnsteady: ${unsteady.join(", ")} failed beside others and passed alone.`);
  return { passed: first.passed + first.failed, failed: 0 };
}
