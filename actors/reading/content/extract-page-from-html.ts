/**
 * Extracts from the HTML of a page what Cairn stores: title, language, content, links, controls and metadata.
 * It is a pure, synchronous function.
 *
 * The HTML comes from an HTTP response, or from a browser that has rendered the page.
 */
import { createHash } from "node:crypto";
import { normaliseUrl } from "../../../machines/exploration/crawl/normalise-url.ts";
import { containsToken } from "../../../machines/exploration/crawl/random-tokens-in-addresses.ts";
import type { PageSigns } from "../../../machines/exploration/crawl/rendering-decision.ts";
import { simHash } from "../../../machines/exploration/crawl/simhash.ts";
import { NO_METADATA } from "../../../machines/knowledge/screens/page-record-metadata.ts";
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";
import type { PageControls } from "../../../machines/records/page-control-records.ts";
import type { PageMetadata } from "../../../machines/records/page-records.ts";
import { decodeText, type EncodedText } from "../parse/charset-decoding.ts";
import { type HtmlDocument, type HtmlElement, parseHtml } from "../parse/parse-html-document.ts";
import { cut, isInsideHidden, textOf } from "../parse/visible-text-of-html-element.ts";
import {
  NO_RELATIONS,
  type PageRelations,
  type RelationHeaders,
  readRelations,
} from "./canonical-and-related-page-links.ts";
import { type CurrentPart, readCurrentPart } from "./current-menu-entry-and-tabs.ts";
import { Labels } from "./describe-element-as-control.ts";
import { type PageBlocks, readBlocks } from "./forum-posts-and-list-rows.ts";
import { type PageLink, readLinks } from "./html-links.ts";
import { MarkdownWriter } from "./html-to-markdown.ts";
import { findMainContent, titleBlock } from "./main-content.ts";
import { Metas, readMetadata } from "./page-metadata.ts";
import { readStructure } from "./page-structure.ts";
import { readControls, readHeadings } from "./read-controls-forms-and-headings.ts";
import { readRenderingSignals } from "./script-facts-for-rendering-decision.ts";

const TITLE_LENGTH = 300;

export interface ReadPage {
  readonly title: string;
  /** The BCP 47 language tag that the page declares, such as `en` or `pt-BR`. */
  readonly language: string | null;
  readonly metadata: PageMetadata;
  /** Texts of the visible headings `h1` to `h6`, in document order. */
  readonly headings: readonly string[];
  readonly current: CurrentPart;
  /** The main content of the page as Markdown. */
  readonly content: string;
  /** SHA-256 of `content` in hexadecimal. Equal hashes mean that the readable content has not changed. */
  readonly contentHash: string;
  /**
   * The `simHash` of `content` (machines/exploration/crawl/simhash.ts). Similar texts have similar hashes. It is
   * `undefined` when `content` has no words.
   */
  readonly signature: string | undefined;
  /** Number of characters of `content`. */
  readonly textLength: number;
  /**
   * The links of the page, one for each distinct target, in document order. A link to the page itself is
   * included.
   */
  readonly links: readonly PageLink[];
  readonly controls: PageControls;
  /**
   * A short text (sketch) that describes the page's structure (machines/knowledge/screens/page-feature-sketch.ts).
   * Similar pages have similar sketches. The sketch of plain text is empty.
   */
  readonly structure: string;
  readonly relations: PageRelations;
  /** Posts and list rows of the page; absent if the caller did not request them. */
  readonly blocks?: PageBlocks;
  /**
   * Facts about the page's scripts, by which it is decided whether scripts build the page; `undefined` for
   * plain text.
   */
  readonly signs: PageSigns | undefined;
}

export interface PageSource {
  /** The normalised URL of the document after redirects. */
  readonly url: string;
  readonly html: string | EncodedText;
  /** The media type of the document; `text/html` by default. */
  readonly mediaType?: string;
  /** The `Content-Language` header. It is used when the page declares no language. */
  readonly language?: string | undefined;
  /**
   * The current time in milliseconds since the epoch. Dates on the page that are later than this time are
   * ignored.
   */
  readonly now?: number;
  /**
   * Response headers that have the same meaning as `link` and `meta` elements of a page: `Link` and
   * `X-Robots-Tag`.
   */
  readonly headers?: RelationHeaders;
  /** Whether the page was rendered by a browser. Only then can a URL with `#` lead to another page. */
  readonly routes?: boolean;
  /** Whether to read posts and rows of lists too. Crawls do not need them. */
  readonly blocks?: boolean | undefined;
  /** The name of this crawler in `meta` elements that address a single robot. */
  readonly robot?: string;
}

/**
 * Reads a page. It never throws, even for broken HTML.
 *
 * @param written called when the Markdown is complete. Creating it leaves much garbage, so the caller may
 * then run the garbage collector.
 */
export function readPage(source: PageSource, written: () => void = () => undefined): ReadPage {
  const {
    url,
    mediaType = "text/html",
    language,
    now,
    headers = {},
    robot = "cairn",
    routes = false,
  } = source;
  const html =
    typeof source.html === "string" ? source.html : decodeText(source.html.bytes, source.html.charset);
  if (mediaType === "text/plain") return readPlainText(url, html, language);
  const document = parseHtml(html, mediaType === "application/xhtml+xml");
  const base = normaliseBase(document.base, url);
  const labels = new Labels(document);
  const metas = new Metas(document);
  const headings = readHeadings(document);
  const heading = pageHeading(document);
  const main = findMainContent(document);
  const { element } = main;
  const writer = new MarkdownWriter(base, url);
  const content = bounded(writer.document(main, heading && titleBlock(heading, element)));
  written();
  const metadata = readMetadata({
    document,
    metas,
    content: element,
    url,
    base,
    now: now ?? Number.POSITIVE_INFINITY,
    images: writer.images,
    tables: writer.tables,
  });
  const links = readLinks(document, labels, element, { url, base, routes });
  return {
    title: titleOf(document, metas, heading, headings, url, metadata.site_name),
    language: languageOf(document, metas, language),
    metadata,
    headings,
    current: readCurrentPart(document),
    content,
    contentHash: hash(content),
    signature: simHash(content),
    textLength: content.length,
    links,
    controls: readControls(document, labels, headings, { base, page: url }),
    structure: readStructure(document, metas, url),
    relations: readRelations(document, { url, base, headers, robot }),
    ...(source.blocks
      ? { blocks: readBlocks(document, element, { base, url, now: now ?? Date.now() }) }
      : {}),
    signs: readRenderingSignals(document, { links: links.length, text: content.length }),
  };
}

function readPlainText(url: string, source: string, language: string | undefined): ReadPage {
  const content = bounded(source.replace(/\r\n?/g, "\n").trim());
  const name = new URL(url).pathname.split("/").findLast((part) => part !== "" && !containsToken(part)) ?? "";
  return {
    title: cut(name, TITLE_LENGTH),
    language: languageTag(language),
    metadata: NO_METADATA,
    headings: [],
    current: { tabs: [], cards: [] },
    content,
    contentHash: hash(content),
    signature: simHash(content),
    textLength: content.length,
    links: [],
    controls: { headings: [], buttons: [], inputs: [], forms: [] },
    structure: "",
    relations: NO_RELATIONS,
    signs: undefined,
  };
}

/** Returns the `h1` of the page, if it has exactly one and this one is visible; otherwise `undefined`. */
function pageHeading(document: HtmlDocument): HtmlElement | undefined {
  const [only, ...others] = document.headings.filter(({ tag }) => tag === "h1");
  return only && others.length === 0 && !isInsideHidden(only) ? only : undefined;
}

function hash(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Cuts the content to at most `readingLimits.contentLength` characters, at the end of a line if possible. */
function bounded(content: string): string {
  const most = readingLimits.contentLength;
  if (content.length <= most) return content;
  const line = content.lastIndexOf("\n", most);
  return content.slice(0, line > most / 2 ? line : most);
}

function normaliseBase(written: string | undefined, url: string): string {
  if (written === undefined) return url;
  return normaliseUrl(written, url) ?? url;
}

/** Matches titles that do not name the page: "Untitled", which authoring tools insert by default, and "Loading…". */
const EMPTY_TITLE = /^(?:untitled(?: document| page)?|document|new page|loading\W*)$/i;

/**
 * Returns the content of the `title` element. If it only contains the name of the site, the title in the
 * page's metadata (Open Graph, Twitter) or a heading is returned instead. The front page keeps the name of
 * the site as its title.
 */
function titleOf(
  document: HtmlDocument,
  metas: Metas,
  heading: HtmlElement | undefined,
  headings: readonly string[],
  url: string,
  site: string | null,
): string {
  const title = document.title ? textOf(document.title, TITLE_LENGTH) : "";
  const { pathname, host } = new URL(url);
  const isSite = [site, host].some((name) => name?.toLowerCase() === title.toLowerCase());
  if (title !== "" && !EMPTY_TITLE.test(title) && !(isSite && pathname !== "/")) return title;
  const card = cut(metas.first("og:title", "twitter:title"), TITLE_LENGTH);
  const shown = heading
    ? (headings.find((text) => text !== "" && text === textOf(heading, TITLE_LENGTH)) ?? headings[0])
    : headings[0];
  return (card === title ? "" : card) || shown || title;
}

function languageTag(written: string | undefined): string | null {
  // The `Content-Language` header may list several languages. The first one is the main language.
  const tag = written?.split(",")[0]?.trim().replace(/_/g, "-") ?? "";
  return /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/.test(tag) ? tag : null;
}

function languageOf({ html, body }: HtmlDocument, metas: Metas, header: string | undefined): string | null {
  const named = (element: HtmlElement) => element.attributes.lang ?? element.attributes["xml:lang"];
  return (
    languageTag(named(html)) ??
    languageTag(named(body)) ??
    languageTag(header) ??
    languageTag(metas.first("content-language", "og:locale", "dc.language", "dcterms.language", "language"))
  );
}
