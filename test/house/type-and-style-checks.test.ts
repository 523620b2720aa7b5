/**
 * Tests that a type error or a style error fails `npm test`. Also tests that an unsteady test (one that
 * passes only when it is repeated) fails `test:full`.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChecks } from "../type-and-style-checks.ts";
import { filesToRepeat, verdictOf } from "../verdict-of-test-run.ts";

const ROOT = join(import.meta.dir, "../..");
setDefaultTimeout(60_000);
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "cairn-checks-"));
  const tsconfig = { compilerOptions: { strict: true, target: "ESNext", lib: ["ES2015"], types: [] } };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify(tsconfig));
  // Biome also checks the format of its configuration, so this text must have Biome's format.
  const biome = `{
  "formatter": { "indentStyle": "space" },
  "files": { "includes": ["machines/**"] }
}
`;
  await writeFile(join(project, "biome.json"), biome);
  await symlink(join(ROOT, "node_modules"), join(project, "node_modules"));
});

afterAll(() => rm(project, { recursive: true, force: true }));

/** Whether a check passes for a project that consists of one file with this code. */
async function passes(check: string, code: string): Promise<boolean> {
  await Bun.write(join(project, "machines/seeded.ts"), code);
  return (await runChecks(project, [check])).every(({ passed }) => passed);
}

describe("the checks of npm test", () => {
  test("fail when the project has a type error", async () => {
    expect(await passes("types", "export const count: number = 1;\n")).toBe(true);
    expect(await passes("types", 'export const count: number = "one";\n')).toBe(false);
  });

  test("fail when the project has a style error", async () => {
    expect(await passes("style", "export const count = 1;\n")).toBe(true);
    expect(await passes("style", "export const count = 1;;\n")).toBe(false);
  });
});

describe("a test that fails when all tests are run together", () => {
  const first = { passed: 9, failed: 1, failures: ["(fail) it"], failedFiles: ["test/a.test.ts"] };

  test("is run again alone", () => {
    expect(filesToRepeat(first)).toEqual(["test/a.test.ts"]);
  });

  test("is listed as unsteady by npm test if it passes alone", () => {
    const verdict = verdictOf(first, { passed: 1, failed: 0 }, false);
    expect(verdict).toEqual({ passed: 10, failed: 0, unsteady: ["test/a.test.ts"] });
  });

  test("makes test:full fail even if it passes alone", () => {
    const verdict = verdictOf(first, { passed: 1, failed: 0 }, true);
    expect(verdict).toEqual({ passed: 9, failed: 1, unsteady: ["test/a.test.ts"] });
  });

  test("makes npm test and test:full fail if it also fails alone", () => {
    expect(verdictOf(first, { passed: 0, failed: 1 }, false)).toMatchObject({ failed: 1, unsteady: [] });
  });

  test("is not run again when many files failed, or when something failed outside of tests", () => {
    expect(filesToRepeat({ ...first, failedFiles: ["a", "b", "c"] })).toEqual([]);
    expect(filesToRepeat({ ...first, failed: 2 })).toEqual([]);
  });
});
