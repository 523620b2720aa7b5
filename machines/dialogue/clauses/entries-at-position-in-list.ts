/**
 * Finds the entry of a list, or a control in it, that a task names by its position and by a general noun: "the second
 * mail".
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { findTargets, isKindOnly, type Match } from "../elements/elements-described-by-task-words.ts";
import { isTick, rowText } from "../elements/texts-that-may-name-element.ts";
import type { Order } from "../task/parsed-imperative.ts";
import { plainText } from "../words/normalised-words.ts";

/**
 * Score (0 to 1) of an element that a task names only by its position in a list, such as "the second mail".
 */
const BY_POSITION = 0.8;
/**
 * Links at the same place in each item of a list are the names of the items if more than this share (0 to 1)
 * of their texts are different. Otherwise they are controls of the items, such as "Delete".
 */
const DISTINCT = 0.4;
/**
 * Minimum number of entries that a list must have, so that a position such as "the second mail" is looked up
 * in it.
 */
const ENTRIES = 3;

/** Minimum score (0 to 1) at which a control of an entry is named by the verb of the task. */
const NAMED_BY_VERB = 0.7;

/**
 * Finds a control in a list by the position and the kind of the entry: "Tick the first mail", "Delete the
 * last message", "Open the second entry".
 */
export function entriesAtPosition(
  { kind, target, also = "", ordinal = 1 }: Order,
  elements: readonly HighlightedElement[],
): readonly Match[] {
  const [verb = "", ...rest] = target.split(/\s+/u);
  const isOwnVerb = verb !== "" && also.split(/\s+/u)[0] === verb;
  if (!isKindOnly(isOwnVerb ? rest.join(" ") : target)) return [];
  const picked = (own: readonly HighlightedElement[]): readonly Match[] => {
    const one = own.length < ENTRIES ? undefined : own.at(ordinal > 0 ? ordinal - 1 : ordinal);
    return one ? [{ element: one, score: BY_POSITION }] : [];
  };
  if (kind === "check")
    return picked(elements.filter((one) => isTick(one) && nameOf(one) === "" && rowText(one) !== ""));
  if (kind !== "click") return [];
  if (isOwnVerb) {
    const called = findTargets({ words: verb, use: "click" }, elements);
    const own = called.filter(({ element, score }) => score >= NAMED_BY_VERB && rowText(element) !== "");
    return picked(
      own.map(({ element }) => element).toSorted((one, other) => one.highlight_index - other.highlight_index),
    );
  }
  return picked(entryLinks(elements));
}

/** Returns the links of the largest list whose entries have different texts. */
function entryLinks(elements: readonly HighlightedElement[]): readonly HighlightedElement[] {
  const links = elements.filter((one) => one.tagName === "a" && plainText(nameOf(one)) !== "");
  // Links at the same place in the items of a list are found by their XPaths, which differ only in the index
  // of the item.
  const lists = [
    ...Map.groupBy(
      links,
      ({ xpath }) => /^(.*\/(?:li|tr))(?:\[\d+\])?(\/.*)$/u.exec(xpath)?.slice(1).join("") ?? "",
    ),
  ]
    .filter(([path]) => path !== "" && !/\/(?:nav|aside|header|footer)(?:\[|\/)/u.test(path))
    .map(([, own]) => own)
    .filter((own) => new Set(own.map((one) => plainText(nameOf(one)))).size > own.length * DISTINCT);
  const sized = lists.toSorted((one, other) => textLength(other) - textLength(one));
  return sized[0] ?? [];
}

/**
 * Returns the total length of the texts in a list, in characters. It distinguishes a list of mails or posts
 * from a menu, whose texts are short.
 */
const textLength = (own: readonly HighlightedElement[]): number =>
  own.reduce((sum, one) => sum + nameOf(one).length, 0);
