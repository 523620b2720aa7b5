/**
 * Tells by the heads of a table which column has the names of its objects. In tables whose columns are in the order of the
 * alphabet, or chosen by a user, the name may be the last column (Directus, Flask-AppBuilder).
 */
import type { PageTexts } from "../../session/page/session-page-links-and-forms.ts";

/**
 * Matches the heads of columns that contain names, such as "Title", in the languages in which tasks are read.
 */
const NAME_HEAD =
  /^(?:name|title|label|subject|titel|bezeichnung|betreff|nom|titre|nombre|título|nome|titolo|naam)$/iu;

/** Matches the path of a cell, after the path of its row. It captures the cell's tag and its position among those. */
const CELL = /^\/(td|th)(?:\[(\d+)\])?(?=\/|$)/u;

/** Whether a text of a row is in a column with the head "Name", "Title" or the like. */
export function isInNameColumn(texts: PageTexts["texts"], row: string, xpath: string): boolean {
  const [, table, body] = /^(.*\/table(?:\[\d+\])?)\/(tbody(?:\[\d+\])?)\/tr(?:\[\d+\])?$/u.exec(row) ?? [];
  const column = columnOf(texts, row, xpath);
  if (table === undefined || body === undefined || column === undefined) return false;
  return texts.some(({ text, xpath: path }) => {
    const [, head] = /^\/thead\/tr(?:\[\d+\])?\/th\[(\d+)\](?=\/|$)/u.exec(path.slice(table.length)) ?? [];
    return path.startsWith(`${table}/`) && Number(head) === column && NAME_HEAD.test(text.trim());
  });
}

/**
 * Returns the number of the column in which a text of a row is, from 1; `undefined` for a text outside of the cells. A
 * row may begin with heads (`th`), which paths count apart from the other cells.
 */
function columnOf(texts: PageTexts["texts"], row: string, xpath: string): number | undefined {
  const cellOf = (path: string) => CELL.exec(path.startsWith(row) ? path.slice(row.length) : "");
  const [, tag, at = "1"] = cellOf(xpath) ?? [];
  if (tag === undefined) return undefined;
  if (tag === "th") return Number(at);
  const heads = texts.map(({ xpath: path }) => cellOf(path)).filter((cell) => cell?.[1] === "th");
  return Number(at) + Math.max(0, ...heads.map((cell) => Number(cell?.[2] ?? 1)));
}
