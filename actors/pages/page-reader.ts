/**
 * Reads the pages of one job over HTTP or in a browser. In the mode `auto` it fetches the HTML first.
 * `machines/exploration/crawl/rendering-decision.ts` then decides from the HTML and from similar pages whether a
 * browser must render the page.
 */

import { normaliseUrl, routeOf } from "../../machines/exploration/crawl/normalise-url.ts";
import { withoutTokens } from "../../machines/exploration/crawl/random-tokens-in-addresses.ts";
import {
  chooseRendering,
  countPage,
  countRendered,
  type Evidence,
  evidenceOf,
  hasGained,
  kindOf,
  newKind,
  type PageKind,
  type ReadContent,
} from "../../machines/exploration/crawl/rendering-decision.ts";
import {
  headingOfSection,
  titleOfPageWithoutHeading,
  titleWithTabs,
} from "../../machines/exploration/crawl/title-from-section-and-tabs.ts";
import { explorationLimits } from "../../machines/exploration/exploration-limits.ts";
import type { Rendering } from "../../machines/exploration/exploration-request.ts";
import { percentDecoded } from "../../machines/percent-decoding.ts";
import {
  type Browser,
  type FailedRender,
  failedStatus,
  type JobRenderer,
  notRead,
  READ_TYPES,
  type RenderedDocument,
  type SkippedRender,
} from "../browser/index.ts";
import {
  type FailedRead,
  type FetchedPage,
  outOfScope,
  type PageLink,
  type Reader,
  type ReadOptions,
  type ReadPage,
  type SkippedRead,
} from "../reading/index.ts";

/** A page that was read, with the way in which it was read. */
export interface CrawledPage {
  readonly kind: "page";
  readonly page: FetchedPage;
  readonly by: "http" | "browser";
  /** Why the page was read over HTTP, or why it was read in a browser. */
  readonly reason: string;
}

/** A failed or skipped read or render, which returned no page. */
export type Unread = SkippedRead | FailedRead | SkippedRender | FailedRender;

export type CrawlOutcome = CrawledPage | Unread;

/** What the caller's own browser session returns when it opens a page: the document, or a failure. */
export type VisitedDocument =
  | Pick<RenderedDocument, "kind" | "url" | "status" | "mediaType" | "text" | "frames">
  | FailedRender;

export interface PageReaderOptions {
  /**
   * Opens pages in a browser session of the caller, such as one that is signed in. If `visit` is absent, the
   * reader itself fetches or renders pages.
   */
  readonly visit?: ((url: string) => Promise<VisitedDocument>) | undefined;
  readonly render: Rendering;
  readonly reader: Reader;
  readonly browser: Browser;
  /**
   * What earlier runs of the job have found out about each kind of page: whether its pages need a browser. A
   * kind contains the pages whose addresses have one pattern.
   */
  readonly kinds: Readonly<Record<string, PageKind>>;
}

export class PageReader {
  readonly #options: PageReaderOptions;
  readonly #kinds: Map<string, PageKind>;
  /**
   * The page kinds whose entries in `#kinds` have changed since the last call of `takeKinds`. A page kind is
   * a group of pages whose addresses have one pattern.
   */
  readonly #changed = new Set<string>();
  /**
   * Renderings that are now running, by the kind of page. Other pages of this kind wait, because the results
   * may show that they need no browser.
   */
  readonly #samples = new Map<string, Set<Promise<unknown>>>();
  /**
   * Many applications use one title for all pages. This maps each title to the address of the first rendered
   * page with it; only this page has the title as its name.
   */
  readonly #titles = new Map<string, string>();
  #job: JobRenderer | undefined;

  constructor(options: PageReaderOptions) {
    this.#options = options;
    this.#kinds = new Map(Object.entries(options.kinds));
  }

  /** Reads a page. It rejects only when the signal is aborted, with the signal's reason. */
  async read(url: string, options: ReadOptions): Promise<CrawlOutcome> {
    const { render, reader, visit } = this.#options;
    if (visit) return await this.#visit(url, options, visit);
    if (render === "browser") {
      const rendered = await this.#render(url, options);
      return rendered.kind === "page" ? { ...rendered, by: "browser", reason: "asked for" } : rendered;
    }
    if (render === "auto" && routeOf(url) !== "") {
      const rendered = await this.#render(url, options);
      const reason = "its address is a route of an application";
      return rendered.kind === "page" ? { ...rendered, by: "browser", reason } : rendered;
    }
    const read = await reader.read(url, options);
    if (read.kind !== "page") return read;
    if (render === "http") return { ...read, by: "http", reason: "asked for" };
    const { signs } = read.page;
    if (!signs) return { ...read, by: "http", reason: "plain text" };
    return await this.#readAgain(read.page, evidenceOf(signs), options);
  }

  async #visit(
    url: string,
    options: ReadOptions,
    visit: (url: string) => Promise<VisitedDocument>,
  ): Promise<CrawlOutcome> {
    const visited = await this.#options.reader.visitPolitely(url, options, async () => {
      const document = await visit(url);
      if (document.kind !== "document") return document;
      if (document.status >= 400) return failedStatus(url, document.status);
      // A browser session also shows images, JSON and other files, which are no pages.
      return READ_TYPES.has(document.mediaType) ? document : notRead(url, document.mediaType);
    });
    if (visited.kind !== "document") return visited;
    if (visited.url !== url && !options.inScope(visited.url)) return outOfScope(url, visited.url);
    const bytes = visited.text.length;
    const page = await this.#pageOf(
      url,
      { ...visited, bytes, language: undefined, headers: {} },
      options.blocks,
    );
    options.signal.throwIfAborted();
    if ("kind" in page) return page;
    return { kind: "page", page, by: "browser", reason: "it is read signed in" };
  }

  /**
   * Returns the page kinds (groups of pages with similar URLs) that have changed since the last call. A kind
   * says whether its pages need a browser.
   */
  takeKinds(): Readonly<Record<string, PageKind>> {
    const changed = Object.fromEntries([...this.#changed].map((name) => [name, this.#kind(name)]));
    this.#changed.clear();
    return changed;
  }

  async close(): Promise<void> {
    await this.#job?.close();
  }

  /** Renders the page in a browser if its HTML, or earlier pages of its kind, show that this is needed. */
  async #readAgain(page: FetchedPage, evidence: Evidence, options: ReadOptions): Promise<CrawledPage> {
    const name = kindOf(page.finalUrl);
    for (;;) {
      const kind = this.#kind(name);
      const choice = chooseRendering(kind, evidence);
      if (!choice.render) {
        this.#saw(name, countPage(kind, evidence));
        return { kind: "page", page, by: "http", reason: choice.reason };
      }
      const samples = this.#samples.get(name);
      if (!samples || samples.size < explorationLimits.rendering.samples || kind.by === "browser") {
        return await this.#compare(name, page, { evidence, reason: choice.reason }, options);
      }
      // Enough other pages with this address pattern are already being rendered. Their results decide whether
      // this page must be rendered, so it waits for the next result.
      await Promise.race(samples);
      options.signal.throwIfAborted();
    }
  }

  async #compare(
    name: string,
    page: FetchedPage,
    { evidence, reason }: { readonly evidence: Evidence; readonly reason: string },
    options: ReadOptions,
  ): Promise<CrawledPage> {
    const rendering = this.#render(page.finalUrl, options);
    const samples = this.#samples.get(name) ?? new Set();
    this.#samples.set(name, samples.add(rendering));
    try {
      const rendered = await rendering;
      const kind = this.#kind(name);
      if (rendered.kind !== "page") {
        this.#saw(name, countPage(kind, evidence));
        const why = rendered.kind === "failed" ? rendered.message : rendered.detail;
        return { kind: "page", page, by: "http", reason: `${reason}, but it could not be rendered: ${why}` };
      }
      const gained = hasGained(heldBy(page), heldBy(rendered.page));
      this.#saw(name, countRendered(kind, evidence, gained));
      return gained
        ? { kind: "page", page: { ...rendered.page, url: page.url }, by: "browser", reason }
        : { kind: "page", page, by: "http", reason: `${reason}, but rendering brought nothing more` };
    } finally {
      samples.delete(rendering);
    }
  }

  async #render(
    url: string,
    options: ReadOptions,
  ): Promise<{ readonly kind: "page"; readonly page: FetchedPage } | Unread> {
    const { reader, browser } = this.#options;
    this.#job ??= browser.openJob();
    const job = this.#job;
    const rendered = await reader.visitPolitely(url, options, async () => {
      const visited = await job.render(url, { signal: options.signal });
      // A rendered document with an error status is an error page, and not a page that the site offers. So it
      // counts as a failed read.
      return visited.kind === "document" && visited.status >= 400
        ? failedStatus(url, visited.status)
        : visited;
    });
    if (rendered.kind !== "document") return rendered;
    if (rendered.url !== url && !options.inScope(rendered.url)) {
      return outOfScope(url, rendered.url);
    }
    const page = await this.#pageOf(url, rendered, options.blocks);
    options.signal.throwIfAborted();
    return "kind" in page ? page : { kind: "page", page };
  }

  /**
   * Converts a rendered document to a page. The links of the document come first, and the links of its frames
   * follow.
   */
  async #pageOf(
    url: string,
    document: Omit<RenderedDocument, "kind" | "opened" | "facts">,
    blocks: boolean | undefined,
  ): Promise<FetchedPage | FailedRead> {
    const { reader } = this.#options;
    const { text, mediaType, language, status, bytes, frames, headers } = document;
    const relationHeaders = { link: headers.link, robots: headers["x-robots-tag"] };
    const finalUrl = normaliseUrl(document.url) ?? document.url;
    const page = await reader.readDocument({
      url: finalUrl,
      html: text,
      mediaType,
      language,
      headers: relationHeaders,
      routes: true,
      blocks,
    });
    if ("kind" in page) return page;
    const framed: PageLink[] = [];
    for (const { url: address, text: html } of frames) {
      const frame = await reader.readDocument({ url: address, html });
      // Links of frames are added to those of the page, except frames whose documents cannot be read.
      if (!("kind" in frame)) framed.push(...frame.links);
    }
    const links = new Map<string, PageLink>();
    for (const link of [...page.links, ...framed]) if (!links.has(link.key)) links.set(link.key, link);
    const title = this.#titleOf(page, finalUrl);
    return { ...page, title, links: [...links.values()], url, finalUrl, status, mediaType, bytes };
  }

  /**
   * Many applications use one title for all pages. A page with such a title is named by its heading, by its heading and
   * its selected tabs, or by the route in its address.
   */
  #titleOf({ title, headings, current }: ReadPage, url: string): string {
    if (this.#isFirst(title, url)) return title;
    const route = withoutTokens(percentDecoded(routeOf(url))).replace(/^#!?\/?/, "");
    const first = headings.find((text) => text !== "" && !current.cards.includes(text));
    const path = route === "" ? percentDecoded(URL.parse(url)?.pathname ?? "") : route;
    const segments = path.split(/[/?]/u);
    if (first === undefined)
      return route === ""
        ? (titleOfPageWithoutHeading(title, { tabs: current.tabs, segments }) ?? title)
        : `${title} – ${route}`;
    const part = { ...current, heading: first, segments };
    const withTabs = titleWithTabs(part);
    if (withTabs !== undefined && this.#isFirst(withTabs, url)) return withTabs;
    const heading = headingOfSection(part);
    return route === "" || this.#isFirst(heading, url) ? heading : `${heading} – ${route}`;
  }

  /**
   * Whether `url` is the first page with this title. The number of remembered titles is limited. When the
   * limit is reached, a title that is not remembered counts as new.
   */
  #isFirst(name: string, url: string): boolean {
    const first = this.#titles.get(name);
    if (first === undefined && this.#titles.size < explorationLimits.rendering.titles)
      this.#titles.set(name, url);
    return first === undefined || first === url;
  }

  #kind(name: string): PageKind {
    return this.#kinds.get(name) ?? newKind;
  }

  #saw(name: string, kind: PageKind): void {
    // The number of stored kinds of pages is limited, because a site may have an endless number of folders.
    if (!this.#kinds.has(name) && this.#kinds.size >= explorationLimits.rendering.kinds) return;
    this.#kinds.set(name, kind);
    this.#changed.add(name);
  }
}

function heldBy(page: FetchedPage): ReadContent {
  return {
    text: page.textLength,
    hash: page.contentHash,
    links: new Set(page.links.map((link) => link.key)),
  };
}
