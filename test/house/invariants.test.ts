/** Each invariant in `actors/README.md` names tests that exist. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** The paths of tests in backquotes. */
function testsIn(text: string): readonly string[] {
  return [...text.matchAll(/`(test\/[^`\s]+)`/g)].map(([, path]) => path ?? "");
}

const readme = await readFile(join(ROOT, "actors/README.md"), "utf8");

test("every test that the invariants name exists", () => {
  const named = testsIn(readme);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("every invariant names a test", () => {
  const rows = readme.split("\n").filter((line) => line.startsWith("| **"));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((row) => testsIn(row).length === 0)).toEqual([]);
});

test("every npm script that the page names exists", async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  for (const [, script] of readme.matchAll(/`npm run (\w+)/g)) expect(scripts).toHaveProperty(script ?? "");
});
