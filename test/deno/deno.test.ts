/**
 * The unit tests of platform-independent parts pass on Deno: those of `machines`, in the full tier also those of
 * `store` and `actors/runtime`.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { isFull } from "../tier.ts";
import { denoTests, unitTests } from "./process.ts";

const ROOT = join(import.meta.dirname, "../..");
const PATIENCE = 300_000;

async function run(paths: readonly string[]): Promise<{ readonly code: number; readonly told: string }> {
  const child = Bun.spawn([...denoTests(paths)], {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: "1", CAIRN_MODEL_RUNS: "100" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, told: `${errors}\n${out}` };
}

test(
  "a test that fails on Deno is told as failed, whichever matcher, hook or deadline it fails by",
  async () => {
    const { code, told } = await run(["test/deno/failing.ts"]);
    const names = [...told.matchAll(/^FAIL test\/deno\/failing\.ts > (.*)$/gm)].map(([, name]) => name ?? "");
    const source = await Bun.file(join(import.meta.dirname, "failing.ts")).text();
    const wrong = [...source.matchAll(/^ {2}\["(.*)", \(\) =>/gm)].map(([, name]) => `fails: ${name}`);
    expect(wrong.length).toBeGreaterThan(20);
    expect(names.toSorted()).toEqual(
      [
        ...wrong,
        "fails: a body that takes too long",
        "fails: what nobody catches (uncaught)",
        "fails: what nobody catches (uncaught)",
        "fails: what cannot be prepared (beforeAll)",
        "what is around (afterAll)",
      ].toSorted(),
    );
    expect(told).toEndWith(`3 passed, ${names.length} failed\n`);
    expect(code).toBe(1);
  },
  PATIENCE,
);

test("a file without tests, or none at all, is a failure", async () => {
  for (const path of ["test/deno/expect.ts", "machines"]) {
    const { code, told } = await run([path]);
    expect(told).toContain("1 failed");
    expect(code).toBe(1);
  }
}, 60_000);

test(
  isFull
    ? "the unit tests of machines, store and actors/runtime pass on Deno"
    : "the unit tests of machines pass on Deno",
  async () => {
    const all = await unitTests();
    const files = isFull ? all : all.filter((file) => file.startsWith("test/machines/"));
    const { code, told } = await run(files);
    expect(told).toMatch(/\n\d+ passed, 0 failed\n$/);
    for (const file of files) expect(told).toContain(`${file}: `);
    expect(code).toBe(0);
  },
  PATIENCE,
);
