/**
 * Finds trees of pages, as wikis have them. A page and the pages below it have equal structure, so all
 * segments of their paths are names. A list and its items have different structure, so they are no tree.
 */

import { beginning } from "./item-names-in-addresses.ts";
import { type Group, type Member, stateOf } from "./page-group.ts";
import { factOfPages } from "./page-group-fact-cache.ts";
import { memberSimilarity } from "./page-group-similarity.ts";
import { ALIKE, ENOUGH_PAIRS, isVerb, need } from "./same-screen-threshold.ts";
import { functionSegment } from "./site-function-of-page-group.ts";

interface PageTree {
  /**
   * The first page of the tree. Other pages belong to the tree only if their structure is similar to that of this
   * page.
   */
  readonly page: Member;
  readonly parents: Map<string, Member>;
  /**
   * The path segments with which the addresses of all pages in `parents` start. `parents` are the pages with
   * pages below them.
   */
  folder: readonly string[];
}

/** Whether two groups of pages belong to one page tree (a page and the pages below its address). */
export type HaveOneTree = (a: Group, b: Group) => boolean;

export function pageTrees(groups: readonly Group[]): HaveOneTree {
  const pages = new Map<string, Member>();
  const folders = new Set<string>();
  for (const group of groups) {
    if (group.query.length > 0 || stateOf(group) !== "") continue;
    for (const member of group.members) {
      const { path } = member.address;
      if (member.address.query.length === 0) pages.set(beginning(member.address, path.length), member);
      for (let length = 1; length < path.length; length++) folders.add(beginning(member.address, length));
    }
  }
  const trees = treesOf(pages);
  const isInside = ({ address, address: { host, path } }: Member, tree: PageTree) => {
    if (host !== tree.page.address.host) return false;
    if (tree.folder.every((segment, at) => segment === path[at]?.value)) return true;
    // A page with a single path segment may be the start page of a tree of pages in another folder. This is
    // impossible if other pages of the site are below the page's own segment.
    return path.length === 1 && !folders.has(beginning(address, 1));
  };
  const treesAround = factOfPages(
    () => new Set<PageTree>(),
    (found, page) => {
      for (const tree of trees) if (!found.has(tree) && isInside(page, tree)) found.add(tree);
    },
  );
  const known = new Map<Member, readonly PageTree[]>();
  const treesLike = (page: Member): readonly PageTree[] => {
    const alike = known.get(page) ?? trees.filter((tree) => areAlike(page, tree.page));
    known.set(page, alike);
    return alike;
  };
  const treesWith = (group: Group): readonly PageTree[] => {
    const [first] = group.members;
    const mayBelong =
      first && group.query.length === 0 && stateOf(group) === "" && !group.functions && !isVerb(group);
    const alike = mayBelong ? treesLike(first) : [];
    return alike.length === 0 ? alike : alike.filter((tree) => treesAround(group).has(tree));
  };
  return (a, b) => {
    if (trees.length === 0 || functionSegment(a) !== functionSegment(b)) return false;
    const others = treesWith(b);
    return others.length > 0 && treesWith(a).some((tree) => others.includes(tree));
  };
}

/**
 * Maximum number of page trees (a page and the pages below its address) with which a page is compared. Most
 * sites have few trees. The limit matters for sites with very many trees, which would all be compared with
 * each other.
 */
const MOST_TREES = 50;

function treesOf(pages: ReadonlyMap<string, Member>): readonly PageTree[] {
  const trees: PageTree[] = [];
  for (const child of pages.values()) {
    const { address } = child;
    if (address.path.length < 2) continue;
    const start = beginning(address, address.path.length - 1);
    const parent = pages.get(start);
    if (!parent || !areAlike(parent, child)) continue;
    const tree = trees.find(({ page }) => areAlike(page, parent));
    const segments = parent.address.path.map(({ value }) => value);
    if (!tree && !hasRoom(trees)) continue;
    if (!tree) trees.push({ page: parent, parents: new Map([[start, parent]]), folder: segments });
    else {
      tree.parents.set(start, parent);
      const differing = tree.folder.findIndex((segment, at) => segment !== segments[at]);
      if (differing >= 0) tree.folder = tree.folder.slice(0, differing);
    }
  }
  return trees.filter(({ parents }) => parents.size >= ENOUGH_PAIRS);
}

/**
 * Makes room for a further page tree in a full list: removes the oldest tree in which fewer than
 * `ENOUGH_PAIRS` pages have pages below them. Returns false if there is no such tree, so that the list stays
 * full.
 */
function hasRoom(trees: PageTree[]): boolean {
  if (trees.length < MOST_TREES) return true;
  const oldest = trees.findIndex(({ parents }) => parents.size < ENOUGH_PAIRS);
  if (oldest >= 0) trees.splice(oldest, 1);
  return oldest >= 0;
}

function areAlike(a: Member, b: Member): boolean {
  return memberSimilarity(a, b, need("tree")) >= ALIKE.tree;
}
