/**
 * Adds context labels to elements without a name or with the same name as another element. A context label
 * consists of words of the row, card or heading around the element.
 */
import { closestOutside, isButtonComponent, OPAQUE, shorten } from "../shadow-dom.ts";
import { columnHeaderOf, forgetColumnHeaders } from "./column-headers.ts";
import { describer, type Fingerprint } from "./describe-element.ts";
import type { CachedElement } from "./element-cache-entry.ts";
import { isFolded } from "./scroll-container-extents.ts";
import { recorder } from "./snapshot-element-records.ts";

/** An interactive element of the snapshot, with its own text and its context label. */
export interface LabelledElement {
  readonly element: Element;
  readonly cached: CachedElement;
  readonly text: string;
  /**
   * Words of the row, card or heading around the element. They distinguish elements with the same name. Empty
   * if the element's name is enough.
   */
  contextLabel: string;
  /**
   * Words of the row around the element. The planner of tasks uses them; lists of elements do not show them. They
   * are set only if the element needs no context label, for example because its name is unique on the page, or
   * because another element of the row has such a name.
   */
  rowLabel: string;
}

/**
 * The text that labels an element. Usually it is the element's caption. If the caption
 * does not tell the element from others, it is the text of an outer row that contains the element.
 */
interface ContextLabel {
  readonly text: string;
  /** The row from which the text was taken; absent if the text is not from a row. */
  readonly row?: Element;
  /**
   * Whether the text comes from other columns of a grid. Such a text may change while the element and its own
   * row stay the same.
   */
  readonly isFromGrid?: boolean;
}

/** Matches a text that consists of Unicode private use characters. Only icon fonts draw such characters. */
const PRIVATE_USE = /^[\s\ue000-\uf8ff\u{f0000}-\u{10fffd}]+$/u;
/** Maximum number of characters of a context label. */
const MAX_CONTEXT_LENGTH = 60;
/**
 * Maximum number of characters of an element's text in which the caption of a field is searched for. White
 * space of the HTML counts too, so the limit is high.
 */
const MAX_MARKUP_LENGTH = 4_000;
/**
 * Maximum number of characters of a name that may need a context label. A longer name identifies its element.
 */
const MAX_AMBIGUOUS_LENGTH = 24;
/** Selector of elements that have a name from an ARIA attribute. */
const LABELLED = "[aria-label],[aria-labelledby]";
/**
 * Selector of elements whose text is left out of a context label (the text of the row around a control). The
 * text of a button or list does not identify a row.
 */
const IGNORED = "script,style,template,select,option,button,[role=button],[aria-hidden=true]";
/** Selector of table rows, list items and articles. */
const ROWS = "tr,li,article,[role=row],[role=listitem],[role=article]";
/**
 * Selector of buttons and switches. In a row, such a control acts on the item of the row, even if the
 * control's name is unique on the page. For example, only one order of a list may have a button "Withdraw".
 */
const ACTING = "button,[role=button],input[type=checkbox],[role=checkbox],[role=switch]";
/** Selector of grids. In a grid, the attribute `aria-rowindex` shows which cells belong to one row. */
const GRIDS = "[role=grid],[role=treegrid],[role=table],table";
/** Selector of form fields. A field without a label gets a caption: the few words near it. */
const FIELDS = "input:not([type=hidden]),textarea,select,[role=combobox],[role=textbox]";
/** Selector of checkboxes and similar controls. The text after such a control names it. */
const BOXES = "input[type=checkbox],input[type=radio],[role=switch],[role=checkbox],[role=radio]";
/**
 * Selector of elements that are controls by their markup. Any other element is only a control because a script
 * listens for clicks.
 */
const MARKED_CONTROLS = "a,button,input,select,textarea,summary,tr,li,[role],[tabindex],[contenteditable]";
/** Maximum number of ancestors of a field that are searched for its caption. */
const MAX_LEVELS = 4;
/**
 * Like `MAX_LEVELS`, for a field whose caption is in one of several boxes of the same structure. Such a field may
 * have more boxes around it: 6 in Directus, 8 in Ant Design.
 */
const MAX_LEVELS_OF_LISTED_FIELD = 8;
/**
 * Matches the text of a checkbox or switch that names only its state, as in Ant Design, Naive UI and Directus. The caption
 * of such a field tells what it switches.
 */
const STATE_TEXT = /^(?:enabled?|disabled?|on|off|yes|no|active|inactive)$/i;
/**
 * The cells of each grid by their row (`aria-rowindex`). Valid only while one snapshot gets its context
 * labels.
 */
let cellsOfGrids = new WeakMap<Element, ReadonlyMap<string, readonly Element[]>>();
const cachedLabels = new WeakMap<Fingerprint, ContextLabel>();
const cachedRows = new WeakMap<Fingerprint, string>();

/**
 * The arguments and the result of the last call of `assignContextLabels`. The result is reused when the
 * arguments are equal.
 */
let last: {
  readonly found: readonly LabelledElement[];
  readonly touched: readonly number[];
  readonly fingerprints: ReadonlyMap<number, Fingerprint>;
  readonly labelled: number;
  /**
   * Whether a label may contain text from other columns of a grid or from a column header. The labels are then
   * computed again for each snapshot.
   */
  hasGridLabels: boolean;
} = { found: [], touched: [], fingerprints: new Map(), labelled: -1, hasGridLabels: false };

/** Whether the element is a row: it matches a row's selector, or it has siblings of the same structure. */
const isRow = (element: Element): boolean => {
  if (element.matches(ROWS)) return true;
  const { localName, classList, nextElementSibling: next, previousElementSibling: previous } = element;
  const [name] = classList;
  // An element without a class counts as a row on two conditions: it contains an element, and an adjacent
  // sibling has the same tag.
  if (name === undefined)
    return (
      element.firstElementChild !== null && [next, previous].some((entry) => entry?.localName === localName)
    );
  return [next, previous].some((entry) => entry?.localName === localName && entry.classList.contains(name));
};

/**
 * Returns the element whose words are the caption of a field without a label. It contains the field, a few
 * words and no other field.
 */
const captionOf = (field: Element): Element | undefined => {
  if (!field.matches(FIELDS)) return undefined;
  let up = field.parentElement;
  for (let level = 0; up && level < MAX_LEVELS_OF_LISTED_FIELD; level++, up = up.parentElement) {
    if (up.matches("form,fieldset,section,main,body") || (up.textContent ?? "").length > MAX_MARKUP_LENGTH)
      return undefined;
    const identified = shorten(describer.wordsOf(up), MAX_CONTEXT_LENGTH * 3);
    if (identified.length > MAX_CONTEXT_LENGTH * 2) return undefined;
    const others = [...up.querySelectorAll(FIELDS)].filter(
      (entry) => entry !== field && entry.checkVisibility(),
    );
    if (others.length > 0) return undefined;
    if (/\p{L}/u.test(identified))
      return level < MAX_LEVELS || (isRow(up) && startsWithText(up, field)) ? up : undefined;
  }
  return undefined;
};

/**
 * Whether the caption of a field contains one of the given elements, and this element is before the field. In
 * Directus and NocoDB, a click on the caption opens a menu of the field, so the caption is an element of its own.
 * It still names the field.
 */
const isNamedByOneOf = (texts: readonly Element[], field: Element): boolean => {
  const caption = texts.length > 0 ? captionOf(field) : undefined;
  return caption !== undefined && texts.some((text) => caption.contains(text) && isBefore(text, field));
};

/** Whether the first text in `box`, an element around a field, is before the field. */
const startsWithText = (box: Element, field: Element): boolean => {
  const walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (walk.nextNode())
    if (/\p{L}/u.test(walk.currentNode.nodeValue ?? "")) return isBefore(walk.currentNode, field);
  return false;
};

/**
 * Returns the words before a checkbox or switch whose own text only names its state, such as "Enabled". Returns an
 * empty text if the element with these words also contains other fields.
 */
const captionOfState = (box: Element, state: string): string => {
  if (!box.matches(BOXES) || !STATE_TEXT.test(state)) return "";
  let up = box.parentElement;
  for (let level = 0; up && level < MAX_LEVELS; level++, up = up.parentElement) {
    if (up.matches("form,fieldset,section,main,body") || up.querySelectorAll(`${FIELDS},${BOXES}`).length > 1)
      return "";
    const words = wordsIn(up, box);
    if (/\p{L}/u.test(words)) return startsWithText(up, box) ? words : "";
  }
  return "";
};

const isBefore = (text: Node, field: Element): boolean =>
  !text.contains(field) && (text.compareDocumentPosition(field) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

/** Returns the text directly after a checkbox or radio button, which usually names it. */
const textAfter = (box: Element): string => {
  if (!box.matches(BOXES) || !box.parentElement || box.parentElement.matches("main,body")) return "";
  for (let node = box.nextSibling; node; node = node.nextSibling) {
    if (node instanceof Element && (node.matches(FIELDS) || node.querySelector(`${FIELDS},a,button`)))
      return "";
    const identified =
      node instanceof Text ? node.data : node instanceof Element ? describer.wordsOf(node) : "";
    if (/\p{L}/u.test(identified)) return shorten(identified, MAX_CONTEXT_LENGTH);
  }
  return "";
};

/**
 * Returns the text that labels an element from outside: the text after a checkbox, or the words of the column
 * header, caption or row. Returns an empty text when there is no such text.
 */
const contextOf = (
  { element, cached, text: ownText }: LabelledElement,
  fingerprint: Fingerprint,
): ContextLabel => {
  const known = cachedLabels.get(fingerprint);
  if (known !== undefined) return known;
  const label = findContext(element, ownText, recorder.cachedNameOf(cached), fingerprint);
  if (label.isFromGrid) last.hasGridLabels = true;
  else cachedLabels.set(fingerprint, label);
  return label;
};

const findContext = (
  element: Element,
  ownText: string,
  name: string,
  fingerprint: Fingerprint,
): ContextLabel => {
  const after = ownText === "" && name === "" ? textAfter(element) : "";
  if (after !== "") return { text: after };
  const menuRow = rowOfMenu(element);
  if (menuRow) return { text: wordsIn(menuRow, element), row: menuRow };
  const header = ownText === "" ? element.closest("th,[role=columnheader]") : null;
  const caption = ownText === "" ? captionOf(element) : undefined;
  const isInRow = fingerprint.context.length > 0 && isRow(fingerprint.scope);
  const near = header ?? caption ?? (isInRow ? fingerprint.scope : undefined);
  const nearText = near ? wordsIn(near, element) : "";
  // A caption with the same text as the element's name does not distinguish the element. So the words of the
  // nearest row around the caption are used.
  const isOwnName = nearText !== "" && nearText.trim() === name;
  // The row or group around the element may contain no words, except the names of its controls. Then the words of
  // the next outer row are used.
  const isGroup = nearText === "" && fingerprint.context.length > 0;
  const inner = isGroup ? fingerprint.scope : near;
  if (!isOwnName && !isGroup) return { text: nearText };
  const row = inner && outerRow(inner, element, nearText);
  if (row) return { text: wordsIn(row, element), row };
  const text = wordsOfGridRow(element);
  return { text: text ?? "", isFromGrid: text !== undefined };
};

/**
 * Returns the row around a `summary`, whose `details` may be a menu of the row (pretalx, GitHub). The words
 * in the `details` are the same in each row, so they do not distinguish the rows.
 */
const rowOfMenu = (element: Element): Element | undefined => {
  const menu = element.localName === "summary" ? element.parentElement : null;
  return menu?.localName === "details" ? outerRow(menu, element, wordsIn(menu, element)) : undefined;
};

/**
 * In some grids the rows are no elements, such as in Webix and AG Grid. For an element in such a grid,
 * returns the words of all cells that have the same row number. Otherwise returns `undefined`.
 */
const wordsOfGridRow = (element: Element): string | undefined => {
  const cell = element.closest("[aria-rowindex]");
  const grid = cell?.closest(GRIDS);
  const index = cell?.getAttribute("aria-rowindex") ?? "";
  if (!grid || !/^\d+$/.test(index)) return undefined;
  let text = "";
  for (const other of cellsByRow(grid).get(index) ?? []) {
    if (text.length >= MAX_CONTEXT_LENGTH) break;
    text += ` ${wordsIn(other, element)}`;
  }
  return text.trim();
};

/** Returns the cells of each row of the grid. Cells of a grid inside of this grid are left out. */
const cellsByRow = (grid: Element): ReadonlyMap<string, readonly Element[]> => {
  const known = cellsOfGrids.get(grid);
  if (known) return known;
  const own = [...grid.querySelectorAll("[aria-rowindex]")].filter((cell) => cell.closest(GRIDS) === grid);
  const cells = Map.groupBy(own, (cell) => cell.getAttribute("aria-rowindex") ?? "");
  cellsOfGrids.set(grid, cells);
  return cells;
};

/**
 * Returns the nearest row that contains the caption or group and also other words.
 *
 * @param innerText the words of the caption or group
 */
const outerRow = (inner: Element, element: Element, innerText: string): Element | undefined => {
  let up = inner.parentElement;
  for (let level = 0; up && level < MAX_LEVELS; level++, up = up.parentElement) {
    if (up.matches("form,main,body")) break;
    if (isRow(up) && wordsIn(up, element) !== innerText) return up;
  }
  return undefined;
};

/** Returns the words of the row or the small group around an element. */
const rowOf = (element: Element, fingerprint: Fingerprint): string => {
  const known = cachedRows.get(fingerprint);
  if (known !== undefined) return known;
  const { scope, context } = fingerprint;
  const isSmall = context.join(" ").length <= MAX_CONTEXT_LENGTH * 2;
  const text = context.length > 0 && (isSmall || isRow(scope)) ? wordsIn(scope, element) : "";
  cachedRows.set(fingerprint, text);
  return text;
};

/**
 * Whether a text of a row is transparent and in a folded box (a box without height that hides its content).
 */
const isFoldedAway = ({ parentElement: parent }: Text, row: Element): boolean => {
  if (!parent || parent.checkVisibility(OPAQUE)) return false;
  for (let up: Element | null = parent; up && up !== row; up = up.parentElement) {
    const { display, overflowY } = getComputedStyle(up);
    if (overflowY === "hidden" && isFolded(up, display)) return true;
  }
  return false;
};

/**
 * Returns the first words of a row or caption, without the words of the element itself and of buttons.
 * Transparent text (opacity 0) in a folded box is also left out. Transparent text elsewhere is included,
 * because the page may be fading it in.
 */
const wordsIn = (row: Element, element: Element): string => {
  let text = "";
  const walk = document.createTreeWalker(row, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (node instanceof Text)
      return PRIVATE_USE.test(node.data) || isFoldedAway(node, row)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT;
    const passed =
      node === element || (node instanceof Element && (node.matches(IGNORED) || isButtonComponent(node)));
    return passed ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
  });
  while (text.length < MAX_CONTEXT_LENGTH && walk.nextNode()) {
    // The filter of the tree walker accepts only text nodes, so the cast is safe.
    const { data } = walk.currentNode as Text;
    text += `${text === "" ? "" : " "}${data.replace(/\s+/g, " ").trim()}`;
  }
  return text;
};

/** Puts the column header before the context label of a field or cell: "Editor: Delete pages". */
const addColumnHeader = (entry: LabelledElement): void => {
  const isInTable = entry.element.closest("table") !== null;
  if (isInTable && !entry.element.matches(`${BOXES},${FIELDS}`)) return;
  // A column header may get its first words later. So labels that may contain a column header are computed
  // again for each snapshot.
  if (isInTable) last.hasGridLabels = true;
  const header = columnHeaderOf(entry.element);
  if (header === "") return;
  last.hasGridLabels = true;
  // The words around a filter in the head of a table describe the whole table, so they do not label the
  // filter.
  const isFilter = entry.element.closest("thead") !== null;
  entry.contextLabel = entry.contextLabel === "" || isFilter ? header : `${header}: ${entry.contextLabel}`;
};

/** Adds context labels: elements without a unique name get the words of the row or card around them. */
export function assignContextLabels(
  found: readonly LabelledElement[],
  fingerprints: ReadonlyMap<number, Fingerprint>,
): void {
  const { labelChanges: labelled } = recorder;
  const isAsBefore = ({ cached, text }: LabelledElement, at: number): boolean =>
    last.found[at]?.cached === cached &&
    last.found[at].text === text &&
    last.touched[at] === cached.touched &&
    last.fingerprints.get(cached.id) === fingerprints.get(cached.id);
  const isSame = last.labelled === labelled && last.found.length === found.length && found.every(isAsBefore);
  if (isSame && !last.hasGridLabels) {
    for (const [at, entry] of found.entries()) {
      entry.contextLabel = last.found[at]?.contextLabel ?? "";
      entry.rowLabel = last.found[at]?.rowLabel ?? "";
    }
    return;
  }
  const touched = found.map(({ cached }) => cached.touched);
  last = { found, touched, fingerprints, labelled, hasGridLabels: false };
  cellsOfGrids = new WeakMap();
  forgetColumnHeaders();
  const names = found.map(({ cached, text }) =>
    text === "" || cached.element.matches(LABELLED) ? recorder.cachedNameOf(cached) : text,
  );
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  /**
   * Rows that are already identified by an element with a unique name. Later elements of such a row need no
   * context label.
   */
  const identified = new Set<Element>();
  const clickableTexts: Element[] = [];
  for (const [at, entry] of found.entries()) {
    const name = names[at] ?? "";
    const fingerprint = fingerprints.get(entry.cached.id);
    if (!fingerprint) continue;
    // A placeholder does not count as a name, so a field that has only a placeholder may need a context
    // label.
    const isPlaceholder = name !== "" && name === entry.element.getAttribute("placeholder");
    const caption = captionOfState(entry.element, name);
    if (caption !== "") {
      entry.contextLabel = caption;
      continue;
    }
    if (name !== "" && counts.get(name) === 1 && !isPlaceholder) {
      identified.add(fingerprint.scope);
      if (!entry.element.matches(MARKED_CONTROLS)) clickableTexts.push(entry.element);
      const row = closestOutside(entry.element, ROWS);
      if (row) identified.add(row);
      if (name.length <= MAX_AMBIGUOUS_LENGTH && entry.element.matches(ACTING))
        entry.rowLabel = contextOf(entry, fingerprint).text;
    } else if (name.length <= MAX_AMBIGUOUS_LENGTH) {
      if (identified.has(fingerprint.scope) && !isNamedByOneOf(clickableTexts, entry.element)) {
        entry.rowLabel = rowOf(entry.element, fingerprint);
        continue;
      }
      const { text, row } = contextOf(entry, fingerprint);
      if (row && identified.has(row)) entry.rowLabel = text;
      else entry.contextLabel = text;
    }
  }
  for (const [at, entry] of found.entries()) if (names[at] === "") addColumnHeader(entry);
  widenEqualCaptions(found, fingerprints, names);
  const shared = new Map<string, Set<string>>();
  for (const [at, { contextLabel: contextOf }] of found.entries()) {
    const name = names[at] ?? "";
    if (contextOf !== "") shared.set(name, new Set());
  }
  for (const [at, { contextLabel: contextOf }] of found.entries())
    shared.get(names[at] ?? "")?.add(contextOf);
  for (const [at, entry] of found.entries()) {
    const name = names[at] ?? "";
    if (name === "" || entry.contextLabel === "") continue;
    const alike = (counts.get(name) ?? 0) > 1 && shared.get(name)?.size === 1;
    // If all elements with one name have the same context label, the label cannot distinguish them and is
    // removed. A label that only repeats the name is also removed.
    if (alike || entry.contextLabel.toLowerCase() === name.toLowerCase()) entry.contextLabel = "";
  }
  demoteSharedPassages(found, (at) => counts.get(names[at] ?? "") === 1);
}

/**
 * Distinguishes fields that have the same name and the same caption, such as the unit "EUR" beside several
 * amounts. Each of these fields gets the words of the row around its caption, but only if these words differ for
 * all of the fields.
 */
function widenEqualCaptions(
  found: readonly LabelledElement[],
  fingerprints: ReadonlyMap<number, Fingerprint>,
  names: readonly string[],
): void {
  const fields = [...found.entries()].filter(
    ([, { element, contextLabel }]) => contextLabel !== "" && element.matches(FIELDS),
  );
  for (const group of Map.groupBy(fields, ([at]) => names[at] ?? "").values()) {
    const entries = group.map(([, entry]) => entry);
    if (entries.length < 2 || new Set(entries.map(({ contextLabel }) => contextLabel)).size > 1) continue;
    const rows = entries.map(({ element, cached }) => {
      const caption = captionOf(element) ?? fingerprints.get(cached.id)?.scope;
      const row = caption && outerRow(caption, element, wordsIn(caption, element));
      return row ? wordsIn(row, element) : "";
    });
    if (new Set(rows).size < rows.length || rows.includes("")) continue;
    for (const [at, entry] of entries.entries()) entry.contextLabel = rows[at] ?? "";
  }
}

/**
 * Removes a context label that describes no single field: a long text that several fields share, such as a
 * greeting beside a form. The text becomes the row label of each field. A short shared text, such as "Price",
 * stays, because it may be the fields' caption.
 */
function demoteSharedPassages(found: readonly LabelledElement[], isUnique: (at: number) => boolean): void {
  const passages = found.filter(
    ({ contextLabel }, at) => contextLabel.length >= MAX_CONTEXT_LENGTH && isUnique(at),
  );
  const byText = Map.groupBy(passages, ({ contextLabel }) => contextLabel);
  for (const entry of passages) {
    if ((byText.get(entry.contextLabel)?.length ?? 0) < 2) continue;
    entry.rowLabel = entry.contextLabel;
    entry.contextLabel = "";
  }
}
