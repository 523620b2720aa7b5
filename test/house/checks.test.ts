/** `npm test` turns red by a type error or a style error, and `test:full` by an unsteady test. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFile, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChecks } from "../checks.ts";
import { filesToRepeat, verdictOf } from "../verdict.ts";

const ROOT = join(import.meta.dir, "../..");
const TIMEOUT = 60_000;
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "cairn-checks-"));
  await copyFile(join(ROOT, "tsconfig.json"), join(project, "tsconfig.json"));
  const biome = {
    root: true,
    formatter: { indentStyle: "space" },
    files: { includes: ["**", "!**/node_modules"] },
  };
  await writeFile(join(project, "biome.json"), JSON.stringify(biome));
  await symlink(join(ROOT, "node_modules"), join(project, "node_modules"));
});

afterAll(() => rm(project, { recursive: true, force: true }));

/** The names of failed checks for a project with this one file. */
async function failedChecksOf(code: string): Promise<readonly string[]> {
  await Bun.write(join(project, "machines/seeded.ts"), code);
  return (await runChecks(project)).filter(({ passed }) => !passed).map(({ name }) => name);
}

describe("the checks of npm test", () => {
  test(
    "fail on a type error",
    async () => {
      expect(await failedChecksOf('export const count: number = "one";\n')).toContain("types");
    },
    TIMEOUT,
  );

  test(
    "fail on a style error",
    async () => {
      expect(await failedChecksOf("export const count = 1;;\n")).toContain("style");
    },
    TIMEOUT,
  );
});

describe("a test that fails once and passes alone", () => {
  const first = { passed: 9, failed: 1, failures: ["(fail) it"], failedFiles: ["test/a.test.ts"] };

  test("is repeated by itself", () => {
    expect(filesToRepeat(first)).toEqual(["test/a.test.ts"]);
  });

  test("is listed as unsteady by npm test", () => {
    const verdict = verdictOf(first, { passed: 1, failed: 0 }, false);
    expect(verdict).toEqual({ passed: 10, failed: 0, unsteady: ["test/a.test.ts"] });
  });

  test("fails test:full", () => {
    const verdict = verdictOf(first, { passed: 1, failed: 0 }, true);
    expect(verdict).toEqual({ passed: 9, failed: 1, unsteady: ["test/a.test.ts"] });
  });

  test("fails both when it fails again", () => {
    expect(verdictOf(first, { passed: 0, failed: 1 }, false)).toMatchObject({ failed: 1, unsteady: [] });
  });

  test("is not repeated when many files failed, or a failure has no test", () => {
    expect(filesToRepeat({ ...first, failedFiles: ["a", "b", "c"] })).toEqual([]);
    expect(filesToRepeat({ ...first, failed: 2 })).toEqual([]);
  });
});
