/**
 * Reads custom calendars as a month with its days and the buttons for other months. A calendar is recognised
 * by day cells near a year and the name of a month.
 */

import { registry } from "../page-script-document-state.ts";
import { deepElements, isSeen, isWithin } from "../shadow-dom.ts";
import { identity } from "../world-bundle-modules-for-actions-bundle.ts";
import { dateOf, dayOf, daysIn, fits, gridsIn, isClipped, isMarked } from "./calendar-cells.ts";
import type { MonthButtons } from "./calendar-month-and-confirm-buttons.ts";
import * as calendarButtons from "./calendar-month-and-confirm-buttons.ts";
import { dateTexts as texts } from "./dates-in-language-of-page.ts";

export interface CalendarDay {
  readonly id: number;
  readonly day: number;
  /** The date of the day, such as `2026-11-22`, if attributes of the cell contain it. */
  readonly date?: string;
  /** Whether the day is known to belong to the previous or next month. */
  readonly outside: boolean;
  readonly disabled: boolean;
}

export interface CalendarMonth extends MonthButtons {
  readonly year: number;
  /** The month, from 1 to 12. */
  readonly month: number;
  readonly days: readonly CalendarDay[];
  /**
   * Whether the calendar shows the right days for the month in its head. It is `undefined` when this cannot
   * be determined.
   */
  readonly fits?: boolean;
  /**
   * The fields for the choice of year and month. `values` contains the option values of the months, from
   * January on.
   */
  readonly monthPickers?: {
    readonly year: number;
    readonly months?: { readonly id: number; readonly values: readonly string[] };
  };
}

/**
 * The state of a field's calendar before the field is clicked. `open`: the field is part of a visible
 * calendar, or declares that it is expanded. `left`: the last action left the calendar open for a second
 * date. `beside`: a visible calendar is near the field and may belong to it. `none`: no calendar is visible
 * for the field.
 */
export type CalendarState = "open" | "left" | "beside" | "none";

/** The text and the date in a date field, compared with the wanted date. */
export interface DateShown {
  /** The text in the date field; absent when the element is no text field. */
  readonly value?: string;
  /** Whether the text in the date field names the wanted date. */
  readonly names: boolean;
  /** Whether the field shows the first date of a range, while its calendar waits for the second date. */
  readonly half: boolean;
}

export interface Calendars {
  /**
   * Records the visible calendars before a field is clicked, so that `month` can find the calendar that the
   * click opens.
   */
  mark(field: number): CalendarState;
  /**
   * Returns the visible calendar: the one that was read last, otherwise the one that is nearest to the field.
   *
   * @param came whether the calendar must have become visible after the field was clicked
   */
  month(field: number, came: boolean): CalendarMonth | undefined;
  /**
   * Records that the field expects a range of dates: its calendar stays open until the second date is chosen.
   */
  expectSecondDate(field: number): void;
  /** Whether an animation is currently hiding the calendar that was read last. */
  isClosing(): boolean;
  isChosen(day: number): boolean;
  /**
   * Returns the date that the field displays. If the field is a button that opens a calendar, reads the text
   * field next to it.
   */
  dateShown(field: number, date: string): DateShown;
  /**
   * Returns the label of the button that confirms the marked date. The button belongs to the calendar that
   * was read last.
   */
  confirmLabel(field: number): string | undefined;
}

/** Matches classes of days that belong to another month. */
const OUTSIDE_CLASS =
  /(^|[-_ ])(old|new|prev(ious)?(month)?|next(month)?|other|outside|adjacent|off|faded|muted)([-_ ]|$)|othermonth|prevmonth|nextmonth|outside/i;
/** Maximum distance, in pixels, at which a visible calendar may belong to a field. */
const MAX_FIELD_DISTANCE = 160;
/** Number of ancestors of the grid of days that are searched for the calendar's head (month and year). */
const HEAD_LEVELS = 6;
/** Selector of fields, and of buttons that may open a calendar. */
const FIELDS = "input:not([type=hidden]),textarea,[aria-haspopup],[role=combobox]";

/** The grids of days that were visible before the field was clicked. */
let before = new WeakSet<Element>();
/** The texts of the field and of its label before the field was clicked. */
let textsBefore: readonly string[] = [];
/** The values of the fields near the clicked field, before the click. */
let valuesBefore = new WeakMap<Element, string>();
/** The field whose calendar the previous action left open, because the field expects a second date. */
let expectingField: Element | undefined;
/**
 * The grid of days that was read last. `panel` is the element that contains this grid and its head (month and
 * year).
 */
let lastRead: { readonly grid: Element; readonly panel: Element } | undefined;

const headOf = (panel: Element, cells: readonly Element[]): string => {
  const found: string[] = [panel.getAttribute("aria-label") ?? ""];
  for (const element of [panel, ...deepElements(panel)]) {
    if (element instanceof HTMLInputElement && isSeen(element)) found.push(element.value);
    if (element instanceof HTMLSelectElement) found.push(element.selectedOptions[0]?.label ?? "");
    if (element.closest("select") || cells.some((cell) => cell.contains(element)) || !isSeen(element))
      continue;
    for (const node of element.childNodes) if (node instanceof Text) found.push(node.data);
  }
  return found.join(" ");
};

const monthPickersIn = (panel: Element, year: number): CalendarMonth["monthPickers"] => {
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

/**
 * Returns the day cells of a grid together with the year and month that the head of the grid shows. Returns
 * `undefined` for a grid without a head.
 */
const withHead = (grid: Element) => {
  const cells = daysIn(grid);
  let panel: Element | null = grid;
  for (let level = 0; panel && level < HEAD_LEVELS && panel !== document.body; level++) {
    const head = headOf(panel, cells);
    const [year, month] = [texts.yearIn(head), texts.monthIn(head)];
    if (year !== undefined && month !== undefined) return { cells, panel, year, month };
    panel = registry.parentOf(panel);
  }
  return undefined;
};

/**
 * Returns the cells of other months, by the attribute `data-month`. The value that most cells have is the
 * shown month, and every other value is another month.
 */
const cellsOfOtherMonths = (cells: readonly Element[]): ReadonlySet<Element> => {
  const groups = Map.groupBy(cells, (cell) => {
    const box = cell.hasAttribute("data-month") ? cell : cell.closest("[data-month]");
    return box && dayOf(box) !== undefined ? box.getAttribute("data-month") : null;
  });
  const [most, ...others] = [...groups].toSorted(([, first], [, other]) => other.length - first.length);
  if (!most || most[0] === null) return new Set();
  return new Set(others.filter(([month]) => month !== null).flatMap(([, group]) => group));
};

const daysOf = (cells: readonly Element[], month: number): readonly CalendarDay[] => {
  // In the grid of a month, the shown month starts at the first cell with the number 1 and ends before the
  // second such cell. The other cells belong to the month before or after.
  const numbers = cells.map((cell) => dayOf(cell) ?? 0);
  const first = numbers.indexOf(1);
  const second = numbers.indexOf(1, first + 1);
  const others = cellsOfOtherMonths(cells);
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
        OUTSIDE_CLASS.test(around) ||
        named !== month ||
        others.has(cell),
      disabled: identity.isDisabled(cell) || /(^|[-_ ])disabled([-_ ]|$)/.test(around),
    };
  });
};

const gap = (first: DOMRect, other: DOMRect): number =>
  Math.max(first.left - other.right, other.left - first.right, 0) +
  Math.max(other.top - first.bottom, first.top - other.bottom, 0);

/**
 * Whether this element is the field nearest to the calendar. Other fields in the same row do not count,
 * because a calendar below a row may belong to any field of the row.
 */
const isNearest = (element: Element, grid: Element): boolean => {
  const [mine, days] = [element.getBoundingClientRect(), grid.getBoundingClientRect()];
  const panel = withHead(grid)?.panel ?? grid;
  return ![...document.querySelectorAll(FIELDS)].some((other) => {
    if (other === element || isWithin(other, panel) || isWithin(other, element) || !isSeen(other))
      return false;
    const box = other.getBoundingClientRect();
    const sameRow = box.top < mine.bottom && box.bottom > mine.top;
    return !sameRow && gap(box, days) < gap(mine, days);
  });
};

/** Returns the value of a text field. For another element, it returns the element's text and label. */
const textsOf = (element: Element | undefined): readonly string[] => {
  if (!element) return [];
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return [element.value];
  return [
    element.textContent ?? "",
    element.getAttribute("aria-label") ?? "",
    element.getAttribute("title") ?? "",
  ];
};

/** Returns the fields nearest to an element that is not a field itself, such as a calendar button. */
const nearestFields = (element: Element): readonly (HTMLInputElement | HTMLTextAreaElement)[] => {
  for (let box = registry.parentOf(element); box; box = registry.parentOf(box)) {
    const fields = [...deepElements(box)].filter(
      (element) =>
        element instanceof HTMLTextAreaElement ||
        (element instanceof HTMLInputElement &&
          !/^(hidden|checkbox|radio|submit|button|reset|image|file)$/.test(element.type)),
    );
    // The cast is safe: the filter above keeps only fields.
    if (fields.length > 0) return fields as (HTMLInputElement | HTMLTextAreaElement)[];
  }
  return [];
};

/**
 * Whether the field that is nearest to the element contains the date. If several fields are equally near,
 * only those count whose value has changed since the click.
 */
const nearestFieldHas = (element: Element, date: string): boolean => {
  const fields = nearestFields(element);
  return fields.some(
    (field) =>
      (fields.length === 1 || field.value !== valuesBefore.get(field)) &&
      field.value !== "" &&
      texts.mentions(field.value, date),
  );
};

export const calendars: Calendars = {
  mark(field) {
    const grids = gridsIn();
    const element = identity.find(field);
    textsBefore = textsOf(element);
    valuesBefore = new WeakMap(
      element ? nearestFields(element).map((input) => [input, input.value] as const) : [],
    );
    if (element && element === expectingField && grids.some((grid) => !before.has(grid))) return "left";
    [expectingField, lastRead] = [undefined, undefined];
    before = new WeakSet(grids);
    if (!element || grids.length === 0) return "none";
    const isField = element.matches("input,select,textarea");
    const isPart = (grid: Element): boolean =>
      isWithin(grid, element) || (!isField && isWithin(element, withHead(grid)?.panel ?? grid));
    if (element.getAttribute("aria-expanded") === "true" || grids.some(isPart)) return "open";
    const box = element.getBoundingClientRect();
    return grids.some(
      (grid) => gap(grid.getBoundingClientRect(), box) <= MAX_FIELD_DISTANCE && isNearest(element, grid),
    )
      ? "beside"
      : "none";
  },

  month(field, came) {
    const element = identity.find(field);
    const box = element?.getBoundingClientRect();
    const controlled = (element?.getAttribute("aria-controls") ?? "").split(/\s+/).filter(Boolean);
    const grids = gridsIn().filter((grid) => !came || !before.has(grid));
    const rank = (grid: Element): number =>
      (lastRead && isWithin(grid, lastRead.panel) ? 0 : 8) +
      (controlled.some((id) => grid.closest(`#${CSS.escape(id)}`)) ? 0 : 4) +
      // A calendar that appeared after the click belongs to the clicked field. So it is preferred to a
      // calendar that was visible before the click, even if that one is nearer.
      (before.has(grid) ? 2 : 0) +
      (isClipped(grid) ? 1 : 0);
    const distance = (grid: Element): number => {
      const { left, top } = grid.getBoundingClientRect();
      return box ? Math.abs(left - box.left) + Math.abs(top - box.bottom) : 0;
    };
    const ranked = grids.toSorted(
      (first, other) => rank(first) - rank(other) || distance(first) - distance(other),
    );
    for (const grid of ranked) {
      const found = withHead(grid);
      if (!found) continue;
      const { cells, panel, year, month } = found;
      lastRead = { grid, panel };
      const monthPickers = monthPickersIn(panel, year);
      const fit = fits(cells, year, month);
      return {
        year,
        month,
        ...(monthPickers ? { monthPickers } : {}),
        ...(fit === undefined ? {} : { fits: fit }),
        days: daysOf(cells, month),
        ...calendarButtons.monthButtons(panel, grid),
      };
    }
    return undefined;
  },

  expectSecondDate(field) {
    expectingField = identity.find(field);
  },

  isClosing() {
    const grid = lastRead?.grid;
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
    const now = textsOf(element);
    const naming = now.filter(
      (text, at) => text !== "" && texts.mentions(text, date, text !== textsBefore[at]),
    );
    const half = naming.some((text) => /[-–—~→]\s*$/.test(text));
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
      return { value: element.value, names: naming.length > 0, half };
    return { names: naming.length > 0 || (element !== undefined && nearestFieldHas(element, date)), half };
  },

  confirmLabel(field) {
    return lastRead && calendarButtons.confirmLabel(lastRead.panel, identity.find(field));
  },
};
