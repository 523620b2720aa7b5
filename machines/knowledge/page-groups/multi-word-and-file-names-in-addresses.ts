/** Detects two forms of names in addresses: names of several words, such as `tutorial-basics`, and file names. */

import type { Group } from "./page-group.ts";
import { factOfPages } from "./page-group-fact-cache.ts";

/**
 * A folder with at least this number of words in its name, such as `tutorial-basics`, is probably one of
 * several folders of the same kind. A folder with a name of one word, such as `tags`, may be the only one of
 * its kind.
 */
const FOLDER_WORDS = 2;

export function wordsIn(value: string | undefined): number {
  return value?.match(/[\p{L}\p{N}{}]+/gu)?.length ?? 1;
}

export function isWordy(value: string | undefined): boolean {
  return wordsIn(value) >= FOLDER_WORDS;
}

/**
 * Matches the file extension of a page at the end of a name, such as `alpha.py.html`. On a site with these
 * extensions, a name without one is a folder. Extensions such as `.md` do not count, because a file like
 * `Makefile` may be in the same folder.
 */
const EXTENSION = /.\.(?:x?html?|php|aspx?|jsp)$/i;

export function isFileName(name: string | undefined): boolean {
  return name !== undefined && EXTENSION.test(name);
}

/**
 * Numbers of pages of a group. `pages`: all pages. `wordy` and `files` have a number for each path segment:
 * the pages whose segment is a name of several words, and the pages whose segment is a file name.
 */
interface FormCounts {
  pages: number;
  readonly wordy: number[];
  readonly files: number[];
}

export type NameForm = "wordy" | "files";

/**
 * Counts the names in the addresses of a group that have several words, and the file names, for each
 * position. The key is the number of path segments of the addresses.
 */
const formsByLength = factOfPages(
  () => new Map<number, FormCounts>(),
  (counts, { address: { path } }) => {
    const found = counts.get(path.length) ?? { pages: 0, wordy: [], files: [] };
    counts.set(path.length, found);
    found.pages += 1;
    for (const [at, { value }] of path.entries()) {
      found.wordy[at] = (found.wordy[at] ?? 0) + Number(isWordy(value));
      found.files[at] = (found.files[at] ?? 0) + Number(isFileName(value));
    }
  },
);

/**
 * Whether the path segments at this position have the given form, such as file names, in all addresses of the
 * group.
 *
 * @param length if given, only addresses with this number of path segments count
 */
export function allHaveForm(group: Group, position: number, form: NameForm, length?: number): boolean {
  const all = formsByLength(group);
  const counts =
    length === undefined ? [...all.values()] : [all.get(length) ?? { pages: 0, wordy: [], files: [] }];
  return counts.every(({ pages, [form]: named }) => (named[position] ?? 0) === pages);
}

/**
 * Whether at least one address of the group has a path segment of the given form, such as a file name, at
 * this position.
 */
export function someHaveForm(group: Group, position: number, form: NameForm): boolean {
  return [...formsByLength(group).values()].some(({ [form]: named }) => (named[position] ?? 0) > 0);
}
