/**
 * Converts HTML markup to events for tags and texts, and closes elements by the rules of HTML.
 *
 * It replaces htmlparser2, which took a quarter of the time of reading a page: its state machine is slower
 * than the string search of the JavaScript engine. Its events differ from those of htmlparser2 only in one
 * point: an end tag of a heading closes a heading of any rank, as in browsers.
 */
import { DecodingMode, decodeHTML, decodeHTMLAttribute } from "entities";
import { rulesOf, type Switch, svgName } from "./html-tag-rules.ts";
import { nameAt } from "./tag-and-attribute-name-cache.ts";

export type Attributes = Record<string, string>;

/** All tags without attributes share this object, so that no object is created for each of them. */
const NO_ATTRIBUTES: Attributes = Object.freeze({});

export interface MarkupHandler {
  /**
   * Called with each start tag.
   * @param marked whether the tag has at least one of the attributes in `MarkupOptions.marks`
   */
  onopentag(tag: string, attributes: Attributes, marked: boolean): void;
  /** Called with the text between two tags, possibly in several pieces. */
  ontext(text: string): void;
  onclosetag(tag: string): void;
}

export interface MarkupOptions {
  /** Whether a tag such as `<a/>` is closed, as in XHTML. In HTML it stays open. */
  readonly selfClosing?: boolean;
  /**
   * Maximum number of open tags; the scan stops when it is reached. Each end tag is compared with all open
   * tags, so many open tags make the scan slow.
   */
  readonly mostOpen?: number;
  /**
   * Names of attributes. The scanner reports to the handler whether an element has at least one of these
   * attributes. Most elements have none, and the handler then skips its checks.
   */
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
const DIGIT_1 = 49;
const DIGIT_6 = 54;
const EQUALS = 61;
const GREATER = 62;
const QUESTION = 63;
const LOWER_A = 97;
const LOWER_H = 104;
const LOWER_Z = 122;
const TO_LOWER = 32;

const CDATA = "[CDATA[";

interface TextContent {
  /** Matches the end tag of the element. All content before this end tag is text. */
  readonly end: RegExp;
  readonly entities: boolean;
}

const contentUntilEnd = (tag: string, entities: boolean): readonly [string, TextContent] => [
  tag,
  { end: new RegExp(`</${tag}[ \\t\\n\\f\\r/>]`, "gi"), entities },
];

/** Tags of elements that contain only text. Anything in them that looks like a tag is text. */
const TEXT_ONLY: ReadonlyMap<string, TextContent> = new Map([
  ...["script", "style", "iframe", "noembed", "noframes", "xmp"].map((tag) => contentUntilEnd(tag, false)),
  ...["title", "textarea"].map((tag) => contentUntilEnd(tag, true)),
  // `plaintext` has no end tag, so its pattern matches nothing and the rest of the document is text.
  ["plaintext", { end: /(?!)/g, entities: false }],
]);

function isSpace(code: number): boolean {
  if (code > SPACE) return false;
  return code === SPACE || code === NEWLINE || code === TAB || code === FORM_FEED || code === RETURN;
}

/** Whether a tag is `h1` to `h6`. This check runs for each end tag, and a regular expression takes longer. */
function isHeading(tag: string): boolean {
  if (tag.length !== 2 || tag.charCodeAt(0) !== LOWER_H) return false;
  const rank = tag.charCodeAt(1);
  return rank >= DIGIT_1 && rank <= DIGIT_6;
}

function isLetter(code: number): boolean {
  const lower = code | TO_LOWER;
  return lower >= LOWER_A && lower <= LOWER_Z;
}

/**
 * Calls the handler for each tag and text in `source`, and finally closes all elements that are still open.
 * Only errors of the handler are thrown.
 */
export function parseMarkup(source: string, handler: MarkupHandler, options: MarkupOptions = {}): void {
  new MarkupParser(source, handler, options).parse();
}

class MarkupParser {
  readonly #source: string;
  readonly #handler: MarkupHandler;
  readonly #selfClosing: boolean;
  readonly #mostOpen: number;
  readonly #marks: ReadonlySet<string>;
  /** Whether the current start tag has an attribute of the set `#marks`. */
  #marked = false;
  /** Tags of the open elements. The innermost is the last. */
  readonly #open: string[] = [];
  /**
   * For each open element, how its tag changes the rules of parsing, as `svg` does. The innermost element is
   * the last.
   */
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
    /** Start position of the text that was not passed to the handler yet. */
    let text = 0;
    let at = source.indexOf("<");
    while (at >= 0 && this.#open.length < this.#mostOpen) {
      const next = source.charCodeAt(at + 1);
      const isEnd = next === SLASH && at + 2 < source.length;
      if (isEnd || isLetter(next) || next === EXCLAMATION || next === QUESTION) {
        if (at > text) this.#emitText(text, at, true);
        if (isEnd) text = this.#endTag(at + 2);
        else if (next === EXCLAMATION) text = this.#declaration(at + 2);
        else if (next === QUESTION) text = this.#positionAfterTag(at + 1);
        else text = this.#startTag(at + 1);
        at = source.indexOf("<", text);
      } else {
        // A `<` without a tag name after it is text.
        at = source.indexOf("<", at + 1);
      }
    }
    if (text < source.length && this.#open.length < this.#mostOpen) this.#emitText(text, source.length, true);
    for (let last = this.#open.length - 1; last >= 0; last--)
      this.#handler.onclosetag(this.#open[last] ?? "");
  }

  #emitText(start: number, end: number, entities: boolean): void {
    const text = this.#source.slice(start, end);
    this.#handler.ontext(entities && text.includes("&") ? decodeHTML(text, DecodingMode.Legacy) : text);
  }

  /**
   * Returns the position after the next `>`, or the end of the document when there is none.
   */
  #positionAfterTag(from: number): number {
    const found = this.#source.indexOf(">", from);
    return found < 0 ? this.#source.length : found + 1;
  }

  /**
   * Skips a comment, a doctype, a CDATA section, or markup that HTML treats as a comment. `from` is the
   * position after `<!`.
   */
  #declaration(from: number): number {
    const source = this.#source;
    if (source.startsWith(CDATA, from)) {
      const start = from + CDATA.length;
      const end = source.indexOf("]]>", start);
      if (end < 0) return source.length;
      // In HTML content a CDATA section is a comment. In SVG and MathML it is text.
      if (end > start && this.#isForeign()) this.#emitText(start, end, false);
      return end + 3;
    }
    if (!source.startsWith("--", from)) return this.#positionAfterTag(from);
    const start = from + 2;
    if (source.charCodeAt(start) === GREATER) return start + 1;
    if (source.startsWith("->", start)) return start + 2;
    for (let dashes = source.indexOf("--", start); dashes >= 0; dashes = source.indexOf("--", dashes + 1)) {
      if (source.charCodeAt(dashes + 2) === GREATER) return dashes + 3;
      if (source.startsWith("!>", dashes + 2)) return dashes + 4;
    }
    return source.length;
  }

  /** Scans an end tag. `from` is the position after `</`. */
  #endTag(from: number): number {
    const source = this.#source;
    // `</>` is ignored. If a character other than a letter follows `</`, a comment starts, which ends at the
    // next `>`.
    if (!isLetter(source.charCodeAt(from))) return this.#positionAfterTag(from);
    const end = this.#nameEnd(from, false);
    // An end tag that the end of the document cuts off is ignored.
    if (end === source.length) return end;
    this.#closeTag(this.#tagOf(nameAt(source, from, end)));
    return this.#positionAfterTag(end);
  }

  /**
   * Returns the index at which a tag or attribute name ends: at white space, `/`, `>` or the end of the
   * document. An attribute name also ends at `=`.
   */
  #nameEnd(from: number, attribute: boolean): number {
    const source = this.#source;
    const { length } = source;
    let at = from;
    while (at < length) {
      const code = source.charCodeAt(at);
      // Only characters with codes up to that of ">" can end a name. Letters have higher codes, so this
      // comparison skips them.
      if (code <= GREATER) {
        if (code === GREATER || code === SLASH || isSpace(code) || (attribute && code === EQUALS)) break;
      }
      at++;
    }
    return at;
  }

  /**
   * Returns the tag with this name. HTML tags are written in lower case, but some SVG tags contain upper-case
   * letters.
   */
  #tagOf(name: string): string {
    const context = this.#switches.at(-1);
    if (context === undefined) return name === "image" ? "img" : name;
    const inSvg = svgName(name);
    if (context === "svg") return inSvg ?? name;
    // HTML inside of SVG may end with the end tag of the SVG element around it. The name of this SVG element
    // may have upper-case letters.
    if (inSvg !== undefined && this.#open.includes(inSvg)) return inSvg;
    return context === "html" && name === "image" ? "img" : name;
  }

  #isForeign(): boolean {
    const context = this.#switches.at(-1);
    return context === "svg" || context === "math";
  }

  /**
   * Scans a start tag. When the element contains only text, its content is scanned too. `from` is the
   * position after `<`.
   */
  #startTag(from: number): number {
    const source = this.#source;
    const { length } = source;
    let at = this.#nameEnd(from, false);
    if (at === length) return at;
    const name = nameAt(source, from, at);
    const content = this.#isForeign() ? undefined : TEXT_ONLY.get(name);
    const tag = this.#tagOf(name);
    let attributes: Attributes = NO_ATTRIBUTES;
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
      if (attributes === NO_ATTRIBUTES) attributes = {};
      at = this.#attribute(at, attributes);
    }
    return content ? this.#textContent(at + 1, content) : at + 1;
  }

  /** Reads an attribute whose name starts at `from`, and adds it. Returns the position after its value. */
  #attribute(from: number, attributes: Attributes): number {
    const source = this.#source;
    const { length } = source;
    // `=` may be the first character of an attribute name, but any later `=` ends the name. So the search for
    // the end begins at the second character.
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
    // When an attribute occurs twice, the first one counts. `Object.hasOwn` is needed for names such as
    // `constructor`, which every object inherits.
    if (attributes[name] === undefined || !Object.hasOwn(attributes, name)) attributes[name] = value;
    if (this.#marks.has(name)) this.#marked = true;
    return at;
  }

  #textContent(start: number, { end, entities }: TextContent): number {
    const source = this.#source;
    end.lastIndex = start;
    const found = end.exec(source)?.index ?? source.length;
    if (found > start) this.#emitText(start, found, entities);
    return found === source.length ? found : this.#endTag(found + 2);
  }

  /**
   * Handles a start tag: closes the open elements that the tag ends, and opens its element.
   *
   * @param slash whether the tag ends in a slash, as `<a/>` does
   */
  #begin(tag: string, attributes: Attributes, slash: boolean): void {
    // A form inside of another form is ignored, as HTML requires.
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

  #closeTag(tag: string): void {
    if (rulesOf(tag).isVoid) {
      // `</br>` is treated as `<br>`, as in browsers. End tags of other elements that have no content are
      // ignored.
      if (tag !== "br") return;
      this.#handler.onopentag("br", {}, false);
      this.#handler.onclosetag("br");
      return;
    }
    // The end tag of a heading closes an open heading of any rank (§13.2.6.4.7).
    const place = isHeading(tag) ? this.#open.findLastIndex(isHeading) : this.#open.lastIndexOf(tag);
    if (place >= 0) {
      while (this.#open.length > place) this.#close();
    } else if (tag === "p") {
      // An end tag `</p>` without a start tag counts as an empty paragraph. The paragraph has no attributes,
      // so it is not marked.
      this.#marked = false;
      this.#begin("p", {}, false);
      this.#close();
    }
  }

  #close(): void {
    const tag = this.#open.pop();
    if (tag === undefined) return;
    if (this.#switches.length > 0 && rulesOf(tag).switches !== "none") this.#switches.pop();
    this.#handler.onclosetag(tag);
  }
}
