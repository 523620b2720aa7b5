/** Checks that `actors/README.md` names a test for each invariant, and that these tests exist. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** Returns the paths of tests that the text mentions in backquotes. */
function testsIn(text: string): readonly string[] {
  return [...text.matchAll(/`(test\/[^`\s]+)`/g)].map(([, path]) => path ?? "");
}

const readme = await readFile(join(ROOT, "actors/README.md"), "utf8");

test("every test exists that actors/README.md names for an invariant", () => {
  const named = testsIn(readme);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("every invariant in actors/README.md names a test", () => {
  const rows = readme.split("\n").filter((line) => line.startsWith("| **"));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((row) => testsIn(row).length === 0)).toEqual([]);
});

test("every npm command in actors/README.md exists", async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  for (const [, script] of readme.matchAll(/`npm run (\w+)/g)) expect(scripts).toHaveProperty(script ?? "");
});
