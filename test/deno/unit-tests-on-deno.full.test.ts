/**
 * Runs unit tests on Deno whose code does not depend on Bun: all tests of `machines`, `store` and
 * `actors/runtime`.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { denoTests, unitTests } from "./list-of-deno-unit-tests.ts";

const ROOT = join(import.meta.dirname, "../..");
const TIMEOUT = 600_000;
setDefaultTimeout(TIMEOUT);

async function run(paths: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  const child = Bun.spawn([...denoTests(paths)], {
    cwd: ROOT,
    // On Deno, tests with a short and a long form run only in the short form. The long form would take
    // minutes, for example for a hundred kills.
    env: { ...process.env, NO_COLOR: "1", CAIRN_MODEL_RUNS: "100", CAIRN_TEST_TIER: "" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    // If the tests on Deno do not end, their process is killed before the time limit of this test. This test
    // then fails with the output up to the kill.
    timeout: TIMEOUT - 20_000,
    killSignal: "SIGKILL",
  });
  const [out, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output: `${errors}\n${out}` };
}

test("a test on Deno that fails by a matcher, a hook or its time limit is reported as failed", async () => {
  const { code, output } = await run(["test/deno/tests-that-fail-on-purpose.ts"]);
  const names = [...output.matchAll(/^FAIL test\/deno\/tests-that-fail-on-purpose\.ts > (.*)$/gm)].map(
    ([, name]) => name ?? "",
  );
  const source = await Bun.file(join(import.meta.dirname, "tests-that-fail-on-purpose.ts")).text();
  const wrong = [...source.matchAll(/^ {2}\["(.*)", \(\) =>/gm)].map(
    ([, name]) => `fails on purpose: ${name}`,
  );
  expect(wrong.length).toBeGreaterThan(5);
  expect(names.toSorted()).toEqual(
    [
      ...wrong,
      "fails on purpose: a body that takes too long",
      "fails on purpose: an uncaught error (uncaught)",
      "fails on purpose: an uncaught error (uncaught)",
      "fails on purpose: a group whose beforeAll throws (beforeAll)",
      "hooks (afterAll)",
    ].toSorted(),
  );
  expect(output).toEndWith(`3 passed, ${names.length} failed\n`);
  expect(code).toBe(1);
});

test("a test file without tests and a folder without test files are reported as failures", async () => {
  for (const path of ["test/deno/deno-expect.ts", "machines"]) {
    const { code, output } = await run([path]);
    expect(output).toContain("1 failed");
    expect(code).toBe(1);
  }
}, 60_000);

test.each(["machines", "store", "actors/runtime"])("the unit tests of %s pass on Deno", async (folder) => {
  const files = (await unitTests()).filter((file) => file.startsWith(`test/${folder}/`));
  const { code, output } = await run(files);
  expect(output).toMatch(/\n\d+ passed, 0 failed\n$/);
  for (const file of files) expect(output).toContain(`${file}: `);
  expect(code).toBe(0);
});
