/**
 * Finds repeated blocks of a page, such as the posts of a thread or the rows of a list. A family contains the
 * blocks of one kind. A block is one element, or a run: several adjacent elements that belong together.
 */

import type { HtmlElement } from "../parse/parse-html-document.ts";
import { isDeclaredHidden } from "../parse/visible-text-of-html-element.ts";

/**
 * A repeated block of a page. It may consist of several adjacent elements, such as `dt` and `dd`, or a header
 * row and its text row.
 */
export interface Block {
  readonly parts: readonly HtmlElement[];
}

export interface Family {
  /**
   * The tag and class of every block. For runs (blocks of several adjacent elements), those of the first
   * element in the run.
   */
  readonly mark: string;
  readonly blocks: readonly Block[];
  /** Whether each block is a run: several adjacent elements instead of one element. */
  readonly runs: boolean;
}

/** Tags of page parts, such as navigation, that contain neither posts nor rows of the main list. */
const FRAME_TAGS = new Set(["nav", "footer", "aside", "script", "style", "select", "button", "template"]);
const FRAME_ROLES = new Set(["navigation", "contentinfo", "complementary", "search", "menu"]);
/** Tags that belong to running text, so they are not blocks. */
const TEXT_TAGS = new Set(["p", "option", "a", "span", "b", "i", "em", "strong", "br", "col", "th", "td"]);
/**
 * An element may contain runs (blocks of several adjacent elements) only if its children are of at most this
 * number of kinds. A kind is a tag with a class. An element with more kinds of children is prose.
 */
const MOST_KINDS = 8;
/**
 * Minimum number of characters that must follow the link in a line of a list. Old mail archives write a list as
 * lines of text that each begin with a link.
 */
const LINE_TEXT = 6;
/** Minimum number of lines in a list that consists of lines with links. */
const LEAST_LINES = 3;
/**
 * Matches classes that describe the position or the state of a block, such as "first", "odd" or "unread".
 * Blocks of one kind may differ in these classes.
 */
const POSITION_CLASS =
  /^(?:odd|even|first|last|alt(?:ernate)?|row\d*|bg\d*|unread|read|new|active|pinned|sticky)$/i;

/**
 * Returns all families (sets of similar elements) outside of page parts such as the navigation and the
 * footer.
 */
export function familiesIn(root: HtmlElement): readonly Family[] {
  const siblings: Family[] = [];
  /**
   * All elements of the page by their mark (tag and class), to find repeated blocks anywhere on the page.
   * Elements without a class are also grouped by the mark of their parent.
   */
  const anywhere = new Map<string, HtmlElement[]>();
  const walk = (element: HtmlElement) => {
    const groups = new Map<string, HtmlElement[]>();
    const children = element.children.filter((child) => typeof child !== "string" && isContent(child));
    for (const child of children as readonly HtmlElement[]) {
      // The cast is safe: `children` was filtered by type, and no text nodes are left.
      const mark = markOf(child);
      push(groups, mark, child);
      push(anywhere, mark.endsWith(".") ? `${markOf(element)}>${mark}` : mark, child);
      walk(child);
    }
    for (const [mark, members] of groups) {
      const linked = mark.startsWith("a.") && (hasLines(element) || members.every(isCard));
      if (members.length > 1 && (linked || !TEXT_TAGS.has(tagOf(mark))))
        siblings.push(familyOf(mark, members));
    }
    // The cast is safe: `children` was filtered by type, and no text nodes are left.
    siblings.push(...runsIn(children as readonly HtmlElement[], groups));
  };
  walk(root);
  const unions: Family[] = [];
  for (const [mark, members] of anywhere) {
    const own = members[0];
    if (own === undefined || (TEXT_TAGS.has(own.tag) && !members.every(isCard))) continue;
    if (members.every(({ parent }) => parent === own.parent) && members.length > 1) continue;
    unions.push(familyOf(mark, members));
  }
  return [...siblings, ...unions];
}

/**
 * Whether an element contains lines of text that each consist of a link and further words, as some old mail
 * archives do. A menu contains only links.
 */
function hasLines(element: HtmlElement): boolean {
  const behind = element.children.filter(
    (child) => typeof child === "string" && child.trim().length > LINE_TEXT,
  );
  return behind.length >= LEAST_LINES;
}

/**
 * Whether an element is a link around a whole row. Such a link contains several elements, and at least one of
 * them is a block. Examples are Bootstrap's `list-group-item-action` and the theme Fluid of Hexo.
 */
export function isCard({ tag, children }: HtmlElement): boolean {
  const elements = children.filter((child) => typeof child !== "string");
  return tag === "a" && elements.length > 1 && elements.some(({ block }) => block);
}

function familyOf(mark: string, members: readonly HtmlElement[]): Family {
  return { mark, blocks: members.map((member) => ({ parts: [member] })), runs: false };
}

/**
 * Finds groups of adjacent children that each begin with an element of the same tag and class. In `dt dd dt
 * dd`, each `dt` begins a group; in `h3 p p h3 p`, each `h3` does.
 */
function runsIn(
  children: readonly HtmlElement[],
  groups: ReadonlyMap<string, readonly HtmlElement[]>,
): readonly Family[] {
  if (groups.size < 2 || groups.size > MOST_KINDS) return [];
  const families: Family[] = [];
  for (const [mark, leaders] of groups) {
    if (leaders.length < 2 || leaders.length === children.length) continue;
    // A kind of element that occurs before the first group must not occur again. So in `dt dd dt dd`, groups
    // that begin with `dt` are accepted. Groups that begin with `dd` are refused, because a `dt` occurs
    // before the first `dd` and again after it.
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
    // An element that occurs only in the last block is not part of the list, such as a paragraph after the
    // list. It is removed from the block.
    const usual = new Set(blocks.slice(0, -1).flat().map(markOf));
    const last = blocks.at(-1);
    // The cast is safe: the loop runs only while `last` has more than one element, so there is a last
    // element.
    while (last && last.length > 1 && !usual.has(markOf(last.at(-1) as HtmlElement))) last.pop();
    families.push({ mark, blocks: blocks.map((parts) => ({ parts })), runs: true });
  }
  return families;
}

/**
 * Caches the results of `markOf` (tag and class), because `markOf` is called for an element several times.
 */
const marks = new WeakMap<HtmlElement, string>();

/**
 * Returns a text that is equal for elements of one kind: the tag, and the first class that describes the
 * kind. Numbers are removed from the class.
 */
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
  // A `footer` inside of an article is part of the article: it contains author and date.
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
