/**
 * Parses HTML to a small tree in one pass.
 *
 * The parse also lists the elements that later steps need (links, headings, controls, ids), so that they need
 * not walk the tree again. For selectors, the tree has the same shape as in a browser: it always has `html`,
 * `head` and `body`, and tables have a `tbody`.
 */
import { type MarkupHandler, parseMarkup } from "./html-scanner.ts";
import { BLOCK_TAGS, HEAD_TAGS, type TagTraits, traitsOf } from "./html-tag-traits.ts";

export type Child = HtmlElement | string;

/** An element of the tree. Its children are elements and texts in document order. */
export class HtmlElement {
  readonly tag: string;
  readonly attributes: Record<string, string>;
  readonly parent: HtmlElement | null;
  readonly children: Child[] = [];
  /**
   * True if the element has at least one of the attributes in `MARKS`. Code that reads these attributes skips
   * other elements, which saves time.
   */
  readonly marked: boolean;
  /** Whether browsers lay the element out as a block. */
  readonly block: boolean;
  /** Whether the content of the element is never visible text, as in a script. */
  readonly silent: boolean;
  /** Whether the element contains visible text and is not for navigation, controls or labels. */
  readonly plain: boolean;
  /** Whether the element is a direct child of the shadow root of its parent, not a child of the parent. */
  readonly isInShadowRoot: boolean;
  /** Whether an inline element (link, span, unknown tag) contains a block at any depth. */
  containsBlock = false;
  /** Position among the siblings with the same tag, from 1; 0 until `css-and-xpath-locators.ts` computes it. */
  nth = 0;
  /**
   * Number of siblings with this tag, including the element; 0 until `css-and-xpath-locators.ts` computes it.
   */
  ofType = 0;

  constructor(
    tag: string,
    attributes: Record<string, string>,
    parent: HtmlElement | null,
    marked: boolean,
    { block, silent, plain }: TagTraits = traitsOf(tag),
    isInShadowRoot = false,
  ) {
    this.tag = tag;
    this.attributes = attributes;
    this.parent = parent;
    this.marked = marked;
    this.isInShadowRoot = isInShadowRoot;
    this.block = block;
    this.silent = silent;
    this.plain = plain;
  }

  /** Whether the element is the container itself, or inside of it. */
  isInside(container: HtmlElement): boolean {
    for (let at: HtmlElement | null = this; at; at = at.parent) if (at === container) return true;
    return false;
  }
}

/**
 * Roles of elements that count as links if they have `data-href`, such as rows and options of React Aria (Keystone,
 * HeroUI). In Kimai, `tr` elements have this attribute.
 */
const LINKED_ROLES: ReadonlySet<string> = new Set(["row", "option", "link"]);

/** Attributes that the page reader reads on elements of any tag. An element with one of them is `marked`. */
const MARKS: ReadonlySet<string> = new Set([
  "id",
  "role",
  "contenteditable",
  "itemprop",
  "itemscope",
  "hidden",
  "aria-hidden",
  "style",
]);

export interface HtmlDocument {
  readonly html: HtmlElement;
  readonly head: HtmlElement;
  readonly body: HtmlElement;
  /** `a` and `area` elements with an `href`. */
  readonly anchors: HtmlElement[];
  /** Rows and options of lists with an address in `data-href`, which a script opens at a click. */
  readonly linkedRows: HtmlElement[];
  /** `iframe` and `frame` elements with a `src`. */
  readonly frames: HtmlElement[];
  /** `link` elements with `rel` and `href`. */
  readonly relations: HtmlElement[];
  readonly headings: HtmlElement[];
  /**
   * Possible controls: `button`, `input`, `select`, `textarea` and `summary` elements, elements with a
   * `role`, and editable elements.
   */
  readonly controls: HtmlElement[];
  readonly forms: HtmlElement[];
  readonly labels: HtmlElement[];
  readonly metas: HtmlElement[];
  readonly times: HtmlElement[];
  readonly scripts: HtmlElement[];
  readonly noscripts: HtmlElement[];
  /** Scripts of type `application/ld+json`. */
  readonly jsonLd: HtmlElement[];
  /** Elements with `itemscope` or `itemprop`. */
  readonly items: HtmlElement[];
  /** `main` and `article` elements, and elements with the role `main` or `article`. */
  readonly mains: HtmlElement[];
  readonly title: HtmlElement | undefined;
  readonly base: string | undefined;
  /**
   * For each id, the number of elements with this id. An id with more than one element does not identify an
   * element.
   */
  readonly ids: ReadonlyMap<string, number>;
}

/**
 * Maximum depth of the tree, so that recursive functions do not overflow the stack. Deeper elements become
 * siblings, as in browsers, which have a limit of 512.
 */
const MAX_DEPTH = 256;
const ROW_GROUPS = new Set(["tbody", "thead", "tfoot"]);
const COLUMN_GROUPS = new Set(["colgroup"]);

interface Ending {
  readonly tags: ReadonlySet<string>;
  /**
   * A start tag may close open elements. The search for them starts at the innermost open element, and ends
   * at an element with one of these tags.
   */
  readonly within: ReadonlySet<string>;
  /** Whether the start tag closes every matching open element, or only the innermost one. */
  readonly every: boolean;
}

/**
 * The start of an `li`, `dt` or `dd` closes an open list item, unless an element with one of these tags is
 * between them. HTML calls these tags "special", and excludes `address`, `div` and `p` here (§13.2.6.4.7).
 */
const ITEM_WITHIN: ReadonlySet<string> = new Set(
  [...BLOCK_TAGS].filter((tag) => !["address", "div", "p", "li", "dt", "dd"].includes(tag)),
);
const TABLE = new Set(["table"]);
const ITEM: Ending = { tags: new Set(["li"]), within: ITEM_WITHIN, every: false };
const DEFINITION: Ending = { tags: new Set(["dt", "dd"]), within: ITEM_WITHIN, every: false };
const CELL: Ending = { tags: new Set(["td", "th"]), within: new Set(["tr", "table"]), every: false };
const ROW: Ending = { tags: new Set(["td", "th", "tr"]), within: TABLE, every: true };
const ROW_GROUP: Ending = { tags: new Set(["td", "th", "tr", ...ROW_GROUPS]), within: TABLE, every: true };
/**
 * The open elements that a start tag closes, by this tag: an open `li` is closed by the next `<li>`. `tags`
 * contains the tags of the elements to close. The search for them goes outwards and ends at an element with a
 * tag in `within`.
 */
const ENDED_BY: ReadonlyMap<string, Ending> = new Map([
  ["li", ITEM],
  ["dt", DEFINITION],
  ["dd", DEFINITION],
  ["td", CELL],
  ["th", CELL],
  ["tr", ROW],
  ["tbody", ROW_GROUP],
  ["thead", ROW_GROUP],
  ["tfoot", ROW_GROUP],
]);
const ENDS_PARAGRAPH: ReadonlySet<string> = new Set(
  [...BLOCK_TAGS].filter(
    (tag) => !/^(?:caption|tbody|td|tfoot|th|thead|tr|legend|optgroup|option)$/.test(tag),
  ),
);

class TreeBuilder implements MarkupHandler {
  readonly html = new HtmlElement("html", {}, null, true);
  readonly head = new HtmlElement("head", {}, this.html, true);
  readonly body = new HtmlElement("body", {}, this.html, true);
  readonly anchors: HtmlElement[] = [];
  readonly linkedRows: HtmlElement[] = [];
  readonly frames: HtmlElement[] = [];
  readonly relations: HtmlElement[] = [];
  readonly headings: HtmlElement[] = [];
  readonly controls: HtmlElement[] = [];
  readonly forms: HtmlElement[] = [];
  readonly labels: HtmlElement[] = [];
  readonly metas: HtmlElement[] = [];
  readonly times: HtmlElement[] = [];
  readonly scripts: HtmlElement[] = [];
  readonly noscripts: HtmlElement[] = [];
  readonly jsonLd: HtmlElement[] = [];
  readonly items: HtmlElement[] = [];
  readonly mains: HtmlElement[] = [];
  readonly ids = new Map<string, number>();
  title: HtmlElement | undefined;
  base: string | undefined;

  /**
   * For each open tag, the element that was current before the tag. It becomes current again when the tag is
   * closed.
   */
  readonly #resumeAt: HtmlElement[] = [];
  #current: HtmlElement = this.html;
  #inBody = false;
  /**
   * Number of open `template` elements whose content is inert (`#templates`). While it is above 0, elements
   * are not part of the document. They do not count as links, headings or controls.
   */
  #inert = 0;
  /**
   * One entry for each open `template`: whether its content is inert (no part of the document). The content
   * of a template that declares a shadow root is not inert, because browsers render it.
   */
  readonly #templates: boolean[] = [];
  /** The hosts of the open templates that declare a shadow root. The last one is the innermost. */
  readonly #shadowHosts: HtmlElement[] = [];

  constructor() {
    this.html.children.push(this.head, this.body);
  }

  onopentag(tag: string, attributes: Record<string, string>, marked: boolean): void {
    this.#resumeAt.push(this.#current);
    if (tag === "html" || tag === "head" || tag === "body") {
      const element = this[tag];
      for (const name in attributes) element.attributes[name] ??= attributes[name] ?? "";
      if (tag === "body") this.#inBody = true;
      if (attributes.id !== undefined) this.#countId(attributes.id);
      return;
    }
    if (tag === "template") {
      this.#templates.push(attributes.shadowrootmode === undefined);
      if (attributes.shadowrootmode !== undefined) {
        this.#shadowHosts.push(this.#current);
        return;
      }
    }
    const traits = traitsOf(tag);
    const parent = this.#parentFor(tag, traits.block);
    const isInShadowRoot = parent === this.#shadowHosts.at(-1);
    const element = new HtmlElement(tag, attributes, parent, marked, traits, isInShadowRoot);
    parent.children.push(element);
    if (this.#resumeAt.length <= MAX_DEPTH) this.#current = element;
    if (element.block) markInlineAncestors(parent);
    if (tag === "template") this.#inert++;
    if (this.#inert === 0) this.#list(element);
  }

  ontext(text: string): void {
    let parent = this.#current;
    if (parent === this.html) {
      if (!this.#inBody && text.trim() === "") return;
      this.#inBody = true;
      parent = this.body;
    }
    const { children } = parent;
    const last = children.length - 1;
    const before = children[last];
    if (typeof before === "string") children[last] = before + text;
    else children.push(text);
  }

  onclosetag(tag: string): void {
    this.#current = this.#resumeAt.pop() ?? this.html;
    if (tag !== "template") return;
    const isInert = this.#templates.pop();
    if (isInert) this.#inert--;
    else if (isInert === false) this.#shadowHosts.pop();
  }

  /**
   * Returns the element to which a new element is added. First closes the open elements that the new tag
   * ends, and adds elements that HTML implies, such as `tbody`.
   */
  #parentFor(tag: string, isBlock: boolean): HtmlElement {
    if (this.#current !== this.html) this.#closeImplied(tag, isBlock);
    const current = this.#current;
    if (current === this.html) {
      if (!this.#inBody && !HEAD_TAGS.has(tag)) this.#inBody = true;
      return this.#inBody ? this.body : this.head;
    }
    if (current.tag !== "table") return current;
    if (tag === "tr") return impliedIn(current, ROW_GROUPS, "tbody");
    if (tag === "col") return impliedIn(current, COLUMN_GROUPS, "colgroup");
    return current;
  }

  /**
   * Closes open elements that end where the new tag starts, because their end tags may be omitted. The
   * scanner handles only the innermost open element.
   */
  #closeImplied(tag: string, isBlock: boolean): void {
    if (tag === "a") {
      // Links cannot be nested in HTML, so the tag `<a>` closes an open link. Links outside of the innermost
      // open block stay open.
      for (let at: HtmlElement | null = this.#current; at && !at.block; at = at.parent) {
        if (at.tag === "a") this.#leave(at);
      }
      return;
    }
    if (!isBlock) return;
    const ends = ENDED_BY.get(tag);
    if (ends) {
      for (let at: HtmlElement | null = this.#current; at && !ends.within.has(at.tag); at = at.parent) {
        if (!ends.tags.has(at.tag)) continue;
        this.#leave(at);
        if (!ends.every) break;
      }
    }
    if (!ENDS_PARAGRAPH.has(tag)) return;
    for (let at: HtmlElement | null = this.#current; at; at = at.parent) {
      if (at.tag === "p") this.#leave(at);
      if (at.block || at.tag === "button") return;
    }
  }

  #leave(element: HtmlElement): void {
    const { parent } = element;
    this.#current = parent === null || parent === this.body || parent === this.head ? this.html : parent;
    // The new start tag has closed `element`. After the new element has ended, parsing continues in the
    // parent of `element`.
    this.#resumeAt[this.#resumeAt.length - 1] = this.#current;
  }

  #countId(id: string): void {
    this.ids.set(id, (this.ids.get(id) ?? 0) + 1);
  }

  #list(element: HtmlElement): void {
    const { tag, attributes, marked } = element;
    if (attributes["data-href"] !== undefined && (tag === "tr" || LINKED_ROLES.has(attributes.role ?? "")))
      this.linkedRows.push(element);
    if (marked) {
      if (attributes.id !== undefined) this.#countId(attributes.id);
      if (attributes.itemprop !== undefined || attributes.itemscope !== undefined) this.items.push(element);
    }
    switch (tag) {
      case "a":
      case "area":
        if (attributes.href !== undefined) this.anchors.push(element);
        break;
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6":
        this.headings.push(element);
        break;
      case "button":
      case "input":
      case "select":
      case "textarea":
      case "summary":
        this.controls.push(element);
        return;
      case "form":
        this.forms.push(element);
        break;
      case "label":
        this.labels.push(element);
        break;
      case "iframe":
      case "frame":
        if (attributes.src !== undefined) this.frames.push(element);
        break;
      case "link":
        if (attributes.rel !== undefined && attributes.href !== undefined) this.relations.push(element);
        return;
      case "meta":
        this.metas.push(element);
        break;
      case "time":
        this.times.push(element);
        break;
      case "script":
        this.scripts.push(element);
        if (/^application\/ld\+json\b/i.test(attributes.type ?? "")) this.jsonLd.push(element);
        return;
      case "noscript":
        this.noscripts.push(element);
        return;
      case "main":
      case "article":
        this.mains.push(element);
        return;
      case "title":
        // Only a `title` element in the head or body counts. A `title` inside of `svg` is not the title of
        // the page.
        if (element.parent === this.head || element.parent === this.body) this.title ??= element;
        break;
      case "base":
        this.base ??= attributes.href;
        break;
    }
    if (!marked) return;
    const { role } = attributes;
    if (role === undefined && attributes.contenteditable === undefined) return;
    if (role === "main" || role === "article") this.mains.push(element);
    else this.controls.push(element);
  }
}

/**
 * Returns the part of a table, such as `tbody`, to which a start tag belongs. It is the table's last child if
 * the child's tag is in `groups`. Otherwise a new part with the tag `tag` is added to the table.
 */
function impliedIn(table: HtmlElement, groups: ReadonlySet<string>, tag: string): HtmlElement {
  const last = table.children.findLast((child) => typeof child !== "string");
  if (last && typeof last !== "string" && groups.has(last.tag)) return last;
  const implied = new HtmlElement(tag, {}, table, false);
  table.children.push(implied);
  return implied;
}

/**
 * Sets `containsBlock` on the given element and the elements around it. Ends at the first block, or at an
 * element with `containsBlock`.
 */
function markInlineAncestors(from: HtmlElement): void {
  for (let element: HtmlElement | null = from; element && !element.containsBlock; element = element.parent) {
    if (element.block) return;
    element.containsBlock = true;
  }
}

/**
 * Maximum number of open tags. Each end tag is compared with them, so the time grows with the square of this
 * number. Real pages have less than a hundredth of it.
 */
const MAX_OPEN_TAGS = 20_000;

/**
 * Parses a document and never throws. Parsing stops when `MAX_OPEN_TAGS` tags are open.
 *
 * @param xhtml whether `<a/>` closes itself, as in documents that are served as `application/xhtml+xml`
 */
export function parseHtml(source: string, xhtml = false): HtmlDocument {
  const builder = new TreeBuilder();
  parseMarkup(source, builder, { selfClosing: xhtml, mostOpen: MAX_OPEN_TAGS, marks: MARKS });
  return builder;
}
