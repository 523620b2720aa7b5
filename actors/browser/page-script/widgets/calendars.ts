/**
 * In the page: calendars that scripts draw, read as months with their days and the ways to other months.
 *
 * A calendar is known by its days: numbers up to 31 in cells of their own, near a year and the name of a month. Sent as
 * its own source. Neighbours: `calendar-cells.ts` finds the days, `calendar-ways.ts` what turns them, `../turning.ts`
 * turns the pages and clicks the day.
 */

import { registry } from "../document-state.ts";
import { deepElements, isSeen, isWithin } from "../dom.ts";
import { identity } from "../world-parts.ts";
import type { MonthButtons } from "./calendar-buttons.ts";
import { calendarButtons as ways } from "./calendar-buttons.ts";
import { calendarCells } from "./calendar-cells.ts";
import { dateTexts as texts } from "./date-texts.ts";

export interface CalendarDay {
  readonly id: number;
  readonly day: number;
  /** `2026-11-22`, where the cell says so itself. */
  readonly date?: string;
  /** Of the month before or after, as far as that can be told. */
  readonly outside: boolean;
  readonly disabled: boolean;
}

export interface CalendarMonth extends MonthButtons {
  readonly year: number;
  /** From 1 on. */
  readonly month: number;
  readonly days: readonly CalendarDay[];
  /** Whether the days can be those of the month in the head; `undefined` where they do not show it. */
  readonly fits?: boolean;
  /** Fields in which the year and the month are chosen, where there are any; values of the months from the first on. */
  readonly monthPickers?: {
    readonly year: number;
    readonly months?: { readonly id: number; readonly values: readonly string[] };
  };
}

/**
 * How calendars stand to a field before it is clicked: it is in one, or says that its own is open; one was left open for
 * its other date; one stands beside it, which may be its own or not.
 */
export type CalendarState = "open" | "left" | "beside" | "none";

/** What a field says of its date. */
export interface DateShown {
  /** Of what is typed into. */
  readonly value?: string;
  /** Whether it names the date, or did before and still does. */
  readonly names: boolean;
  /** It names the first of two dates, and the other is missing. */
  readonly half: boolean;
}

export interface Calendars {
  /** Notes those that are seen before a field is clicked. */
  mark(field: number): CalendarState;
  /**
   * The one that is seen, the nearest to a field first; that which was read last, while it is there.
   * @param came only one that was not seen before the field was clicked
   */
  month(field: number, came: boolean): CalendarMonth | undefined;
  /** It waits for another date, and so does the field. */
  expectSecondDate(field: number): void;
  /** That of `month` goes out of sight by degrees. */
  isClosing(): boolean;
  isChosen(day: number): boolean;
  /** Whether the field, or the field beside it where it is none, such as a calendar's button, names a date. */
  dateShown(field: number, date: string): DateShown;
  /** What a button is called by which the calendar of `month` takes what is marked in it. */
  confirmLabel(field: number): string | undefined;
}

const { dayOf, daysIn, gridsIn, dateOf, isMarked, isClipped, fits } = calendarCells;

const OUTSIDE =
  /(^|[-_ ])(old|new|prev(ious)?(month)?|next(month)?|other|outside|adjacent|off|faded|muted)([-_ ]|$)|othermonth|prevmonth|nextmonth|outside/i;
/** Pixels between a field and a calendar that is drawn for it, with a head over its days. */
const BESIDE = 160;
const FIELDS = "input:not([type=hidden]),textarea,[aria-haspopup],[role=combobox]";

/** Those that were seen before the field was clicked. */
let before = new WeakSet<Element>();
/** What the field said then. */
let said: readonly string[] = [];
/** What the fields beside it held then. */
let near = new WeakMap<Element, string>();
/** The field for which one was left open. */
let waiting: Element | undefined;
/** What was read last, with its head. */
let read: { readonly grid: Element; readonly panel: Element } | undefined;

const headOf = (panel: Element, cells: readonly Element[]): string => {
  const found: string[] = [panel.getAttribute("aria-label") ?? ""];
  for (const one of [panel, ...deepElements(panel)]) {
    if (one instanceof HTMLInputElement && isSeen(one)) found.push(one.value);
    if (one instanceof HTMLSelectElement) found.push(one.selectedOptions[0]?.label ?? "");
    if (one.closest("select") || cells.some((cell) => cell.contains(one)) || !isSeen(one)) continue;
    for (const node of one.childNodes) if (node instanceof Text) found.push(node.data);
  }
  return found.join(" ");
};

const leapsIn = (panel: Element, year: number): CalendarMonth["monthPickers"] => {
  const lists = [...panel.querySelectorAll("select")].filter(isSeen);
  const years =
    lists.find(
      ({ selectedOptions: [chosen] }) => chosen && texts.yearIn(`${chosen.label} ${chosen.value}`) === year,
    ) ?? [...panel.querySelectorAll("input")].find((field) => isSeen(field) && field.value === String(year));
  if (!years) return undefined;
  const months = lists.find((list) => list !== years && list.options.length === 12);
  const values = months ? [...months.options].map(({ value }) => value) : [];
  return {
    year: identity.identify(years),
    ...(months ? { months: { id: identity.identify(months), values } } : {}),
  };
};

/** The days of a grid with the head over them. */
const headed = (grid: Element) => {
  const cells = daysIn(grid);
  let panel: Element | null = grid;
  for (let level = 0; panel && level < 6 && panel !== document.body; level++) {
    const head = headOf(panel, cells);
    const [year, month] = [texts.yearIn(head), texts.monthIn(head)];
    if (year !== undefined && month !== undefined) return { cells, panel, year, month };
    panel = registry.parentOf(panel);
  }
  return undefined;
};

/** What most of them say; of the others each says that it is another month's. */
const monthsOf = (cells: readonly Element[]): ReadonlySet<Element> => {
  const groups = Map.groupBy(cells, (cell) => {
    const box = cell.hasAttribute("data-month") ? cell : cell.closest("[data-month]");
    return box && dayOf(box) !== undefined ? box.getAttribute("data-month") : null;
  });
  const [most, ...others] = [...groups].toSorted(([, one], [, other]) => other.length - one.length);
  if (!most || most[0] === null) return new Set();
  return new Set(others.filter(([month]) => month !== null).flatMap(([, group]) => group));
};

const daysOf = (cells: readonly Element[], month: number): readonly CalendarDay[] => {
  // Days run up once: what stands before the first 1 and after the last day is another month's.
  const numbers = cells.map((cell) => dayOf(cell) ?? 0);
  const first = numbers.indexOf(1);
  const second = numbers.indexOf(1, first + 1);
  const others = monthsOf(cells);
  return cells.map((cell, at) => {
    const day = numbers[at] ?? 0;
    const date = dateOf(cell, day);
    const around = `${cell.getAttribute("class") ?? ""} ${cell.parentElement?.matches("td,[role=gridcell]") ? cell.parentElement.className : ""}`;
    const named = texts.monthIn(cell.getAttribute("aria-label") ?? "") ?? month;
    return {
      id: identity.identify(cell),
      day,
      ...(date === undefined ? {} : { date }),
      outside:
        at < first ||
        (second >= 0 && at >= second) ||
        OUTSIDE.test(around) ||
        named !== month ||
        others.has(cell),
      disabled: identity.isDisabled(cell) || /(^|[-_ ])disabled([-_ ]|$)/.test(around),
    };
  });
};

const gap = (one: DOMRect, other: DOMRect): number =>
  Math.max(one.left - other.right, other.left - one.right, 0) +
  Math.max(other.top - one.bottom, one.top - other.bottom, 0);

/** No field in another row of the page is nearer to it. */
const isNearest = (element: Element, grid: Element): boolean => {
  const [mine, days] = [element.getBoundingClientRect(), grid.getBoundingClientRect()];
  const panel = headed(grid)?.panel ?? grid;
  return ![...document.querySelectorAll(FIELDS)].some((other) => {
    if (other === element || isWithin(other, panel) || isWithin(other, element) || !isSeen(other))
      return false;
    const box = other.getBoundingClientRect();
    const sameRow = box.top < mine.bottom && box.bottom > mine.top;
    return !sameRow && gap(box, days) < gap(mine, days);
  });
};

/** What is written in it, or what it is called. */
const saidBy = (element: Element | undefined): readonly string[] => {
  if (!element) return [];
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return [element.value];
  return [
    element.textContent ?? "",
    element.getAttribute("aria-label") ?? "",
    element.getAttribute("title") ?? "",
  ];
};

/** The fields that stand nearest to an element that is none, as its calendar's button is. */
const fieldsBeside = (element: Element): readonly (HTMLInputElement | HTMLTextAreaElement)[] => {
  for (let box = registry.parentOf(element); box; box = registry.parentOf(box)) {
    const fields = [...deepElements(box)].filter(
      (one) =>
        one instanceof HTMLTextAreaElement ||
        (one instanceof HTMLInputElement &&
          !/^(hidden|checkbox|radio|submit|button|reset|image|file)$/.test(one.type)),
    );
    // By what was just filtered.
    if (fields.length > 0) return fields as (HTMLInputElement | HTMLTextAreaElement)[];
  }
  return [];
};

/** One of them names it. Where there are several, what one held before is its own. */
const beside = (element: Element, date: string): boolean => {
  const fields = fieldsBeside(element);
  return fields.some(
    (field) =>
      (fields.length === 1 || field.value !== near.get(field)) &&
      field.value !== "" &&
      texts.mentions(field.value, date),
  );
};

export const calendars: Calendars = {
  mark(field) {
    const grids = gridsIn();
    const element = identity.find(field);
    said = saidBy(element);
    near = new WeakMap(element ? fieldsBeside(element).map((one) => [one, one.value] as const) : []);
    if (element && element === waiting && grids.some((grid) => !before.has(grid))) return "left";
    [waiting, read] = [undefined, undefined];
    before = new WeakSet(grids);
    if (!element || grids.length === 0) return "none";
    const isField = element.matches("input,select,textarea");
    const isPart = (grid: Element): boolean =>
      isWithin(grid, element) || (!isField && isWithin(element, headed(grid)?.panel ?? grid));
    if (element.getAttribute("aria-expanded") === "true" || grids.some(isPart)) return "open";
    const box = element.getBoundingClientRect();
    return grids.some((grid) => gap(grid.getBoundingClientRect(), box) <= BESIDE && isNearest(element, grid))
      ? "beside"
      : "none";
  },

  month(field, came) {
    const element = identity.find(field);
    const box = element?.getBoundingClientRect();
    const controlled = (element?.getAttribute("aria-controls") ?? "").split(/\s+/).filter(Boolean);
    const grids = gridsIn().filter((grid) => !came || !before.has(grid));
    const rank = (grid: Element): number =>
      (read && isWithin(grid, read.panel) ? 0 : 8) +
      (controlled.some((id) => grid.closest(`#${CSS.escape(id)}`)) ? 0 : 4) +
      // One that came as the field was clicked is the field's, wherever others stand.
      (before.has(grid) ? 2 : 0) +
      (isClipped(grid) ? 1 : 0);
    const distance = (grid: Element): number => {
      const { left, top } = grid.getBoundingClientRect();
      return box ? Math.abs(left - box.left) + Math.abs(top - box.bottom) : 0;
    };
    const ranked = grids.toSorted((one, other) => rank(one) - rank(other) || distance(one) - distance(other));
    for (const grid of ranked) {
      const found = headed(grid);
      if (!found) continue;
      const { cells, panel, year, month } = found;
      read = { grid, panel };
      const leaps = leapsIn(panel, year);
      const fit = fits(cells, year, month);
      return {
        year,
        month,
        ...(leaps ? { monthPickers: leaps } : {}),
        ...(fit === undefined ? {} : { fits: fit }),
        days: daysOf(cells, month),
        ...ways.monthButtons(panel, grid),
      };
    }
    return undefined;
  },

  expectSecondDate(field) {
    waiting = identity.find(field);
  },

  isClosing() {
    const grid = read?.grid;
    if (!grid?.isConnected) return false;
    return document
      .getAnimations()
      .some(
        ({ effect, playState }) =>
          playState === "running" &&
          effect instanceof KeyframeEffect &&
          effect.target !== null &&
          isWithin(grid, effect.target) &&
          effect.getComputedTiming().iterations !== Number.POSITIVE_INFINITY,
      );
  },

  isChosen(day) {
    const cell = identity.find(day);
    return cell !== undefined && isMarked(cell);
  },

  dateShown(field, date) {
    const element = identity.find(field);
    const now = saidBy(element);
    const naming = now.filter((text, at) => text !== "" && texts.mentions(text, date, text !== said[at]));
    const half = naming.some((text) => /[-–—~→]\s*$/.test(text));
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
      return { value: element.value, names: naming.length > 0, half };
    return { names: naming.length > 0 || (element !== undefined && beside(element, date)), half };
  },

  confirmLabel(field) {
    return read && ways.confirmLabel(read.panel, identity.find(field));
  },
};
