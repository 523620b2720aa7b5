/** Finds the column header of a field in a table, such as "Editor" in a table of the permissions of roles. */
import { shorten } from "../shadow-dom.ts";
import { describer } from "./describe-element.ts";
import { forgetGridHeaders, gridHeaderOf } from "./grid-column-headers.ts";

/** Maximum number of characters of a column header that is part of a context label. */
const MAX_HEADER_LENGTH = 30;

/** For each table, the words of its column headers. Valid only while one snapshot gets its context labels. */
let headersOfTables = new WeakMap<HTMLTableElement, readonly string[]>();

export function forgetColumnHeaders(): void {
  headersOfTables = new WeakMap();
  forgetGridHeaders();
}

/**
 * Returns the number of columns before the cell. The number is right if no cell of an earlier row extends
 * down into this row.
 */
const columnOf = (cell: HTMLTableCellElement, row: HTMLTableRowElement): number => {
  let column = 0;
  for (const other of row.cells) {
    if (other === cell) break;
    column += other.colSpan;
  }
  return column;
};

/** Selector of fields that filter a column. They are in a row of their own below the column headers. */
const FILTERS = "input:not([type=checkbox],[type=radio]),select,textarea";

/**
 * Returns the row with the column headers. In a `thead`, this is the last of the rows with the most cells; rows
 * with filters do not count. In a table without `thead`, it is the first row, if it contains only header cells.
 */
const headerRow = (table: HTMLTableElement): HTMLTableRowElement | undefined => {
  const inHead = [...(table.tHead?.rows ?? [])];
  const rows = inHead.filter((row) => row.querySelector(FILTERS) === null);
  const most = Math.max(...rows.map(({ cells }) => cells.length));
  const last = rows.findLast(({ cells }) => cells.length === most) ?? inHead.at(-1);
  if (last) return last;
  const [first] = table.rows;
  const isHead = first !== undefined && [...first.cells].every(({ localName }) => localName === "th");
  return isHead && first.cells.length > 1 ? first : undefined;
};

const headersOf = (table: HTMLTableElement): readonly string[] => {
  const known = headersOfTables.get(table);
  if (known) return known;
  const row = headerRow(table);
  // A cell that extends over several rows moves the cells of the later rows, so their columns are not known.
  const hasTallCells = [...table.rows].some(({ cells }) => [...cells].some(({ rowSpan }) => rowSpan !== 1));
  const headers: string[] = [];
  for (const cell of row && !hasTallCells ? row.cells : []) {
    const words = shorten(describer.wordsOf(cell), MAX_HEADER_LENGTH);
    for (let column = 0; column < cell.colSpan; column++) headers.push(words);
  }
  headersOfTables.set(table, headers);
  return headers;
};

/** Returns the words of the column header of a control in a table or grid; an empty text if there is none. */
export function columnHeaderOf(element: Element): string {
  const cell = element.closest("td,th");
  if (!cell) return shorten(gridHeaderOf(element), MAX_HEADER_LENGTH);
  const row = cell?.parentElement;
  const table = row?.closest("table");
  if (!(cell instanceof HTMLTableCellElement) || !(row instanceof HTMLTableRowElement) || !table) return "";
  return row === headerRow(table) ? "" : (headersOf(table)[columnOf(cell, row)] ?? "");
}
