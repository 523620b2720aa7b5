/**
 * Runs unit tests on Deno, one file after another: `deno run -A --no-check --config test/deno/deno.json
 * test/deno/run-deno-tests.ts <file or folder>…`. `deno test` cannot be used: it ends a file's JavaScript
 * while threads of an embedded database still run, and crashes.
 */
import { readdir, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { type Group, openFile, type Step, type Test } from "./bun-test-for-deno.ts";

const passed: string[] = [];
const failed: string[] = [];

async function testFiles(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true });
  return entries
    .filter((name) => name.endsWith(".test.ts"))
    .sort()
    .map((name) => join(path, name));
}

/** Runs a test or hook. Rejects when its time limit has passed. */
async function runStep({ body, timeout }: Step): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${timeout} ms`)), timeout);
  });
  try {
    await Promise.race([(async () => await body())(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs all steps, even if one of them throws. Returns the first error. */
async function runAll(steps: readonly Step[]): Promise<{ readonly error: unknown } | undefined> {
  let first: { readonly error: unknown } | undefined;
  for (const step of steps) {
    try {
      await runStep(step);
    } catch (error) {
      first ??= { error };
    }
  }
  return first;
}

/**
 * Name of the test that is running. An error that no code catches makes this test fail, and the next test
 * runs.
 */
let running = "";
process.on("uncaughtException", (error) => {
  if (isResetOfClosedSocket(error)) console.error(`NOTE ${running}: ${String(error)} on a closed socket`);
  else fail(`${running} (uncaught)`, error);
});
process.on("unhandledRejection", (error) => fail(`${running} (uncaught)`, error));

/**
 * Whether the error is a reset of a connection that the NATS client has already closed. Node and Bun ignore
 * this error, and Deno reports it on a busy machine.
 */
function isResetOfClosedSocket(error: Error): boolean {
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return (
    "code" in error && error.code === "ECONNRESET" && frames.every((line) => line.includes("ext:deno_node/"))
  );
}

function fail(name: string, error: unknown): void {
  failed.push(name);
  console.error(`FAIL ${name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}

async function runTest(test: Test, name: string, groups: readonly Group[]): Promise<void> {
  running = name;
  const prepared = await runAll(groups.flatMap((group) => group.beforeEach));
  const failure = prepared ?? (await runAll([test]));
  const cleaned = await runAll(groups.toReversed().flatMap((group) => group.afterEach));
  const first = failure ?? cleaned;
  if (first) fail(name, first.error);
  else passed.push(name);
}

async function runGroup(group: Group, names: readonly string[], outer: readonly Group[]): Promise<void> {
  const path = [...names, group.name];
  const unprepared = await runAll(group.beforeAll);
  if (unprepared) fail(`${path.join(" > ")} (beforeAll)`, unprepared.error);
  else {
    const groups = [...outer, group];
    for (const member of group.members) {
      if ("members" in member) await runGroup(member, path, groups);
      else await runTest(member, [...path, member.name].join(" > "), groups);
    }
  }
  const failure = await runAll(group.afterAll);
  if (failure) fail(`${path.join(" > ")} (afterAll)`, failure.error);
}

const files = (await Promise.all(process.argv.slice(2).map((path) => testFiles(resolve(path))))).flat();
for (const path of files) {
  const name = relative(process.cwd(), path);
  const started = performance.now();
  const before = [passed.length, failed.length] as const;
  const file = openFile(name);
  try {
    await import(pathToFileURL(path).href);
    await runGroup(file, [], []);
    if (passed.length + failed.length === before[0] + before[1]) fail(name, "it holds no test");
  } catch (error) {
    fail(name, error);
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const result = `${passed.length - before[0]} passed, ${failed.length - before[1]} failed`;
  console.log(`${name}: ${result} (${seconds} s)`);
}
if (files.length === 0) fail(process.argv.slice(2).join(" "), "no test file is there");
console.log(`${passed.length} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);
