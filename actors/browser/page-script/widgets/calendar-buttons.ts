/**
 * Buttons of a custom calendar that show the previous and next month, and the button that confirms a date.
 * Found by words, icons or position.
 */
import { CONFIRM_LABEL } from "../button-words.ts";
import { registry } from "../document-state.ts";
import { deepElements, isSeen, isWithin } from "../dom.ts";
import { identity } from "../world-parts.ts";
import * as cells from "./calendar-cells.ts";
import { dateTexts as texts } from "./date-texts.ts";

export interface MonthButtons {
  readonly next?: number;
  readonly previous?: number;
  /** Found by their position only; the driver checks what they do. */
  readonly guessed?: true;
}

/** Words and icon names of the button for the next month. */
const NEXT_MONTH =
  /next|nächst|weiter|suivant|siguiente|successiv|seguinte|volgend|następn|další|nästa|neste|næste|seuraava|következő|след|наступ|(chevron|arrow|angle|caret)[-_]?right|arrow[-_]forward|次|下|다음|^\s*[›»>→▶]\s*$/i;
/** Words and icon names of the button for the previous month. */
const PREVIOUS_MONTH =
  /prev|vorh|zurück|précédent|anterior|precedent|vorig|poprzedn|předch|föreg|forrige|edellinen|előző|пред|попер|(chevron|arrow|angle|caret)[-_]?left|arrow[-_]back|前|上|이전|^\s*[‹«<←◀]\s*$/i;
/** Words of buttons that change the year. */
const YEAR_BUTTON = /year|jahr|année|año|anno|ano(?!t)|год|decade/i;
/** Elements that are buttons by tag or role. */
const BUTTON = "button,a,[role=button]";
/** Levels above the head in which its buttons are searched. */
const MAX_LEVELS = 4;
/** Pixels: maximum distance of an arrow from the days. */
const MAX_DISTANCE = 48;
/** Pixels by which the sizes and edges of two like arrows may differ. */
const TOLERANCE = 4;

const labelOf = (one: Element): string =>
  `${one.getAttribute("aria-label") ?? ""} ${one.getAttribute("title") ?? ""}`.trim();

/** Classes, data attributes and icon names. */
const iconTextsOf = (one: Element): readonly string[] =>
  [one, ...one.querySelectorAll("svg,i,span,use,img")].flatMap((part) =>
    [...part.attributes]
      .filter(({ name }) => /^(class|rel|name|icon|href|data-(direction|action|nav|icon|dir))$/.test(name))
      .map(({ name, value }) => (name === "href" && part === one ? "" : value)),
  );

const findButton = (panel: Element, wanted: RegExp, other: RegExp): number | undefined => {
  const matches = [...deepElements(panel)].filter((one) => {
    if (
      !one.matches("button,a,[role=button],th,span,div,i") ||
      !isSeen(one) ||
      cells.dayOf(one) !== undefined
    )
      return false;
    if (one.closest("td,[role=gridcell],[role=grid]") && !one.matches("th,button")) return false;
    const label = labelOf(one);
    const text = (one.textContent ?? "").trim();
    // Ligature names of icon fonts are longer than button words.
    const short = text.length <= 12 || /^[a-z]+(_[a-z]+)+$/.test(text) ? text : "";
    const marks = one.matches(BUTTON) ? iconTextsOf(one) : [one.getAttribute("class") ?? ""];
    const fits = [label, short, ...marks].some((part) => wanted.test(part));
    return (
      fits &&
      !other.test(label) &&
      !YEAR_BUTTON.test([label, short, ...marks].join(" ")) &&
      !identity.isDisabled(one)
    );
  });
  const button = matches.find((one) => one.matches(`${BUTTON},th`)) ?? matches[0];
  // The days around it are redrawn while the button stays the same.
  return button && identity.identify(button, true);
};

/** The smallest element outside of the grid that names the month. */
const headIn = (panel: Element, grid: Element): DOMRect | undefined => {
  const heads = [...deepElements(panel)].filter(
    (one) =>
      !isWithin(one, grid) &&
      !isWithin(grid, one) &&
      one.localName !== "option" &&
      isSeen(one) &&
      texts.monthIn(one.textContent ?? "") !== undefined,
  );
  const head = heads.find((one) => !heads.some((other) => other !== one && one.contains(other)));
  if (!head) return undefined;
  // Only its words, since the arrows may be inside the head.
  const words = [...head.childNodes].filter((node) => node instanceof Text && node.data.trim() !== "");
  const range = document.createRange();
  range.setStartBefore(words[0] ?? head.firstChild ?? head);
  range.setEndAfter(words.at(-1) ?? head.lastChild ?? head);
  return range.getBoundingClientRect();
};

/** Two similar arrows without words, on both sides of the head or on one side. */
const guessByPosition = (panel: Element, grid: Element): MonthButtons => {
  const head = headIn(panel, grid);
  if (!head) return {};
  const days = grid.getBoundingClientRect();
  const middle = (head.top + head.bottom) / 2;
  const arrows = [...deepElements(panel)]
    .filter(
      (one) =>
        one.matches(BUTTON) &&
        labelOf(one) === "" &&
        !/[\p{L}\d]/u.test(one.textContent ?? "") &&
        !isWithin(one, grid) &&
        isSeen(one) &&
        !identity.isDisabled(one),
    )
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(
      ({ box }) =>
        box.top < middle &&
        box.bottom > middle &&
        box.left > days.left - MAX_DISTANCE &&
        box.right < days.right + MAX_DISTANCE,
    )
    .toSorted((one, other) => one.box.left - other.box.left);
  const left = arrows.filter(({ box }) => box.right <= head.left + TOLERANCE);
  const right = arrows.filter(({ box }) => box.left >= head.right - TOLERANCE);
  const side = left.length === 0 ? right : right.length === 0 ? left : undefined;
  // Of four arrows the outer two change the year.
  const inner = side && side.length > 2 ? side.slice(1, 3) : side;
  const [one, other] = inner ?? [left.at(-1), right[0]];
  if (!one || !other || one.element.localName !== other.element.localName) return {};
  if (
    Math.abs(one.box.width - other.box.width) > TOLERANCE ||
    Math.abs(one.box.height - other.box.height) > TOLERANCE
  )
    return {};
  const [first, last] = [identity.identify(one.element, true), identity.identify(other.element, true)];
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

/** The buttons for the previous and next month; empty where they are not found. */
export function monthButtons(panel: Element, grid: Element): MonthButtons {
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

/** Label of the button that confirms the marked date. */
export function confirmLabel(panel: Element, field: Element | undefined): string | undefined {
  for (const up of upFrom(panel)) {
    if (field && isWithin(field, up)) return undefined;
    for (const one of deepElements(up)) {
      if (!one.matches(BUTTON)) continue;
      const root = one.getRootNode();
      // The label may be slotted from outside of the shadow root.
      const slotted = root instanceof ShadowRoot ? root.host.textContent : null;
      const name = (one.getAttribute("aria-label") || one.textContent?.trim() || slotted || "").trim();
      if (CONFIRM_LABEL.test(name.toLowerCase()) && isSeen(one) && !identity.isDisabled(one)) return name;
    }
  }
  return undefined;
}
