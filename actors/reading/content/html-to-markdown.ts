/**
 * Converts an element to Markdown (CommonMark, with the tables and strikethrough of GFM).
 *
 * Menus, headers and footers (see `main-content.ts`), hidden parts, scripts and form controls are left out;
 * code is kept unchanged. The converter is hand-written, because a crawl spends most of its time in it: for a
 * manual page of 90 KB it needs 1.5 ms of CPU, and node-html-markdown 2 needs 38 ms.
 */

import { isRoute, normalisePercentEncoding } from "../../../machines/exploration/crawl/normalise-url.ts";
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";
import type { PageMetadata, PageTable } from "../../../machines/records/page-records.ts";
import type { Child, HtmlElement } from "../parse/parse-html-document.ts";
import { collapse, cut, isHidden } from "../parse/visible-text-of-html-element.ts";
import { withoutFragment } from "./client-side-routes-after-hash.ts";
import { tableToMarkdown } from "./html-table-to-markdown.ts";
import { isFrame, type MainContent } from "./main-content.ts";
import { codeSpan, escapeStart, inlineText, keepOuterSpace, TextRun, tidy } from "./markdown-escaping.ts";

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

/** Returns the text of a `pre` element without collapsing white space. A `br` becomes a line break. */
function verbatim(element: HtmlElement): string {
  let text = "";
  for (const child of element.children) {
    if (typeof child === "string") text += child;
    else if (child.tag === "br") text += "\n";
    else if (!child.silent) text += verbatim(child);
  }
  return text;
}

/**
 * Returns the language from the class of a syntax highlighter, such as `language-ts`, `lang-ts`,
 * `highlight-python3` or `brush: php`.
 */
function codeLanguage(pre: HtmlElement): string {
  const code = pre.children.find((child) => typeof child !== "string" && child.tag === "code");
  const around = [typeof code === "string" ? undefined : code, pre, pre.parent, pre.parent?.parent];
  for (const element of around) {
    const found = /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:)-?\s*([A-Za-z][\w+#.-]*)/.exec(
      element?.attributes.class ?? "",
    );
    // The names "default" and "none" are ignored. Sphinx writes them for code that has no language.
    if (found?.[1] && !/^(default|none|text|notranslate)$/.test(found[1])) return found[1];
  }
  return "";
}

const ALT_LENGTH = 300;
const QUOTED = "> ";
const MAX_INDENTS = 20;
const INDENTING = new Set(["ul", "ol", "menu", "dl", "blockquote"]);

const ESCAPES: Readonly<Record<string, string>> = { "(": "%28", ")": "%29" };

type PageImage = PageMetadata["images"][number];

export class MarkdownWriter {
  readonly #base: string;
  /** The URL of the page itself. A link to this URL becomes text without a link. */
  readonly #pageUrl: string;
  /** Maps each URL, as written on the page, to the absolute URL without fragment. */
  readonly #absoluteUrls = new Map<string, string>();
  /** The images and tables of the content, up to the maximum number of each. */
  readonly images: PageImage[] = [];
  readonly tables: PageTable[] = [];
  #isDeclared = true;
  #excluded: ReadonlySet<Child> | undefined;
  /** Number of lists and quotes in which the current block is nested. */
  #depth = 0;
  /**
   * The text at the start of every line of the current block except the first, such as `> ` in a quote. It is
   * added when a line is written. Indenting finished text would copy the text of a deep list once for each
   * level.
   */
  #margin = "";
  /** Number of characters written so far. Above `readingLimits.contentLength`, the conversion stops. */
  #written = 0;

  constructor(base: string, own: string) {
    this.#base = base;
    this.#pageUrl = own;
  }

  /**
   * Converts the content of a page to one Markdown document.
   *
   * @param content the main content
   * @param title the element with the page's title; it is written first if it is outside of the main content
   */
  document({ element, isDeclared, excluded }: MainContent, title?: HtmlElement): string {
    this.#isDeclared = isDeclared;
    this.#excluded = excluded.size > 0 ? excluded : undefined;
    const blocks = this.blocks(element);
    if (title && !title.isInside(element)) {
      const before: string[] = [];
      this.#block(title, before);
      blocks.unshift(...before);
    }
    return blocks.join("\n\n");
  }

  /**
   * Converts the content of an element to Markdown blocks, such as paragraphs and lists. All lines of a block
   * except the first begin with `#margin`.
   */
  blocks(element: HtmlElement): string[] {
    const out: string[] = [];
    this.#flow(element, out);
    return out;
  }

  /** Returns the blocks of an element without the signs of an outer list or quote, such as `> `, before their lines. */
  bareBlocks(element: HtmlElement): string[] {
    return this.#within("", () => this.blocks(element));
  }

  /**
   * Returns the Markdown blocks of a list item or a quote.
   *
   * @param margin text before each line of these blocks, such as `> `; it follows the text in `#margin`
   */
  #inner(element: HtmlElement, margin: string): string[] {
    this.#depth++;
    const inner = this.#within(this.#margin + margin, () => this.blocks(element));
    this.#depth--;
    return inner;
  }

  #within<Result>(margin: string, write: () => Result): Result {
    const before = this.#margin;
    this.#margin = margin;
    const result = write();
    this.#margin = before;
    return result;
  }

  /** Adds the prefix of the current block, such as `> ` in a quote, to all lines except the first. */
  withMargin(text: string): string {
    if (this.#margin === "" || !text.includes("\n")) return text;
    const blank = this.#margin.trimEnd();
    return text.replace(/\n(?!\n)/g, `\n${this.#margin}`).replace(/\n(?=\n)/g, `\n${blank}`);
  }

  /**
   * Returns the text between two blocks: a blank line, or a line break if the blocks are `tight`. Each line
   * starts with `margin`, such as `> ` in a quotation.
   */
  #separator(margin: string, tight: boolean): string {
    return tight ? `\n${margin}` : `\n${margin.trimEnd()}\n${margin}`;
  }

  /** Returns the content of an element on one line. */
  line(element: HtmlElement): string {
    return tidy(this.#inline(element)).replace(/\n/g, " ");
  }

  #flow(element: HtmlElement, out: string[]): void {
    let pending = new TextRun();
    for (const child of element.children) {
      if (this.#written > readingLimits.contentLength) break;
      if (typeof child === "string") {
        pending.append(inlineText(child));
        continue;
      }
      const { tag } = child;
      if (child.silent || isHidden(child) || isFrame(child, this.#isDeclared)) continue;
      if (this.#excluded?.has(child)) continue;
      if (!child.block && (!child.containsBlock || tag === "a")) {
        pending.append(this.#inlineElement(child));
        continue;
      }
      this.#paragraph(pending.text, out);
      pending = new TextRun();
      this.#block(child, out);
    }
    this.#paragraph(pending.text, out);
  }

  #block(element: HtmlElement, out: string[]): void {
    // Inside of `MAX_INDENTS` lists and quotes, a further list or quote is written like a `div`, without more
    // indentation.
    const tag = this.#depth >= MAX_INDENTS && INDENTING.has(element.tag) ? "div" : element.tag;
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
        this.#written += code.length;
        let fence = "```";
        while (code.includes(fence)) fence += "`";
        out.push(this.withMargin(`${fence}${codeLanguage(element)}\n${code}\n${fence}`));
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
        const quoted = this.#inner(element, QUOTED);
        if (quoted.length > 0) out.push(QUOTED + quoted.join(this.#separator(this.#margin + QUOTED, false)));
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
        // A caption or `summary` becomes a paragraph and not a heading, because it does not belong to the
        // page's headings. If it contains blocks, its content is converted block by block.
        if (element.containsBlock) break;
        const title = this.line(element);
        if (title !== "") out.push(escapeStart(title));
        return;
      }
    }
    this.#flow(element, out);
  }

  #paragraph(run: string, out: string[]): void {
    const line = tidy(run);
    if (line === "") return;
    this.#written += line.length;
    out.push(this.withMargin(escapeStart(line)));
  }

  #list(element: HtmlElement, out: string[]): void {
    const ordered = element.tag === "ol";
    const items: string[] = [];
    let number = Number.parseInt(element.attributes.start ?? "1", 10) || 1;
    let loose = false;
    for (const child of element.children) {
      if (typeof child === "string" || isHidden(child)) continue;
      const marker = ordered && child.tag === "li" ? `${number}. ` : "- ";
      const margin = " ".repeat(marker.length);
      const inner = child.tag === "li" ? this.#inner(child, margin) : this.#single(child, margin);
      if (inner.length === 0) continue;
      if (ordered && child.tag === "li") number++;
      const isLoose = inner.some((block, index) => index > 0 && !/^(?:- |\d+\. )/.test(block));
      if (isLoose) loose = true;
      items.push(marker + inner.join(this.#separator(this.#margin + margin, !isLoose)));
    }
    if (items.length > 0) out.push(items.join(this.#separator(this.#margin, !loose)));
  }

  /** Converts a child that HTML does not allow in its parent, such as a `div` in a `ul`, to blocks. */
  #single(element: HtmlElement, margin: string): string[] {
    const out: string[] = [];
    if (element.silent) return out;
    this.#within(this.#margin + margin, () => {
      if (element.block) this.#block(element, out);
      else this.#paragraph(this.#inlineElement(element), out);
    });
    return out;
  }

  /**
   * Writes a definition list. Markdown has none, so each term becomes a bullet, with its definitions indented
   * below.
   */
  #definitions(element: HtmlElement, out: string[]): void {
    let entry: string[] = [];
    const entries: string[] = [];
    const end = (): void => {
      if (entry.length > 0) entries.push(`- ${entry.join(this.#separator(`${this.#margin}  `, false))}`);
      entry = [];
    };
    let afterTerm = false;
    const visit = (parent: HtmlElement): void => {
      for (const child of parent.children) {
        if (typeof child === "string" || isHidden(child) || child.silent) continue;
        if (child.tag === "dt") {
          if (!afterTerm) end();
          entry.push(...this.#single(child, "  "));
          afterTerm = true;
        } else if (child.tag === "dd") {
          entry.push(...this.#inner(child, "  "));
          afterTerm = false;
        } else if (child.tag === "div") visit(child);
        else entry.push(...this.#single(child, "  "));
      }
    };
    visit(element);
    end();
    if (entries.length > 0) out.push(entries.join(this.#separator(this.#margin, false)));
  }

  /** Returns the content of an element as one line of text, with a space before and after inner blocks. */
  #inline(element: HtmlElement): string {
    const run = new TextRun();
    for (const child of element.children) {
      if (typeof child === "string") run.append(inlineText(child));
      else if (child.silent || isHidden(child)) continue;
      else if (child.block) run.append(` ${this.#inline(child)} `);
      else run.append(this.#inlineElement(child));
    }
    return run.text;
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
      return bare === "" ? code : keepOuterSpace(code, codeSpan(bare));
    }
    const mark = EMPHASIS[tag];
    const inner = this.#inline(element);
    if (mark === undefined) return tag === "q" ? `“${inner.trim()}”` : inner;
    const bare = inner.trim();
    // Empty or nested emphasis is written without asterisks, because Markdown would show them.
    return bare === "" || bare.startsWith("*") || bare.endsWith("*")
      ? inner
      : keepOuterSpace(inner, mark + bare + mark);
  }

  #image({ attributes }: HtmlElement): string {
    const alt = inlineText(attributes.alt ?? "").trim();
    if (alt === "") return "";
    const source = this.#absolute(imageSource(attributes));
    if (source === "") return alt;
    const { images } = this;
    if (images.length < readingLimits.images && !images.some(({ url }) => url === source)) {
      images.push({ url: source, alt: cut(collapse(attributes.alt ?? ""), ALT_LENGTH) });
    }
    return `![${alt}](${source})`;
  }

  #link(element: HtmlElement): string {
    const inner = this.#inline(element);
    const bare = inner.trim().replace(/\n/g, " ");
    const written = element.attributes.href;
    if (written === undefined) return inner;
    if (written.startsWith("#") && !isRoute(written)) return /^[¶#§🔗]?$/u.test(bare) ? "" : inner;
    const target = this.#absolute(written);
    if (bare === "" || target === "") return inner;
    return keepOuterSpace(inner, `[${bare}](${target})`);
  }

  /**
   * Returns the absolute http(s) URL with its fragment. Returns "" for the URL of the page itself, and for
   * URLs with other schemes.
   */
  #absolute(written: string): string {
    const hash = written.indexOf("#");
    const bare = withoutFragment(written, true);
    let page = this.#absoluteUrls.get(bare);
    if (page === undefined) {
      const url = URL.parse(bare, this.#base);
      const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
      page = url && isWeb ? normalisePercentEncoding(url.href) : "";
      if (page === this.#pageUrl) page = "";
      this.#absoluteUrls.set(bare, page);
    }
    if (page === "") return "";
    const target = bare === written ? page : page + written.slice(hash).trimEnd();
    // A parenthesis or a white space would end the link, so it is percent-encoded.
    return /[()\s]/.test(target) ? target.replace(/[()\s]/g, (c) => ESCAPES[c] ?? "%20") : target;
  }
}

/** Returns the URL of an image: `src`, or the attribute from which scripts load images later. */
function imageSource(attributes: HtmlElement["attributes"]): string {
  const { src } = attributes;
  if (src !== undefined && src !== "" && !src.startsWith("data:")) return src;
  const late = attributes["data-src"] ?? attributes["data-original"] ?? attributes["data-lazy-src"];
  if (late !== undefined) return late;
  return (attributes.srcset ?? attributes["data-srcset"])?.trim().split(/[\s,]/, 1)[0] ?? "";
}
