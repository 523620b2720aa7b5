/**
 * Finds the main content of a page, without the menus, headers and footers around it. When the page marks its
 * content by the tag or role `main`, or by a single `article`, this mark is used. Otherwise the content is
 * the deepest element with most of the page's running text; text in links does not count, so menus have no
 * weight.
 */

import type { Child, HtmlDocument, HtmlElement } from "../parse/parse-html-document.ts";
import { isHidden, isInsideHidden } from "../parse/visible-text-of-html-element.ts";

/**
 * If the page does not mark its main content, an element must contain at least this share (0 to 1) of the page's
 * running text to be the main content.
 */
const MIN_CONTENT_SHARE = 0.8;
/** If more than this share (0 to 1) of an element's text is in links, the element is taken as a menu. */
const MENU_LINK_SHARE = 0.5;
/** Minimum number of characters of running text in a page. With less text, the whole body is the content. */
const MIN_TEXT = 200;
/**
 * If the siblings of a content element contain at least this number of characters of running text, they are
 * content too. The parent then becomes the main content. The text of menus does not count.
 */
const MIN_SIBLING_TEXT = 500;

export interface TextWeight {
  /** Number of characters of text. White space at the ends of a text node does not count. */
  readonly all: number;
  readonly inLinks: number;
}

/** Returns the number of characters in an element, and how many of them are in links. */
export function weigh(element: HtmlElement): TextWeight {
  let all = 0;
  let inLinks = 0;
  for (const child of element.children) {
    if (typeof child === "string") {
      all += child.trim().length;
      continue;
    }
    if (child.silent || isHidden(child)) continue;
    const inner = weigh(child);
    all += inner.all;
    inLinks += child.tag === "a" ? inner.all : inner.inLinks;
  }
  return { all, inLinks };
}

function holdsText(element: HtmlElement): boolean {
  return element.children.some((child) => {
    if (typeof child === "string") return child.trim() !== "";
    return !child.silent && !isHidden(child) && holdsText(child);
  });
}

function roleOf({ marked, attributes }: HtmlElement): string | undefined {
  return marked ? attributes.role : undefined;
}

const NAVIGATION_ROLES: ReadonlySet<string> = new Set(["navigation", "search"]);
const MARGIN_ROLES: ReadonlySet<string> = new Set(["banner", "contentinfo", "complementary"]);

/**
 * Whether an element belongs to parts around the content, such as a menu or a footer. Navigation and search
 * fields always do. Headers, footers and asides do if they are outside of the content, or if most of their
 * text is in links.
 */
export function isFrame(element: HtmlElement, insideContent: boolean): boolean {
  const { tag } = element;
  const role = roleOf(element);
  if (tag === "nav" || (role !== undefined && NAVIGATION_ROLES.has(role))) return true;
  const margin =
    tag === "header" || tag === "footer" || tag === "aside" || (role !== undefined && MARGIN_ROLES.has(role));
  if (!margin) return false;
  if (!insideContent) return true;
  const { all, inLinks } = weigh(element);
  return inLinks > MENU_LINK_SHARE * all;
}

/** Counts the running text in each element, without menus, headers and footers. */
function measure(element: HtmlElement, weights: Map<HtmlElement, number>): number {
  let running = 0;
  for (const child of element.children) {
    if (typeof child === "string") running += child.trim().length;
    else if (child.tag !== "a" && !child.silent && !isHidden(child) && !isFrame(child, false)) {
      running += measure(child, weights);
    }
  }
  weights.set(element, running);
  return running;
}

/** Matches class names and ids of page parts outside of the main content, such as a footer or a side bar. */
const MARGIN_NAME =
  /(?:^|[\s_-])(?:foot(?:er)?|copyright|legal|cookies?|consent|banner|side-?bar|newsletter|promo(?:tion)?|related|share|social|comments?)(?:$|[\s_-])/i;

function isMargin({ attributes }: HtmlElement): boolean {
  return MARGIN_NAME.test(attributes.class ?? "") || MARGIN_NAME.test(attributes.id ?? "");
}

function isMenu(element: HtmlElement): boolean {
  const { all, inLinks } = weigh(element);
  return inLinks > MENU_LINK_SHARE * all;
}

/**
 * Returns the innermost element with most of the running text. If siblings of this element may belong to the
 * content too, such as an introduction, returns its parent without menus.
 */
function densestContent(body: HtmlElement): MainContent {
  const weights = new Map<HtmlElement, number>();
  const total = measure(body, weights);
  if (total < MIN_TEXT) return withoutOpeningMenus(body);
  let content = body;
  for (;;) {
    const next = content.children.find(
      (child) => typeof child !== "string" && (weights.get(child) ?? 0) >= MIN_CONTENT_SHARE * total,
    );
    if (next === undefined || typeof next === "string" || !CONTAINERS.has(next.tag)) {
      return withoutOpeningMenus(content);
    }
    if ((weights.get(content) ?? 0) - (weights.get(next) ?? 0) >= MIN_SIBLING_TEXT) {
      const others = content.children.filter((child) => typeof child !== "string" && child !== next);
      const excluded = new Set(
        others.filter((child) => typeof child !== "string" && (isMargin(child) || isMenu(child))),
      );
      let siblingText = 0;
      for (const child of others) {
        if (typeof child !== "string" && !excluded.has(child)) siblingText += weights.get(child) ?? 0;
      }
      if (siblingText >= MIN_SIBLING_TEXT) return { element: content, isDeclared: false, excluded };
    }
    content = next;
  }
}

/**
 * Leaves out the menus at the start of the content. They are kept if neither a heading nor much text follows,
 * because the page may consist only of a list of links.
 */
function withoutOpeningMenus(element: HtmlElement): MainContent {
  const menus = new Set<Child>();
  let inMenus = 0;
  for (const child of element.children) {
    if (typeof child === "string") {
      if (child.trim() !== "") break;
      continue;
    }
    if (child.silent || isHidden(child) || isFrame(child, false)) continue;
    const { all } = weigh(child);
    if (all === 0) continue;
    if (!isMenu(child) || holdsHeading(child) || countLinks(child) < MIN_MENU_LINKS) break;
    menus.add(child);
    inMenus += all;
  }
  const headed = element.children.some(
    (child) => typeof child !== "string" && holdsHeading(child) && !isInsideHidden(child),
  );
  const drop = inMenus > 0 && (headed || 2 * inMenus <= weigh(element).all);
  return { element, isDeclared: false, excluded: drop ? menus : NOTHING };
}

/** Minimum number of links in a menu. Fewer links may be references, or a link back. */
const MIN_MENU_LINKS = 3;

function countLinks(element: HtmlElement): number {
  if (element.tag === "a") return element.attributes.href === undefined ? 0 : 1;
  return element.children.reduce(
    (sum, child) => sum + (typeof child === "string" ? 0 : countLinks(child)),
    0,
  );
}

/** Whether an element is a heading or contains one. */
function holdsHeading({ tag, children }: HtmlElement): boolean {
  return /^h[1-6]$/.test(tag) || children.some((child) => typeof child !== "string" && holdsHeading(child));
}

/**
 * Returns the title block of a page whose heading is outside of the content. It is the largest ancestor of
 * the heading that contains only texts such as title, author and summary. A header with links or a form
 * belongs to the whole site, so it is no title block.
 */
export function titleBlock(heading: HtmlElement, content: HtmlElement): HtmlElement {
  let block = heading;
  for (let at = heading.parent; at && !contains(at, content) && isPlain(at); at = at.parent) block = at;
  return block;
}

function isPlain({ children }: HtmlElement): boolean {
  return children.every(
    (child) => typeof child === "string" || (!BUSY_TAGS.has(child.tag) && isPlain(child)),
  );
}

/** Tags of links, forms and media, which a title block must not contain. */
const BUSY_TAGS = new Set("a area form button input select textarea nav aside iframe".split(" "));

function contains(ancestor: HtmlElement, element: HtmlElement): boolean {
  for (let at: HtmlElement | null = element; at; at = at.parent) if (at === ancestor) return true;
  return false;
}

/**
 * Tags of elements in which the search for the content may continue. Other elements, such as a long
 * paragraph, are content as a whole.
 */
const CONTAINERS = new Set("div section article main form center td table tbody tr body".split(" "));

export interface MainContent {
  /** The element that contains the main content of the page. */
  readonly element: HtmlElement;
  /** Whether the page marks this element as its main content, by a tag or a role. */
  readonly isDeclared: boolean;
  /** Children of `element` that are not part of the content, such as menus. */
  readonly excluded: ReadonlySet<Child>;
}

const NOTHING: ReadonlySet<Child> = new Set();

export function findMainContent(document: HtmlDocument): MainContent {
  const shown = document.mains.filter((element) => !isInsideHidden(element) && holdsText(element));
  const main = shown.find((element) => element.tag === "main" || roleOf(element) === "main");
  if (main) return { element: main, isDeclared: true, excluded: NOTHING };
  const candidates = new Set(shown);
  const articles = shown.filter((element) => !hasAncestorIn(element, candidates));
  const [only] = articles;
  if (only && articles.length === 1 && weigh(only).all >= MIN_TEXT)
    return { element: only, isDeclared: true, excluded: NOTHING };
  return densestContent(document.body);
}

function hasAncestorIn(element: HtmlElement, others: ReadonlySet<HtmlElement>): boolean {
  for (let at = element.parent; at; at = at.parent) if (others.has(at)) return true;
  return false;
}
