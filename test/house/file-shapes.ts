/** Length of files, and basenames that are used more than once. */
import { basename } from "node:path";
import type { SourceFile } from "./source-text.ts";

/** A longer file is reported as a warning: it often holds two concepts. */
export const LONG_FILE_LINES = 500;

/** Names that many folders use for the same purpose. */
const COMMON = ["index", "machine", "protocol", "limits", "service", "kind"];

/** Groups of files that have the same name without its extension. */
export function duplicateBasenames(paths: readonly string[]): readonly (readonly string[])[] {
  const byName = Map.groupBy(paths, (path) => basename(path).replace(/\.tsx?$/, ""));
  return [...byName]
    .filter(([name, found]) => found.length > 1 && !COMMON.includes(name.replace(/\.test$/, "")))
    .map(([, found]) => found);
}

/** Files above `LONG_FILE_LINES`, as `path: lines`, longest first. */
export function longFiles(files: readonly SourceFile[]): readonly string[] {
  return files
    .map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
    .filter(({ lines }) => lines > LONG_FILE_LINES)
    .sort((one, other) => other.lines - one.lines)
    .map(({ path, lines }) => `${path}: ${lines} lines`);
}
