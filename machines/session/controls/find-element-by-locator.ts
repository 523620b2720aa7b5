/**
 * Finds an element by a description instead of an index. The description (locator) must match exactly one
 * element of the page. Otherwise the action is refused with a list of candidates.
 */

import { elementLine, nameOf } from "../page/element-line.ts";
import type { HighlightedElement } from "../page/page-snapshot.ts";
import { type Candidate, similarity } from "./candidates-for-stale-index.ts";
import type { Fingerprint } from "./element-of-fingerprint.ts";
import { fieldsCalled, fieldsOf } from "./field-by-label.ts";
import type { DatePart } from "./field-of-named-group.ts";
import { implicitRole } from "./implicit-aria-role.ts";
import { savesAnything } from "./name-of-save-button.ts";
import { isSaveIconButton } from "./save-icon-in-title-bar.ts";

/** A description of an element. Each field that is set excludes elements without this value. */
export interface ElementDescription {
  readonly role?: string | undefined;
  readonly name?: string | undefined;
  readonly tag?: string | undefined;
  /**
   * The attributes that identify the element: `href`, `id`, `name` and `data-testid`. Other attributes are
   * ignored.
   */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
  /** `false`: other elements of the page had the same role and name when the page was read. */
  readonly alone?: boolean | undefined;
  /** The text before a field that has no name of its own, or only a placeholder. */
  readonly caption?: string | undefined;
}

export interface Locator {
  readonly fingerprint?: Fingerprint | ElementDescription | undefined;
  /** A CSS selector of the described element. ` >>> ` leads into a shadow root. */
  readonly selector?: string | undefined;
  /** Selectors of the frames that lead to the described element. */
  readonly frame?: readonly string[] | undefined;
  readonly role?: string | undefined;
  readonly name?: string | undefined;
  readonly label?: string | undefined;
  readonly text?: string | undefined;
  /**
   * Set if the action types into the element. If a field matches, buttons and links of the same name do not
   * match, such as the button "Search" next to its field.
   */
  readonly typed?: true;
  /**
   * Set if the action enters only a date or only a time. The label may then be the name of a group that has a field
   * for each of them.
   */
  readonly part?: DatePart;
}

/**
 * Locators of elements. The key is the path of the parameter that the locator replaces, such as `index` or
 * `fields.0.index`.
 */
export type Locators = Readonly<Record<string, Locator>>;

export type Located =
  | { readonly index: number }
  | {
      readonly code: "element_not_found" | "element_ambiguous";
      readonly candidates: readonly Candidate[];
      /**
       * If the described element is hidden: the index of the visible control that the page shows in its
       * place.
       */
      readonly shown_by?: number;
      /**
       * Present if the described element appears while the pointer is over the control `shown_by`, as in a menu bar.
       * Absent if a click on this control shows it.
       */
      readonly shown_by_pointer?: true;
    };

/**
 * Maximum number of similar elements that an error lists. The similar elements are often the rows of a table,
 * and one page of a table rarely has more.
 */
const MAX_CANDIDATES = 20;
/** Minimum score (0 to 1) of an element that an error lists as similar. */
const MIN_CANDIDATE_SCORE = 0.3;
/** Weights of name, role and address in the score by which candidates are sorted. */
const WEIGHTS = { name: 0.6, role: 0.2, address: 0.2 } as const;
/** Attributes that identify an element on their own, most reliable first. */
const IDENTIFYING = ["data-testid", "id", "name"] as const;

/**
 * Matches a name with a digit. The digit may be the position of a row, which another row may get when the
 * list changes.
 */
const NUMBERED = /\d/;

/**
 * Whether a fingerprint comes from a session. Such a fingerprint contains the words around the element, and
 * is matched like one in a recording. A fingerprint from a map has no such words.
 */
export function isSessionFingerprint(fingerprint: Locator["fingerprint"]): fingerprint is Fingerprint {
  return fingerprint !== undefined && "words" in fingerprint && "interaction" in fingerprint;
}

/**
 * Finds the element that a locator describes, or candidates for it.
 *
 * @param fitting the numbers of the elements that match the locator's CSS selector; absent if the locator has
 * no selector
 */
export function locate(
  locator: Locator,
  elements: readonly HighlightedElement[],
  pageUrl: string,
  fitting?: ReadonlySet<number>,
): Located {
  const within = fitting
    ? elements.filter(({ highlight_index }) => fitting.has(highlight_index))
    : elements.filter((element) => isInFrame(element, locator.frame));
  const { matches, certain } = matchesOf(locator, within, pageUrl);
  const [only] = matches;
  if (only && certain && matches.length === 1) return { index: only.highlight_index };
  const code = matches.length > 0 ? "element_ambiguous" : "element_not_found";
  const described = matches.length > 0 ? matches : similarTo(locator, elements, pageUrl);
  return { code, candidates: candidatesOf(locator, described, pageUrl) };
}

interface Matches {
  readonly matches: readonly HighlightedElement[];
  /**
   * Whether the matches certainly are the described element. An uncertain match is refused, even if it is the
   * only one.
   */
  readonly certain: boolean;
}

function matchesOf(locator: Locator, elements: readonly HighlightedElement[], pageUrl: string): Matches {
  const { fingerprint, role, name, label, text } = locator;
  if (fingerprint) return described(fingerprint, elements, pageUrl);
  const matches = elements.filter(
    (element) =>
      (role === undefined || hasRole(element, role)) &&
      (name === undefined || isCalled(element, name)) &&
      (text === undefined || isCalled(element, text)),
  );
  const wanted = name ?? text;
  if (matches.length === 0 && wanted !== undefined && savesAnything(wanted))
    return { matches: elements.filter(isSaveIconButton), certain: true };
  const named = label === undefined ? matches : labelled(matches, label);
  const fields = locator.typed ? named.filter(({ interactionType }) => interactionType === "input") : [];
  return { matches: fields.length > 0 ? fields : named, certain: true };
}

/** Returns the elements that match a description from a map. */
function described(
  { role, name, tag, attributes = {}, alone, caption }: ElementDescription,
  elements: readonly HighlightedElement[],
  pageUrl: string,
): Matches {
  const alike = elements.filter(
    (element) =>
      (role === undefined || hasRole(element, role)) && (tag === undefined || element.tagName === tag),
  );
  const named = alike.filter((element) => name === undefined || name === "" || isCalled(element, name));
  const { href } = attributes;
  if (href !== undefined && href !== "") return byAddress(alike, named, href, { pageUrl, alone });
  for (const key of IDENTIFYING) {
    const wanted = attributes[key];
    if (wanted === undefined) continue;
    if (alone === false && NUMBERED.test(wanted) && !isDistinctField(elements, { name, key, wanted }))
      continue;
    const same = named.filter((element) => element.attributes[key] === wanted);
    if (same.length > 0) return { matches: same, certain: true };
  }
  const captioned = caption === undefined ? [] : fieldsCalled(fieldsOf(named), { label: caption });
  if (captioned.length > 0) return { matches: captioned, certain: true };
  // If `alone` is false, the map has recorded that several elements of the page had this name. If the page now has
  // only one, the described element may be one of the others, so the match is uncertain.
  const nameless = name === undefined || name === "";
  return { matches: named, certain: alone !== false && !nameless };
}

/**
 * Whether a field with a digit in its attribute, such as the id `name_0`, is certainly in no row of a list.
 * In rows, the attributes differ only in digits, as `name_0` and `name_1` do. So all other elements with the
 * same name must have attributes that differ in more, such as `description_0`.
 */
function isDistinctField(
  elements: readonly HighlightedElement[],
  { name, key, wanted }: { readonly name: string | undefined; readonly key: string; readonly wanted: string },
): boolean {
  if (name === undefined || name === "") return false;
  const shapeOf = (value: string): string => value.replace(/\d+/g, "");
  const named = elements.filter((element) => isCalled(element, name));
  const others = named.filter(({ attributes }) => attributes[key] !== wanted);
  return (
    others.length > 0 &&
    named.every(({ interactionType }) => interactionType === "input") &&
    others.every(({ attributes }) => shapeOf(attributes[key] ?? "") !== shapeOf(wanted))
  );
}

/**
 * Links to the same address have the same effect, so the first of them is returned. A link that also has the
 * wanted name is preferred.
 */
function byAddress(
  alike: readonly HighlightedElement[],
  named: readonly HighlightedElement[],
  href: string,
  { pageUrl, alone }: { readonly pageUrl: string; readonly alone: boolean | undefined },
): Matches {
  const wanted = addressOf(href, pageUrl);
  const leadsThere = ({ attributes }: HighlightedElement): boolean =>
    addressOf(attributes.href ?? "", pageUrl) === wanted;
  const found = named.find(leadsThere) ?? alike.find(leadsThere);
  if (found) return { matches: [found], certain: true };
  // No link has exactly the wanted address. The query may differ because it contains a session id, so the
  // paths are compared.
  const [only] = named;
  const isSamePath =
    only !== undefined && pathOf(only.attributes.href ?? "", pageUrl) === pathOf(href, pageUrl);
  return { matches: named, certain: named.length === 1 && alone !== false && isSamePath };
}

function isInFrame({ frame }: HighlightedElement, wanted: readonly string[] | undefined): boolean {
  return (
    wanted === undefined || (frame.length === wanted.length && frame.every((one, at) => one === wanted[at]))
  );
}

function hasRole({ role, tagName, type, interactionType }: HighlightedElement, wanted: string): boolean {
  const one = wanted.trim().toLowerCase();
  if (role === one || tagName === one) return true;
  const implied = implicitRole({ tag: tagName, type, isEditable: interactionType === "input" });
  if (role !== undefined) return false;
  return (
    implied === one ||
    (tagName === "select" && one === "listbox") ||
    TABLE_ROLES[tagName]?.includes(one) === true
  );
}

/**
 * For each tag of a table or list part, its possible roles. A snapshot contains such parts only if a script
 * makes them clickable.
 */
const TABLE_ROLES: Readonly<Record<string, readonly string[]>> = {
  th: ["columnheader", "rowheader"],
  td: ["cell", "gridcell"],
  tr: ["row"],
  li: ["listitem"],
};

function isCalled(element: HighlightedElement, wanted: string): boolean {
  const { textContent, labelText, ariaLabel, placeholder, attributes, value, interactionType, icon } =
    element;
  const written = interactionType === "submit" ? value : undefined;
  const names = [
    nameOf(element),
    textContent,
    labelText,
    ariaLabel,
    placeholder,
    written,
    attributes.title,
    attributes.alt,
    // If an element has only an icon, a map uses the name of the icon as the element's name.
    icon,
  ];
  return includes(names, wanted);
}

/**
 * Returns the elements with exactly this label. If there are none, returns the fields that have this label as
 * another name, such as a placeholder.
 */
function labelled(elements: readonly HighlightedElement[], label: string): readonly HighlightedElement[] {
  const exact = elements.filter(({ labelText, ariaLabel, associatedLabels = [] }) =>
    includes([labelText, ariaLabel, ...associatedLabels], label),
  );
  return exact.length > 0 ? exact : fieldsCalled(fieldsOf(elements), { label });
}

function includes(names: readonly (string | undefined)[], wanted: string): boolean {
  const one = comparable(wanted);
  return one !== "" && names.some((name) => name !== undefined && comparable(name) === one);
}

/** Returns a text for comparison: lower case, single spaces, and no colon or asterisk at its end. */
function comparable(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/\s*[*:]+\s*$/, "")
    .trim()
    .toLowerCase();
}

function addressOf(href: string, pageUrl: string): string {
  return URL.parse(href, pageUrl)?.href ?? href;
}

/**
 * Returns an address without its query. The fragment is kept, because in a single-page application it may be the
 * route: `#/security/settings` and `#/server/settings` are two pages.
 */
function pathOf(href: string, pageUrl: string): string {
  const url = URL.parse(href, pageUrl);
  return url ? `${url.origin}${url.pathname}${url.hash}` : href;
}

/** Returns the elements that are similar to the described one, the most similar first. */
function similarTo(
  locator: Locator,
  elements: readonly HighlightedElement[],
  pageUrl: string,
): readonly HighlightedElement[] {
  return elements
    .map((element) => ({ element, score: scoreOf(locator, element, pageUrl) }))
    .filter(({ score }) => score >= MIN_CANDIDATE_SCORE)
    .toSorted((one, other) => other.score - one.score)
    .map(({ element }) => element);
}

function scoreOf(locator: Locator, element: HighlightedElement, pageUrl: string): number {
  const { fingerprint, name, label, text } = locator;
  const role = fingerprint?.role ?? locator.role;
  const called = fingerprint?.name ?? name ?? label ?? text ?? "";
  const href = fingerprint?.attributes?.href;
  const isThere =
    href !== undefined && addressOf(element.attributes.href ?? "", pageUrl) === addressOf(href, pageUrl);
  return (
    WEIGHTS.name * similarity(called, nameOf(element)) +
    WEIGHTS.role * Number(role !== undefined && hasRole(element, role)) +
    WEIGHTS.address * Number(isThere)
  );
}

export function candidatesOf(
  locator: Locator,
  elements: readonly HighlightedElement[],
  pageUrl: string,
): readonly Candidate[] {
  return elements.slice(0, MAX_CANDIDATES).map((element) => ({
    highlight_index: element.highlight_index,
    score: Math.round(scoreOf(locator, element, pageUrl) * 100) / 100,
    line: elementLine(element, pageUrl),
  }));
}
