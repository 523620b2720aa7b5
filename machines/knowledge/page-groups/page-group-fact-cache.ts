/**
 * Caches facts about groups of pages, because each group is compared with many others. Each page is read once:
 * pages are added to a group, but never removed.
 */
import type { Group, Member } from "./page-group.ts";

/**
 * Returns a function that computes a fact about a group's pages, such as the number of files. The function
 * caches the fact. On the next call, it reads only the pages that were added to the group since.
 *
 * @param read adds a page to the fact
 */
export function factOfPages<Fact>(
  start: () => Fact,
  read: (fact: Fact, page: Member) => void,
): (group: Pick<Group, "members">) => Fact {
  const known = new WeakMap<readonly Member[], { readonly fact: Fact; count: number }>();
  return ({ members }) => {
    const found = known.get(members) ?? { fact: start(), count: 0 };
    if (found.count === 0) known.set(members, found);
    for (; found.count < members.length; found.count++) {
      const page = members[found.count];
      if (page) read(found.fact, page);
    }
    return found.fact;
  };
}

/**
 * For each number of path segments: how many pages of the group have an address with this number of segments.
 */
export const pathLengths: (group: Pick<Group, "members">) => ReadonlyMap<number, number> = factOfPages(
  () => new Map<number, number>(),
  (counts, { address: { path } }) => counts.set(path.length, (counts.get(path.length) ?? 0) + 1),
);
