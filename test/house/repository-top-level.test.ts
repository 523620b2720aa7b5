/** Tests the top level of the repository: a stray note or folder there makes the tests fail. */
import { expect, test } from "bun:test";
import { ROOT } from "./read-project-source-files.ts";

/**
 * All files and folders at the top level of the repository. A new entry is a decision about the architecture.
 */
const TOP_LEVEL = [
  ".ci",
  ".gitignore",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "README.md",
  "actors",
  "biome.json",
  "bunfig.toml",
  "compose.yaml",
  "gateway",
  "machines",
  "package-lock.json",
  "package.json",
  "store",
  "test",
  "tsconfig.json",
];

test("the top level of the repository holds only its known files and folders", () => {
  const { stdout, exitCode } = Bun.spawnSync(["git", "ls-files"], { cwd: ROOT });
  // Without a Git history, for example in an unpacked archive, there is nothing to compare.
  if (exitCode !== 0) return;
  const entries = stdout.toString().split("\n").filter(Boolean);
  expect([...new Set(entries.map((path) => path.split("/")[0] ?? ""))].sort()).toEqual(TOP_LEVEL);
});
