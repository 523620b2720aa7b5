/**
 * The data tables of a page with all their cells, for who works with them rather than reads.
 *
 * Neighbours: `markdown-table.ts` writes the same tables as text, and says what only lays out a page.
 */
import { extractLimits } from "../../machines/session/limits.ts";
import type { HtmlElement } from "./document.ts";
import { parseHtml } from "./document.ts";
import { filledRows, isLayout, linesOf } from "./markdown-table.ts";
import { isHidden, textOf } from "./text.ts";

export interface ReadTable {
  readonly caption: string | null;
  /** Texts of the header row; empty when there is none. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Rows beyond `extractLimits.rows`. */
  readonly left_out: number;
}

/** Tables of HTML that holds data, in the order of the document, those inside others too; never throws. */
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
  const lines = linesOf(rows, (one) => textOf(one, cell));
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
