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

/** Whether a text of a row is in a column with the head "Name", "Title" or the like. */
export function isInNameColumn(texts: PageTexts["texts"], row: string, xpath: string): boolean {
  const [, table, body] = /^(.*\/table(?:\[\d+\])?)\/(tbody(?:\[\d+\])?)\/tr(?:\[\d+\])?$/u.exec(row) ?? [];
  const [, column = ""] = /^\/td(\[\d+\])?(?=\/|$)/u.exec(xpath.slice(row.length)) ?? [];
  if (table === undefined || body === undefined || column === "") return false;
  return texts.some(({ text, xpath: path }) => {
    const [, head] = /^\/thead\/tr(?:\[\d+\])?\/th(\[\d+\])(?=\/|$)/u.exec(path.slice(table.length)) ?? [];
    return path.startsWith(`${table}/`) && head === column && NAME_HEAD.test(text.trim());
  });
}
