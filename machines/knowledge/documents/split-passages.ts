/**
 * Splits Markdown and plain text into passages. A passage is a section or a part of it, with the headings
 * above it. Code blocks stay in one passage if they fit.
 */
import { documentLimits } from "./ingested-document-limits.ts";

/** A passage of a document, as an importer returns it. */
export interface Passage {
  /** The headings of the document above the passage. */
  readonly headings: readonly string[];
  readonly content: string;
  readonly location: string;
  /** The URL fragment that leads to the passage, such as `install` in `#install`. */
  readonly fragment?: string;
}

interface Section {
  readonly headings: readonly string[];
  readonly line: number;
  readonly lines: string[];
}

const ATX = /^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$/;
const FENCE = /^ {0,3}(```+|~~~+)/;
/**
 * Matches the line below a heading in Markdown and reStructuredText, such as `====`. The repeated character
 * determines the level of the heading.
 */
const UNDERLINE = /^(=|-|~|\^|"|\*|\+)\1{2,}\s*$/;
const LEVELS: Readonly<Record<string, number>> = { "=": 1, "-": 2, "~": 3, "^": 4, '"': 5, "*": 1, "+": 3 };
const MAX_HEADING = 200;

function sectionsOf(text: string): readonly Section[] {
  const lines = text.split(/\r\n?|\n/);
  const sections: Section[] = [{ headings: [], line: 1, lines: [] }];
  const path: { readonly level: number; readonly text: string }[] = [];
  let fence: string | undefined;
  const open = (level: number, heading: string, next: number) => {
    while (path.length > 0 && (path.at(-1)?.level ?? 0) >= level) path.pop();
    path.push({ level, text: plainHeading(heading) });
    sections.push({ headings: path.map((one) => one.text), line: 1 + next, lines: [] });
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const own = sections.at(-1);
    const [, marks] = FENCE.exec(line) ?? [];
    if (marks !== undefined && (fence === undefined || marks.startsWith(fence)))
      fence = fence === undefined ? marks : undefined;
    else if (fence === undefined) {
      const [, signs, heading] = ATX.exec(line) ?? [];
      if (signs !== undefined && heading !== undefined) {
        open(signs.length, heading, at + 1);
        continue;
      }
      const [, sign] = UNDERLINE.exec(lines[at + 1] ?? "") ?? [];
      const isHeading =
        sign !== undefined && line.trim() !== "" && line.length <= MAX_HEADING && !/^\s|^[-|>*+]/.test(line);
      // An underline is about as long as its heading. A shorter line is a horizontal rule below a paragraph.
      if (isHeading && (lines[at + 1]?.trim().length ?? 0) >= Math.min(line.trim().length, 3)) {
        if ((lines[at - 1] ?? "").trim() === "" || UNDERLINE.test(lines[at - 1] ?? "")) {
          open(LEVELS[sign] ?? 3, line, at + 2);
          at += 1;
          continue;
        }
      }
    }
    own?.lines.push(line);
  }
  return sections;
}

/** Splits a text into passages of at most `documentLimits.passage` characters. */
export function passagesOf(text: string): readonly Passage[] {
  return sectionsOf(text).flatMap(({ headings, line, lines }) =>
    pieces(lines, documentLimits.passage).map(({ content, offset }) => ({
      headings,
      content,
      location: `line ${line + offset}`,
      ...(headings.length > 0 ? { fragment: fragmentOf(headings.at(-1) ?? "") } : {}),
    })),
  );
}

/**
 * Splits lines into pieces of at most `most` characters. It splits at empty lines if possible, otherwise
 * between lines, otherwise between words.
 */
function pieces(lines: readonly string[], most: number): { content: string; offset: number }[] {
  const found: { content: string; offset: number }[] = [];
  let from = 0;
  let text: string[] = [];
  let size = 0;
  const close = (next: number) => {
    const content = text.join("\n").trim();
    if (content !== "") found.push({ content, offset: from });
    text = [];
    size = 0;
    from = next;
  };
  for (const [at, block] of blocksOf(lines)) {
    const length = block.reduce((sum, line) => sum + line.length + 1, 0);
    if (size > 0 && size + length > most) close(at);
    if (length <= most) {
      if (size === 0) from = at;
      text.push(...block, "");
      size += length + 1;
      continue;
    }
    for (const [offset, line] of block.entries()) {
      for (const part of cutLine(line, most)) {
        if (size > 0 && size + part.length > most) close(at + offset);
        if (size === 0) from = at + offset;
        text.push(part);
        size += part.length + 1;
      }
    }
  }
  close(lines.length);
  return found;
}

/** Splits lines into groups at empty lines. A fenced code block is always one group. */
function* blocksOf(lines: readonly string[]): Generator<readonly [number, readonly string[]]> {
  let block: string[] = [];
  let from = 0;
  let fenced = false;
  for (const [at, line] of lines.entries()) {
    if (FENCE.test(line)) fenced = !fenced;
    if (line.trim() === "" && !fenced) {
      if (block.length > 0) yield [from, block];
      block = [];
      continue;
    }
    if (block.length === 0) from = at;
    block.push(line);
  }
  if (block.length > 0) yield [from, block];
}

function cutLine(line: string, most: number): readonly string[] {
  if (line.length <= most) return [line];
  const parts: string[] = [];
  let rest = line;
  while (rest.length > most) {
    const space = rest.lastIndexOf(" ", most);
    const cut = space > most / 2 ? space : most;
    parts.push(rest.slice(0, cut));
    rest = rest.slice(cut).trimStart();
  }
  return [...parts, rest];
}

function plainHeading(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*_]{1,3}|<[^>]+>/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_HEADING);
}

/** Returns the URL fragment that most Markdown renderers give to a heading. */
function fragmentOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-");
}
