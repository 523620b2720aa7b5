/**
 * Converts a table to Markdown. A data table becomes rows of GFM. A layout table, which only positions its
 * contents, becomes the contents of its cells in order.
 */
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";
import type { PageTable } from "../../../machines/records/page-records.ts";
import type { HtmlElement } from "../parse/parse-html-document.ts";
import { cut, isHidden } from "../parse/visible-text-of-html-element.ts";

/** Tags that occur in layout tables but not in cells of data tables. */
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
/** Maximum span of a cell. Larger values are errors, or attacks that would use much memory. */
const MAX_SPAN = 50;
const CELL_LENGTH = 200;

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

/**
 * Matches tags that occur in layout tables, but also in data tables with a header row. Such a data table may
 * have a form for the button of each row. A theme may use headings for the names or states of rows (the list
 * of categories of Discourse, the sessions of pretalx).
 */
const ROW_CONTENT = /^(form|h[1-6])$/;

/**
 * Whether an element contains tags that are only used for layout.
 * @param hasColumns whether the table has a header row, so that `ROW_CONTENT` is data
 */
function holdsLayout(element: HtmlElement, hasColumns: boolean): boolean {
  return element.children.some(
    (child) =>
      typeof child !== "string" &&
      ((LAYOUT_CONTENT.has(child.tag) && !(hasColumns && ROW_CONTENT.test(child.tag))) ||
        holdsLayout(child, hasColumns)),
  );
}

/** Whether the first row of a table names the columns. */
function hasHeader([first]: readonly TableRow[]): boolean {
  return first !== undefined && first.cells.length > 1 && first.cells.every(({ tag }) => tag === "th");
}

function span(cell: HtmlElement, kind: "colspan" | "rowspan"): number {
  const asked = Number.parseInt(cell.attributes[kind] ?? "1", 10);
  return asked > 1 ? Math.min(asked, MAX_SPAN) : 1;
}

export interface TableLine {
  readonly texts: readonly string[];
  readonly isHeader: boolean;
}

/**
 * Returns the lines of a table, with each cell in its column. If a cell spans several columns or rows, its
 * text is in the first of them, and the other places are empty.
 */
export function alignedLines(rows: readonly TableRow[], textOf: (cell: HtmlElement) => string): TableLine[] {
  /** For each column, the number of further rows that a cell above covers (its `rowspan`). */
  const reaching: number[] = [];
  return rows.map(({ row, cells }) => {
    const texts: string[] = [];
    const skip = (): void => {
      while ((reaching[texts.length] ?? 0) > 0) {
        reaching[texts.length] = (reaching[texts.length] ?? 0) - 1;
        texts.push("");
      }
    };
    for (const cell of cells) {
      skip();
      const down = span(cell, "rowspan") - 1;
      let text = textOf(cell);
      for (let columns = span(cell, "colspan"); columns > 0; columns--) {
        if (down > 0) reaching[texts.length] = down;
        texts.push(text);
        text = "";
      }
    }
    skip();
    return { texts, isHeader: row.parent?.tag === "thead" || cells.every((cell) => cell.tag === "th") };
  });
}

export interface TableRow {
  readonly row: HtmlElement;
  readonly cells: readonly HtmlElement[];
}

export function filledRows(table: HtmlElement): readonly TableRow[] {
  return rowsOf(table)
    .map((row) => ({ row, cells: cellsOf(row) }))
    .filter(({ cells }) => cells.length > 0);
}

/** Whether the table contains no data, and only positions parts of the page. */
export function isLayout(table: HtmlElement, rows: readonly TableRow[]): boolean {
  const hasColumns = hasHeader(rows);
  const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  return (
    table.attributes.role === "presentation" ||
    columns < 2 ||
    rows.some(({ cells }) => cells.some((cell) => holdsLayout(cell, hasColumns)))
  );
}

/** Writes the content of cells as Markdown, and collects the tables of the page. */
interface ContentWriter {
  readonly tables: PageTable[];
  blocks(element: HtmlElement): string[];
  /** Returns the blocks of an element without the signs of an outer list or quote, such as `> `, before their lines. */
  bareBlocks(element: HtmlElement): string[];
  /** Adds the prefix of the current block, such as `> ` in a quote, to all lines except the first. */
  withMargin(text: string): string;
}

export function tableToMarkdown(table: HtmlElement, writer: ContentWriter): string[] {
  const rows = filledRows(table);
  const captions = table.children.flatMap((child) =>
    typeof child !== "string" && child.tag === "caption" ? writer.bareBlocks(child) : [],
  );
  const out = captions.map((caption) => writer.withMargin(caption));
  if (isLayout(table, rows)) {
    for (const { cells } of rows) for (const cell of cells) out.push(...writer.blocks(cell));
    return out;
  }

  const lines = alignedLines(rows, (cell) => cellText(cell, writer));
  const width = lines.reduce((most, { texts }) => Math.max(most, texts.length), 0);
  const write = (texts: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, index) => texts[index] ?? "").join(" | ")} |`;
  // GFM requires a header row. When the table has none, an empty one is written.
  const [first] = lines;
  const header = first?.isHeader ? first.texts : [];
  const body = first?.isHeader ? lines.slice(1) : lines;
  const ruler = `|${" --- |".repeat(width)}`;
  if (writer.tables.length < readingLimits.tables) {
    const caption = captions.length === 0 ? null : cut(captions.join(" "), CELL_LENGTH);
    writer.tables.push({
      caption,
      columns: header.slice(0, MAX_SPAN).map((text) => cut(text, CELL_LENGTH)),
      rows: body.length,
    });
  }
  out.push(writer.withMargin([write(header), ruler, ...body.map(({ texts }) => write(texts))].join("\n")));
  return out;
}

/** Matches the mark of a heading in Markdown, which a cell of a table cannot contain. */
const HEADING_MARK = /^#{1,6} /;

function cellText(cell: HtmlElement, writer: ContentWriter): string {
  const blocks = writer.bareBlocks(cell);
  return blocks
    .map((block) => block.replace(HEADING_MARK, ""))
    .join("<br>")
    .replace(/\n+/g, "<br>")
    .replace(/\|/g, "\\|");
}
