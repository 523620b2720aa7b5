/**
 * Runs unit tests on Deno, one file after another, in this process:
 * `deno run -A --no-check --config test/deno/deno.json test/deno/run.ts <file or folder>…`.
 *
 * Not `deno test`: it tears down the JavaScript of each file, and an embedded database whose threads still live
 * takes the process with it. Here the process leaves by itself once all is told. What fails is printed with its
 * reason; the last line says `N passed, N failed`. Neighbour: `bun-test.ts` is where the files put their tests.
 */
import { readdir, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { type Group, openFile, type Test, type Timed } from "./bun-test.ts";

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

async function within({ body, patience }: Timed): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${patience} ms`)), patience);
  });
  try {
    await Promise.race([(async () => await body())(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs all of them, whatever each comes to; answers what went wrong first. */
async function all(steps: readonly Timed[]): Promise<{ readonly error: unknown } | undefined> {
  let wrong: { readonly error: unknown } | undefined;
  for (const step of steps) {
    try {
      await within(step);
    } catch (error) {
      wrong ??= { error };
    }
  }
  return wrong;
}

/** What runs at the moment: what nobody catches fails it, instead of ending the process without a name. */
let running = "";
process.on("uncaughtException", (error) => {
  if (isResetOfNobodys(error)) console.error(`NOTE ${running}: ${String(error)} on a socket nobody holds`);
  else fail(`${running} (uncaught)`, error);
});
process.on("unhandledRejection", (error) => fail(`${running} (uncaught)`, error));

/**
 * That the other side has reset a connection, told by Deno after the NATS client had closed it and taken its listeners
 * off, now and then on a busy machine. Nobody holds that socket any more; Node and Bun say nothing then.
 */
function isResetOfNobodys(error: Error): boolean {
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return (
    "code" in error && error.code === "ECONNRESET" && frames.every((line) => line.includes("ext:deno_node/"))
  );
}

function fail(name: string, error: unknown): void {
  failed.push(name);
  console.error(`FAIL ${name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}

async function runTest(test: Test, name: string, around: readonly Group[]): Promise<void> {
  running = name;
  let wrong = await all(around.flatMap((group) => group.beforeEach));
  wrong ??= await all([test]);
  const after = await all(around.toReversed().flatMap((group) => group.afterEach));
  wrong ??= after;
  if (wrong) fail(name, wrong.error);
  else passed.push(name);
}

async function runGroup(group: Group, names: readonly string[], outer: readonly Group[]): Promise<void> {
  const path = [...names, group.name];
  const unprepared = await all(group.beforeAll);
  if (unprepared) fail(`${path.join(" > ")} (beforeAll)`, unprepared.error);
  else {
    const around = [...outer, group];
    for (const member of group.members) {
      if ("members" in member) await runGroup(member, path, around);
      else await runTest(member, [...path, member.name].join(" > "), around);
    }
  }
  const wrong = await all(group.afterAll);
  if (wrong) fail(`${path.join(" > ")} (afterAll)`, wrong.error);
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
  const told = `${passed.length - before[0]} passed, ${failed.length - before[1]} failed`;
  console.log(`${name}: ${told} (${seconds} s)`);
}
if (files.length === 0) fail(process.argv.slice(2).join(" "), "no test file is there");
console.log(`${passed.length} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);
