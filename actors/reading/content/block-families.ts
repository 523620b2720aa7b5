/**
 * Repeated blocks of a page: groups of elements, or of runs of elements, that are alike. A block is what a page
 * shows once for each post, thread or article.
 */
import type { HtmlElement } from "../parse/html-document.ts";
import { isDeclaredHidden } from "../parse/text.ts";

/** The parts stand next to each other, as `dt` and `dd`, or a header row and its text row. */
export interface Block {
  readonly parts: readonly HtmlElement[];
}

export interface Family {
  /** Tag and class that the members share. */
  readonly mark: string;
  readonly blocks: readonly Block[];
  /** Whether the blocks are runs of elements. */
  readonly runs: boolean;
}

/** The frame of a page holds no posts and no rows of its content. */
const FRAME_TAGS = new Set(["nav", "footer", "aside", "script", "style", "select", "button", "template"]);
const FRAME_ROLES = new Set(["navigation", "contentinfo", "complementary", "search", "menu"]);
/** Elements of running text are no blocks. */
const TEXT_TAGS = new Set(["p", "option", "a", "span", "b", "i", "em", "strong", "br", "col", "th", "td"]);
/** More kinds of children than this are prose, not a list of runs. */
const MOST_KINDS = 8;
/** Characters behind a link of a line, and lines of a list. */
const LINE_TEXT = 6;
const LEAST_LINES = 3;
/** Classes that say which of the blocks it is, not what it is. */
const POSITION_CLASS =
  /^(?:odd|even|first|last|alt(?:ernate)?|row\d*|bg\d*|unread|read|new|active|pinned|sticky)$/i;

/** All groups of like elements, outside of the frame of the page. */
export function familiesIn(root: HtmlElement): readonly Family[] {
  const siblings: Family[] = [];
  /** Like elements anywhere on the page, by tag, class and the tag and class of the parent. */
  const anywhere = new Map<string, HtmlElement[]>();
  const walk = (element: HtmlElement) => {
    const groups = new Map<string, HtmlElement[]>();
    const children = element.children.filter((child) => typeof child !== "string" && isContent(child));
    for (const child of children as readonly HtmlElement[]) {
      // Text was left out.
      const mark = markOf(child);
      push(groups, mark, child);
      push(anywhere, mark.endsWith(".") ? `${markOf(element)}>${mark}` : mark, child);
      walk(child);
    }
    for (const [mark, members] of groups) {
      const lines = mark.startsWith("a.") && hasLines(element);
      if (members.length > 1 && (lines || !TEXT_TAGS.has(tagOf(mark))))
        siblings.push(familyOf(mark, members));
    }
    siblings.push(...runsIn(children as readonly HtmlElement[], groups)); // As above.
  };
  walk(root);
  const unions: Family[] = [];
  for (const [mark, members] of anywhere) {
    const own = members[0];
    if (own === undefined || TEXT_TAGS.has(own.tag)) continue;
    if (members.every(({ parent }) => parent === own.parent) && members.length > 1) continue;
    unions.push(familyOf(mark, members));
  }
  return [...siblings, ...unions];
}

/** Links with words behind them in lines of text, as in old archives: no menu. */
function hasLines(element: HtmlElement): boolean {
  const behind = element.children.filter(
    (child) => typeof child === "string" && child.trim().length > LINE_TEXT,
  );
  return behind.length >= LEAST_LINES;
}

function familyOf(mark: string, members: readonly HtmlElement[]): Family {
  return { mark, blocks: members.map((member) => ({ parts: [member] })), runs: false };
}

/** Runs that begin with the same kind of element: `dt dd dt dd`, `tr.head tr.text tr.head tr.text`, `h3 p p h3 p`. */
function runsIn(
  children: readonly HtmlElement[],
  groups: ReadonlyMap<string, readonly HtmlElement[]>,
): readonly Family[] {
  if (groups.size < 2 || groups.size > MOST_KINDS) return [];
  const families: Family[] = [];
  for (const [mark, leaders] of groups) {
    if (leaders.length < 2 || leaders.length === children.length) continue;
    // A run begins with its first kind: `dt`, not `dd`.
    const start = children.indexOf(leaders[0] as HtmlElement);
    const earlier = new Set(children.slice(0, start).map(markOf));
    if (children.slice(start).some((child) => earlier.has(markOf(child)))) continue;
    const heads = new Set(leaders);
    const blocks: HtmlElement[][] = [];
    for (const child of children) {
      if (heads.has(child)) blocks.push([child]);
      else blocks.at(-1)?.push(child);
    }
    if (blocks.filter((parts) => parts.length > 1).length < blocks.length / 2) continue;
    // What only the last run has stands behind the list.
    const usual = new Set(blocks.slice(0, -1).flat().map(markOf));
    const last = blocks.at(-1);
    // It has a last part.
    while (last && last.length > 1 && !usual.has(markOf(last.at(-1) as HtmlElement))) last.pop();
    families.push({ mark, blocks: blocks.map((parts) => ({ parts })), runs: true });
  }
  return families;
}

/** Families overlap, so elements are asked often. */
const marks = new WeakMap<HtmlElement, string>();

/** Tag and first class that says what an element is, without numbers. */
export function markOf(element: HtmlElement): string {
  const known = marks.get(element);
  if (known !== undefined) return known;
  const { tag, attributes } = element;
  const names = (attributes.class ?? "").split(/\s+/).map((name) => name.replace(/\d+/g, ""));
  const mark = `${tag}.${names.find((name) => name !== "" && !POSITION_CLASS.test(name)) ?? ""}`;
  marks.set(element, mark);
  return mark;
}

const tagOf = (mark: string) => mark.slice(0, mark.indexOf("."));

function isContent(child: HtmlElement): boolean {
  if (child.silent || isDeclaredHidden(child)) return false;
  // A post has its own footer, with author and date.
  const framed =
    FRAME_TAGS.has(child.tag) || FRAME_ROLES.has(child.marked ? (child.attributes.role ?? "") : "");
  return !framed || (child.tag === "footer" && isInArticle(child));
}

function isInArticle(element: HtmlElement): boolean {
  for (let at = element.parent; at; at = at.parent) if (at.tag === "article" || at.tag === "li") return true;
  return false;
}

function push<K>(map: Map<K, HtmlElement[]>, key: K, value: HtmlElement): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
