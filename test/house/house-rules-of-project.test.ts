/**
 * Checks every source file of the project against the import rules and the rules for plain English. One test checks
 * both, so that each file is parsed once.
 */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { longFiles } from "./file-length-and-names.ts";
import { violationsIn } from "./import-rules.ts";
import { findingsBetween, findingsIn } from "./language.ts";
import { problemsOfFiles } from "./problems-of-unchanged-files.ts";
import { readSources } from "./read-project-source-files.ts";

/**
 * Maximum time in milliseconds of the check of all files, while other tests run. Later checks skip unchanged files.
 */
const FIRST_CHECK = 120_000;

test(
  "every file of the project follows the rules for imports and uses no banned words",
  async () => {
    const dependencies = new Set(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }));
    const files = await readSources();
    expect(files.length).toBeGreaterThan(50);
    const problems = await problemsOfFiles(files, (file) => [
      ...violationsIn(file, dependencies),
      ...findingsIn(file).map(({ path, line, problem }) => `${path}:${line}: ${problem}`),
    ]);
    expect(problems).toEqual([]);
    expect(await findingsBetween(files)).toEqual([]);
    const long = longFiles(files);
    if (long.length > 0)
      console.warn(`Long files (a warning; each may hold two nouns):\n  ${long.join("\n  ")}`);
  },
  FIRST_CHECK,
);

test("a file is checked again only if its text or a rule has changed, and its problems are reported each time", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cairn-house-rules-"));
  const checked: string[] = [];
  const run = async (...texts: readonly [path: string, text: string][]) => {
    checked.length = 0;
    const files = texts.map(([path, text]) => ({ path, text }));
    return await problemsOfFiles(
      files,
      ({ path, text }) => {
        checked.push(path);
        return text === "bad" ? [`${path} is bad`] : [];
      },
      join(folder, "rules.json"),
    );
  };
  expect(await run(["a.ts", "good"], ["b.ts", "bad"])).toEqual(["b.ts is bad"]);
  expect(checked).toEqual(["a.ts", "b.ts"]);
  expect(await run(["a.ts", "good"], ["b.ts", "bad"])).toEqual(["b.ts is bad"]);
  expect(checked).toEqual([]);
  expect(await run(["a.ts", "better"], ["b.ts", "bad"])).toEqual(["b.ts is bad"]);
  expect(checked).toEqual(["a.ts"]);
  await run(["a.ts", "better"], ["test/house/language.ts", "a rule"]);
  expect(checked).toEqual(["a.ts", "test/house/language.ts"]);
  await rm(folder, { recursive: true, force: true });
});
