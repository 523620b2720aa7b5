/**
 * Detects folders that are items, such as the albums of a gallery: the names of these folders vary, and they may
 * contain each other.
 */
import { beginning } from "./item-names-in-addresses.ts";
import { ENOUGH_PAIRS, type Group, type Member, type Need, need, stateOf } from "./screen-likeness.ts";

/**
 * Marks folders that are names of items as positions that vary: `Town` in `/Town/Mill/photo{n}`, if `/Town` is
 * one of several albums. A folder also counts if it contains files with the same numbered names as the files of
 * known items.
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

/** Returns the last segment of a path if it is a name with a masked number, such as `photo{n}.html`. */
function numberedName(path: Group["path"]): string | undefined {
  const name = path.at(-1)?.value;
  return name !== undefined && /\p{L}.*\{n\}/u.test(name) ? name : undefined;
}

/**
 * Matches a file extension of pages at the end of a name, as static sites have them: `alpha.py.html`. On such a
 * site, a name without it is a folder. A browser of files shows `README.md` beside `Makefile` instead.
 */
const EXTENSION = /.\.(?:x?html?|php|aspx?|jsp)$/i;

export function isFileName(name: string | undefined): boolean {
  return name !== undefined && EXTENSION.test(name);
}

/**
 * Whether one group has files, and the other has pages without a file extension that are beside the files or at
 * several depths. Such a page is a folder, or a file such as `Makefile`.
 */
export function areFilesAndFolders(a: Group, b: Group): boolean {
  const isOfFiles = hasFileName(a.members[0]);
  if (isOfFiles === hasFileName(b.members[0])) return false;
  const [files, others] = isOfFiles ? [a, b] : [b, a];
  if (files.path.length < 2 || !files.members.every(hasFileName) || others.members.some(hasFileName))
    return false;
  const depths = new Set(others.members.map(({ address }) => address.path.length));
  return files.path.length === others.path.length || depths.size > 1;
}

function hasFileName(member: Member | undefined): boolean {
  return isFileName(member?.address.path.at(-1)?.value);
}

/**
 * Returns the condition under which two groups are one screen, if one has the folders that contain the pages of
 * the other; `undefined` otherwise.
 */
export type FolderNeed = (a: Group, b: Group) => Need | undefined;

interface Folders {
  /** Addresses of the group's pages. */
  readonly own: ReadonlySet<string>;
  /** Addresses of the folders that contain the group's pages. */
  readonly parents: ReadonlySet<string>;
  /** Whether the addresses of the group's pages end in names that vary. */
  readonly vary: boolean;
  /** Whether none of the group's pages is a file, and each of their folders also contains several files. */
  readonly siblingFiles: boolean;
}

/**
 * Returns a function that detects folders in folders. In one case, such as `/Town/Mill` in `/Town`, the inner
 * folder is in one screen with folders beside the outer one, such as `/Birds` (sigal; categories of shops). In
 * the other case, such as `/listings/inner` in `/listings`, files are beside the inner folder:
 * `/listings/hello.py.html` (Nikola; folders of web servers).
 */
export function itemFolders(groups: readonly Group[]): FolderNeed {
  const plain = groups.filter((group) => group.query.length === 0 && stateOf(group) === "");
  const files = new Map<string, number>();
  for (const member of plain.flatMap(({ members }) => members)) {
    if (!hasFileName(member)) continue;
    const folder = parentOf(member);
    files.set(folder, (files.get(folder) ?? 0) + 1);
  }
  const known = new Map(plain.map((group) => [group, foldersOf(group, files)]));
  return (a, b) => {
    const [left, right] = [known.get(a), known.get(b)];
    if (!left || !right) return undefined;
    if (areNested(left, right) || areNested(right, left)) return need("folders");
    return haveFilesBelow(left, right) || haveFilesBelow(right, left) ? need("nested") : undefined;
  };
}

function foldersOf({ members, path }: Group, files: ReadonlyMap<string, number>): Folders {
  const pages = members.filter(({ address }) => address.path.length > 0);
  const parents = new Set(pages.map(parentOf));
  return {
    own: new Set(pages.map(({ address }) => beginning(address, address.path.length))),
    parents,
    vary: path.length > 0 && path.at(-1)?.value === undefined,
    siblingFiles:
      !members.some(hasFileName) && [...parents].every((parent) => (files.get(parent) ?? 0) >= ENOUGH_PAIRS),
  };
}

/** Returns the address of the folder that contains a page. */
export function parentOf({ address }: Member): string {
  return beginning(address, address.path.length - 1);
}

/**
 * Whether pages of the group `outer` contain pages of the group `inner`, and pages of both groups are also
 * beside each other. Instead of the latter, pages of `outer` may contain each other.
 */
function areNested(outer: Folders, inner: Folders): boolean {
  if (!outer.vary || !inner.vary || inner.parents.size === 0) return false;
  if (outer.own.isSubsetOf(inner.parents)) return !outer.parents.isDisjointFrom(inner.parents);
  return inner.parents.isSubsetOf(outer.own) && !outer.parents.isDisjointFrom(outer.own);
}

function haveFilesBelow(outer: Folders, inner: Folders): boolean {
  return inner.siblingFiles && inner.parents.size > 0 && inner.parents.isSubsetOf(outer.own);
}
