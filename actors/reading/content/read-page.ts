/**
 * A page as it is kept: from its HTML to title, language, content, links and controls. Pure and synchronous.
 *
 * One parse (`document.ts`), then each reader looks only at what the parse listed for it. `reader.ts` gets the
 * HTML over HTTP; a rendered page takes the same way with the HTML that a browser gives.
 */
import { createHash } from "node:crypto";
import { normaliseUrl } from "../../../machines/exploration/normalise-url.ts";
import type { PageSigns } from "../../../machines/exploration/rendering.ts";
import { simHash } from "../../../machines/exploration/simhash.ts";
import { NO_METADATA } from "../../../machines/knowledge/stored-metadata.ts";
import { readingLimits } from "../../../machines/reading/limits.ts";
import type { PageControls, PageMetadata } from "../../../machines/records.ts";
import { decodeText, type EncodedText } from "../parse/charset.ts";
import { type HtmlDocument, type HtmlElement, parseHtml } from "../parse/html-document.ts";
import { cut, isInsideHidden, textOf } from "../parse/text.ts";
import { Labels } from "./control.ts";
import { type PageLink, readLinks } from "./links.ts";
import { findMainContent, titleBlock } from "./main-content.ts";
import { MarkdownWriter } from "./markdown.ts";
import { Metas, readMetadata } from "./metadata.ts";
import { readControls, readHeadings } from "./page-controls.ts";
import { NO_RELATIONS, type PageRelations, type RelationHeaders, readRelations } from "./relations.ts";
import { readRenderingSignals } from "./rendering-signals.ts";

const TITLE_LENGTH = 300;

export interface ReadPage {
  readonly title: string;
  /** BCP 47 tag as the page gives it, such as `en` or `pt-BR`. */
  readonly language: string | null;
  readonly metadata: PageMetadata;
  /** Text of the visible `h1` to `h6`, in document order. */
  readonly headings: readonly string[];
  /** Main content as Markdown. */
  readonly content: string;
  /** SHA-256 of `content`, in hex: equal means nothing to read changed. */
  readonly contentHash: string;
  /** `simHash` of `content` (machines/exploration/simhash.ts); `undefined` without words. */
  readonly signature: string | undefined;
  /** Characters of `content`. */
  readonly textLength: number;
  /** One for each distinct target, in document order, the page itself included when it links to itself. */
  readonly links: readonly PageLink[];
  readonly controls: PageControls;
  readonly relations: PageRelations;
  /** Whether scripts seem to make the page; `undefined` for plain text, which has none. */
  readonly signs: PageSigns | undefined;
}

export interface PageSource {
  /** Where the document was found, after redirects: normalised. */
  readonly url: string;
  readonly html: string | EncodedText;
  /** `text/html` unless named. */
  readonly mediaType?: string;
  /** Of the `Content-Language` header, for pages that name no language themselves. */
  readonly language?: string | undefined;
  /** Milliseconds since the epoch; a date after it is not believed. */
  readonly now?: number;
  /** Headers of the answer that say what a page may say itself. */
  readonly headers?: RelationHeaders;
  /** Scripts have run: addresses behind `#` may lead to pages of their own. */
  readonly routes?: boolean;
  /** Our own product token, in case the page has rules for it. */
  readonly robot?: string;
}

/**
 * Reads a page, however broken its HTML; never throws.
 *
 * @param written called when its content is written, which leaves more behind than all the rest does
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
    content,
    contentHash: hash(content),
    signature: simHash(content),
    textLength: content.length,
    links,
    controls: readControls(document, labels, headings, base),
    relations: readRelations(document, { url, base, headers, robot }),
    signs: readRenderingSignals(document, { links: links.length, text: content.length }),
  };
}

function readPlainText(url: string, source: string, language: string | undefined): ReadPage {
  const content = bounded(source.replace(/\r\n?/g, "\n").trim());
  const name = new URL(url).pathname.split("/").findLast((part) => part !== "") ?? "";
  return {
    title: cut(name, TITLE_LENGTH),
    language: languageTag(language),
    metadata: NO_METADATA,
    headings: [],
    content,
    contentHash: hash(content),
    signature: simHash(content),
    textLength: content.length,
    links: [],
    controls: { headings: [], buttons: [], inputs: [], forms: [] },
    relations: NO_RELATIONS,
    signs: undefined,
  };
}

/** The heading of the page: its only visible `h1`. With several, none of them speaks for the page. */
function pageHeading(document: HtmlDocument): HtmlElement | undefined {
  const [only, ...others] = document.headings.filter(({ tag }) => tag === "h1");
  return only && others.length === 0 && !isInsideHidden(only) ? only : undefined;
}

function hash(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Content cut at a line when it is longer than anyone reads. */
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

/** Titles that a tool writes and nobody has replaced. */
const EMPTY_TITLE = /^(?:untitled(?: document| page)?|document|new page|loading\W*)$/i;

/**
 * The `title`, where it says something of the page: not on a page whose title is only the site's name while its
 * card or its heading says more (the front page may be called like the site).
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
  // The header may list several; the first is the main one.
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
