/**
 * Writes text for a line of Markdown: collapses white space, escapes markup characters, and joins pieces of
 * text.
 */

const SPACE = 0x20;
const LINE_FEED = 0x0a;
const BACKTICK = 0x60;
const BACKSLASH = 0x5c;

/** Characters that may be inline markup in Markdown. */
const SPECIAL = /[\\`*_<\]]/;

/**
 * Escapes characters of Markdown only where it is necessary. An identifier such as `max_depth` stays
 * unchanged.
 */
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

/** Escapes the start of a paragraph that Markdown would read as a heading, list, quote or rule. */
export function escapeStart(line: string): string {
  const first = line.charCodeAt(0);
  // In Markdown, only a line that begins with one of `# + - = > ~` or a digit may need an escape. All other
  // lines are returned unchanged.
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

/**
 * Returns a code span. Its delimiter has more backticks than the longest sequence of backticks in the text.
 */
export function codeSpan(text: string): string {
  if (!text.includes("`")) return `\`${text}\``;
  let fence = "`";
  while (text.includes(fence)) fence += "`";
  return `${fence} ${text} ${fence}`;
}

// Matches white space that must be collapsed. A zero-width space is removed, because it marks a possible line
// break and not the end of a word.
const NEEDS_COLLAPSING = /[^\S ]|\u200b| {2}/;

/**
 * Returns the Markdown text of a text node: white space is collapsed, and special characters are escaped.
 * No-break spaces become normal spaces, because they matter only to the layout.
 */
export function inlineText(raw: string): string {
  if (raw === "\n") return " ";
  return escapeText(NEEDS_COLLAPSING.test(raw) ? raw.replace(/\u200b/g, "").replace(/\s+/g, " ") : raw);
}

/**
 * A text that grows by pieces. Its last two characters are stored separately, because reading them from the
 * text would make the JavaScript engine copy it each time.
 */
export class TextRun {
  text = "";
  #last = 0;
  #beforeLast = 0;

  append(piece: string): void {
    let after = piece;
    if (after === "") return;
    const first = after.charCodeAt(0);
    if (first === SPACE && (this.#last === SPACE || this.#last === LINE_FEED)) after = after.slice(1);
    else if (first === BACKTICK && this.#endsInCode() && after.charCodeAt(1) !== BACKTICK) {
      // The last character ends a code span, and the new text begins one. Both backticks are left out, which
      // joins the spans. Otherwise a reader could not see where the first one ends.
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

/**
 * Returns the Markdown text with white space at its ends, if the original text has any. White space inside of
 * the marks would make them invalid: `a **b** c` is valid, and `a** b **c` is not.
 */
export function keepOuterSpace(original: string, marked: string): string {
  const lead = /^\s/.test(original) ? " " : "";
  const trail = /\s$/.test(original) ? " " : "";
  return lead + marked + trail;
}

export function tidy(run: string): string {
  const lines = run.includes("\n") ? run.replace(/ *\n */g, "\n") : run;
  return (lines.includes("  ") ? lines.replace(/ {2,}/g, " ") : lines).trim();
}
