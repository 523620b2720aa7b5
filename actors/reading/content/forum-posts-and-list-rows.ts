/**
 * Reads the repeated blocks of a page: posts (author, date, text), and rows of a list (a title that links to
 * a page, perhaps with a date). They are read only when the caller requests them.
 */
import { normaliseUrl, urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { dayOrderOf, findDate } from "../../../machines/reading/date-in-text.ts";
import type { Post } from "../../../machines/reading/forum-thread-post.ts";
import type { PageBlockFacts } from "../../../machines/reading/page-block-facts.ts";
import type { HtmlDocument, HtmlElement } from "../parse/parse-html-document.ts";
import { collapse, isDeclaredHidden, textOf } from "../parse/visible-text-of-html-element.ts";
import { type Byline, readByline } from "./article-byline.ts";
import { readMessage } from "./mailing-list-message-page.ts";
import { type TextWeight, weigh } from "./main-content.ts";
import { bestPosts, type PostBlocks } from "./posts-in-repeated-blocks.ts";
import { type Block, familiesIn } from "./repeated-blocks.ts";
import { bestRows, hasAbove, type ListRow, type RowBlocks } from "./rows-of-lists-in-html.ts";

export type { ListRow, Post };

export interface PageBlocks extends PageBlockFacts {
  readonly posts: readonly Post[];
  readonly rows: readonly ListRow[];
  /** The author and the date of the main content, read from the lines near its title. */
  readonly byline: Byline;
}

const WALL =
  /\b(?:subscribe to (?:read|continue)|subscribers? only|to continue reading|sign in to (?:read|continue|view)|log in to (?:read|continue|view)|members? only|premium content|paywall)\b/i;
/**
 * A page with at least this number of characters of running text counts as completely readable, even if the
 * page asks for a payment.
 */
const WALLED_TEXT = 3_000;

const TEXT_LENGTH = 20_000;
/** Maximum number of characters of a text that is searched for a date. A longer text is prose. */
const DATE_LINE = 120;
/** Minimum share (0 to 1) of the blocks that must have a date, so that the blocks count as posts. */
const DATED = 0.6;
/**
 * Minimum share (0 to 1) of the posts, or of their text, that is in list rows. From this share on, the posts
 * are only parts of the rows, such as previews, and are not reported.
 */
const COVERED = 0.5;

/**
 * Reads the posts and the list rows of a page.
 *
 * @param main the main content of the page
 */
export function readBlocks(
  document: HtmlDocument,
  main: HtmlElement,
  { base, url, now }: { readonly base: string; readonly url: string; readonly now: number },
): PageBlocks {
  const { body } = document;
  const shortTexts = shortTextsOf(body);
  const order = dayOrderOf(
    shortTexts.map(({ text }) => text),
    document.html.attributes.lang ?? "",
  );
  const dates = new Map<string, ReturnType<typeof findDate>>();
  const context = { now, order, base, pageKey: urlKey(url), dates, texts: new Map<string, string>() };
  const hasDate = (text: string) => {
    if (!dates.has(text)) dates.set(text, findDate(text, now, order));
    return dates.get(text) !== undefined;
  };
  const dated = ancestorsOf(
    shortTexts.flatMap(({ text, element, declared }) => (declared || hasDate(text) ? element : [])),
  );
  const linked = ancestorsOf(document.anchors);
  const families = familiesIn(body);
  const most = (blocks: readonly Block[], marked: ReadonlySet<HtmlElement>) =>
    blocks.filter(({ parts }) => parts.some((part) => marked.has(part))).length >= DATED * blocks.length;
  const found = bestPosts(
    families.filter(({ blocks }) => most(blocks, dated)),
    context,
  );
  const listed = bestRows(
    families.filter(({ blocks }) => most(blocks, linked)),
    main,
    context,
  );
  const posts = areTeasers(found, listed) ? [] : found.posts;
  const message = posts.length === 0 ? readMessage(document, main, now) : undefined;
  const { all, inLinks } = weigh(main);
  const fields = document.controls.filter(({ tag }) => tag === "textarea");
  return {
    posts: message ? [{ author: message.author, date: message.date, text: message.text }] : posts,
    rows: listed.rows,
    posts_text: posts.length === 0 ? 0 : textIn(found.blocks, ({ all, inLinks }) => all - inLinks),
    rows_text: textAround(listed.blocks),
    plain: plainAddress(document, base, url),
    text: all - inLinks,
    link_share: all === 0 ? 0 : inLinks / all,
    walled: WALL.test(textOf(body, TEXT_LENGTH)) && all - inLinks < WALLED_TEXT,
    byline: readByline(main, context),
    message: message !== undefined,
    subject: message?.subject ?? null,
    answerable: fields.some((field) => !isDeclaredHidden(field)),
  };
}

/** Adds up the number of characters in blocks. A block inside of another block is not counted again. */
function textIn(blocks: readonly Block[], of: (weight: TextWeight) => number): number {
  const parts = new Set(blocks.flatMap((block) => block.parts));
  const outer = [...parts].filter(({ parent }) => parent === null || !hasAbove(parent, parts));
  return outer.reduce((sum, part) => sum + of(weigh(part)), 0);
}

/**
 * Returns the number of characters of all rows and of the text around them, such as a preview next to the
 * title. The text around a row is the text of the largest element that contains this row and no other row.
 */
function textAround(blocks: readonly Block[]): number {
  const held = heldBy(blocks);
  const widest = blocks.map(({ parts }): Block => {
    let [at] = parts;
    while (at?.parent && held.get(at.parent) === 1) at = at.parent;
    return at === parts[0] || at === undefined ? { parts } : { parts: [at] };
  });
  return textIn(widest, ({ all }) => all);
}

/**
 * Returns how many blocks start in each element. A block starts in the element that is its first part, and in
 * all ancestors of this element.
 */
function heldBy(blocks: readonly Block[]): ReadonlyMap<HtmlElement, number> {
  const held = new Map<HtmlElement, number>();
  for (const { parts } of blocks) {
    for (let at: HtmlElement | null = parts[0] ?? null; at; at = at.parent)
      held.set(at, (held.get(at) ?? 0) + 1);
  }
  return held;
}

/**
 * Returns the address of the page's version for browsers without scripts. It is a link in a `noscript`
 * element with the same path and other parameters.
 */
function plainAddress({ noscripts }: HtmlDocument, base: string, url: string): string | null {
  const here = URL.parse(url);
  const links = noscripts.flatMap(anchorsIn);
  for (const { attributes } of links) {
    const target = URL.parse(normaliseUrl(attributes.href ?? "", base) ?? "");
    if (target && target.origin === here?.origin && target.pathname === here.pathname)
      if (target.search !== here.search) return target.href;
  }
  return null;
}

function anchorsIn(element: HtmlElement): readonly HtmlElement[] {
  return element.children.flatMap((child) =>
    typeof child === "string" ? [] : child.tag === "a" ? [child] : anchorsIn(child),
  );
}

/**
 * Whether the posts and the rows of a list are mostly the same blocks: each post is a preview in a row, or
 * the element around a row. Such posts are not reported.
 */
function areTeasers(found: PostBlocks, listed: RowBlocks): boolean {
  if (listed.rows.length === 0 || found.posts.length === 0) return false;
  const posts = new Set(found.blocks.flatMap(({ parts }) => parts));
  const rows = ancestorsOf(listed.blocks.flatMap(({ parts }) => parts));
  const held = heldBy(found.blocks);
  const attached = found.blocks.filter(({ parts }) => {
    for (let at: HtmlElement | null = parts[0] ?? null; at && held.get(at) === 1; at = at.parent) {
      if (rows.has(at)) return true;
    }
    return false;
  });
  if (attached.length >= COVERED * found.blocks.length && listed.rows.length >= COVERED * found.blocks.length)
    return true;
  const rowText = listed.blocks
    .filter(({ parts }) => parts.some((part) => hasAbove(part, posts)))
    .reduce((sum, { parts }) => sum + parts.reduce((all, part) => all + weigh(part).all, 0), 0);
  return rowText >= COVERED * found.posts.reduce((sum, { text }) => sum + text.length, 0);
}

interface ShortText {
  readonly text: string;
  readonly element: HtmlElement;
  readonly declared: boolean;
}

/**
 * Returns two kinds of texts that may contain a date: texts that are too short to contain much else, and
 * elements with an attribute for a date.
 */
function shortTextsOf(root: HtmlElement): readonly ShortText[] {
  const found: ShortText[] = [];
  const walk = (element: HtmlElement, preformatted: boolean) => {
    const { content, title } = element.attributes;
    const datetime = element.attributes.datetime ?? (element.tag === "meta" ? content : undefined);
    if (datetime !== undefined) found.push({ text: datetime, element, declared: true });
    else if (title !== undefined && title.length < DATE_LINE)
      found.push({ text: title, element, declared: false });
    for (const child of element.children) {
      if (typeof child !== "string") {
        if ((!child.silent || child.tag === "meta") && !isDeclaredHidden(child))
          walk(child, preformatted || child.tag === "pre");
        continue;
      }
      for (const line of preformatted ? child.split("\n") : [child]) {
        const text = collapse(line);
        if (text !== "" && text.length <= DATE_LINE) found.push({ text, element, declared: false });
      }
    }
  };
  walk(root, false);
  return found;
}

function ancestorsOf(elements: readonly HtmlElement[]): ReadonlySet<HtmlElement> {
  const found = new Set<HtmlElement>();
  for (const element of elements) {
    for (let at: HtmlElement | null = element; at && !found.has(at); at = at.parent) found.add(at);
  }
  return found;
}
