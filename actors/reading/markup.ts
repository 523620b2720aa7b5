/**
 * Markup to events: a scanner of HTML's tags, with the rules of which tags end which.
 *
 * It runs through the text from one `<` to the next, which the engine finds faster than any state machine that looks
 * at every character (htmlparser2's was a quarter of the time that reading a page takes); entities are decoded by
 * the library that htmlparser2 uses, and only where there is an `&`. It is held to htmlparser2's own parser by a test
 * that compares the two, and goes beyond it where a heading ends at the end of a heading of another rank, as in
 * browsers. Neighbours: `markup-names.ts` has the names, `document.ts` builds the tree.
 */
import { DecodingMode, decodeHTML, decodeHTMLAttribute } from "entities";
import { nameAt, rulesOf, type Switch, svgName } from "./markup-names.ts";

export type Attributes = Record<string, string>;

export interface MarkupHandler {
  /** `marked`: one of the attributes is among `MarkupOptions.marks`. */
  onopentag(tag: string, attributes: Attributes, marked: boolean): void;
  /** Text between two events, possibly in several pieces. */
  ontext(text: string): void;
  onclosetag(tag: string): void;
}

export interface MarkupOptions {
  /** `<a/>` closes itself, as in XHTML. */
  readonly selfClosing?: boolean;
  /** What follows so many tags left open is not read: finding what an end tag ends takes as long as there are open ones. */
  readonly mostOpen?: number;
  /** Names of attributes that the handler looks for on every element: most have none of them. */
  readonly marks?: ReadonlySet<string>;
}

const NO_MARKS: ReadonlySet<string> = new Set();

const TAB = 9;
const NEWLINE = 10;
const FORM_FEED = 12;
const RETURN = 13;
const SPACE = 32;
const EXCLAMATION = 33;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const SLASH = 47;
const EQUALS = 61;
const GREATER = 62;
const QUESTION = 63;
const LOWER_A = 97;
const LOWER_Z = 122;
const TO_LOWER = 32;

const HEADING = /^h[1-6]$/;
const CDATA = "[CDATA[";

interface TextContent {
  /** Finds what ends it. */
  readonly end: RegExp;
  readonly entities: boolean;
}

const contentUntilEnd = (tag: string, entities: boolean): readonly [string, TextContent] => [
  tag,
  { end: new RegExp(`</${tag}[ \\t\\n\\f\\r/>]`, "gi"), entities },
];

/** Elements that hold nothing but text. */
const TEXT_ONLY: ReadonlyMap<string, TextContent> = new Map([
  ...["script", "style", "iframe", "noembed", "noframes", "xmp"].map((tag) => contentUntilEnd(tag, false)),
  ...["title", "textarea"].map((tag) => contentUntilEnd(tag, true)),
  // Nothing ends it.
  ["plaintext", { end: /(?!)/g, entities: false }],
]);

function isSpace(code: number): boolean {
  return code === SPACE || code === NEWLINE || code === TAB || code === FORM_FEED || code === RETURN;
}

function isLetter(code: number): boolean {
  const lower = code | TO_LOWER;
  return lower >= LOWER_A && lower <= LOWER_Z;
}

/** Tells a handler what stands in `source`, however broken; never throws by itself. All elements end. */
export function parseMarkup(source: string, handler: MarkupHandler, options: MarkupOptions = {}): void {
  new MarkupParser(source, handler, options).parse();
}

class MarkupParser {
  readonly #source: string;
  readonly #handler: MarkupHandler;
  readonly #selfClosing: boolean;
  readonly #mostOpen: number;
  readonly #marks: ReadonlySet<string>;
  /** Of the start tag that is being read. */
  #marked = false;
  /** Open elements, the innermost last. */
  readonly #open: string[] = [];
  /** Where the open elements left HTML and came back to it, the innermost last. */
  readonly #switches: Switch[] = [];

  constructor(source: string, handler: MarkupHandler, options: MarkupOptions) {
    this.#source = source;
    this.#handler = handler;
    this.#selfClosing = options.selfClosing ?? false;
    this.#mostOpen = options.mostOpen ?? Number.POSITIVE_INFINITY;
    this.#marks = options.marks ?? NO_MARKS;
  }

  parse(): void {
    const source = this.#source;
    /** Where the text begins that has not been told yet. */
    let text = 0;
    let at = source.indexOf("<");
    while (at >= 0 && this.#open.length < this.#mostOpen) {
      const next = source.charCodeAt(at + 1);
      const isEnd = next === SLASH && at + 2 < source.length;
      if (isEnd || isLetter(next) || next === EXCLAMATION || next === QUESTION) {
        if (at > text) this.#tellText(text, at, true);
        if (isEnd) text = this.#endTag(at + 2);
        else if (next === EXCLAMATION) text = this.#declaration(at + 2);
        else if (next === QUESTION) text = this.#after(">", at + 1);
        else text = this.#startTag(at + 1);
        at = source.indexOf("<", text);
      } else {
        // A `<` that begins nothing is text.
        at = source.indexOf("<", at + 1);
      }
    }
    if (text < source.length && this.#open.length < this.#mostOpen) this.#tellText(text, source.length, true);
    for (let last = this.#open.length - 1; last >= 0; last--)
      this.#handler.onclosetag(this.#open[last] ?? "");
  }

  #tellText(start: number, end: number, entities: boolean): void {
    const text = this.#source.slice(start, end);
    this.#handler.ontext(entities && text.includes("&") ? decodeHTML(text, DecodingMode.Legacy) : text);
  }

  /** The place behind the next occurrence, or behind everything. */
  #after(mark: string, from: number): number {
    const found = this.#source.indexOf(mark, from);
    return found < 0 ? this.#source.length : found + mark.length;
  }

  /** A comment, a doctype, a CDATA section, or what counts as a comment; `from` is behind its `<!`. */
  #declaration(from: number): number {
    const source = this.#source;
    if (source.startsWith(CDATA, from)) {
      const start = from + CDATA.length;
      const end = source.indexOf("]]>", start);
      if (end < 0) return source.length;
      // Outside of drawings and formulae it is a comment.
      if (end > start && this.#isForeign()) this.#tellText(start, end, false);
      return end + 3;
    }
    if (!source.startsWith("--", from)) return this.#after(">", from);
    const start = from + 2;
    if (source.charCodeAt(start) === GREATER) return start + 1;
    if (source.startsWith("->", start)) return start + 2;
    for (let dashes = source.indexOf("--", start); dashes >= 0; dashes = source.indexOf("--", dashes + 1)) {
      if (source.charCodeAt(dashes + 2) === GREATER) return dashes + 3;
      if (source.startsWith("!>", dashes + 2)) return dashes + 4;
    }
    return source.length;
  }

  /** `from` is behind its `</`. */
  #endTag(from: number): number {
    const source = this.#source;
    // `</>` is nothing, and `</` before what is no name begins a comment.
    if (!isLetter(source.charCodeAt(from))) return this.#after(">", from);
    const end = this.#nameEnd(from, false);
    // What the end of the document cuts off counts for nothing.
    if (end === source.length) return end;
    this.#ended(this.#tagOf(nameAt(source, from, end)));
    return this.#after(">", end);
  }

  /** The end of a name: a space, `/`, `>`, the end of the document, and for an attribute's also `=`. */
  #nameEnd(from: number, attribute: boolean): number {
    const source = this.#source;
    const { length } = source;
    let at = from;
    while (at < length) {
      const code = source.charCodeAt(at);
      if (code === GREATER || code === SLASH || isSpace(code) || (attribute && code === EQUALS)) break;
      at++;
    }
    return at;
  }

  /** What a tag's name means where it stands. */
  #tagOf(name: string): string {
    const context = this.#switches.at(-1);
    if (context === undefined) return name === "image" ? "img" : name;
    const inSvg = svgName(name);
    if (context === "svg") return inSvg ?? name;
    // An end tag inside of an element that came back to HTML may be of the drawing around it.
    if (inSvg !== undefined && this.#open.includes(inSvg)) return inSvg;
    return context === "html" && name === "image" ? "img" : name;
  }

  #isForeign(): boolean {
    const context = this.#switches.at(-1);
    return context === "svg" || context === "math";
  }

  /** A start tag, and the content of one that holds nothing but text; `from` is behind its `<`. */
  #startTag(from: number): number {
    const source = this.#source;
    const { length } = source;
    let at = this.#nameEnd(from, false);
    if (at === length) return at;
    const name = nameAt(source, from, at);
    const content = this.#isForeign() ? undefined : TEXT_ONLY.get(name);
    const tag = this.#tagOf(name);
    const attributes: Attributes = {};
    this.#marked = false;
    for (;;) {
      let code = source.charCodeAt(at);
      while (isSpace(code)) code = source.charCodeAt(++at);
      if (code === SLASH) {
        code = source.charCodeAt(++at);
        while (isSpace(code)) code = source.charCodeAt(++at);
        if (code !== GREATER) {
          if (at >= length) return length;
          continue;
        }
        this.#begin(tag, attributes, true);
        if (this.#selfClosing) return at + 1;
        break;
      }
      if (code === GREATER) {
        this.#begin(tag, attributes, false);
        break;
      }
      if (at >= length) return length;
      at = this.#attribute(at, attributes);
    }
    return content ? this.#textContent(at + 1, content) : at + 1;
  }

  /** Adds the attribute whose name begins at `from`; answers the place behind its value. */
  #attribute(from: number, attributes: Attributes): number {
    const source = this.#source;
    const { length } = source;
    // A name may begin with `=`.
    const nameEnd = this.#nameEnd(from + 1, true);
    let at = nameEnd;
    let code = source.charCodeAt(at);
    while (isSpace(code)) code = source.charCodeAt(++at);
    if (at >= length) return length;
    let value = "";
    if (code === EQUALS) {
      code = source.charCodeAt(++at);
      while (isSpace(code)) code = source.charCodeAt(++at);
      if (at >= length) return length;
      let start = at;
      let end: number;
      if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
        start += 1;
        end = source.indexOf(code === DOUBLE_QUOTE ? '"' : "'", start);
        if (end < 0) return length;
        at = end + 1;
      } else {
        while (at < length && code !== GREATER && !isSpace(code)) code = source.charCodeAt(++at);
        if (at >= length) return length;
        end = at;
      }
      value = source.slice(start, end);
      if (value.includes("&")) value = decodeHTMLAttribute(value);
    }
    const name = nameAt(source, from, nameEnd);
    // The first of several counts; `constructor` and the like are on every object and yet not there.
    if (attributes[name] === undefined || !Object.hasOwn(attributes, name)) attributes[name] = value;
    if (this.#marks.has(name)) this.#marked = true;
    return at;
  }

  #textContent(start: number, { end, entities }: TextContent): number {
    const source = this.#source;
    end.lastIndex = start;
    const found = end.exec(source)?.index ?? source.length;
    if (found > start) this.#tellText(start, found, entities);
    return found === source.length ? found : this.#endTag(found + 2);
  }

  /** An element begins, and what its start tag ends is over. `slash`: the tag is written `<a/>`. */
  #begin(tag: string, attributes: Attributes, slash: boolean): void {
    // A form in a form counts for nothing.
    if (tag === "form" && this.#open.includes("form")) return;
    const { ends, isVoid, switches } = rulesOf(tag);
    if (ends) {
      const open = this.#open;
      for (let last = open.at(-1); last !== undefined && ends.has(last); last = open.at(-1)) this.#close();
    }
    if (!isVoid) {
      this.#open.push(tag);
      if (switches !== "none") this.#switches.push(switches);
    }
    this.#handler.onopentag(tag, attributes, this.#marked);
    if (isVoid) this.#handler.onclosetag(tag);
    else if (slash && (this.#selfClosing || this.#isForeign())) this.#close();
  }

  #ended(tag: string): void {
    if (rulesOf(tag).isVoid) {
      // A stray </br> is a line break, other void elements have no end.
      if (tag !== "br") return;
      this.#handler.onopentag("br", {}, false);
      this.#handler.onclosetag("br");
      return;
    }
    // The end of a heading ends one of whatever rank (§13.2.6.4.7).
    const place = HEADING.test(tag)
      ? this.#open.findLastIndex((open) => HEADING.test(open))
      : this.#open.lastIndexOf(tag);
    if (place >= 0) {
      while (this.#open.length > place) this.#close();
    } else if (tag === "p") {
      // A stray </p> is an empty paragraph.
      this.#marked = false;
      this.#begin("p", {}, false);
      this.#close();
    }
  }

  #close(): void {
    const tag = this.#open.pop();
    if (tag === undefined) return;
    if (rulesOf(tag).switches !== "none") this.#switches.pop();
    this.#handler.onclosetag(tag);
  }
}
