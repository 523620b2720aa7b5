/**
 * Markup to events: htmlparser2's tokenizer, with its parser's rules of which tags end which.
 *
 * Its parser makes a string of every name, keeps a stack of its own and hands each tag on in several calls: with a
 * tree to build it was a third of the time that reading a page takes. This does the same with names that are
 * recognised (`markup-names.ts`), held to htmlparser2's own parser by a test that compares the two; it goes beyond it
 * where a heading ends at the end of a heading of another rank, as in browsers. Neighbour: `document.ts` builds the
 * tree.
 */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { nameAt, rulesOf, type Switch, svgName } from "./markup-names.ts";

export type Attributes = Record<string, string>;

export interface MarkupHandler {
  onopentag(tag: string, attributes: Attributes): void;
  /** Text between two events, possibly in several pieces. */
  ontext(text: string): void;
  onclosetag(tag: string): void;
}

const HEADING = /^h[1-6]$/;

export class MarkupParser implements TokenizerCallbacks {
  readonly #source: string;
  readonly #handler: MarkupHandler;
  /** `<a/>` closes itself. */
  readonly #selfClosing: boolean;
  readonly #tokenizer: Tokenizer;
  #written = 0;
  /** Open elements, the innermost last. */
  readonly #open: string[] = [];
  /** Where the open elements left HTML and came back to it, the innermost last. */
  readonly #switches: Switch[] = [];
  /** The start tag that is being read; "" for one that counts for nothing. */
  #tag = "";
  #attributes: Attributes | undefined;
  #attribute = "";
  #value = "";

  constructor(source: string, handler: MarkupHandler, selfClosing: boolean) {
    this.#source = source;
    this.#handler = handler;
    this.#selfClosing = selfClosing;
    this.#tokenizer = new Tokenizer({ decodeEntities: true, recognizeSelfClosing: selfClosing }, this);
  }

  /** Reads on to this place of the source; false when there is no more. */
  readTo(end: number): boolean {
    const { length } = this.#source;
    const to = Math.min(end, length);
    if (this.#written < to) {
      this.#tokenizer.write(
        this.#written === 0 && to === length ? this.#source : this.#source.slice(this.#written, to),
      );
      this.#written = to;
    }
    return to < length;
  }

  /** Nothing more is read; what is open is closed. */
  end(): void {
    this.#tokenizer.end();
  }

  ontext(start: number, end: number): void {
    this.#handler.ontext(this.#source.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    this.#handler.ontext(String.fromCodePoint(codepoint));
  }

  isInForeignContext(): boolean {
    const context = this.#switches.at(-1);
    return context === "svg" || context === "math";
  }

  #nameOfTag(start: number, end: number): string {
    const name = nameAt(this.#source, start, end);
    const context = this.#switches.at(-1);
    if (context === undefined) return name === "image" ? "img" : name;
    const inSvg = svgName(name);
    if (context === "svg") return inSvg ?? name;
    // An end tag inside of an element that came back to HTML may be of the drawing around it.
    if (inSvg !== undefined && this.#open.includes(inSvg)) return inSvg;
    return context === "html" && name === "image" ? "img" : name;
  }

  onopentagname(start: number, end: number): void {
    this.#startTag(this.#nameOfTag(start, end));
  }

  #startTag(tag: string): void {
    this.#tag = tag;
    // A form in a form counts for nothing, nor do its attributes.
    if (tag === "form" && this.#open.includes("form")) {
      this.#tag = "";
      return;
    }
    const { ends, isVoid, switches } = rulesOf(tag);
    if (ends) {
      const open = this.#open;
      for (let last = open.at(-1); last !== undefined && ends.has(last); last = open.at(-1)) this.#close();
    }
    if (!isVoid) {
      this.#open.push(tag);
      if (switches !== "none") this.#switches.push(switches);
    }
    this.#attributes = {};
  }

  #finishTag(): void {
    const tag = this.#tag;
    if (this.#attributes) {
      this.#handler.onopentag(tag, this.#attributes);
      this.#attributes = undefined;
    }
    if (rulesOf(tag).isVoid) this.#handler.onclosetag(tag);
    this.#tag = "";
  }

  onopentagend(): void {
    this.#finishTag();
  }

  onselfclosingtag(): void {
    if (this.#selfClosing || this.isInForeignContext()) this.#closeAtOnce();
    else this.#finishTag();
  }

  #closeAtOnce(): void {
    const tag = this.#tag;
    this.#finishTag();
    if (this.#open.at(-1) === tag) this.#close();
  }

  onclosetag(start: number, end: number): void {
    const tag = this.#nameOfTag(start, end);
    if (rulesOf(tag).isVoid) {
      // A stray </br> is a line break, other void elements have no end.
      if (tag !== "br") return;
      this.#handler.onopentag("br", {});
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
      this.#startTag("p");
      this.#closeAtOnce();
    }
  }

  #close(): void {
    const tag = this.#open.pop();
    if (tag === undefined) return;
    if (rulesOf(tag).switches !== "none") this.#switches.pop();
    this.#handler.onclosetag(tag);
  }

  onattribname(start: number, end: number): void {
    this.#attribute = nameAt(this.#source, start, end);
  }

  onattribdata(start: number, end: number): void {
    const piece = this.#source.slice(start, end);
    this.#value = this.#value === "" ? piece : this.#value + piece;
  }

  onattribentity(codepoint: number): void {
    this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    const attributes = this.#attributes;
    const name = this.#attribute;
    // The first of several counts; `constructor` and the like are on every object and yet not there.
    if (attributes && (attributes[name] === undefined || !Object.hasOwn(attributes, name))) {
      attributes[name] = this.#value;
    }
    this.#value = "";
  }

  oncdata(start: number, end: number, offset: number): void {
    // Outside of drawings and formulae it is a comment.
    if (this.isInForeignContext()) this.#handler.ontext(this.#source.slice(start, end - offset));
  }

  oncomment(): void {
    // Nobody reads comments.
  }

  ondeclaration(): void {
    // Nor what kind of HTML it says it is.
  }

  onprocessinginstruction(): void {
    // In HTML it is a comment.
  }

  onend(): void {
    for (let at = this.#open.length - 1; at >= 0; at--) this.#handler.onclosetag(this.#open[at] ?? "");
  }
}
