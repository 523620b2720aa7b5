/**
 * Names screens with several pages by the part of the title that their pages share: "Members" for the pages "Members ·
 * Ferry Booking" and "Members · Tide Tables", and "Edit User" for "Edit User Ann" and "Edit User Bob".
 */

import { commonWords, singular } from "../addresses/screen-address-template.ts";
import { operationOfName } from "./operation-and-thing-of-task.ts";
import { titleParts } from "./screen-name-from-title.ts";
import { wordsOf } from "./screen-name-index.ts";

/** The pages of a screen: their addresses, and their names without the parts that all titles of the site share. */
export interface TitledScreen {
  readonly screen_id: string;
  readonly urls: readonly string[];
  readonly names: readonly string[];
}

/**
 * The first part of titles names screens only if the titles of at most this number of screens start with it:
 * projects, teams and users may each have a screen "Members". The name of a section, as in "Shop: Cart",
 * starts the titles of more screens.
 */
const SCREENS_OF_PART = 3;

/** Returns the names of the screens whose pages share the first part of their titles, by the ids of the screens. */
export function groupNamesByTitle(screens: readonly TitledScreen[]): ReadonlyMap<string, string> {
  const titled = screens.map((screen) => ({ ...screen, words: sharedFirstWords(screen.names) }));
  const counts = new Map<string, number>();
  for (const { names, words } of titled) {
    const firsts = names
      .map(titleParts)
      .flatMap(([first, ...rest]) => (first && rest.length > 0 ? first : []));
    for (const first of new Set([...firsts, ...(words === undefined ? [] : [words])]))
      counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  const found = new Map<string, string>();
  for (const { screen_id, urls, names, words } of titled) {
    const part = sharedFirstPart(names) ?? words;
    const count = counts.get(part ?? "") ?? 0;
    if (part === undefined || count > SCREENS_OF_PART) continue;
    // "Edit" alone does not say what is edited, so the name gets the folder too.
    const isVerb = operationOfName(part) !== undefined && wordsOf(part).length === 1;
    const folder = count > 1 || isVerb ? otherFolder(part, urls) : undefined;
    found.set(screen_id, folder === undefined ? part : `${part} (${folder})`);
  }
  return found;
}

/** Returns the first part of the titles if all titles have it and at least two titles differ after it. */
function sharedFirstPart(names: readonly string[]): string | undefined {
  const [first] = titleParts(names[0] ?? "");
  const isShared = first !== undefined && names.every((name) => titleParts(name)[0] === first);
  return isShared && /^\p{L}{2,}/u.test(first) && new Set(names).size > 1 ? first : undefined;
}

/** Matches words, numbers and signs at the end of shared words that belong to what follows: "of the" in "List of the". */
const JOINING = /(?:\s+(?:[^\p{L}\s]+|a|an|and|at|by|for|from|in|of|on|the|to|with))+$/iu;

/**
 * Returns the first words that all titles share, if they are a verb and its object, as in "Edit User Ann" and "Edit User
 * Bob", or the complete title of one page, as in "Comments" and "Comments on Dippers".
 */
function sharedFirstWords(names: readonly string[]): string | undefined {
  const titles = names.map((name) => name.trim().split(/\s+/));
  const [first = []] = titles;
  const differs = first.findIndex((word, at) => titles.some((title) => title[at] !== word));
  const shared = first.slice(0, differs < 0 ? first.length : differs);
  if (new Set(names).size < 2 || !/^\p{L}{2,}/u.test(shared.join(" "))) return undefined;
  if (titles.some((title) => title.length === shared.length)) return shared.join(" ");
  const words = shared.join(" ").replace(JOINING, "");
  return operationOfName(words) !== undefined && wordsOf(words).length > 1 ? words : undefined;
}

/**
 * Returns the first word that all addresses have in common and that the shared part of the titles lacks: "projects"
 * for the part "Members" and addresses such as `/projects/1/members`.
 */
function otherFolder(part: string, urls: readonly string[]): string | undefined {
  const own = new Set(part.toLowerCase().split(/\s+/).map(singular));
  return commonWords(urls.map((url) => url.replace(/\?[^#]*/, "")))
    .map((word) => word.toLowerCase().replace(/[-_+]+/g, " "))
    .find((word) => /^\p{L}[\p{L} ]+$/u.test(word) && !own.has(singular(word)));
}
