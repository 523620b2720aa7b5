/**
 * Finds a screen by the texts of the links that lead to it. A person calls a screen by the entry of the menu,
 * such as "Settings", also when the page itself has another title, such as "Edit project".
 */
import {
  MIN_NAME_SCORE,
  plainName,
  requestedWords,
  scoreOfWords,
  stem,
  wordsOf,
} from "./screen-name-index.ts";

/** A link between two screens, with the link's text. */
export interface NamedLink {
  readonly from: string;
  readonly to: string;
  readonly name: string;
}

export interface LinkNameMatch {
  readonly screen_id: string;
  /**
   * Score of the match, from 0 to below 1. For comparison: a screen whose own name matches exactly scores 1.
   */
  readonly score: number;
}

/**
 * Minimum share (0 to 1) of the pages with a link text on which the link leads to one screen, so that the
 * text names this screen. A text such as "Next" leads to another screen on each page.
 */
const ONE_SCREEN = 0.5;

/**
 * Score of a link whose text equals the requested name. It must be below 1 (a screen with this name) and
 * above 0.99 (the best name that has further words).
 */
const EXACT = 0.995;

/**
 * Returns a part of the requested text, by which the store finds links: the longest word without accented
 * letters. In "Übersicht", this is "bersicht". A link may be stored in another Unicode form of the accented
 * letter, so the store could not find this letter.
 */
export function partToFind(text: string): string | undefined {
  const letters = [...text.normalize("NFC")];
  const plain = letters.map((letter) => (ACCENT.test(letter.normalize("NFKD")) ? " " : letter)).join("");
  const [word] = [...requestedWords(plain)].sort((a, b) => b.length - a.length);
  return word?.normalize("NFC");
}

const ACCENT = /\p{M}/u;

/**
 * Returns the screen to which the link with the most similar text leads. If equally good texts lead to
 * several screens, it is the screen with the most pages that link to it.
 */
export function screenByLinks(links: readonly NamedLink[], text: string): LinkNameMatch | undefined {
  const requested = requestedWords(text);
  if (requested.size === 0) return undefined;
  let best: (LinkNameMatch & { readonly pages: number }) | undefined;
  for (const [name, same] of Map.groupBy(links, (link) => plainName(link.name))) {
    const words = new Set(wordsOf(name).map(stem));
    const share = requested.intersection(words).size / requested.size;
    const score = name === plainName(text) ? EXACT : scoreOfWords(share, name, requested);
    if (score < MIN_NAME_SCORE) continue;
    const sources = [...Map.groupBy(same, ({ to }) => to)]
      .map(([to, some]) => ({ to, pages: new Set(some.map(({ from }) => from)).size }))
      .sort((a, b) => b.pages - a.pages || (a.to < b.to ? -1 : 1));
    const [most] = sources;
    const all = sources.reduce((sum, { pages }) => sum + pages, 0);
    if (!most || most.pages < ONE_SCREEN * all) continue;
    if (!best || score > best.score || (score === best.score && most.pages > best.pages))
      best = { screen_id: most.to, score, pages: most.pages };
  }
  return best && { screen_id: best.screen_id, score: best.score };
}
