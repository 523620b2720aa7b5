/** Checks the length of files, and finds basenames that occur more than once. */
import { basename } from "node:path";
import type { SourceFile } from "./read-comments-and-names-in-source.ts";

/** Number of lines above which a file causes a warning, because it often contains two concepts. */
const LONG_FILE_LINES = 500;

/** Basenames that occur in many folders on purpose, because they have the same meaning in each. */
const COMMON = ["index"];

/** Returns groups of files that have the same name apart from the extension. */
export function duplicateBasenames(paths: readonly string[]): readonly (readonly string[])[] {
  const byName = Map.groupBy(paths, (path) => basename(path).replace(/\.tsx?$/, ""));
  return [...byName]
    .filter(([name, found]) => found.length > 1 && !COMMON.includes(name.replace(/\.test$/, "")))
    .map(([, found]) => found);
}

/** Returns the files that are longer than `LONG_FILE_LINES`, as `path: lines`, longest first. */
export function longFiles(files: readonly SourceFile[]): readonly string[] {
  return files
    .map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
    .filter(({ lines }) => lines > LONG_FILE_LINES)
    .sort((one, other) => other.lines - one.lines)
    .map(({ path, lines }) => `${path}: ${lines} lines`);
}
