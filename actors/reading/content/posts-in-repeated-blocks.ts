/**
 * Reads posts from repeated blocks of a page. The author is at the same place in all blocks, and so are the
 * date and the text. Class names improve the result, but are not required.
 */
import type { Post } from "../../../machines/reading/forum-thread-post.ts";
import type { HtmlElement } from "../parse/parse-html-document.ts";
import { collapse, isDeclaredHidden } from "../parse/visible-text-of-html-element.ts";
import { NAME, nameIn } from "./author-names.ts";
import { datesOf } from "./forum-post-dates.ts";
import { preformattedMessage } from "./mailing-list-message-page.ts";
import { type Piece, type PieceContext, piecesOf } from "./pieces-of-repeated-blocks.ts";
import type { Block, Family } from "./repeated-blocks.ts";
import { titleSlot } from "./rows-of-lists-in-html.ts";

/** Minimum number of characters of a post's text. A shorter text is a signature, a count or a label. */
const MIN_POST_TEXT = 12;
const MIN_POST_WORDS = 3;
const TEXT_LENGTH = 20_000;
const MOST_POSTS = 500;
/** Minimum share of the blocks that must have a date and a text, so that the blocks are posts. */
const DATED = 0.6;
/**
 * A part of a block is the body of the post if it contains at least this share (0 to 1) of the block's text.
 * Text that all blocks share does not count.
 */
const BODY_SHARE = 0.8;
/**
 * A text that occurs at the same place in at least this share (0 to 1) of the blocks counts as a label. An
 * example is "Reply".
 */
const LABEL_SHARE = 0.8;
/**
 * Score factor of runs (posts that consist of several adjacent elements), compared with posts that consist of
 * one element. Runs are used only if they contain clearly more text.
 */
const RUNS_WEIGH = 0.8;
const CELLS = /^(?:td|th|div|dd)$/;
const POST_CLASS =
  /(?:^|\s)(?:[a-z]+[-_])*(?:post|comment|message|msg|reply|answer|topic|question)(?:[-_]?(?:item|body|wrap(?:per)?|container|box|\d+))?(?:\s|$)/i;
const SIGNATURE_CLASS = /signature|(?:^|[-_ ])sig(?:$|[-_ ])/i;
interface ReadBlock {
  readonly block: Block;
  readonly pieces: readonly Piece[];
  readonly others: ReadonlySet<HtmlElement>;
}

export interface PostBlocks {
  readonly posts: readonly Post[];
  readonly blocks: readonly Block[];
}

/**
 * Reads posts from each family (a set of similar blocks), and returns those of the best family: the one with
 * the most text in posts. Families whose posts have authors are preferred.
 */
export function bestPosts(
  families: readonly Family[],
  context: PieceContext & { readonly pageKey: string; readonly base: string },
): PostBlocks {
  let best: PostBlocks = { posts: [], blocks: [] };
  let most = 0;
  // Families (sets of similar blocks) with several blocks are tried first. If none of them has posts, a
  // single block may contain all posts of the page.
  const several = families.filter(({ blocks }) => blocks.length > 1);
  const single = families.filter(({ blocks }) => blocks.length === 1);
  for (const family of [...several, ...single]) {
    if (family.blocks.length === 1 && most > 0) break;
    const posts = postsOf(family, context);
    const named = posts.filter(({ author }) => author !== null).length;
    const weight =
      posts.reduce((sum, { text }) => sum + Math.min(text.length, 500), 0) *
      (2 * named > posts.length ? 2 : 1) *
      (family.runs ? RUNS_WEIGH : 1);
    if (weight <= most) continue;
    most = weight;
    best = { posts: posts.slice(0, MOST_POSTS), blocks: family.blocks };
  }
  return best;
}

function postsOf(
  { blocks, runs }: Family,
  context: PieceContext & { readonly pageKey: string; readonly base: string },
): readonly Post[] {
  if (blocks.length > 4 * MOST_POSTS) return [];
  // A page may consist of a single block. The block is reported as a post only when its class names it as a
  // post; otherwise it may be, for example, an article.
  const named = (element: HtmlElement | undefined) => POST_CLASS.test(element?.attributes.class ?? "");
  if (blocks.length === 1 && (runs || !named(blocks[0]?.parts[0]))) return [];
  const messages = blocks.flatMap(({ parts }) => preformattedMessage(parts, context.now) ?? []);
  if (messages.length >= Math.max(1, DATED * blocks.length)) return messages;
  const own = new Set(blocks.flatMap(({ parts }) => parts));
  const all = blocks.map((block): ReadBlock => {
    const others = new Set(own);
    for (const part of block.parts) others.delete(part);
    return { block, others, pieces: piecesOf(block, others, context) };
  });
  const read = all.filter(({ pieces }) => pieces.some(({ date }) => date !== undefined));
  if (read.length < Math.max(1, DATED * all.length)) return [];
  // Blocks whose titles link to other pages are rows of a list and not posts.
  if (
    titleSlot(
      read.map(({ pieces }) => pieces),
      context,
    ) !== undefined
  )
    return [];
  const labels = labelsOf(read);
  const dates = datesOf(read);
  const authors = authorsOf(read, labels, dates, bodiesOf(read, labels, dates, []));
  const bodies = bodiesOf(read, labels, dates, authors);
  const settled = datesOf(
    read,
    authors.map((author) => author?.name ?? null),
  );
  const posts = read.map(({ others, block }, index): Post & { readonly good: boolean } => {
    const [author, date, body] = [authors[index], settled[index], bodies[index] ?? block.parts];
    const left = new Set<HtmlElement>();
    const leftTexts = new Set<string>();
    for (const piece of [author?.piece, date]) {
      if (piece === undefined) continue;
      if (!body.includes(piece.element) && isShort(piece.element)) left.add(piece.element);
      else leftTexts.add(piece.text);
    }
    const text = plainText(body, others, left, new Set([...labels, ...leftTexts]));
    const day = date?.date?.slice(0, 10) ?? null;
    const linked = linkShare(body, others);
    const words = text.split(" ").length;
    return {
      author: author?.name ?? null,
      date: day,
      text,
      good: day !== null && text.length >= MIN_POST_TEXT && words >= MIN_POST_WORDS && linked < 0.5,
    };
  });
  const good = posts.filter((post) => post.good);
  if (good.length < Math.max(1, DATED * all.length)) return [];
  if (blocks.length === 1 && good[0]?.author === null) return [];
  // Blocks that mostly have no author are rows of a log or list. They are posts only if their class says so.
  const signed = good.filter(({ author }) => author !== null).length;
  if (signed < good.length / 2 && !named(blocks[0]?.parts[0])) return [];
  return good.map(({ author, date, text }) => ({ author, date, text }));
}

/** Returns the texts that occur in most blocks, such as "Reply", "Quote" or "Posts:". */
function labelsOf(read: readonly ReadBlock[]): ReadonlySet<string> {
  if (read.length < 3) return new Set();
  const counts = new Map<string, number>();
  for (const { pieces } of read) {
    for (const text of new Set(
      pieces.filter((piece) => piece.text.length < NAME.length).map(({ text }) => text),
    )) {
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  return new Set([...counts].filter(([, count]) => count >= LABEL_SHARE * read.length).map(([text]) => text));
}

interface FoundAuthor {
  readonly name: string;
  readonly piece: Piece;
}

/**
 * Returns the author of each block. A slot is a position that all blocks have. The author is in a slot whose
 * texts look like names and differ between blocks.
 */
function authorsOf(
  read: readonly ReadBlock[],
  labels: ReadonlySet<string>,
  dates: readonly (Piece | undefined)[],
  bodies: readonly (readonly HtmlElement[])[],
): readonly (FoundAuthor | undefined)[] {
  const slots = new Map<string, { column: (FoundAuthor | undefined)[]; score: number }>();
  for (const [index, { pieces }] of read.entries()) {
    const body = new Set(bodies[index]);
    const whole = (bodies[index] ?? []).some((part) => read[index]?.block.parts.includes(part));
    for (const [at, piece] of pieces.entries()) {
      // A name in the body of a post belongs to a person whom the text mentions. So it is not taken as the
      // author.
      if (!whole && isInside(piece.element, body)) continue;
      const found = nameIn(piece, pieces[at - 1], dates[index]);
      if (!found) continue;
      const slot = slots.get(piece.slot) ?? { column: [], score: 0 };
      slots.set(piece.slot, slot);
      if (slot.column[index]) continue;
      slot.column[index] = { name: found.name, piece };
      slot.score += found.score;
    }
  }
  let best: { readonly column: readonly (FoundAuthor | undefined)[]; readonly score: number } | undefined;
  let order = 0;
  for (const { column, score } of slots.values()) {
    const names = column.flatMap((found) => found?.name ?? []);
    const distinct = new Set(names).size;
    let total = score / names.length + (3 * names.length) / read.length - 0.05 * order++;
    if (names.length > 1 && distinct > 1) total += 1.5;
    if (names.length > 2 && distinct < names.length && distinct > 1) total += 0.5;
    // A text that is the same in all blocks is a label, unless markup marks it as an author.
    if (distinct === 1 && names.length > 2 && score / names.length < 3) continue;
    if (distinct > 1 && names.some((name) => labels.has(name))) total -= 1;
    if (!best || total > best.score) best = { column, score: total };
  }
  // A text is taken as an author only with enough evidence: the names differ between the blocks, or markup
  // declares authors.
  if (!best || best.score < 4) return read.map(() => undefined);
  return read.map((_, index) => best?.column[index]);
}

/**
 * Returns the element with the body of each block (the post without author and date). The search goes down
 * from the block, through the children at the same place in all blocks. It ends when no child contains nearly
 * all of the text.
 */
function bodiesOf(
  read: readonly ReadBlock[],
  labels: ReadonlySet<string>,
  dates: readonly (Piece | undefined)[],
  authors: readonly (FoundAuthor | undefined)[],
): readonly (readonly HtmlElement[])[] {
  const known = read.map((_, index) => {
    const own = [dates[index]?.text, authors[index]?.name].filter((text) => text !== undefined);
    return new Set([...labels, ...own]);
  });
  let bodies = read.map(({ block }): readonly HtmlElement[] => block.parts);
  for (let depth = 0; depth < 30; depth++) {
    const parts = new Map<string, { size: number; most: number; members: HtmlElement[][] }>();
    let total = 0;
    for (const [index, body] of bodies.entries()) {
      const { others = new Set<HtmlElement>() } = read[index] ?? {};
      const seen = new Map<string, number>();
      const children = body.length === 1 ? (body[0]?.children ?? []) : body;
      for (const [at, child] of children.entries()) {
        if (typeof child === "string") {
          total += child.trim().length;
          continue;
        }
        if (others.has(child) || child.silent || isDeclaredHidden(child)) continue;
        const size = runningText(child, others, known[index] ?? labels);
        total += size;
        // Elements of different blocks correspond if they have the same tag and the same first class. Further
        // classes are ignored, because in grids they differ by a number. A `div` or a table cell without a
        // class is identified by its position.
        const own = child.attributes.class?.trim().split(/\s+/)[0] ?? "";
        const mark = own === "" ? `${child.tag}${CELLS.test(child.tag) ? at : ""}` : `${child.tag}.${own}`;
        const count = (seen.get(mark) ?? 0) + 1;
        seen.set(mark, count);
        const part = parts.get(mark) ?? { size: 0, most: 0, members: [] };
        parts.set(mark, part);
        part.size += size;
        part.most = Math.max(part.most, count);
        const members = part.members[index] ?? [];
        part.members[index] = members;
        members.push(child);
      }
    }
    const main = [...parts.values()].find(({ size }) => total > 0 && size >= BODY_SHARE * total);
    if (!main || main.most > 1 || main.members.filter(Boolean).length < DATED * bodies.length) break;
    // A part that is displayed inline belongs to the text of its parent, so the search for the posts' texts ends at the
    // parent.
    if (main.members.some((members) => members?.[0] && !members[0].block && !members[0].containsBlock)) break;
    bodies = bodies.map((body, index) => main.members[index] ?? body);
  }
  return bodies;
}

/**
 * Returns the amount of running text in an element, roughly its number of characters. Labels, headings,
 * numbers, author and date do not count, and text in links counts less.
 */
function runningText(
  element: HtmlElement,
  others: ReadonlySet<HtmlElement>,
  known: ReadonlySet<string>,
): number {
  if (/^(?:h[1-6]|button|time)$/.test(element.tag)) return 0;
  let size = 0;
  for (const child of element.children) {
    if (typeof child === "string") {
      const text = collapse(child);
      if (!known.has(text) && !/^\W*\d*\W*$/u.test(text)) size += text.length;
      continue;
    }
    if (others.has(child) || child.silent || isDeclaredHidden(child)) continue;
    const inner = runningText(child, others, known);
    size += child.tag === "a" ? inner / 4 : inner;
  }
  return size;
}

function isShort(element: HtmlElement): boolean {
  return runningText(element, new Set(), new Set()) < 80;
}

function isInside(element: HtmlElement, parts: ReadonlySet<HtmlElement>): boolean {
  for (let at: HtmlElement | null = element; at; at = at.parent) if (parts.has(at)) return true;
  return false;
}

function linkShare(body: readonly HtmlElement[], others: ReadonlySet<HtmlElement>): number {
  let [all, inLinks] = [0, 0];
  const walk = (element: HtmlElement, linked: boolean) => {
    for (const child of element.children) {
      if (typeof child === "string") {
        const { length } = child.trim();
        all += length;
        if (linked) inLinks += length;
      } else if (!others.has(child) && !child.silent && !isDeclaredHidden(child))
        walk(child, linked || child.tag === "a");
    }
  };
  for (const part of body) walk(part, false);
  return all === 0 ? 1 : inLinks / all;
}

const UNREAD = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "select",
  "textarea",
  "button",
  "nav",
  "svg",
]);

function plainText(
  body: readonly HtmlElement[],
  others: ReadonlySet<HtmlElement>,
  left: ReadonlySet<HtmlElement>,
  labels: ReadonlySet<string>,
): string {
  let text = "";
  const gather = (from: HtmlElement) => {
    for (const child of from.children) {
      if (text.length > TEXT_LENGTH) return;
      if (typeof child === "string") {
        if (!labels.has(collapse(child))) text += child;
      } else if (
        !others.has(child) &&
        !left.has(child) &&
        !child.silent &&
        !UNREAD.has(child.tag) &&
        !isDeclaredHidden(child) &&
        !SIGNATURE_CLASS.test(child.attributes.class ?? "")
      ) {
        if (child.block || child.tag === "br") text += " ";
        gather(child);
        if (child.block) text += " ";
      }
    }
  };
  for (const part of body) {
    if (left.has(part)) continue;
    gather(part);
    text += " ";
  }
  return collapse(text);
}
