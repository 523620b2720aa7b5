/**
 * Which part of a page is its content, and which is the frame around it.
 *
 * A page that says so itself is believed (`main`, the role, a single `article`). Else the deepest element
 * that still holds most of the page's running text is taken: text inside links does not count, so menus weigh
 * nothing on any layout.
 */
import type { Child, HtmlDocument, HtmlElement } from "../parse/html-document.ts";
import { isHidden, isInsideHidden } from "../parse/text.ts";

/** The content holds at least this share of the page's running text. */
const MOST = 0.8;
/** A part with a larger share of its text inside links is a menu. */
const MENU = 0.5;
/** Below this much running text (characters) there is nothing to weigh. */
const LITTLE = 200;
/** As much running text (characters) beside the densest part is content too. */
const BESIDE = 500;

export interface TextWeight {
  /** Characters without white space at the ends of each run. */
  readonly all: number;
  readonly inLinks: number;
}

/** How much text an element holds, and how much of it inside links. */
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

/** The role that is written on an element. */
function roleOf({ marked, attributes }: HtmlElement): string | undefined {
  return marked ? attributes.role : undefined;
}

const ASKING_ROLES: ReadonlySet<string> = new Set(["navigation", "search"]);
const MARGIN_ROLES: ReadonlySet<string> = new Set(["banner", "contentinfo", "complementary"]);

/**
 * Whether a part belongs to the page's frame and not to its content: navigation always; a header, footer or
 * aside at the page's own level; inside the content only when it is mostly links (an aside there is often a
 * note that matters, a header holds the title).
 */
export function isFrame(element: HtmlElement, insideContent: boolean): boolean {
  const { tag } = element;
  const role = roleOf(element);
  if (tag === "nav" || (role !== undefined && ASKING_ROLES.has(role))) return true;
  const margin =
    tag === "header" || tag === "footer" || tag === "aside" || (role !== undefined && MARGIN_ROLES.has(role));
  if (!margin) return false;
  if (!insideContent) return true;
  const { all, inLinks } = weigh(element);
  return inLinks > MENU * all;
}

/** Running text under each element, leaving out the frame. */
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

/** Names by which authors call what stands beside the content. */
const MARGIN_NAME =
  /(?:^|[\s_-])(?:foot(?:er)?|copyright|legal|cookies?|consent|banner|side-?bar|newsletter|promo(?:tion)?|related|share|social|comments?)(?:$|[\s_-])/i;

function isMargin({ attributes }: HtmlElement): boolean {
  return MARGIN_NAME.test(attributes.class ?? "") || MARGIN_NAME.test(attributes.id ?? "");
}

function isMenu(element: HtmlElement): boolean {
  const { all, inLinks } = weigh(element);
  return inLinks > MENU * all;
}

/**
 * The deepest element that holds most of the running text. Where what stands beside it is content too (an
 * introduction before a long reference), both are taken, without the menus between them.
 */
function densest(body: HtmlElement): MainContent {
  const weights = new Map<HtmlElement, number>();
  const total = measure(body, weights);
  if (total < LITTLE) return withoutOpeningMenus(body);
  let content = body;
  for (;;) {
    const next = content.children.find(
      (child) => typeof child !== "string" && (weights.get(child) ?? 0) >= MOST * total,
    );
    if (next === undefined || typeof next === "string" || !CONTAINERS.has(next.tag)) {
      return withoutOpeningMenus(content);
    }
    if ((weights.get(content) ?? 0) - (weights.get(next) ?? 0) >= BESIDE) {
      const others = content.children.filter((child) => typeof child !== "string" && child !== next);
      const without = new Set(
        others.filter((child) => typeof child !== "string" && (isMargin(child) || isMenu(child))),
      );
      let beside = 0;
      for (const child of others) {
        if (typeof child !== "string" && !without.has(child)) beside += weights.get(child) ?? 0;
      }
      if (beside >= BESIDE) return { element: content, named: false, without };
    }
    content = next;
  }
}

/**
 * Content that has the site's menus among its own parts: those it begins with are left out. Nothing is, where
 * neither a heading nor as much text follows them: a page may be a list of links.
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
    if (!isMenu(child) || holdsHeading(child) || countLinks(child) < MENU_LINKS) break;
    menus.add(child);
    inMenus += all;
  }
  const headed = element.children.some(
    (child) => typeof child !== "string" && holdsHeading(child) && !isInsideHidden(child),
  );
  const believed = inMenus > 0 && (headed || 2 * inMenus <= weigh(element).all);
  return { element, named: false, without: believed ? menus : NOTHING };
}

/** Fewer links are a reference, or the way back. */
const MENU_LINKS = 3;

function countLinks(element: HtmlElement): number {
  if (element.tag === "a") return element.attributes.href === undefined ? 0 : 1;
  return element.children.reduce(
    (sum, child) => sum + (typeof child === "string" ? 0 : countLinks(child)),
    0,
  );
}

/** Whether an element is a heading or has one in it. */
function holdsHeading({ tag, children }: HtmlElement): boolean {
  return /^h[1-6]$/.test(tag) || children.some((child) => typeof child !== "string" && holdsHeading(child));
}

/**
 * What belongs to a heading that stands outside of the content: the largest part around it that is plain text, such
 * as a title with its author and what the page is about. A header with links or a form is the site's, not the page's.
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

/** What a title block has none of. */
const BUSY_TAGS = new Set("a area form button input select textarea nav aside iframe".split(" "));

function contains(ancestor: HtmlElement, element: HtmlElement): boolean {
  for (let at: HtmlElement | null = element; at; at = at.parent) if (at === ancestor) return true;
  return false;
}

/** Where the descent may go; a single long paragraph or table is content, not its container. */
const CONTAINERS = new Set("div section article main form center td table tbody tr body".split(" "));

export interface MainContent {
  /** The element whose text is the page's content. */
  readonly element: HtmlElement;
  /** Whether the page itself says that it is. */
  readonly named: boolean;
  /** Children of it that are no content. */
  readonly without: ReadonlySet<Child>;
}

const NOTHING: ReadonlySet<Child> = new Set();

export function findMainContent(document: HtmlDocument): MainContent {
  const shown = document.mains.filter((element) => !isInsideHidden(element) && holdsText(element));
  const main = shown.find((element) => element.tag === "main" || roleOf(element) === "main");
  if (main) return { element: main, named: true, without: NOTHING };
  const candidates = new Set(shown);
  const articles = shown.filter((element) => !hasAncestorIn(element, candidates));
  const [only] = articles;
  if (only && articles.length === 1 && weigh(only).all >= LITTLE)
    return { element: only, named: true, without: NOTHING };
  return densest(document.body);
}

function hasAncestorIn(element: HtmlElement, others: ReadonlySet<HtmlElement>): boolean {
  for (let at = element.parent; at; at = at.parent) if (others.has(at)) return true;
  return false;
}
