/**
 * A table as Markdown: GFM rows for data, its cells' blocks one after the other where it only lays out a page.
 * Part of `markdown.ts`.
 */
import type { HtmlElement } from "./document.ts";
import type { MarkdownWriter } from "./markdown.ts";
import { isHidden } from "./text.ts";

/** What a data cell does not hold. */
const LAYOUT_CONTENT = new Set([
  "table",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "pre",
  "article",
  "section",
  "main",
  "form",
]);
/** Wider spans are nonsense, or an attack on memory. */
const MAX_SPAN = 50;

function rowsOf(table: HtmlElement): HtmlElement[] {
  const rows: HtmlElement[] = [];
  for (const child of table.children) {
    if (typeof child === "string" || isHidden(child)) continue;
    if (child.tag === "tr") rows.push(child);
    else if (child.tag === "tbody" || child.tag === "thead" || child.tag === "tfoot")
      rows.push(...rowsOf(child));
  }
  return rows;
}

function cellsOf(row: HtmlElement): HtmlElement[] {
  const cells: HtmlElement[] = [];
  for (const child of row.children) {
    if (typeof child !== "string" && (child.tag === "td" || child.tag === "th")) cells.push(child);
  }
  return cells;
}

function holdsLayout(element: HtmlElement): boolean {
  return element.children.some(
    (child) => typeof child !== "string" && (LAYOUT_CONTENT.has(child.tag) || holdsLayout(child)),
  );
}

function span(cell: HtmlElement): number {
  const asked = Number.parseInt(cell.attributes.colspan ?? "1", 10);
  return asked > 1 ? Math.min(asked, MAX_SPAN) : 1;
}

export function tableToMarkdown(table: HtmlElement, writer: MarkdownWriter): string[] {
  const rows = rowsOf(table)
    .map((row) => ({ row, cells: cellsOf(row) }))
    .filter(({ cells }) => cells.length > 0);
  const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const out: string[] = [];
  for (const child of table.children) {
    if (typeof child !== "string" && child.tag === "caption") out.push(...writer.blocks(child));
  }
  const isLayout =
    table.attributes.role === "presentation" ||
    columns < 2 ||
    rows.some(({ cells }) => cells.some((cell) => holdsLayout(cell)));
  if (isLayout) {
    for (const { cells } of rows) for (const cell of cells) out.push(...writer.blocks(cell));
    return out;
  }

  const lines = rows.map(({ row, cells }) => {
    const texts: string[] = [];
    for (const cell of cells) {
      texts.push(cellText(cell, writer));
      for (let extra = span(cell); extra > 1; extra--) texts.push("");
    }
    return { texts, isHeader: row.parent?.tag === "thead" || cells.every((cell) => cell.tag === "th") };
  });
  const width = lines.reduce((most, { texts }) => Math.max(most, texts.length), 0);
  const write = (texts: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, index) => texts[index] ?? "").join(" | ")} |`;
  // GFM demands a header row: an empty one where the table has none.
  const [first] = lines;
  const header = first?.isHeader ? first.texts : [];
  const body = first?.isHeader ? lines.slice(1) : lines;
  const ruler = `|${" --- |".repeat(width)}`;
  out.push([write(header), ruler, ...body.map(({ texts }) => write(texts))].join("\n"));
  return out;
}

function cellText(cell: HtmlElement, writer: MarkdownWriter): string {
  const blocks = writer.blocks(cell);
  return blocks.join("<br>").replace(/\n+/g, "<br>").replace(/\|/g, "\\|");
}
