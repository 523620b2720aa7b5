/**
 * Finds the grids of days in custom calendars, and the day cells in each grid. A day cell is an element that
 * contains a number up to 31.
 */

import { registry } from "../page-script-document-state.ts";
import { deepElements, isSeen } from "../shadow-dom.ts";
import { dateTexts as texts } from "./dates-in-language-of-page.ts";

/** Selector of elements that the page declares as cells. */
const CELL = "td,[role=gridcell]";
/** Maximum difference in pixels between two positions that count as equal. */
const TOLERANCE = 2;
/** Maximum number of levels between a day cell and the grid that contains it. */
const GRID_LEVELS = 4;
/** Minimum number of cells in a grid of days: a February of 28 days. */
const MIN_CELLS = 28;
/** Maximum number of cells in a grid of days: six weeks with week numbers (48 cells), and a tolerance of two. */
const MAX_CELLS = 50;
/**
 * Maximum number of cells in a grid of days without week numbers. Six weeks have 42 cells, and two more are
 * allowed.
 */
const MAX_DAYS = 44;
/**
 * Number of ancestors of a grid that are checked for clipping. An ancestor that is scrolled horizontally may
 * hide the grid.
 */
const CLIPPING_LEVELS = 8;

/** Returns the number of the day that a cell shows, if the cell contains nothing else. */
export const dayOf = (element: Element): number | undefined => {
  if (element.children.length > 2) return undefined;
  const text = (element.textContent ?? "").trim();
  const day = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return day >= 1 && day <= 31 ? day : undefined;
};

const cellsIn = (container: Element): readonly Element[] => {
  const days = [...deepElements(container)].filter(
    (element) => dayOf(element) !== undefined && isSeen(element),
  );
  // Several nested elements may contain the number of the day and nothing else. The outermost one is the
  // cell.
  const outer = days.filter((element) => !days.some((other) => other !== element && other.contains(element)));
  return outer.filter((element) => element.localName !== "option");
};

const leftOf = (cell: Element): number => cell.getBoundingClientRect().left;

/** Returns the left edges of the columns into which the cells are arranged. */
const columnsOf = (cells: readonly Element[]): readonly number[] => {
  const edges = cells.map(leftOf).toSorted((first, other) => first - other);
  return edges.filter((edge, at) => at === 0 || edge - (edges[at - 1] ?? 0) > TOLERANCE);
};

const isRtl = (cells: readonly Element[]): boolean =>
  cells[0] !== undefined && getComputedStyle(cells[0]).direction === "rtl";

/** Returns the day cells of a grid, without a first column of week numbers. */
export const daysIn = (grid: Element): readonly Element[] => {
  const cells = cellsIn(grid);
  const columns = columnsOf(cells);
  if (columns.length !== 8) return cells;
  const weeks = columns.at(isRtl(cells) ? -1 : 0) ?? 0;
  return cells.filter((cell) => Math.abs(leftOf(cell) - weeks) > TOLERANCE);
};

const isoDate = (year: number, month: number, day: number): string =>
  `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

/**
 * Returns the date of a cell, such as `2026-11-22`; `undefined` if no attribute of the cell contains the
 * date.
 */
export const dateOf = (cell: Element, day: number): string | undefined => {
  for (const element of [
    cell,
    ...cell.querySelectorAll("*"),
    ...(cell.matches(CELL) ? [] : [cell.closest(CELL)]),
  ]) {
    if (!element) continue;
    for (const { name, value } of element.attributes) {
      if (/^(class|style|id|href)$/.test(name)) continue;
      const [iso] = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/.exec(value) ?? [];
      if (iso && Number(iso.slice(8)) === day) return iso;
      if (/date|time|day|timestamp/.test(name) && /^-?\d{9,14}$/.test(value)) {
        // A time stamp with few digits is in seconds, and one with many digits in milliseconds.
        const date = new Date(Number(value) * (value.replace("-", "").length < 11 ? 1_000 : 1));
        if (date.getDate() === day) return isoDate(date.getFullYear(), date.getMonth() + 1, day);
        if (date.getUTCDate() === day) return isoDate(date.getUTCFullYear(), date.getUTCMonth() + 1, day);
      }
      if (!/^(aria-label|title|data-title|data-date)$/.test(name)) continue;
      const [year, month] = [texts.yearIn(value), texts.monthIn(value)];
      if (year !== undefined && month !== undefined && new RegExp(`(?<!\\d)0?${day}(?!\\d)`).test(value))
        return isoDate(year, month, day);
    }
  }
  return undefined;
};

/** Matches data attributes by which calendars mark the chosen days. */
const CHOSEN_DATA_ATTRIBUTE =
  /^data-(.*-)?(selected|first-in-range|last-in-range|(range|selection)-(start|end))$/;
const isDeclaredChosen = (element: Element): boolean =>
  ["aria-selected", "aria-pressed", "aria-checked"].some((name) => element.getAttribute(name) === "true") ||
  /(^|[-_ ])(selected|active|chosen|start|end)([-_ ]|$)/.test(element.getAttribute("class") ?? "") ||
  [...element.attributes].some(({ name, value }) => CHOSEN_DATA_ATTRIBUTE.test(name) && value !== "false");

/** Returns the grids of days on the page: elements that contain the days of one month and little else. */
export function gridsIn(): readonly Element[] {
  const groups = new Map<Element, number>();
  for (const cell of cellsIn(document.documentElement)) {
    let up = registry.parentOf(cell);
    for (let level = 0; up && level < GRID_LEVELS; level++, up = registry.parentOf(up))
      groups.set(up, (groups.get(up) ?? 0) + 1);
  }
  return [...groups]
    .filter(([element, count]) => count >= MIN_CELLS && count <= MAX_CELLS && element !== document.body)
    .map(([element]) => element)
    .filter((element) => daysIn(element).length <= MAX_DAYS)
    .filter((element, _, others) => !others.some((other) => other !== element && element.contains(other)));
}

/** Whether the page marks the day cell as chosen, for example by `aria-selected`. */
export function isMarked(cell: Element): boolean {
  const box = cell.matches(CELL) ? cell : cell.closest(CELL);
  return [cell, ...cell.querySelectorAll("*"), ...(box ? [box] : [])].some(isDeclaredChosen);
}

/**
 * Whether the grid is scrolled out of the visible part of its container. In a carousel of months, this is so
 * for each month that is not shown.
 */
export function isClipped(grid: Element): boolean {
  const { left, right } = grid.getBoundingClientRect();
  const middle = (left + right) / 2;
  for (
    let up = registry.parentOf(grid), level = 0;
    up && level < CLIPPING_LEVELS;
    up = registry.parentOf(up), level++
  ) {
    if (up === document.body || getComputedStyle(up).overflowX === "visible") continue;
    const box = up.getBoundingClientRect();
    if (middle < box.left || middle > box.right) return true;
  }
  return false;
}

/**
 * Whether the cells can be the days of the given month: their number and the weekday of the first day must
 * fit. Returns `undefined` when the days are not numbered in order from 1.
 */
export function fits(cells: readonly Element[], year: number, month: number): boolean | undefined {
  const numbers = cells.map((cell) => dayOf(cell) ?? 0);
  const first = numbers.indexOf(1);
  const second = numbers.indexOf(1, first + 1);
  const own = numbers.slice(Math.max(first, 0), second < 0 ? undefined : second);
  if (first < 0 || own.some((day, at) => day !== at + 1)) return undefined;
  if (own.length !== new Date(year, month, 0).getDate()) return false;
  const columns = columnsOf(cells);
  const [element] = cells.slice(first, first + 1);
  if (columns.length !== 7 || !element) return undefined;
  const before = columns.filter((column) => column < leftOf(element) - TOLERANCE).length;
  const begins = new Date(year, month - 1, 1).getDay() - (isRtl(cells) ? 6 - before : before);
  // Computes the weekday of the first column, assuming that the cells show the given month. In a real
  // calendar, a week begins on a Saturday, a Sunday or a Monday. Any other weekday proves that the cells show
  // another month.
  return [6, 0, 1].includes((begins + 7) % 7);
}
