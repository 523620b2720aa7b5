/**
 * The state of a screen as a person would see it: what can be acted on, and the headings. Rows of a list, words and
 * values do not make another state; another panel, an open dialog or menu does.
 */
import { parseSketch, similarity, sketchOf } from "../knowledge/structure-sketch.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";

/** Containers with like elements that are the rows of a list. */
const ROWS = 4;
/** Like elements in one container that are the cells of a grid or the items of a list, and no toolbar. */
const CELLS = 13;
/** States that share more of their features are one. */
const SAME_STATE = 0.93;
const NAME_LENGTH = 40;

export interface UiState {
  /** Normalised address, without what Cairn does not distinguish. */
  readonly url: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly elements: readonly HighlightedElement[];
}

/** A sketch of the state's features (knowledge/structure-sketch.ts). */
export function stateSketch({ elements, headings }: Pick<UiState, "elements" | "headings">): string {
  const rows = rowPlaces(elements);
  const features = new Set<string>();
  for (const element of elements) {
    const place = placeOf(element);
    features.add(place);
    if (rows.has(place) && !isMenu(element)) continue;
    const name = nameOf(element).replace(/\d+/g, "#").slice(0, NAME_LENGTH);
    features.add(`${place} ${name}`);
    if (element.selected) features.add(`selected ${name}`);
  }
  for (const heading of headings)
    features.add(`heading ${heading.replace(/\d+/g, "#").slice(0, NAME_LENGTH)}`);
  return sketchOf(features);
}

export function isSameState(a: string, b: string): boolean {
  return similarity(parseSketch(a), parseSketch(b)) >= SAME_STATE;
}

/** The places of the tree where elements repeat: in the rows of a list, or many in one container. */
export function rowPlaces(elements: readonly HighlightedElement[]): ReadonlySet<string> {
  const parents = new Map<string, Map<string, number>>();
  for (const element of elements) {
    const place = placeOf(element);
    const parent = element.xpath.slice(0, element.xpath.lastIndexOf("/"));
    const counts = parents.get(place) ?? new Map<string, number>();
    counts.set(parent, (counts.get(parent) ?? 0) + 1);
    parents.set(place, counts);
  }
  return new Set(
    [...parents].flatMap(([place, counts]) =>
      counts.size >= ROWS || Math.max(...counts.values()) >= CELLS ? [place] : [],
    ),
  );
}

/** Role and place in the tree, without positions: equal for the rows of one list. */
export function placeOf({ xpath, role, tagName, type }: HighlightedElement): string {
  return `${role ?? tagName}.${type} ${xpath.replace(/\[\d+\]/g, "")}`;
}

function isMenu({ role, xpath }: HighlightedElement): boolean {
  return role === "tab" || role === "menuitem" || /\/(?:nav|header)\b/.test(xpath);
}

export function nameOf({
  ariaLabel,
  labelText,
  textContent,
  icon,
  placeholder,
  attributes,
}: HighlightedElement): string {
  return (ariaLabel ?? textContent ?? labelText ?? icon ?? placeholder ?? attributes.title ?? "")
    .replace(/\s+/g, " ")
    .trim();
}
