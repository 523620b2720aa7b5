/**
 * Detects folders that are items, such as the albums of a gallery: the names of these folders vary, and they may
 * contain each other.
 */

import { beginning } from "./item-names-in-addresses.ts";
import { isFileName } from "./multi-word-and-file-names-in-addresses.ts";
import { type Group, type Member, stateOf } from "./page-group.ts";
import { factOfPages, pathLengths } from "./page-group-fact-cache.ts";
import { ENOUGH_PAIRS, type Need, need } from "./same-screen-threshold.ts";

/**
 * Marks path segments that are items, such as the album `Town` in `/Town/Mill/photo1`. Such folders are
 * recognised because the same numbered names (`photo1`, `photo2`) follow in several folders. A marked segment
 * counts as variable in all addresses.
 */
export function withItemFolders(groups: readonly Group[]): Group[] {
  const items = new Set<string>();
  for (const { members, path, query } of groups) {
    if (query.length > 0 || path.length === 0 || path.at(-1)?.value !== undefined) continue;
    for (const { address } of members) items.add(beginning(address, address.path.length));
  }
  const files = new Set(
    groups.flatMap(({ path, query }) => {
      const isInItem = query.length === 0 && path.length > 1 && path.at(-2)?.value === undefined;
      return isInItem ? (numberedName(path) ?? []) : [];
    }),
  );
  for (const { members, path, query } of groups) {
    const [first] = members;
    if (!first || query.length > 0 || !files.has(numberedName(path) ?? "")) continue;
    if (path[0]?.value !== undefined && !items.has(beginning(first.address, 1))) continue;
    for (let length = 2; length < path.length; length++) items.add(beginning(first.address, length));
  }
  return groups.map((group) => {
    const [first] = group.members;
    if (!first) return group;
    const path = group.path.map((slot, at) =>
      (at > 0 || group.path.length > 1) && items.has(beginning(first.address, at + 1))
        ? { ...slot, value: undefined }
        : slot,
    );
    return { ...group, path };
  });
}

/**
 * Returns the last segment of a path if it is a name with a masked number, as in `photo{n}.html`; otherwise
 * `undefined`.
 */
function numberedName(path: Group["path"]): string | undefined {
  const name = path.at(-1)?.value;
  return name !== undefined && /\p{L}.*\{n\}/u.test(name) ? name : undefined;
}

/**
 * Whether one group consists of files with an extension, and the other of pages without one, such as folders
 * or the file `Makefile`. The addresses of these pages must be as long as those of the files, or vary in
 * length.
 */
export function areFilesAndFolders(a: Group, b: Group): boolean {
  const [count, other] = [filesIn(a).count, filesIn(b).count];
  const [files, others] = count > 0 ? [a, b] : [b, a];
  if (Math.min(count, other) > 0 || Math.max(count, other) < files.members.length) return false;
  if (files.path.length < 2) return false;
  return files.path.length === others.path.length || pathLengths(others).size > 1;
}

/** Counts the pages of a group whose addresses end in a file name: in total, and for each folder. */
const filesIn = factOfPages(
  () => ({ count: 0, byFolder: new Map<string, number>() }),
  (files, page) => {
    if (!hasFileName(page)) return;
    const folder = parentOf(page);
    files.count += 1;
    files.byFolder.set(folder, (files.byFolder.get(folder) ?? 0) + 1);
  },
);

function hasFileName(member: Member | undefined): boolean {
  return isFileName(member?.address.path.at(-1)?.value);
}

/**
 * A function that compares two groups of pages. If one group consists of folders that contain the pages of
 * the other, it returns the condition under which both groups are one screen; otherwise `undefined`.
 */
export type FolderNeed = (a: Group, b: Group) => Need | undefined;

interface Folders {
  /** Addresses of the pages in the group. */
  readonly own: ReadonlySet<string>;
  /** Addresses of the folders in which the group's pages are. */
  readonly parents: ReadonlySet<string>;
}

/** The addresses of a group's pages, and of the folders that contain them. */
export const foldersOf: (group: Pick<Group, "members">) => Folders = factOfPages(
  () => ({ own: new Set<string>(), parents: new Set<string>() }),
  ({ own, parents }, page) => {
    const { address } = page;
    if (address.path.length === 0) return;
    own.add(beginning(address, address.path.length));
    parents.add(parentOf(page));
  },
);

/**
 * Returns a function that compares two groups of pages. If the pages of one group are folders with the pages
 * of the other, it returns the condition under which both groups are one screen. The condition is `folders`
 * if all are folders, such as the albums `/Town` and `/Town/Mill`. It is `nested` if the folders also contain
 * files.
 */
export function itemFolders(groups: readonly Group[]): FolderNeed {
  const files = new Map<string, number>();
  for (const group of groups.filter(isPlain)) {
    for (const [folder, count] of filesIn(group).byFolder)
      files.set(folder, (files.get(folder) ?? 0) + count);
  }
  return (a, b) => {
    if (!isPlain(a) || !isPlain(b)) return undefined;
    if (areNested(a, b) || areNested(b, a)) return need("folders");
    return haveFilesBelow(a, b, files) || haveFilesBelow(b, a, files) ? need("nested") : undefined;
  };
}

function isPlain(group: Group): boolean {
  return group.query.length === 0 && stateOf(group) === "";
}

/** Returns the address of the folder that contains a page. */
function parentOf({ address }: Member): string {
  return beginning(address, address.path.length - 1);
}

/**
 * Whether the pages of `outer` are folders that contain the pages of `inner`, as albums may contain albums.
 * One of two facts must confirm it: a folder contains pages of both groups, or a page of `outer` contains
 * another page of `outer`.
 */
function areNested(outer: Group, inner: Group): boolean {
  if (!endsInNames(outer) || !endsInNames(inner)) return false;
  const [{ own, parents }, { parents: folders }] = [foldersOf(outer), foldersOf(inner)];
  if (folders.size === 0) return false;
  if (own.isSubsetOf(folders)) return !parents.isDisjointFrom(folders);
  return folders.isSubsetOf(own) && !parents.isDisjointFrom(own);
}

/** Whether the addresses of a group end in a name that differs from page to page. */
function endsInNames({ path }: Group): boolean {
  return path.length > 0 && path.at(-1)?.value === undefined;
}

/**
 * Whether the pages of the group `outer` are folders that contain all pages of the group `inner`. Each of
 * these folders must contain several files, and no page of `inner` may be a file.
 */
function haveFilesBelow(outer: Group, inner: Group, files: ReadonlyMap<string, number>): boolean {
  if (files.size === 0) return false;
  const { parents } = foldersOf(inner);
  for (const parent of parents) if ((files.get(parent) ?? 0) < ENOUGH_PAIRS) return false;
  return parents.size > 0 && filesIn(inner).count === 0 && parents.isSubsetOf(foldersOf(outer).own);
}
