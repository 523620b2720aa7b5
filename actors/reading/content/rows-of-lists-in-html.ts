/**
 * Reads the rows of a list from blocks of equal structure. A row has a title that is a link to another page,
 * and perhaps a date.
 */
import { normaliseUrl, urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import type { HtmlElement } from "../parse/parse-html-document.ts";
import { AUTHOR_CLASS, AUTHOR_PATH } from "./author-markup.ts";
import { type Piece, type PieceContext, piecesOf } from "./pieces-of-repeated-blocks.ts";
import { type Block, type Family, isCard } from "./repeated-blocks.ts";

export interface ListRow {
  readonly url: string;
  readonly title: string;
  /** The newest date in this row of a list, or null when the row has no date. */
  readonly date: string | null;
  /** Text of the complete list row, cut to a maximum length. */
  readonly text: string;
}

const MIN_TITLE = 6;
const TITLE_LENGTH = 200;
const ROW_LENGTH = 400;
const MOST_ROWS = 300;
/** Minimum number of rows of a list. Fewer blocks are not reported as a list. */
const MIN_ROWS = 3;
/**
 * Minimum share (0 to 1) of similar blocks that must have a title at the same place. From this share on, the
 * blocks count as rows of a list.
 */
const TITLED = 0.6;
/**
 * A page may have several lists. Each list has a weight, which is mainly the length of its titles. A list is
 * read when its weight is at least this share of the greatest weight; otherwise it is a menu.
 */
const FURTHER_LIST = 0.2;
/**
 * Texts of the rows that are no headings count as the titles only if they make up at least this share (0 to
 * 1) of the list's text. For texts at the start of the rows, and for rows that are cards (a link around the
 * whole row), the lower `FIRST_TITLE_SHARE` applies: long descriptions may follow, as in a list of boards.
 */
const TITLE_SHARE = 0.15;
const FIRST_TITLE_SHARE = 0.075;
/**
 * Minimum number of different titles in a list. Posts of one thread have fewer, because they repeat the
 * thread's title.
 */
const OTHER_TITLES = 3;
/**
 * Minimum share (0 to 1) of an HTML list's text that must be in the titles of its items. If the share is
 * higher, the items count as rows even when their titles are equal, as in several answers to one message
 * (MHonArc, Pipermail).
 */
const BARE_TITLES = 0.5;
const LIST_ITEM = /^li\./;
/**
 * The first link of a row is its title by default. A later link becomes the title only if its score is higher
 * by this factor.
 */
const FIRST_COUNTS = 2.5;
/** Matches addresses of downloads and feeds. A link to such an address leads to no page. */
const DOWNLOAD =
  /\.(?:zip|t?gz|bz2|xz|tar|mbox|pdf|docx?|xlsx?|pptx?|csv|png|jpe?g|gif|svg|mp[34]|ics|rss|atom)(?:[?#]|$)/i;
const ROW_TAGS = /^(?:p|option|dt|th|td|span)\./;

export interface RowContext extends PieceContext {
  readonly base: string;
  /**
   * The key (`urlKey`) of the page's own URL. A link with the same key leads to a place on this page, so the
   * link is not a title.
   */
  readonly pageKey: string;
}

export interface RowBlocks {
  readonly rows: readonly ListRow[];
  readonly blocks: readonly Block[];
}

/**
 * Returns the rows of the list with the greatest weight, and of other lists with nearly this weight. A page
 * may have several lists, such as its boards and its newest threads.
 */
export function bestRows(families: readonly Family[], main: HtmlElement, context: RowContext): RowBlocks {
  const found = families.flatMap((family) => listOf(family, main, context) ?? []);
  const lists = found.filter((list) => !found.some((other) => other !== list && areDetails(list, other)));
  lists.sort((a, b) => b.weight - a.weight);
  const rows = new Map<string, ListRow>();
  const taken = new Set<HtmlElement>();
  const blocks: Block[] = [];
  for (const list of lists) {
    if (list.weight < FURTHER_LIST * (lists[0]?.weight ?? 0)) break;
    const parts = list.blocks.flatMap((block) => block.parts);
    // This list is skipped if its blocks are inside of rows of an earlier list, or contain such rows. Lists
    // are in order of their weight.
    if (
      parts.some((part) => hasAbove(part, taken)) ||
      [...taken].some((part) => hasAbove(part, new Set(parts)))
    )
      continue;
    for (const part of parts) taken.add(part);
    blocks.push(...list.blocks);
    for (const row of list.rows) if (!rows.has(row.url)) rows.set(row.url, row);
  }
  return { rows: [...rows.values()].slice(0, MOST_ROWS), blocks };
}

interface List extends RowBlocks {
  /** Maps each element of `blocks` to the block around it. */
  readonly blockOf: ReadonlyMap<HtmlElement, Block>;
  /** Links whose text is the title of a row. */
  readonly titles: readonly HtmlElement[];
  readonly weight: number;
}

/**
 * Whether one list only shows a detail of another list's rows. For example, each row of a list of boards may
 * show the newest thread of the board. Then each row contains at most one block of the first list, and its
 * title is outside of this block.
 *
 * @param list the list that may be a detail
 *
 * @param rows the list whose rows may contain it
 */
function areDetails(list: List, rows: List): boolean {
  if (list.blocks.length > rows.blocks.length) return false;
  const taken = new Set<Block>();
  for (const { parts } of list.blocks) {
    const row = blockAbove(parts[0], rows.blockOf);
    if (!row || taken.has(row)) return false;
    taken.add(row);
  }
  return rows.titles.every((title) => !hasAbove(title, list.blockOf));
}

/** Returns the nearest block around an element. The element itself does not count. */
function blockAbove(
  element: HtmlElement | undefined,
  blocks: ReadonlyMap<HtmlElement, Block>,
): Block | undefined {
  for (let at = element?.parent ?? null; at; at = at.parent) {
    const block = blocks.get(at);
    if (block) return block;
  }
  return undefined;
}

function listOf({ mark, blocks, runs }: Family, main: HtmlElement, context: RowContext): List | undefined {
  if (blocks.length < MIN_ROWS || (ROW_TAGS.test(mark) && !runs) || (runs && blocks.length > MOST_ROWS))
    return undefined;
  const own = new Set(blocks.flatMap(({ parts }) => parts));
  const pieces = blocks.map((block) => {
    const others = new Set(own);
    for (const part of block.parts) others.delete(part);
    return piecesOf(block, others, context);
  });
  const slot = titleSlot(pieces, context, LIST_ITEM.test(mark));
  if (slot === undefined) return undefined;
  const rows = new Map<string, ListRow>();
  const titles: HtmlElement[] = [];
  for (const parts of pieces) {
    const found = rowOf(parts, slot, context);
    if (!found) continue;
    titles.push(found.title);
    if (!rows.has(found.row.url)) rows.set(found.row.url, found.row);
  }
  if (rows.size < MIN_ROWS || rows.size < blocks.length / 2) return undefined;
  const inMain = blocks.some(({ parts }) => parts.some((part) => hasAbove(part, new Set([main]))));
  // The weight of a list is the total length of its titles. The titles of rows with a date count twice,
  // because a list with dates is less likely a menu. The titles of rows in the main content count twice too.
  const weight =
    [...rows.values()].reduce((sum, row) => sum + Math.min(row.title.length, 80) * (row.date ? 2 : 1), 0) *
    (inMain ? 2 : 1);
  const blockOf = new Map(blocks.flatMap((block) => block.parts.map((part) => [part, block] as const)));
  return { rows: [...rows.values()], blocks, blockOf, titles, weight };
}

/**
 * Decides whether blocks are rows: most of them must have, at the same place (slot), a link with its own text
 * and target. Returns this slot, which contains the titles of the rows; `undefined` if the blocks are not rows.
 *
 * @param areItems whether the blocks are items of an HTML list
 */
export function titleSlot(
  blocks: readonly (readonly Piece[])[],
  { base, pageKey }: Pick<RowContext, "base" | "pageKey">,
  areItems = false,
): string | undefined {
  const slots = new Map<
    string,
    {
      urls: Set<string>;
      texts: Set<string>;
      links: Set<HtmlElement>;
      count: number;
      length: number;
      heading: boolean;
      first: number;
      before: number;
    }
  >();
  for (const pieces of blocks) {
    const seen = new Set<string>();
    let before = 0;
    for (const [index, piece] of pieces.entries()) {
      const { link, slot, text, inHeading } = piece;
      const url = link && !seen.has(slot) ? normaliseUrl(link.attributes.href ?? "", base) : undefined;
      if (
        !link ||
        url === undefined ||
        isSamePage(url, link, pageKey) ||
        isAuthor(piece, link) ||
        piece.date !== undefined
      ) {
        before += text.length;
        continue;
      }
      seen.add(slot);
      const known = slots.get(slot) ?? {
        urls: new Set(),
        texts: new Set(),
        links: new Set(),
        count: 0,
        length: 0,
        heading: false,
        first: 0,
        before: 0,
      };
      slots.set(slot, known);
      known.urls.add(urlKey(url));
      known.texts.add(text.toLowerCase().replace(/^(?:re|aw|sv|fwd?)\s*:\s*/i, ""));
      known.links.add(link);
      known.count += 1;
      known.length += Math.min(text.length, 80);
      known.first += index;
      known.before += before;
      known.heading ||= inHeading;
      before += text.length;
    }
  }
  const candidates: {
    readonly slot: string;
    readonly score: number;
    readonly first: number;
    readonly heading: boolean;
    readonly links: ReadonlySet<HtmlElement>;
  }[] = [];
  for (const [slot, { urls, texts, links, count, length, heading, first, before }] of slots) {
    if (count < TITLED * blocks.length || length / count < MIN_TITLE) continue;
    if (urls.size < TITLED * count) continue;
    // A link after a long text belongs to this text and is no title. A slot (place in all blocks) with such
    // links is skipped.
    if (!heading && before / count > 2 * (length / count) + 60) continue;
    const total = blocks.reduce(
      (sum, pieces) =>
        sum +
        Math.min(
          pieces.reduce((all, { text }) => all + text.length, 0),
          200,
        ),
      0,
    );
    const repeats = texts.size < Math.min(TITLED * count, OTHER_TITLES);
    if (repeats && !(areItems && length >= BARE_TITLES * total)) continue;
    const least = before === 0 || [...links].every(isCard) ? FIRST_TITLE_SHARE : TITLE_SHARE;
    if (!heading && length < least * total) continue;
    const score = (length / count) * (heading ? 3 : 1) * (count / blocks.length);
    candidates.push({ slot, score, first: first / count, heading, links });
  }
  // The first column of a row usually contains its title, and the last column may contain only a link to the
  // newest thread. So a later column is chosen only if its score is much higher.
  candidates.sort((a, b) => a.first - b.first);
  let best = candidates[0];
  for (const candidate of candidates) {
    if (!best || candidate.score <= FIRST_COUNTS * best.score) continue;
    // A longer text with the same link as the title is a description of the row, unless it is a heading.
    const isSameLink = candidate.links.isSubsetOf(best.links);
    if (candidate.heading || !isSameLink) best = candidate;
  }
  return best?.slot;
}

function rowOf(
  pieces: readonly Piece[],
  slot: string,
  { base }: RowContext,
): { readonly row: ListRow; readonly title: HtmlElement } | undefined {
  const title = pieces.find((piece) => piece.slot === slot && piece.link);
  const url = normaliseUrl(title?.link?.attributes.href ?? "", base);
  if (!title?.link || url === undefined || title.text.length < 2 || DOWNLOAD.test(url)) return undefined;
  // A title with markup, such as emphasis, consists of several pieces, which are joined. If the whole row is
  // one link, pieces at other places of the row, such as the date, are not joined.
  const within = isCard(title.link) ? slot.replace(/#\d+$/, "") : "";
  const text = pieces
    .filter((piece) => piece.link === title.link && piece.slot.startsWith(within))
    .map((piece) => piece.text)
    .join(" ");
  const dates = pieces.flatMap(({ date }) => date?.slice(0, 10) ?? []).sort();
  const row = {
    url,
    title: text.slice(0, TITLE_LENGTH),
    date: dates.at(-1) ?? null,
    text: pieces
      .map((piece) => piece.text)
      .join(" ")
      .slice(0, ROW_LENGTH),
  };
  return { row, title: title.link };
}

function isAuthor(piece: Piece, link: HtmlElement): boolean {
  return (
    AUTHOR_PATH.test(link.attributes.href ?? "") ||
    AUTHOR_CLASS.test(link.attributes.class ?? "") ||
    AUTHOR_CLASS.test(piece.element.attributes.class ?? "")
  );
}

/**
 * Whether a link leads to a place in the page itself. In a thread, the page's own address may have other
 * parameters, as in `?post=12#12`.
 */
function isSamePage(url: string, link: HtmlElement, pageKey: string): boolean {
  const key = urlKey(url);
  if (key === pageKey) return true;
  return link.attributes.href?.includes("#") === true && key.split("?")[0] === pageKey.split("?")[0];
}

/** Whether an element, or an element around it, is in the set `marked`. */
export function hasAbove(element: HtmlElement, marked: Pick<ReadonlySet<HtmlElement>, "has">): boolean {
  for (let at: HtmlElement | null = element; at; at = at.parent) if (marked.has(at)) return true;
  return false;
}
