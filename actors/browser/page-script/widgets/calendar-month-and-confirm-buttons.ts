/**
 * Finds the buttons of a custom calendar that show the previous and the next month, and the button that
 * confirms a date. They are found by words, icons or position.
 */
import { CONFIRM_LABEL } from "../confirm-and-cancel-labels.ts";
import { registry } from "../page-script-document-state.ts";
import { deepElements, isSeen, isWithin } from "../shadow-dom.ts";
import { identity } from "../world-bundle-modules-for-actions-bundle.ts";
import * as cells from "./calendar-cells.ts";
import { dateTexts as texts } from "./dates-in-language-of-page.ts";

export interface MonthButtons {
  readonly next?: number;
  readonly previous?: number;
  /** The buttons that show the same month of another year, as Element Plus and Quasar have them. */
  readonly nextYear?: number;
  readonly previousYear?: number;
  /**
   * True if the buttons for the previous and the next month were found only by their position. They may be
   * other buttons, so the caller checks the effect of a click.
   */
  readonly guessed?: true;
}

/** Matches words and icon names of the button for the next month. */
const NEXT_MONTH =
  /next|nächst|weiter|suivant|siguiente|successiv|seguinte|volgend|następn|další|nästa|neste|næste|seuraava|következő|след|наступ|(chevron|arrow|angle|caret)[-_]?right|arrow[-_]forward|次|下|다음|^\s*[›»>→▶]\s*$/i;
/** Matches words and icon names of the button for the previous month. */
const PREVIOUS_MONTH =
  /prev|vorh|zurück|précédent|anterior|precedent|vorig|poprzedn|předch|föreg|forrige|edellinen|előző|пред|попер|(chevron|arrow|angle|caret)[-_]?left|arrow[-_]back|前|上|이전|^\s*[‹«<←◀]\s*$/i;
/** Matches words of buttons that change the year. */
const YEAR_BUTTON = /year|jahr|année|año|anno|ano(?!t)|год|decade/i;
/** Matches the labels of buttons that turn the calendar by more than one year. */
const DECADE_BUTTON = /decade|century|\d/i;
/** Selector of elements that are buttons by tag or role. */
const BUTTON = "button,a,[role=button]";
/** Number of ancestors of the calendar's head (month and year) in which its buttons are searched for. */
const MAX_LEVELS = 4;
/**
 * Maximum distance in pixels between an arrow button of a calendar and the calendar's grid of days or head (month
 * and year).
 */
const MAX_DISTANCE = 48;
/**
 * Maximum difference in pixels between the sizes, or between the edges, of two arrows. Two arrows within this
 * difference are taken as a pair for the previous and the next month.
 */
const TOLERANCE = 4;

const labelOf = (element: Element): string =>
  `${element.getAttribute("aria-label") ?? ""} ${element.getAttribute("title") ?? ""}`.trim();

/** Returns the classes, data attributes and icon names of an element. */
const iconTextsOf = (element: Element): readonly string[] =>
  [element, ...element.querySelectorAll("svg,i,span,use,img")].flatMap((part) =>
    [...part.attributes]
      .filter(({ name }) => /^(class|rel|name|icon|href|data-(direction|action|nav|icon|dir))$/.test(name))
      .map(({ name, value }) => (name === "href" && part === element ? "" : value)),
  );

const findButton = (
  panel: Element,
  wanted: RegExp,
  other: RegExp,
  turns: "month" | "year" = "month",
): number | undefined => {
  const matches = [...deepElements(panel)].filter((element) => {
    if (
      !element.matches("button,a,[role=button],th,span,div,i") ||
      !isSeen(element) ||
      cells.dayOf(element) !== undefined
    )
      return false;
    if (element.closest("td,[role=gridcell],[role=grid]") && !element.matches("th,button")) return false;
    const label = labelOf(element);
    const text = (element.textContent ?? "").trim();
    // The text of a button for another month is short, such as ">". A longer text is compared with the wanted
    // words only if it looks like `chevron_right`: an icon font draws such a text as an icon.
    const short = text.length <= 12 || /^[a-z]+(_[a-z]+)+$/.test(text) ? text : "";
    const marks = element.matches(BUTTON) ? iconTextsOf(element) : [element.getAttribute("class") ?? ""];
    const fits = [label, short, ...marks].some((part) => wanted.test(part));
    return (
      fits &&
      !other.test(label) &&
      (turns === "month"
        ? !YEAR_BUTTON.test([label, short, ...marks].join(" "))
        : YEAR_BUTTON.test(label) && !DECADE_BUTTON.test(label)) &&
      !identity.isDisabled(element)
    );
  });
  const button = matches.find((element) => element.matches(`${BUTTON},th`)) ?? matches[0];
  // With `true`, the button is later found again by its own words, and not by the texts around it. These
  // texts change when the calendar is redrawn.
  return button && identity.identify(button, true);
};

/**
 * Returns the box of the calendar's head: the smallest element with the name of a month, outside of the grid
 * of days.
 */
const headIn = (panel: Element, grid: Element): DOMRect | undefined => {
  const heads = [...deepElements(panel)].filter(
    (element) =>
      !isWithin(element, grid) &&
      !isWithin(grid, element) &&
      element.localName !== "option" &&
      isSeen(element) &&
      texts.monthIn(element.textContent ?? "") !== undefined,
  );
  const head = heads.find((element) => !heads.some((other) => other !== element && element.contains(other)));
  if (!head) return undefined;
  // Only the text nodes directly in the calendar's head are measured, because its child elements may be the
  // arrow buttons.
  const words = [...head.childNodes].filter((node) => node instanceof Text && node.data.trim() !== "");
  const range = document.createRange();
  range.setStartBefore(words[0] ?? head.firstChild ?? head);
  range.setEndAfter(words.at(-1) ?? head.lastChild ?? head);
  return range.getBoundingClientRect();
};

interface Arrow {
  readonly element: Element;
  readonly box: DOMRect;
}

/**
 * Returns two similar arrows: one on each side of the calendar's head (month and year), or both on the same
 * side of it.
 *
 * @param arrows the arrows in the row of the head, from left to right
 */
const pairAround = (head: DOMRect, arrows: readonly Arrow[]): readonly [Element, Element] | undefined => {
  const left = arrows.filter(({ box }) => box.right <= head.left + TOLERANCE);
  const right = arrows.filter(({ box }) => box.left >= head.right - TOLERANCE);
  const side = left.length === 0 ? right : right.length === 0 ? left : undefined;
  // If the head has four arrows, the outer two change the year, and the inner two change the month.
  const inner = side && side.length > 2 ? side.slice(1, 3) : side;
  const [item, other] = inner ?? [left.at(-1), right[0]];
  if (!item || !other || item.element.localName !== other.element.localName) return undefined;
  const isSimilar =
    Math.abs(item.box.width - other.box.width) <= TOLERANCE &&
    Math.abs(item.box.height - other.box.height) <= TOLERANCE;
  return isSimilar ? [item.element, other.element] : undefined;
};

/** Guesses the buttons for the previous and the next month by their position at the calendar's head. */
const guessByPosition = (panel: Element, grid: Element): MonthButtons => {
  const head = headIn(panel, grid);
  if (!head) return {};
  const days = grid.getBoundingClientRect();
  const middle = (head.top + head.bottom) / 2;
  const arrows = [...deepElements(panel)]
    .filter(
      (element) =>
        element.matches(BUTTON) &&
        labelOf(element) === "" &&
        !/[\p{L}\d]/u.test(element.textContent ?? "") &&
        !isWithin(element, grid) &&
        isSeen(element) &&
        !identity.isDisabled(element),
    )
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.top < middle && box.bottom > middle)
    .toSorted((first, other) => first.box.left - other.box.left);
  const isNearGrid = ({ box }: Arrow): boolean =>
    box.left > days.left - MAX_DISTANCE && box.right < days.right + MAX_DISTANCE;
  // If the text of the head (month and year) is wider than the grid of days, the arrows beside the head are
  // not near the grid.
  const isNearHead = ({ box }: Arrow): boolean =>
    Math.max(head.left - box.right, box.left - head.right) < MAX_DISTANCE;
  const pair = pairAround(head, arrows.filter(isNearGrid)) ?? pairAround(head, arrows.filter(isNearHead));
  if (!pair) return {};
  const [first, last] = [identity.identify(pair[0], true), identity.identify(pair[1], true)];
  const rtl = getComputedStyle(grid).direction === "rtl";
  return rtl
    ? { next: first, previous: last, guessed: true }
    : { next: last, previous: first, guessed: true };
};

function* upFrom(panel: Element): Generator<Element> {
  let up: Element | null = panel;
  for (let level = 0; up && level < MAX_LEVELS && up !== document.body; level++, up = registry.parentOf(up))
    yield up;
}

/** Returns the buttons for other months and years. The result is empty when they are not found. */
export function monthButtons(panel: Element, grid: Element): MonthButtons {
  return { ...buttonsOfMonths(panel, grid), ...yearButtons(panel) };
}

/** Returns the buttons for the previous and the next year, if the calendar has both and labels them. */
function yearButtons(panel: Element): MonthButtons {
  for (const up of upFrom(panel)) {
    const nextYear = findButton(up, NEXT_MONTH, PREVIOUS_MONTH, "year");
    const previousYear = findButton(up, PREVIOUS_MONTH, NEXT_MONTH, "year");
    if (nextYear !== undefined && previousYear !== undefined) return { nextYear, previousYear };
  }
  return {};
}

function buttonsOfMonths(panel: Element, grid: Element): MonthButtons {
  let [next, previous]: (number | undefined)[] = [];
  for (const up of upFrom(panel)) {
    next ??= findButton(up, NEXT_MONTH, PREVIOUS_MONTH);
    previous ??= findButton(up, PREVIOUS_MONTH, NEXT_MONTH);
    if (next !== undefined && previous !== undefined) break;
  }
  if (next !== undefined || previous !== undefined)
    return { ...(next === undefined ? {} : { next }), ...(previous === undefined ? {} : { previous }) };
  for (const up of upFrom(panel)) {
    const guessed = guessByPosition(up, grid);
    if (guessed.guessed) return guessed;
  }
  return {};
}

/** Returns the label of the calendar's button that confirms the marked date. */
export function confirmLabel(panel: Element, field: Element | undefined): string | undefined {
  for (const up of upFrom(panel)) {
    if (field && isWithin(field, up)) return undefined;
    for (const element of deepElements(up)) {
      if (!element.matches(BUTTON)) continue;
      const root = element.getRootNode();
      // The label of a button in a shadow root may be slotted. Its text then belongs to the host of the
      // shadow root.
      const slotted = root instanceof ShadowRoot ? root.host.textContent : null;
      const name = (
        element.getAttribute("aria-label") ||
        element.textContent?.trim() ||
        slotted ||
        ""
      ).trim();
      if (CONFIRM_LABEL.test(name.toLowerCase()) && isSeen(element) && !identity.isDisabled(element))
        return name;
    }
  }
  return undefined;
}
