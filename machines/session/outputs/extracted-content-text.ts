/**
 * Formats extracted page content for a language model: the Markdown, then the links that it does not contain.
 * If there is no Markdown, tables are written as rows.
 */
import { fieldLine, firstLines, oneLine, withoutOrigin } from "../../text-lines-for-language-model.ts";
import type { Extracted, ExtractedLink, ExtractedTable } from "./extracted-content-schemas.ts";

const LINK_TEXT_MOST = 80;
/** Maximum number of links in one answer. It suffices for the navigation of a large site. */
const LINKS_MOST = 100;

function linkLines({ links = [], url, content = "" }: Extracted): readonly string[] {
  const seen = new Set<string>();
  const others = links.filter((link) => {
    if (seen.has(link.url) || content.includes(`](${link.url}`)) return false;
    seen.add(link.url);
    return true;
  });
  if (others.length === 0) return [];
  const line = (link: ExtractedLink): string =>
    `- ${oneLine(link.text, LINK_TEXT_MOST)}: ${withoutOrigin(link.url, url)}`;
  const title = content === "" ? "Links:" : "Other links:";
  return [title, ...firstLines(others, LINKS_MOST, line, 'detail: "records"')];
}

function tableLines(table: ExtractedTable): readonly string[] {
  const { caption, columns, rows, left_out } = table;
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => oneLine(cell, cell.length)).join(" | ")} |`;
  return [
    `Table${caption ? ` ${caption}` : ""}:`,
    ...(columns.length > 0 ? [row(columns)] : []),
    ...rows.map(row),
    ...(left_out > 0 ? [`… and ${left_out} more rows`] : []),
  ];
}

export function extractText(extracted: Extracted): string {
  const {
    title,
    url,
    content,
    next_offset,
    tables = [],
    frames,
    extracted: values,
    extracted_by,
  } = extracted;
  return [
    `${title === "" ? "(no title)" : title} | ${url}`,
    ...(values === undefined ? [] : [fieldLine(`extracted by ${extracted_by ?? "structure"}`, values)]),
    ...(content === undefined ? tables.flatMap(tableLines) : [content]),
    ...(next_offset == null ? [] : [`More: offset ${next_offset}`]),
    ...linkLines(extracted),
    ...(frames > 0 ? [`With the documents of ${frames} frames`] : []),
  ].join("\n");
}
