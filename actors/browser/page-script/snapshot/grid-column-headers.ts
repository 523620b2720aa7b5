/**
 * Finds the column header of a cell in a grid without table tags. The headers have the role `columnheader`,
 * or they are a row of words above the grid's rows. In such a row, each header is as wide as the cells below
 * it.
 */
import { isSeen } from "../shadow-dom.ts";
import { describer } from "./describe-element.ts";

/** Maximum number of levels between a control and its cell. */
const CELL_LEVELS = 3;
/**
 * The headers of a grid without roles are directly before its rows, or before an element around them. This is the
 * maximum number of such elements that are checked, beginning with the parent of the rows.
 */
const LIST_LEVELS = 4;
/**
 * Maximum number of previous siblings, of each element around the rows, that are checked for being the row of
 * headers. Some grids have hidden bars between the headers and the rows.
 */
const ELEMENTS_BEFORE = 4;
/** Maximum number of nested boxes with a single child that enclose the headers of the columns. */
const ENCLOSING_BOXES = 4;
/** Maximum height of a row of headers in pixels. */
const MAX_HEAD_HEIGHT = 90;
/** Minimum number of columns of a grid whose headers are found by their place. */
const MIN_COLUMNS = 3;
/** Maximum difference in pixels between the edges of a column header and of its cells. */
const TOLERANCE = 8;
/**
 * Selector of elements that never are in a row of column headers. A box that contains one is not taken for such a
 * row.
 */
const NO_HEAD = "input:not([type=checkbox]),select,textarea,[role=gridcell],[role=tab],[role=menuitem]";
const GRID = "[role=grid],[role=treegrid],[role=table]";

interface Header {
  readonly words: string;
  readonly left: number;
  readonly right: number;
}

/**
 * Maps the parent of a grid's rows to the grid's column headers. Valid only while one snapshot gets its context
 * labels.
 */
let headersByList = new WeakMap<Element, readonly Header[]>();

export function forgetGridHeaders(): void {
  headersByList = new WeakMap();
}

const headFrom = (element: Element): Header => {
  const { left, right } = element.getBoundingClientRect();
  return { words: describer.wordsOf(element).replace(/\s+/g, " ").trim(), left, right };
};

/** Whether a column header is over a cell: their left and right edges are equal, within the tolerance. */
const isOver = ({ left, right }: Header, cell: DOMRect): boolean =>
  cell.width > 0 && Math.abs(left - cell.left) <= TOLERANCE && Math.abs(right - cell.right) <= TOLERANCE;

/**
 * Returns the column headers in a box: its children, or the children of the innermost box if the boxes around them
 * have only one child each. The list is empty if the box cannot be a row of headers.
 */
const headersIn = (box: Element): readonly Header[] => {
  if (!isSeen(box) || box.matches(NO_HEAD) || box.querySelector(NO_HEAD)) return [];
  let row = box;
  for (let level = 0; level < ENCLOSING_BOXES && row.children.length === 1; level++)
    row = row.firstElementChild ?? row;
  if (row.children.length < MIN_COLUMNS || row.getBoundingClientRect().height > MAX_HEAD_HEIGHT) return [];
  return [...row.children].map(headFrom);
};

const headersBefore = (list: Element, cells: readonly Element[]): readonly Header[] => {
  const boxes = cells.map((cell) => cell.getBoundingClientRect());
  const fits = (headers: readonly Header[]): boolean => {
    const columns = boxes.filter((box) =>
      headers.some((header) => header.words !== "" && isOver(header, box)),
    );
    return columns.length >= MIN_COLUMNS && columns.length * 2 > cells.length;
  };
  const first = list.firstElementChild;
  const own = first && !first.contains(cells[0] ?? null) ? headersIn(first) : [];
  if (fits(own)) return own;
  let up: Element | null = list;
  for (let level = 0; up && level < LIST_LEVELS && up !== document.body; level++, up = up.parentElement) {
    let before = up.previousElementSibling;
    for (let at = 0; before && at < ELEMENTS_BEFORE; at++, before = before.previousElementSibling) {
      const headers = headersIn(before);
      if (fits(headers)) return headers;
    }
  }
  return [];
};

const headersOf = (row: Element, list: Element): readonly Header[] => {
  const known = headersByList.get(list);
  if (known) return known;
  const declared = [...(row.closest(GRID)?.querySelectorAll("[role=columnheader]") ?? [])].map(headFrom);
  const headers = declared.length > 0 ? declared : headersBefore(list, [...row.children]);
  headersByList.set(list, headers);
  return headers;
};

/**
 * Whether an element is a row of a grid: by its role, or because a similar element beside it has the same
 * number of parts.
 */
const isRow = (element: Element): boolean => {
  if (element.getAttribute("role") === "row") return true;
  const { childElementCount: count, classList, localName } = element;
  if (count < MIN_COLUMNS) return false;
  const [name] = classList;
  return [element.nextElementSibling, element.previousElementSibling].some(
    (other) =>
      other?.localName === localName &&
      other.childElementCount === count &&
      (name === undefined || other.classList.contains(name)),
  );
};

/** Returns the words of the column header of a control in a grid; an empty text if there is none. */
export function gridHeaderOf(element: Element): string {
  let cell = element;
  for (let level = 0; level <= CELL_LEVELS; level++) {
    const row = cell.parentElement;
    const list = row?.parentElement;
    if (!row || !list || row === document.body) return "";
    if (isRow(row)) {
      const box = cell.getBoundingClientRect();
      return headersOf(row, list).find((header) => isOver(header, box))?.words ?? "";
    }
    cell = row;
  }
  return "";
}
