/**
 * Gives ids and names to the screens after pages were grouped again. A screen keeps its id if most of its
 * pages (instances) stay together. A disappearing id becomes an alias of the screen that received its pages.
 */

import { commonWords, singular, templateText } from "../addresses/screen-address-template.ts";
import { shortHash, slug } from "./screen-id.ts";

/** A screen that an earlier grouping of the site's pages has found. */
export interface EarlierScreen {
  readonly screen_id: string;
  readonly members: readonly string[];
  readonly aliases: readonly string[];
}

export interface IdentifiedGroup {
  readonly screen_id: string;
  readonly aliases: readonly string[];
}

/** One group of the new grouping: the ids of its pages (instances), and their addresses. */
export interface NewGroup {
  readonly members: readonly string[];
  readonly urls: readonly string[];
}

interface Share {
  readonly group: NewGroup;
  readonly screen: EarlierScreen;
  /** Number of pages (instances) that the new group and the earlier screen have in common. */
  readonly count: number;
}

/**
 * Returns the id of each new group with several instances, in the order of the groups. A group gets the id of
 * the earlier screen with which it has the most instances in common.
 */
export function identify(
  groups: readonly NewGroup[],
  earlier: readonly EarlierScreen[],
): readonly IdentifiedGroup[] {
  const shares = sharesOf(groups, earlier);
  const ids = new Map<NewGroup, string>();
  const taken = new Set<string>();
  const heirs = new Map<EarlierScreen, NewGroup>();
  for (const { group, screen } of shares) {
    if (!heirs.has(screen)) heirs.set(screen, group);
    if (ids.has(group) || taken.has(screen.screen_id)) continue;
    ids.set(group, screen.screen_id);
    taken.add(screen.screen_id);
  }
  for (const group of groups) {
    if (ids.has(group)) continue;
    const id = freshId(group, taken);
    ids.set(group, id);
    taken.add(id);
  }
  return groups.map((group) => ({
    screen_id: ids.get(group) ?? "",
    aliases: [...heirs]
      .flatMap(([screen, heir]) => (heir === group ? [screen.screen_id, ...screen.aliases] : []))
      .filter((alias) => !taken.has(alias))
      .sort(),
  }));
}

/**
 * Returns each pair of a new group and an earlier screen that have pages in common, sorted by the number of
 * common pages.
 */
function sharesOf(groups: readonly NewGroup[], earlier: readonly EarlierScreen[]): readonly Share[] {
  const homes = new Map(
    earlier.flatMap((screen) => screen.members.map((member) => [member, screen] as const)),
  );
  const shares = groups.flatMap((group): Share[] => {
    const counts = new Map<EarlierScreen, number>();
    for (const member of group.members) {
      const screen = homes.get(member);
      if (screen) counts.set(screen, (counts.get(screen) ?? 0) + 1);
    }
    return [...counts].map(([screen, count]) => ({ group, screen, count }));
  });
  return shares.sort((a, b) => b.count - a.count || (a.screen.screen_id < b.screen.screen_id ? -1 : 1));
}

function freshId({ urls, members }: NewGroup, taken: ReadonlySet<string>): string {
  const template = templateText(urls);
  const readable = slug(template.replace(/\{[^}]*\}/g, " ")) || "page";
  const host = URL.parse(urls[0] ?? "")?.host ?? "";
  const id = `${readable}_${shortHash(`${host}${template}`)}`;
  return taken.has(id) ? `${readable}_${shortHash(`${host}${template}\n${members[0] ?? ""}`)}` : id;
}

/**
 * Returns a name for a screen with several instances, such as `Topic`. If the addresses differ only in
 * parameters, it is the most frequent name of the pages. Otherwise it consists of words that all addresses or
 * all names share, or of the breadcrumb.
 */
export function groupName(
  urls: readonly string[],
  names: readonly string[] = [],
  above: string | undefined = undefined,
): string {
  const usual = templateText(urls).includes("{") ? undefined : mostCommon(names);
  if (usual !== undefined) return usual;
  const words = commonWords(urls).flatMap((part) => part.replace(/\.[a-z]{2,5}$/i, "").split(/[-_+.\s]+/));
  const telling = words.filter((word) => /\p{L}{2,}/u.test(word));
  const last = telling.length - 1;
  const text = telling
    .slice(-3)
    .map((word, at, some) => (at === some.length - 1 && last >= 0 ? singular(word) : word))
    .join(" ")
    .toLowerCase();
  if (text !== "") return text.charAt(0).toUpperCase() + text.slice(1);
  return commonStart(names) || (above && singular(above)) || "Page";
}

/**
 * Returns the most frequent name. Of equally frequent names, it is the shortest. Returns `undefined` if every
 * name occurs only once.
 */
function mostCommon(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [best] = [...counts].sort(([a, many], [b, others]) => others - many || a.length - b.length);
  return best && best[1] > 1 ? best[0] : undefined;
}

/** Returns the longest sequence of words with which all of the given names start. */
function commonStart(names: readonly string[]): string {
  const [first = [], ...others] = names.map((name) => name.split(/\s+/));
  const differs = first.findIndex((word, at) => others.some((words) => words[at] !== word));
  const common = first.slice(0, differs < 0 ? first.length : differs).join(" ");
  return /\p{L}{3,}/u.test(common) ? common.replace(/[\s:,;–—-]+$/u, "") : "";
}
