/**
 * An element as Markdown (CommonMark with the tables and strikethrough of GFM).
 *
 * Written here because a crawl spends most of its time on this: node-html-markdown 2 takes 38 ms of CPU for a
 * manual page of 90 KB on the machine where htmlparser2 alone takes 3; this walk over the tree that was built
 * anyway takes about one. Code is kept verbatim; frames (navigation and the like, see `main-content.ts`), hidden
 * parts, scripts and form controls are left out. Tables go to `markdown-table.ts`.
 */
import { normalisePercentEncoding } from "../../machines/exploration/url.ts";
import type { HtmlElement } from "./document.ts";
import { isFrame } from "./main-content.ts";
import { tableToMarkdown } from "./markdown-table.ts";
import { BLOCK_TAGS, SILENT_TAGS } from "./tags.ts";
import { isHidden } from "./text.ts";

const EMPHASIS: Readonly<Record<string, string>> = {
  strong: "**",
  b: "**",
  em: "*",
  i: "*",
  cite: "*",
  var: "*",
  dfn: "*",
  del: "~~",
  s: "~~",
  strike: "~~",
};
const CODE_TAGS = new Set(["code", "kbd", "samp", "tt"]);

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
function escapeStart(line: string): string {
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
function codeSpan(text: string): string {
  if (!text.includes("`")) return `\`${text}\``;
  let fence = "`";
  while (text.includes(fence)) fence += "`";
  return `${fence} ${text} ${fence}`;
}

/** The insides of a `pre` as they are: entities decoded, `br` as a line break, nothing collapsed. */
function verbatim(element: HtmlElement): string {
  let text = "";
  for (const child of element.children) {
    if (typeof child === "string") text += child;
    else if (child.tag === "br") text += "\n";
    else if (!SILENT_TAGS.has(child.tag)) text += verbatim(child);
  }
  return text;
}

/** The language that a highlighter wrote into a class (`language-ts`, `lang-ts`, `highlight-python3`, `brush: php`). */
function codeLanguage(pre: HtmlElement): string {
  const code = pre.children.find((child) => typeof child !== "string" && child.tag === "code");
  const around = [typeof code === "string" ? undefined : code, pre, pre.parent, pre.parent?.parent];
  for (const element of around) {
    const found = /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:)-?\s*([A-Za-z][\w+#.-]*)/.exec(
      element?.attributes.class ?? "",
    );
    // Sphinx writes "default" and "none" where no language was named.
    if (found?.[1] && !/^(default|none|text|notranslate)$/.test(found[1])) return found[1];
  }
  return "";
}

function indent(text: string, by: string): string {
  return text.replace(/\n(?=[^\n])/g, `\n${by}`);
}

export class MarkdownWriter {
  readonly #base: string;
  /** Links to a place on the same page are written as their text alone. */
  readonly #own: string;
  readonly #hrefs = new Map<string, string>();
  #named = true;

  constructor(base: string, own: string) {
    this.#base = base;
    this.#own = own;
  }

  /**
   * A page's content as one document.
   *
   * @param named the page itself says that this is its content
   * @param title its heading, put first where it stands outside of the content
   */
  document(element: HtmlElement, named: boolean, title?: HtmlElement): string {
    this.#named = named;
    const blocks = this.blocks(element);
    if (title && !isInside(title, element)) {
      const before: string[] = [];
      this.#block(title, before);
      blocks.unshift(...before);
    }
    return blocks.join("\n\n");
  }

  /** The blocks of an element, one string each, without blank lines around them. */
  blocks(element: HtmlElement): string[] {
    const out: string[] = [];
    this.#flow(element, out);
    return out;
  }

  /** An element's whole content on one line. */
  line(element: HtmlElement): string {
    return tidy(this.#inline(element)).replace(/\n/g, " ");
  }

  #flow(element: HtmlElement, out: string[]): void {
    let pending = "";
    for (const child of element.children) {
      if (typeof child === "string") {
        pending = join(pending, text(child));
        continue;
      }
      const { tag } = child;
      if (SILENT_TAGS.has(tag) || isHidden(child) || isFrame(child, this.#named)) continue;
      if (!BLOCK_TAGS.has(tag) && (!child.holdsBlock || tag === "a")) {
        pending = join(pending, this.#inlineElement(child));
        continue;
      }
      paragraph(pending, out);
      pending = "";
      this.#block(child, out);
    }
    paragraph(pending, out);
  }

  #block(element: HtmlElement, out: string[]): void {
    const { tag } = element;
    switch (tag) {
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6": {
        const title = this.line(element);
        if (title !== "") out.push(`${"#".repeat(Number(tag[1]))} ${title}`);
        return;
      }
      case "pre": {
        const code = verbatim(element)
          .replace(/\r\n?/g, "\n")
          .replace(/^\n|\s+$/g, "");
        if (code === "") return;
        let fence = "```";
        while (code.includes(fence)) fence += "`";
        out.push(`${fence}${codeLanguage(element)}\n${code}\n${fence}`);
        return;
      }
      case "ul":
      case "ol":
      case "menu":
        this.#list(element, out);
        return;
      case "dl":
        this.#definitions(element, out);
        return;
      case "blockquote": {
        const quoted = this.blocks(element).join("\n\n");
        if (quoted !== "") out.push(`> ${quoted.replace(/\n/g, "\n> ")}`.replace(/> $/gm, ">"));
        return;
      }
      case "hr":
        out.push("---");
        return;
      case "table":
        out.push(...tableToMarkdown(element, this));
        return;
      case "dt":
      case "summary":
      case "legend":
      case "caption":
      case "figcaption": {
        // Often the title of what follows, but never a heading of the page.
        if (element.holdsBlock) break;
        const title = this.line(element);
        if (title !== "") out.push(escapeStart(title));
        return;
      }
    }
    this.#flow(element, out);
  }

  #list(element: HtmlElement, out: string[]): void {
    const ordered = element.tag === "ol";
    const items: string[] = [];
    let number = Number.parseInt(element.attributes.start ?? "1", 10) || 1;
    let loose = false;
    for (const child of element.children) {
      if (typeof child === "string" || isHidden(child)) continue;
      const inner = child.tag === "li" ? this.blocks(child) : this.#single(child);
      if (inner.length === 0) continue;
      const marker = ordered && child.tag === "li" ? `${number++}. ` : "- ";
      const isLoose = inner.some((block, index) => index > 0 && !/^(?:- |\d+\. )/.test(block));
      if (isLoose) loose = true;
      items.push(marker + indent(inner.join(isLoose ? "\n\n" : "\n"), " ".repeat(marker.length)));
    }
    if (items.length > 0) out.push(items.join(loose ? "\n\n" : "\n"));
  }

  /** A child that has no business in its parent (a `div` in a `ul`) as blocks of its own. */
  #single(element: HtmlElement): string[] {
    const out: string[] = [];
    if (SILENT_TAGS.has(element.tag)) return out;
    if (BLOCK_TAGS.has(element.tag)) this.#block(element, out);
    else paragraph(this.#inlineElement(element), out);
    return out;
  }

  /** Markdown has no definition lists: a term is a list item, its definitions are indented under it. */
  #definitions(element: HtmlElement, out: string[]): void {
    let entry: string[] = [];
    const entries: string[] = [];
    const end = (): void => {
      if (entry.length > 0) entries.push(`- ${indent(entry.join("\n\n"), "  ")}`);
      entry = [];
    };
    let afterTerm = false;
    const visit = (parent: HtmlElement): void => {
      for (const child of parent.children) {
        if (typeof child === "string" || isHidden(child) || SILENT_TAGS.has(child.tag)) continue;
        if (child.tag === "dt") {
          if (!afterTerm) end();
          entry.push(...this.#single(child));
          afterTerm = true;
        } else if (child.tag === "dd") {
          entry.push(...this.blocks(child));
          afterTerm = false;
        } else if (child.tag === "div") visit(child);
        else entry.push(...this.#single(child));
      }
    };
    visit(element);
    end();
    if (entries.length > 0) out.push(entries.join("\n\n"));
  }

  /** The inside of an element as one run of text, blocks in it separated by a space. */
  #inline(element: HtmlElement): string {
    let run = "";
    for (const child of element.children) {
      if (typeof child === "string") run = join(run, text(child));
      else if (SILENT_TAGS.has(child.tag) || isHidden(child)) continue;
      else if (BLOCK_TAGS.has(child.tag)) run = join(run, ` ${this.#inline(child)} `);
      else run = join(run, this.#inlineElement(child));
    }
    return run;
  }

  #inlineElement(element: HtmlElement): string {
    const { tag } = element;
    if (tag === "br") return "\n";
    if (tag === "wbr") return "";
    if (tag === "img") return this.#image(element);
    if (tag === "a") return this.#link(element);
    if (CODE_TAGS.has(tag)) {
      const code = verbatim(element).replace(/\s+/g, " ");
      const bare = code.trim();
      return bare === "" ? code : around(code, codeSpan(bare));
    }
    const mark = EMPHASIS[tag];
    const inner = this.#inline(element);
    if (mark === undefined) return tag === "q" ? `“${inner.trim()}”` : inner;
    const bare = inner.trim();
    // Nested or empty emphasis would print its asterisks.
    return bare === "" || bare.startsWith("*") || bare.endsWith("*")
      ? inner
      : around(inner, mark + bare + mark);
  }

  #image({ attributes }: HtmlElement): string {
    const alt = text(attributes.alt ?? "").trim();
    if (alt === "") return "";
    const source = this.#absolute(attributes.src ?? "");
    return source === "" ? alt : `![${alt}](${source})`;
  }

  #link(element: HtmlElement): string {
    const inner = this.#inline(element);
    const bare = inner.trim().replace(/\n/g, " ");
    const written = element.attributes.href;
    if (written === undefined) return inner;
    if (written.startsWith("#")) return /^[¶#§🔗]?$/u.test(bare) ? "" : inner;
    const target = this.#absolute(written);
    if (bare === "" || target === "") return inner;
    return around(inner, `[${bare}](${target})`);
  }

  /** An http(s) address in full with its fragment, "" for any other or one on this very page. */
  #absolute(written: string): string {
    const known = this.#hrefs.get(written);
    if (known !== undefined) return known;
    const url = URL.parse(written, this.#base);
    let target = "";
    if (url && (url.protocol === "http:" || url.protocol === "https:")) {
      const { hash } = url;
      url.hash = "";
      const page = normalisePercentEncoding(url.href);
      // A bracket or space would end the link.
      if (page !== this.#own)
        target = (page + hash).replace(/[()\s]/g, (c) => (c === "(" ? "%28" : c === ")" ? "%29" : "%20"));
    }
    this.#hrefs.set(written, target);
    return target;
  }
}

function isInside(element: HtmlElement, container: HtmlElement): boolean {
  for (let at: HtmlElement | null = element; at; at = at.parent) if (at === container) return true;
  return false;
}

const UNEVEN = /[^\S ]|\u200b| {2}/;

/** A text node: white space collapsed (also no-break spaces, which matter to layout only), markup escaped. */
function text(raw: string): string {
  if (raw === "\n") return " ";
  return escapeText(UNEVEN.test(raw) ? raw.replace(/[\s\u200b]+/g, " ") : raw);
}

/** Appends a run of text; two code spans that touch become one, as they are read. */
function join(before: string, after: string): string {
  if (before === "" || after === "") return before + after;
  const end = before.charCodeAt(before.length - 1);
  const start = after.charCodeAt(0);
  if (start === 32 && (end === 32 || end === 10)) return before + after.slice(1);
  if (
    start === 96 &&
    end === 96 &&
    before.at(-2) !== "\\" &&
    before.at(-2) !== "`" &&
    after.charAt(1) !== "`"
  ) {
    return before.slice(0, -1) + after.slice(1);
  }
  return before + after;
}

/** Marked text with the white space of the original outside of the marks. */
function around(original: string, marked: string): string {
  const lead = /^\s/.test(original) ? " " : "";
  const trail = /\s$/.test(original) ? " " : "";
  return lead + marked + trail;
}

function tidy(run: string): string {
  return run
    .replace(/ *\n */g, "\n")
    .replace(/ {2,}/g, " ")
    .trim();
}

function paragraph(run: string, out: string[]): void {
  const line = tidy(run);
  if (line !== "") out.push(escapeStart(line));
}
