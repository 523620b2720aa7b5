/**
 * Tells by the heads of a table which column has the names of its objects. In tables whose columns are in the order of the
 * alphabet, or chosen by a user, the name may be the last column (Directus, Flask-AppBuilder).
 */
import type { PageTexts } from "../../session/page/session-page-links-and-forms.ts";
import { stemsOf } from "../screens/operation-and-thing-of-task.ts";

/**
 * Matches the heads of columns that contain names, such as "Title", in the languages in which tasks are read.
 */
const NAME_HEAD =
  /^(?:name|title|label|subject|titel|bezeichnung|betreff|nom|titre|nombre|título|nome|titolo|naam)$/iu;

/** Matches the path of a cell, after the path of its row. It captures the cell's tag and its position among those. */
const CELL = /^\/(td|th)(?:\[(\d+)\])?(?=\/|$)/u;

/**
 * Whether a text of a row is in a column with the head "Name", "Title" or the like, or with the word for the kind of the
 * objects: "Comment" in the comments of WordPress, "Group" in the groups of Django's administration.
 */
export function isInNameColumn(
  texts: PageTexts["texts"],
  row: string,
  xpath: string,
  kinds: readonly string[] = [],
): boolean {
  const [, table, body] = /^(.*\/table(?:\[\d+\])?)\/(tbody(?:\[\d+\])?)\/tr(?:\[\d+\])?$/u.exec(row) ?? [];
  const column = columnOf(texts, row, xpath);
  if (table === undefined || body === undefined || column === undefined) return false;
  const headOf = (path: string) =>
    /^\/thead\/tr(?:\[\d+\])?\/(td|th)(?:\[(\d+)\])?(?=\/|$)/u.exec(
      path.startsWith(`${table}/`) ? path.slice(table.length) : "",
    );
  const heads = texts.flatMap(({ text, xpath: path }) => {
    const [, tag, at = "1"] = headOf(path) ?? [];
    return tag === undefined ? [] : [{ text: text.trim(), tag, at: Number(at) }];
  });
  // The head of the column with the checkboxes may be a plain cell (WordPress), which paths count apart from the heads.
  const cells = Math.max(0, ...heads.filter(({ tag }) => tag === "td").map(({ at }) => at));
  const isHead = (text: string): boolean => {
    const [stem, other] = stemsOf(text);
    return NAME_HEAD.test(text) || (stem !== undefined && other === undefined && kinds.at(-1) === stem);
  };
  return heads.some(({ text, tag, at }) => tag === "th" && at + cells === column && isHead(text));
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
