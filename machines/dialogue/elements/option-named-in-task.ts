/** Finds the option of a list that a task names. */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { nameScore } from "../words/name-match-score.ts";
import { contentWords, plainText } from "../words/normalised-words.ts";

/** Minimum score (0 to 1) at which words name an option. A synonym scores 0.8. */
const NAMES_OPTION = 0.8;

/** Matches an option that only asks for a choice, such as "Choose zone". */
const PLACEHOLDER =
  /^\W*(?:choose|select|please|pick|bitte|wähle|choisi|sélectionne|elige|elija|selecciona|scegli|seleziona)/iu;
/** Whether the option is the first of its list and only asks for a choice. */
export const isPlaceholder = (option: string, at: number): boolean => at === 0 && PLACEHOLDER.test(option);

export function optionOf(element: HighlightedElement, wanted: string): string | undefined {
  const plain = plainText(wanted);
  const options = (element.options ?? []).filter(
    (one, at) => !isPlaceholder(one, at) || plainText(one) === plain,
  );
  return (
    options.find((one) => plainText(one) === plain) ??
    // The words before a comma name the option: "Zone A" means the option "Zone A, Old Town".
    options.find((one) => plain.includes(" ") && plainText(one).startsWith(`${plain},`)) ??
    options.find((one) => nameScore(wanted, one) >= NAMES_OPTION) ??
    options.find((one) => plainText(one).startsWith(plain)) ??
    onlyWith(options, contentWords(wanted))
  );
}

/**
 * Returns the option of a list that contains all the words; `undefined` if several options or none contain
 * them.
 */
function onlyWith(options: readonly string[], words: readonly string[]): string | undefined {
  const having = options.filter((one) => {
    const own = contentWords(one);
    return words.every((word) => own.includes(word));
  });
  return having.length === 1 ? having[0] : undefined;
}

export function hasOption(element: HighlightedElement, wanted: string): boolean {
  return element.options === undefined || optionOf(element, wanted) !== undefined;
}

/**
 * Returns the longest option of a list whose words are all in a part of the task; `undefined` if there is none. Words
 * in the name of the list itself do not count as words of the task.
 */
export function optionIn(part: string, element: HighlightedElement): string | undefined {
  const said = new Set(contentWords(part));
  for (const word of contentWords(nameOf(element))) said.delete(word);
  const named = (element.options ?? []).filter((one) => {
    const words = contentWords(one);
    return words.length > 0 && words.every((word) => said.has(word));
  });
  return named.toSorted((one, other) => other.length - one.length)[0];
}

/** Words by which a task names a sort order, each with the list options that have the same meaning. */
const SORT_ORDERS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\bcheap(?:est|er)?\b|\b(?:billigste|günstigste)\w*|\bmoins\s+cher|\bmás\s+barato|più\s+economic[oa]/iu,
    /cheap|low(?:est)?\b.*\bprice|price\b.*(?:low\w*\s*(?:to|first|$)|asc|↑)|günstig|preis.*auf|moins\scher|prix\scroissant|barato/iu,
  ],
  [
    /\b(?:most\s+expensive|dear(?:est)?|pric(?:i)?est)\b|\bteuerste\w*|\bplus\s+cher|\bmás\s+caro|più\s+car[oa]/iu,
    /expensive|high(?:est)?\b.*\bprice|price\b.*(?:high\w*\s*(?:to|first|$)|desc|↓)|teuer|preis.*ab|plus\scher|prix\sdécroissant|\bcaro/iu,
  ],
  [/\b(?:biggest|largest)\b|größte|\bplus\s+grand/iu, /big|larg|größt|size\b.*desc|plus\sgrand/iu],
  [/\bsmallest\b|kleinste|\bplus\s+petit/iu, /small|kleinst|size\b.*asc|plus\spetit/iu],
  [
    /\b(?:newest|latest|most\s+recent)\b|neueste|\bplus\s+récent|\bmás\s+reciente/iu,
    /\bnew|latest|recent|neuest|récent|reciente|date\b.*desc/iu,
  ],
  [
    /\boldest\b|älteste|\bplus\s+ancien|\bmás\s+antigu/iu,
    /\bold|earliest|ältest|ancien|antigu|date\b.*asc/iu,
  ],
  [
    /\b(?:closest|nearest)\b|\bplus\s+proche|\bmás\s+cerca/iu,
    /close|near|distance|entfernung|proche|cerca/iu,
  ],
  [
    /\b(?:best|top)(?:[\s-]rated)?\b|\bmieux\s+noté|\bmejor/iu,
    /\brat(?:ed|ing)|\bbest|review|bewert|noté|mejor/iu,
  ],
];

/**
 * Returns the option of a list that sorts in the requested order, such as "Lowest price" for "cheapest
 * first". Returns `undefined` if there is none or several.
 */
export function sortOption(words: string, { options = [] }: HighlightedElement): string | undefined {
  const [, shown] = SORT_ORDERS.find(([said]) => said.test(words)) ?? [];
  const found = shown ? options.filter((option) => shown.test(option)) : [];
  return found.length === 1 ? found[0] : undefined;
}
