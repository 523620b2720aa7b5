/**
 * Reads the source files of the project, or of a folder with the same structure, and the subjects of its
 * commits.
 */
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { SourceFile } from "./read-comments-and-names-in-source.ts";

export const ROOT = join(import.meta.dirname, "../..");
const FOLDERS = ["machines", "store", "actors", "gateway", "test"];

export async function readSources(root: string = ROOT): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  for (const folder of FOLDERS) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    for (const entry of entries) {
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join("/");
      if (!entry.isFile() || !/\.tsx?$/.test(path) || path.includes("/node_modules/")) continue;
      files.push({ path, text: await readFile(join(root, path), "utf8") });
    }
  }
  return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/**
 * Returns the subjects of all commits after the commit that added the file `path`; empty if there is no Git
 * history.
 */
export async function commitsSince(path: string, root: string = ROOT): Promise<readonly string[]> {
  const added = (await git(root, "log", "--diff-filter=A", "--format=%H", "--", path)).at(-1);
  return added === undefined ? [] : await git(root, "log", "--format=%s", `${added}..HEAD`);
}

async function git(root: string, ...args: readonly string[]): Promise<readonly string[]> {
  const child = Bun.spawn(["git", ...args], { cwd: root, stdin: "ignore", stdout: "pipe", stderr: "ignore" });
  const lines = (await new Response(child.stdout).text()).split("\n").filter(Boolean);
  return (await child.exited) === 0 ? lines : [];
}
