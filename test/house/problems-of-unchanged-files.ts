/**
 * Keeps the result of the house rules for each source file, because parsing all files takes several seconds. A file is
 * checked again when its text or the rules have changed.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SourceFile } from "./read-comments-and-names-in-source.ts";
import { ROOT } from "./read-project-source-files.ts";

const STORED = join(ROOT, ".cache/house-rules.json");
/** Files and folders whose text determines the rules. Paths of folders end in `/`. */
const RULES = ["test/house/", "machines/actor-kinds.ts", "package.json"];

/** The problems of a file, by the hash of its path and text. */
type ProblemsByHash = Readonly<Record<string, readonly string[]>>;

const hashOf = (...texts: readonly string[]): string => Bun.hash(JSON.stringify(texts)).toString(36);

/**
 * Returns the problems of all files.
 *
 * @param check returns the problems of one file
 */
export async function problemsOfFiles(
  files: readonly SourceFile[],
  check: (file: SourceFile) => readonly string[],
  stored: string = STORED,
): Promise<readonly string[]> {
  const known = await read(stored);
  const manifest = await readFile(join(ROOT, "package.json"), "utf8");
  const rules = files.filter(({ path }) => RULES.some((rule) => path.startsWith(rule)));
  const version = hashOf(manifest, ...rules.map(({ text }) => text));
  const found: Record<string, readonly string[]> = {};
  for (const file of files) {
    const hash = hashOf(version, file.path, file.text);
    found[hash] = known[hash] ?? check(file);
  }
  await mkdir(dirname(stored), { recursive: true });
  await writeFile(stored, JSON.stringify(found));
  return Object.values(found).flat();
}

async function read(stored: string): Promise<ProblemsByHash> {
  try {
    return JSON.parse(await readFile(stored, "utf8"));
  } catch {
    // No earlier run has stored a result, or its process ended while it wrote the file. All files are checked.
    return {};
  }
}
