/** Reads the data tables of a page with all their cells, as structured data. */
import { extractLimits } from "../../../machines/session/session-limits.ts";
import type { HtmlElement } from "../parse/parse-html-document.ts";
import { parseHtml } from "../parse/parse-html-document.ts";
import { isHidden, textOf } from "../parse/visible-text-of-html-element.ts";
import { alignedLines, filledRows, isLayout } from "./html-table-to-markdown.ts";

export interface ReadTable {
  readonly caption: string | null;
  /** Texts of the header row; empty when the table has no header. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Number of rows that were not read because the table has more than `extractLimits.rows`. */
  readonly left_out: number;
}

/** Returns the data tables of an HTML document in document order, including nested ones. Never throws. */
export function readTables(html: string): readonly ReadTable[] {
  const found: ReadTable[] = [];
  const visit = (element: HtmlElement): void => {
    if (found.length >= extractLimits.tables || isHidden(element)) return;
    if (element.tag === "table") {
      const table = readTable(element);
      if (table) found.push(table);
    }
    for (const child of element.children) if (typeof child !== "string") visit(child);
  };
  visit(parseHtml(html, false).body);
  return found;
}

function readTable(table: HtmlElement): ReadTable | undefined {
  const rows = filledRows(table);
  if (rows.length === 0 || isLayout(table, rows)) return undefined;
  const { cell, rows: most } = extractLimits;
  const lines = alignedLines(rows, (one) => textOf(one, cell));
  const [first] = lines;
  const body = first?.isHeader ? lines.slice(1) : lines;
  const caption = table.children.find((child) => typeof child !== "string" && child.tag === "caption");
  return {
    caption: caption === undefined || typeof caption === "string" ? null : textOf(caption, cell) || null,
    columns: first?.isHeader ? first.texts : [],
    rows: body.slice(0, most).map(({ texts }) => texts),
    left_out: Math.max(0, body.length - most),
  };
}
