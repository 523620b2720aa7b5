/**
 * Describes the structure of a page without its content. The description consists of containers with their
 * classes, landmarks, form fields, labels of controls, columns of tables, and the page type that the page
 * declares.
 */
import { sketchOf } from "../../../machines/knowledge/screens/page-feature-sketch.ts";
import type { HtmlDocument, HtmlElement } from "../parse/parse-html-document.ts";
import { isDeclaredHidden, textOf } from "../parse/visible-text-of-html-element.ts";
import type { Metas } from "./page-metadata.ts";

/**
 * Maximum length, in characters, of a label that is a feature of the page's structure. A longer label usually
 * belongs to one item.
 */
const LABEL_LENGTH = 30;
/** Maximum number of elements of a page that are read for the description of its structure. */
const MAX_ELEMENTS = 20_000;
/**
 * Weight of a label or a form field among the features by which the structures of pages are compared. A container
 * has the weight 1.
 */
const LABEL_WEIGHT = 2;
/** Weight of the page type among the features by which the structures of pages are compared. */
const TYPE_WEIGHT = 4;

/** Tags of prose. Prose depends on the content of a page, so these elements do not describe its structure. */
const PROSE = new Set(
  (
    "p span em strong b i u s a code pre ul ol li dl dt dd br hr img picture source figure figcaption blockquote " +
    "table thead tbody tfoot tr td th caption colgroup col abbr cite q sub sup small mark kbd samp var time del ins " +
    "h1 h2 h3 h4 h5 h6 video audio iframe details summary wbr address font center"
  ).split(" "),
);
const TEXT_BLOCKS = new Set("p h1 h2 h3 h4 h5 h6 pre blockquote".split(" "));
/**
 * Tags of lists and tables. Without a class, such an element counts as prose. With a class, it is more likely
 * part of a widget, such as a menu.
 */
const PLAIN_BLOCKS = new Set(["ul", "ol", "dl", "table"]);
/** An element with at least this number of blocks of prose counts as prose itself. */
const ENOUGH_BLOCKS = 2;
/**
 * Tags of table cells. A cell's class often is the name of its column (Datasette, Trac, Django's
 * administration).
 */
const CELLS = new Set(["td", "th"]);
const UNREAD = new Set(
  "script style template noscript svg head link meta option optgroup canvas math".split(" "),
);
/**
 * Matches classes that do not describe the structure of a page: states that change, such as "active" or
 * "open", and classes that frameworks add.
 */
const STATE_CLASS =
  /^(?:is-|has-|js-|no-|ng-|v-|css-|sc-|active$|open$|opened$|closed$|show$|shown$|hidden$|hide$|selected$|current|disabled$|focus|hover|loading|loaded|visible|collapsed|collapsing|expanded|first$|last$|odd$|even$|dark$|light$|visited$)/i;

/**
 * Matches classes of states in the notation BEM: `md-nav__item--active` (MkDocs Material), `menu__link--active`
 * (Docusaurus).
 */
const STATE_MODIFIER =
  /--(?:active|current|selected|checked|open|opened|closed|hidden|visible|disabled|collapsed|expanded)$/i;

/**
 * Matches the class names of an entry in a list of posts: `post` (Ghost, WordPress) and `hentry` (microformats,
 * WordPress).
 */
const ENTRY = /(?:^|\s)(?:hentry|post)(?:\s|$)/;
/** Matches a class that names a category or a tag of an entry: `category-news` (WordPress), `tag-boats` (Ghost). */
const TOPIC_CLASS = /^(?:category|tag)-/;

/**
 * Returns the sketch of a page's structure: a short text that is similar for similar pages
 * (machines/knowledge/screens/page-feature-sketch.ts).
 *
 * @param url the address of the page. A class of `body` that ends in a part of the address names the shown
 * item, so it is no part of the structure.
 */
export function readStructure(document: HtmlDocument, metas: Metas, url: string): string {
  const features = new Set<string>();
  const add = (feature: string, weight: number) => {
    for (let copy = 0; copy < weight; copy++) features.add(copy === 0 ? feature : `${feature}#${copy}`);
  };
  const classes = new ClassLists();
  const type = metas.first("og:type");
  if (type) add(`type ${type}`, TYPE_WEIGHT);
  for (const name of classes.of(document.body).names) add(BODY + name, LABEL_WEIGHT);
  /** For each container element, the marks (short descriptions) of the elements in it. */
  const marksIn = new Map<string, Set<string>>();
  let left = MAX_ELEMENTS;
  const walk = (element: HtmlElement, container: string, text: boolean, written: boolean, form: boolean) => {
    for (const child of element.children) {
      if (typeof child === "string") continue;
      // An element that contains only text, such as a word in bold, says nothing about the structure of the
      // page if it is inside of prose. It is skipped.
      const { children } = child;
      const isLeaf = children.length < 2 && typeof children[0] !== "object";
      if (isLeaf && text && child.plain && !child.marked) {
        left -= 1;
        continue;
      }
      if (UNREAD.has(child.tag) || left-- <= 0 || isDeclaredHidden(child)) continue;
      // Code, notes and figures inside of running text belong to the content, so they do not describe the
      // page's structure.
      const isProse = text && !NAVIGATION.has(child.tag);
      const own = isProse ? undefined : markOf(child, classes);
      if (own !== undefined) {
        const marks = marksIn.get(container);
        if (marks) marks.add(own);
        else marksIn.set(container, new Set([own]));
      }
      // In running text, a table without a class was written by the author of the text. So its columns are
      // content, and no part of the page's structure.
      const inTable = written || (text && child.tag === "table" && child.attributes.class === undefined);
      const isContent = (inTable && child.tag === "th") || (text && !form && isWrittenControl(child));
      const label = isContent ? undefined : labelOf(child);
      if (label !== undefined) add(label, LABEL_WEIGHT);
      if (isLeaf) continue;
      walk(child, own ?? container, isProse || isText(child, classes), inTable, form || child.tag === "form");
    }
  };
  walk(document.body, "", false, false, false);
  for (const [container, marks] of marksIn) for (const own of marks) features.add(`${container}>${own}`);
  const isOfItem = itemClasses(url);
  return sketchOf(
    features,
    undefined,
    (feature) => feature.startsWith(COLUMN) || (feature.startsWith(BODY) && isOfItem(feature)),
  );
}

/**
 * Returns a function that recognises classes of `body` with the name of one item. Such a class ends in a
 * segment of the page's address: `table-customers` (Datasette), `category-news` (WordPress).
 */
function itemClasses(url: string): (feature: string) => boolean {
  const segments = (URL.parse(url)?.pathname ?? "").toLowerCase().split("/");
  const names = segments.filter((segment) => segment !== "");
  return (feature) => {
    const plain = feature.replace(/#\d+$/, "").toLowerCase();
    return names.some((name) => plain.endsWith(`-${name}`) || plain.endsWith(`_${name}`));
  };
}

/**
 * Classes that mark the main text of a page in various systems: `e-content` (microformats), `entry-content`
 * (WordPress, Nikola, Pelican), `mw-parser-output` (MediaWiki), `markdown-body` (GitHub, Gogs).
 */
const TEXT_CLASSES = new Set("e-content entry-content mw-parser-output markdown-body".split(" "));
/** Values of `itemprop` (schema.org) that mark the text of an article. */
const TEXT_PROPERTIES = new Set(["articleBody", "reviewBody"]);

function isMarkedText(element: HtmlElement, classes: ClassLists): boolean {
  const { itemprop } = element.attributes;
  return (
    classes.of(element).isText || (itemprop?.split(/\s+/).some((word) => TEXT_PROPERTIES.has(word)) ?? false)
  );
}

/**
 * Whether an element is prose: its markup declares it, or it contains several paragraphs, headings or lists
 * without classes. Paragraphs that contain only links do not count. An element with a form, or with a table
 * that has a class, is part of an application and not prose.
 */
function isText(element: HtmlElement, classes: ClassLists): boolean {
  if (isMarkedText(element, classes) || isCode(element)) return true;
  let blocks = 0;
  for (const child of element.children) {
    if (typeof child === "string") continue;
    const { tag } = child;
    if (tag === "form" || (tag === "table" && child.attributes.class !== undefined)) return false;
    const plain = PLAIN_BLOCKS.has(tag) && child.attributes.class === undefined;
    if (plain || (TEXT_BLOCKS.has(tag) && !hasOnlyLinks(child))) blocks += 1;
  }
  return blocks >= ENOUGH_BLOCKS;
}

/**
 * Whether an element is a paragraph that contains only links. Examples are "Add user" in Miniflux and "Apply"
 * in Redmine.
 */
function hasOnlyLinks({ tag, children }: HtmlElement): boolean {
  if (tag !== "p") return false;
  let found = false;
  for (const child of children) {
    if (typeof child === "string") {
      if (/\p{L}/u.test(child)) return false;
    } else if (child.tag === "a") found = true;
    else return false;
  }
  return found;
}

/**
 * Tags of navigation. Navigation belongs to the site's page template, even inside of running text. The site
 * generator Nikola writes its breadcrumbs there.
 */
const NAVIGATION = new Set(["nav"]);

/** Tags of preformatted text. Elements inside of them colour words of the text, as Pygments and Prism do. */
const CODE = new Set(["pre", "code"]);
/**
 * Maximum number of elements between a container of code and its `pre`. Pygments writes a table with line
 * numbers around it: `div > table > tbody > tr > td > div > pre`.
 */
const CODE_DEPTH = 8;

/** Whether an element shows a file or a piece of code: all of its text is preformatted. */
function isCode({ tag, children }: HtmlElement, depth = CODE_DEPTH): boolean {
  if (CODE.has(tag)) return true;
  if (depth === 0) return false;
  let found = false;
  for (const child of children) {
    if (typeof child === "string") {
      if (child.trim() !== "") return false;
    } else if (isCode(child, depth - 1)) found = true;
    else if (!isEmpty(child)) return false;
  }
  return found;
}

/**
 * Types of `input` elements that authors use in texts without a script: radio buttons for tabs, and
 * checkboxes for task lists.
 */
const WRITTEN_INPUTS = new Set(["radio", "checkbox"]);
const WRITTEN_LABELS = new Set(["label", "summary"]);

/**
 * Whether an element outside of a form is a control that authors write into a text. Such controls are tabs
 * (MkDocs Material, Docusaurus), a section that opens (`summary`), and the checkbox of a task (GitHub,
 * GitLab).
 */
function isWrittenControl(element: HtmlElement): boolean {
  const { tag, attributes } = element;
  if (tag === "input") return WRITTEN_INPUTS.has(attributes.type ?? "");
  return WRITTEN_LABELS.has(tag) || roleOf(element) === "tab";
}

function isEmpty({ children }: HtmlElement): boolean {
  return children.every((child) => typeof child === "string" && child.trim() === "");
}

/**
 * Returns the text that represents an element in the structure of the page, such as `div.card.wide`. Returns
 * `undefined` for prose, and for elements without class and role that show nothing about the structure.
 */
function markOf(element: HtmlElement, classes: ClassLists): string | undefined {
  const { tag, attributes } = element;
  // Classes of table cells are ignored. They often repeat the name of the column, which is already read from
  // the column's header.
  const list = CELLS.has(tag) ? NO_CLASSES : classes.of(element);
  const role = roleOf(element);
  if (list.names.length === 0 && role === "") {
    // A `div` without class and role, and elements of running text, do not show the structure of a page.
    if (PROSE.has(tag) || tag === "div") return undefined;
    if (tag !== "input") return tag;
  }
  if (role === "" && tag !== "input") return list.withTag(tag);
  const type = tag === "input" ? `[${attributes.type ?? "text"}]` : "";
  return `${tag}${type}${role === "" ? "" : `(${role})`}${list.selector}`;
}

/**
 * Returns the `role` attribute of an element. The parser sets `marked` for each element with an attribute
 * that Cairn reads, so an element without this mark has no role.
 */
function roleOf({ marked, attributes }: HtmlElement): string {
  return marked ? (attributes.role ?? "") : "";
}

/** The content of a `class` attribute. */
class ClassList {
  /** The class names that describe the structure of the page, sorted. */
  readonly names: readonly string[];
  /** CSS selector of the class names in `names`, such as `.card.wide`; empty without names. */
  readonly selector: string;
  /**
   * Whether one of the class names marks an element with text that an author has written, as `entry-content`
   * does.
   */
  readonly isText: boolean;
  readonly #withTag = new Map<string, string>();

  constructor(written: string) {
    this.names = structuralNames(written);
    this.selector = this.names.map((name) => `.${name}`).join("");
    this.isText = written.split(/\s+/).some((word) => TEXT_CLASSES.has(word));
  }

  /** Returns the tag and its classes as text, such as `div.card.wide`. */
  withTag(tag: string): string {
    let mark = this.#withTag.get(tag);
    if (mark === undefined) {
      mark = tag + this.selector;
      this.#withTag.set(tag, mark);
    }
    return mark;
  }
}

const NO_CLASSES = new ClassList("");

/** Parses `class` attributes. Pages repeat the same attribute values, so each value is parsed once. */
class ClassLists {
  readonly #read = new Map<string, ClassList>();

  of({ attributes }: HtmlElement): ClassList {
    const written = attributes.class;
    if (written === undefined || written === "") return NO_CLASSES;
    let list = this.#read.get(written);
    if (!list) {
      list = new ClassList(written);
      this.#read.set(written, list);
    }
    return list;
  }
}

/**
 * Returns the sorted class names that describe the structure. Numbers and generated parts of a name are
 * removed, and names of states are left out.
 */
function structuralNames(written: string): readonly string[] {
  const names = new Set<string>();
  const isEntry = ENTRY.test(written);
  for (const name of written.split(/\s+/)) {
    if (isEntry && TOPIC_CLASS.test(name)) continue;
    if (name === "" || STATE_CLASS.test(name) || STATE_MODIFIER.test(name)) continue;
    // A class name with a number may contain an id (`post-17`) or a hash that changes with each build
    // (`title_x7Kf`). The part from the number on is removed. A class of which too little is left is dropped.
    if (/\d/.test(name)) {
      const plain = name.replace(/[-_]*\d[\da-zA-Z]*$/, "");
      if (plain.length > 2 && !/\d/.test(plain)) names.add(plain);
    } else names.add(name);
  }
  return [...names].sort();
}

/**
 * Prefix of features (parts of a page's structure) that are table columns. Columns may depend on data: a
 * database browser has other columns for each table.
 */
const COLUMN = "column ";

/** Prefix of the features (parts of a page's structure) that are classes of the body. */
const BODY = "body ";

const LABELLED = new Set(["button", "th", "legend", "label", "summary"]);

/**
 * Returns the label of a control or a column header. All pages of a template have the same labels, so labels
 * describe the structure of a page.
 */
function labelOf(element: HtmlElement): string | undefined {
  const { tag, attributes } = element;
  if (tag === "input" || tag === "select" || tag === "textarea") {
    const type = attributes.type ?? "";
    if (type === "hidden") return undefined;
    const caption = type === "submit" || type === "button" ? attributes.value : attributes.name;
    return caption === undefined ? undefined : plain("field ", caption);
  }
  const role = roleOf(element);
  if (LABELLED.has(tag) || role === "tab" || role === "button" || role === "columnheader") {
    return plain(tag === "th" ? COLUMN : "label ", textOf(element, LABEL_LENGTH + 10));
  }
  return undefined;
}

function plain(kind: string, text: string): string | undefined {
  const value = text.replace(/\d+/g, "").trim().toLowerCase();
  return value === "" || value.length > LABEL_LENGTH ? undefined : kind + value;
}
