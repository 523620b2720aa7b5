/**
 * Text on its way into a line of Markdown: white space collapsed, markup escaped, runs joined.
 * Part of `markdown.ts`.
 */

const SPACE = 0x20;
const LINE_FEED = 0x0a;
const BACKTICK = 0x60;
const BACKSLASH = 0x5c;

/** Characters that Markdown would read as markup inside a line. */
const SPECIAL = /[\\`*_<\]]/;

/** Escapes as little as keeps the text what it is: an identifier such as `max_depth` stays whole. */
function escapeText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "\\\\")
    .replace(/`/g, "\\`")
    .replace(/\*/g, "\\*")
    .replace(/(?<![\p{L}\p{N}_])_|_(?![\p{L}\p{N}_])/gu, "\\_")
    .replace(/<(?=[A-Za-z/!?])/g, "\\<")
    .replace(/\](?=\()/g, "\\]");
}

/** A paragraph that would start like a heading, list, quote or rule is kept a paragraph. */
export function escapeStart(line: string): string {
  const first = line.charCodeAt(0);
  // # + - = > ~ or a digit
  if (
    !(
      first === 35 ||
      first === 43 ||
      first === 45 ||
      first === 61 ||
      first === 62 ||
      first === 126 ||
      (first >= 48 && first <= 57)
    )
  ) {
    return line;
  }
  return line
    .replace(/^(#{1,6}(?=\s|$)|[+-](?=\s|$)|>|~{3,}|-{3,}|=+\s*$)/, "\\$1")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");
}

/** Text between backticks, with as many as the text demands. */
export function codeSpan(text: string): string {
  if (!text.includes("`")) return `\`${text}\``;
  let fence = "`";
  while (text.includes(fence)) fence += "`";
  return `${fence} ${text} ${fence}`;
}

// A zero-width space says where a line may break; no word ends there.
const UNEVEN = /[^\S ]|\u200b| {2}/;

/** A text node: white space collapsed (also no-break spaces, which matter to layout only), markup escaped. */
export function text(raw: string): string {
  if (raw === "\n") return " ";
  return escapeText(UNEVEN.test(raw) ? raw.replace(/\u200b/g, "").replace(/\s+/g, " ") : raw);
}

/**
 * A run of text that grows. It remembers its last two characters, because looking at the end of a string that
 * was just appended to makes the engine copy all of it.
 */
export class Run {
  text = "";
  #last = 0;
  #beforeLast = 0;

  append(piece: string): void {
    let after = piece;
    if (after === "") return;
    const first = after.charCodeAt(0);
    if (first === SPACE && (this.#last === SPACE || this.#last === LINE_FEED)) after = after.slice(1);
    // Two code spans that touch become one, as they are read.
    else if (first === BACKTICK && this.#endsInCode() && after.charCodeAt(1) !== BACKTICK) {
      this.text = this.text.slice(0, -1);
      after = after.slice(1);
    }
    if (after === "") return;
    this.text += after;
    this.#beforeLast = after.length > 1 ? after.charCodeAt(after.length - 2) : this.#last;
    this.#last = after.charCodeAt(after.length - 1);
  }

  #endsInCode(): boolean {
    return this.#last === BACKTICK && this.#beforeLast !== BACKTICK && this.#beforeLast !== BACKSLASH;
  }
}

/** Marked text with the white space of the original outside of the marks. */
export function around(original: string, marked: string): string {
  const lead = /^\s/.test(original) ? " " : "";
  const trail = /\s$/.test(original) ? " " : "";
  return lead + marked + trail;
}

export function tidy(run: string): string {
  const lines = run.includes("\n") ? run.replace(/ *\n */g, "\n") : run;
  return (lines.includes("  ") ? lines.replace(/ {2,}/g, " ") : lines).trim();
}
