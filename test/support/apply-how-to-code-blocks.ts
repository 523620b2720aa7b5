/** Follows a how-to page of the guide: applies its code blocks to a copy of the sources. */
import { expect } from "bun:test";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export const ROOT = join(import.meta.dir, "../..");

interface CodeBlock {
  readonly kind: "ts" | "diff";
  readonly file: string;
  readonly code: string;
}

function codeBlocks(page: string): readonly CodeBlock[] {
  return [...page.matchAll(/^```(ts|diff) file=(\S+)\n(.*?)^```$/gms)].map(
    ([, kind = "", file = "", code = ""]) => ({ kind: kind === "diff" ? "diff" : "ts", file, code }),
  );
}

/**
 * Applies a diff to a text. The lines of the diff that do not start with `+` must occur in the text, one
 * directly after another.
 */
function applyDiff(text: string, diff: string): string {
  const lines = diff.trimEnd().split("\n");
  const joined = (kept: readonly string[]) => kept.map((line) => `${line.slice(1)}\n`).join("");
  const before = joined(lines.filter((line) => !line.startsWith("+")));
  expect(text).toContain(before);
  return text.replace(before, joined(lines));
}

export interface FollowedPage {
  /** The folder with the copy of the sources to which the steps of the guide page were applied. */
  readonly folder: string;
  /** The files that a reader of this guide page creates or changes. */
  readonly files: ReadonlySet<string>;
  remove(): Promise<void>;
}

/**
 * Follows a page of the guide on a copy of `sources`. A code block that names a file is the content of this
 * file, or a diff that is applied to it.
 */
export async function followPage(page: string, sources: readonly string[]): Promise<FollowedPage> {
  const blocks = codeBlocks(await readFile(join(ROOT, "gateway/docs/guide", page), "utf8"));
  // The copy is inside the project, so that its files find the installed npm packages.
  await mkdir(join(ROOT, ".cache"), { recursive: true });
  const folder = await mkdtemp(join(ROOT, ".cache/how-to-"));
  for (const source of sources) await cp(join(ROOT, source), join(folder, source), { recursive: true });
  for (const { kind, file, code } of blocks) {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, kind === "ts" ? code : applyDiff(await readFile(path, "utf8"), code));
  }
  return {
    folder,
    files: new Set(blocks.map(({ file }) => file)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
