/**
 * The repeated blocks of a page, read on demand: posts (author, date, text) and rows of a listing (a title that links,
 * perhaps with a date). Blocks are elements of one parent with the same tag and class.
 */
import { normaliseUrl } from "../../../machines/exploration/normalise-url.ts";
import type { Post } from "../../../machines/reading/post.ts";
import { readRelativeDate } from "../../../machines/reading/relative-date.ts";
import type { HtmlDocument, HtmlElement } from "../parse/html-document.ts";
import { collapse, isDeclaredHidden, textOf } from "../parse/text.ts";
import { readDate } from "./dates.ts";
import { weigh } from "./main-content.ts";

export type { Post };

export interface ListRow {
  readonly url: string;
  readonly title: string;
  readonly date: string | null;
  /** The whole text of the row. */
  readonly text: string;
}

export interface PageBlocks {
  readonly posts: readonly Post[];
  readonly rows: readonly ListRow[];
  /** Characters of the main content, and the share of them in links. */
  readonly text: number;
  readonly link_share: number;
  /** The page asks for a payment or a sign-in before it shows its content. */
  readonly walled: boolean;
  /** An own field for an answer, as threads have. */
  readonly answerable: boolean;
}

/** Shorter texts are signatures, counts and labels. */
const MIN_POST_TEXT = 12;
const MIN_TITLE = 6;
const TEXT_LENGTH = 20_000;
const ROW_LENGTH = 400;
const MOST_POSTS = 500;
const MOST_ROWS = 300;
/** Least rows of a listing. */
const MIN_ROWS = 3;
/** Least share of the blocks that have a date and a text to be posts. */
const DATED = 0.6;
/** Above this share of blocks whose heading is a link they are rows of a listing. */
const TEASERS = 0.5;
/** In a row the link is the content; in a post it is a small part. */
const ROW_LINK_SHARE = 0.3;
const DATE_LENGTH = 60;

const DATE_CLASS = /(?:^|[-_ ])(?:date|time|datetime|timestamp|published|posted|age|ago|when)(?:$|[-_ ])/i;
const AUTHOR_CLASS =
  /(?:^|[-_ ])(?:author|user|username|nick|nickname|poster|byline|by|name|from|sender|creator|member)(?:$|[-_ ])/i;
const AUTHOR_PATH =
  /\/(?:u|users?|members?|profiles?|people|author|authors|person|account)\/|[?&](?:u|uid|user|member)=/i;
const BODY_CLASS =
  /(?:^|[-_ ])(?:content|body|text|message|msg|markdown|prose|entry|comment|post|description)(?:$|[-_ ])/i;
const FRAME_TAGS = new Set([
  "nav",
  "footer",
  "aside",
  "form",
  "script",
  "style",
  "select",
  "button",
  "template",
]);
const WALL =
  /\b(?:subscribe to (?:read|continue)|subscribers? only|to continue reading|sign in to (?:read|continue|view)|log in to (?:read|continue|view)|members? only|premium content|paywall)\b/i;

/** @param main the main content of the page */
export function readBlocks(
  document: HtmlDocument,
  main: HtmlElement,
  { base, now }: { readonly base: string; readonly now: number },
): PageBlocks {
  const families = familiesIn(document.body);
  const posts = bestPosts(families, now);
  const { all, inLinks } = weigh(main);
  const shown = textOf(document.body, TEXT_LENGTH);
  const fields = document.controls.filter(({ tag }) => tag === "textarea");
  return {
    posts: posts.slice(0, MOST_POSTS),
    rows: bestRows(families, base, now).slice(0, MOST_ROWS),
    text: all - inLinks,
    link_share: all === 0 ? 0 : inLinks / all,
    walled: WALL.test(shown) && all - inLinks < 3_000,
    answerable: fields.some((field) => !isDeclaredHidden(field)),
  };
}

interface Family {
  readonly parent: HtmlElement;
  readonly mark: string;
  readonly members: readonly HtmlElement[];
}

/** All groups of like children, outside of the frame of the page. */
function familiesIn(root: HtmlElement): readonly Family[] {
  const families: Family[] = [];
  const walk = (element: HtmlElement) => {
    const groups = new Map<string, HtmlElement[]>();
    for (const child of element.children) {
      if (typeof child === "string" || child.silent || FRAME_TAGS.has(child.tag) || isDeclaredHidden(child))
        continue;
      const mark = markOf(child);
      const group = groups.get(mark);
      if (group) group.push(child);
      else groups.set(mark, [child]);
      walk(child);
    }
    for (const [mark, members] of groups) families.push({ parent: element, mark, members });
  };
  walk(root);
  return families;
}

function markOf({ tag, attributes }: HtmlElement): string {
  const [name = ""] = (attributes.class ?? "").trim().split(/\s+/);
  return `${tag}.${name.replace(/\d+/g, "")}`;
}

interface ReadPost extends Post {
  readonly linkShare: number;
}

function bestPosts(families: readonly Family[], now: number): readonly Post[] {
  let best: readonly Post[] = [];
  let most = 0;
  for (const { members, mark } of families) {
    const whole = allLike(families, members, mark);
    if (whole.length < 1 || mark.endsWith(".")) {
      // Without a class only table rows and articles are blocks.
      if (!/^(?:article|tr|li|section)\.$/.test(mark) || members.length < 2) continue;
    }
    // Teasers of a blog's front page: their headings lead to the posts.
    if (whole.filter((member) => headingLink(member) !== undefined).length > TEASERS * whole.length) continue;
    const posts = whole.map((member) => readPost(member, whole, now));
    const good = posts.filter(
      ({ date, author, text, linkShare }) =>
        date !== null &&
        text.length >= MIN_POST_TEXT &&
        linkShare < 0.5 &&
        (author !== null || whole.length > 1),
    );
    if (good.length < Math.max(1, DATED * whole.length)) continue;
    // One block may be an article; with an author, a date and a class that says so it is a post.
    if (whole.length === 1 && !/post|comment|message|reply|topic/i.test(mark)) continue;
    const named = good.filter(({ author }) => author !== null).length;
    const weight = good.reduce((sum, { text }) => sum + Math.min(text.length, 500), 0) * (named > 0 ? 2 : 1);
    if (weight <= most) continue;
    most = weight;
    best = good.map(({ author, date, text }) => ({ author, date, text }));
  }
  return best;
}

/** The link in the heading of a block, to another page. */
function headingLink(element: HtmlElement): HtmlElement | undefined {
  for (const candidate of within(element, new Set())) {
    const { tag, attributes } = candidate;
    if (tag !== "a" || attributes.href === undefined || attributes.href.startsWith("#")) continue;
    if (isInHeading(candidate, element)) return candidate;
  }
  return undefined;
}

/** Like blocks anywhere on the page: replies may be nested in what they answer. */
function allLike(
  families: readonly Family[],
  members: readonly HtmlElement[],
  mark: string,
): readonly HtmlElement[] {
  if (mark.endsWith(".")) return members;
  return families.filter((family) => family.mark === mark).flatMap((family) => family.members);
}

function readPost(element: HtmlElement, others: readonly HtmlElement[], now: number): ReadPost {
  const nested = new Set(others.filter((other) => other !== element));
  const date = dateIn(element, nested, now);
  const author = authorIn(element, nested);
  const body = bodyOf(element, nested);
  const text = plainText(
    body,
    nested,
    new Set([date?.element, author?.element].filter((part) => part !== undefined)),
  );
  const { all, inLinks } = weigh(body);
  return {
    author: author?.name ?? null,
    date: date?.day ?? null,
    text,
    linkShare: all === 0 ? 1 : inLinks / all,
  };
}

/** Elements below, without other blocks. */
function* within(element: HtmlElement, nested: ReadonlySet<HtmlElement>): Generator<HtmlElement> {
  for (const child of element.children) {
    if (typeof child === "string" || nested.has(child) || child.silent || isDeclaredHidden(child)) continue;
    yield child;
    yield* within(child, nested);
  }
}

function dateIn(element: HtmlElement, nested: ReadonlySet<HtmlElement>, now: number) {
  for (const candidate of within(element, nested)) {
    const { tag, attributes } = candidate;
    const isTime =
      tag === "time" || DATE_CLASS.test(attributes.class ?? "") || attributes.itemprop?.startsWith("date");
    const written = attributes.datetime ?? (isTime ? attributes.title : undefined) ?? attributes.content;
    const exact = written === undefined ? undefined : readDate(written, now);
    if (exact !== undefined) return { element: candidate, day: exact.slice(0, 10) };
    const shown = shortText(candidate);
    if (shown === undefined) continue;
    const said =
      readDate(shown, now)?.slice(0, 10) ??
      (isTime || hasNoElement(candidate) ? readRelativeDate(shown, now) : undefined);
    if (said !== undefined) return { element: candidate, day: said };
  }
  return undefined;
}

function hasNoElement({ children }: HtmlElement): boolean {
  return children.every((child) => typeof child === "string");
}

/** The text of an element that is short enough to be a date or a name. */
function shortText(element: HtmlElement): string | undefined {
  const text = textOf(element, DATE_LENGTH + 20);
  return text === "" || text.length > DATE_LENGTH ? undefined : text;
}

function authorIn(element: HtmlElement, nested: ReadonlySet<HtmlElement>) {
  let linked: { readonly element: HtmlElement; readonly name: string } | undefined;
  for (const candidate of within(element, nested)) {
    const { tag, attributes } = candidate;
    const named =
      attributes.itemprop === "author" ||
      attributes.rel === "author" ||
      AUTHOR_CLASS.test(attributes.class ?? "") ||
      (tag === "a" && AUTHOR_PATH.test(attributes.href ?? ""));
    if (!named) continue;
    const text = shortText(candidate)?.replace(/^(?:by|von|par|de|от)\s+/i, "");
    if (text === undefined || text.length < 2 || readAnyDate(text)) continue;
    if (tag === "a" || attributes.itemprop === "author") return { element: candidate, name: text };
    linked ??= { element: candidate, name: text };
  }
  return linked;
}

function readAnyDate(text: string): boolean {
  return readDate(text, Number.MAX_SAFE_INTEGER) !== undefined || /^\d+$/.test(text);
}

/** The part of a block with its running text. */
function bodyOf(element: HtmlElement, nested: ReadonlySet<HtmlElement>): HtmlElement {
  const whole = weigh(element).all;
  let body = element;
  let size = 0;
  for (const candidate of within(element, nested)) {
    const { attributes, tag } = candidate;
    const isBody = BODY_CLASS.test(attributes.class ?? "") || /text|body/i.test(attributes.itemprop ?? "");
    if (!isBody && tag !== "td" && tag !== "dd") continue;
    const { all, inLinks } = weigh(candidate);
    const running = all - inLinks;
    // The innermost of those that hold nearly all of the text.
    if (running > 0.4 * whole && (size === 0 || running >= 0.8 * size)) {
      body = candidate;
      size = Math.max(size, running);
    }
  }
  return body;
}

function plainText(
  element: HtmlElement,
  nested: ReadonlySet<HtmlElement>,
  left: ReadonlySet<HtmlElement>,
): string {
  let text = "";
  const gather = (from: HtmlElement) => {
    for (const child of from.children) {
      if (text.length > TEXT_LENGTH) return;
      if (typeof child === "string") text += child;
      else if (
        !nested.has(child) &&
        !left.has(child) &&
        !child.silent &&
        !FRAME_TAGS.has(child.tag) &&
        !isDeclaredHidden(child)
      ) {
        if (child.block || child.tag === "br") text += " ";
        gather(child);
        if (child.block) text += " ";
      }
    }
  };
  gather(element);
  return collapse(text);
}

function bestRows(families: readonly Family[], base: string, now: number): readonly ListRow[] {
  let best: readonly ListRow[] = [];
  let most = 0;
  for (const { members, mark } of families) {
    if (members.length < MIN_ROWS || /^(?:p|option|dt)\./.test(mark)) continue;
    const rows = members.flatMap((member) => readRow(member, base, now) ?? []);
    if (rows.length < MIN_ROWS || rows.length < members.length / 2) continue;
    const distinct = new Map(rows.map((row) => [row.url, row]));
    if (distinct.size < MIN_ROWS) continue;
    // Titles weigh, and dates make a listing more likely than a menu.
    const weight = [...distinct.values()].reduce(
      (sum, row) => sum + Math.min(row.title.length, 80) * (row.date ? 2 : 1),
      0,
    );
    if (weight <= most) continue;
    most = weight;
    best = [...distinct.values()];
  }
  return best;
}

function readRow(element: HtmlElement, base: string, now: number): ListRow | undefined {
  const links =
    element.tag === "a"
      ? [element]
      : [...within(element, new Set())].filter(({ tag, attributes }) => tag === "a" && attributes.href);
  let title: HtmlElement | undefined;
  let length = 0;
  for (const link of links) {
    const inHeading = isInHeading(link, element);
    const own =
      textOf(link, 200).length *
      (inHeading ? 3 : 1) *
      (AUTHOR_PATH.test(link.attributes.href ?? "") ? 0.3 : 1);
    if (own > length) [title, length] = [link, own];
  }
  const text = title && textOf(title, 200);
  const url = normaliseUrl(title?.attributes.href ?? "", base);
  if (!title || text === undefined || url === undefined || text.length < MIN_TITLE) return undefined;
  const { all } = weigh(element);
  const isRow = text.length >= ROW_LINK_SHARE * Math.min(all, 200) || headingLink(element) !== undefined;
  if (!isRow) return undefined;
  return {
    url,
    title: text,
    date: dateIn(element, new Set(), now)?.day ?? null,
    text: textOf(element, ROW_LENGTH),
  };
}

function isInHeading(link: HtmlElement, within: HtmlElement): boolean {
  for (let at: HtmlElement | null = link; at && at !== within; at = at.parent)
    if (/^h[1-6]$/.test(at.tag)) return true;
  return link.children.some((child) => typeof child !== "string" && /^h[1-6]$/.test(child.tag));
}
