/**
 * The facts about a page by which a navigation run decides what to do. Page readers extract them from the
 * HTML.
 */

import type { Post } from "../reading/forum-thread-post.ts";
import type { PageBlockFacts } from "../reading/page-block-facts.ts";

export interface EvidenceLink {
  readonly url: string;
  readonly text: string;
  /** The landmark around the link, such as `navigation`; empty for a link in the content. */
  readonly landmark: string;
}

export interface EvidenceRow {
  readonly url: string;
  readonly title: string;
  readonly date: string | null;
  readonly text: string;
}

export interface EarlierMonth {
  readonly url: string;
  /** The month whose messages the page at `url` lists, as `YYYY-MM`. */
  readonly month: string;
}

export interface PageEvidence extends PageBlockFacts {
  readonly url: string;
  readonly title: string;
  readonly headings: readonly string[];
  /** The main content of the page as Markdown. */
  readonly content: string;
  readonly links: readonly EvidenceLink[];
  /** Pages of the map that may be the requested section and to which the current page has no link. */
  readonly known?: readonly EvidenceLink[];
  readonly posts: readonly Post[];
  readonly rows: readonly EvidenceRow[];
  /** Publication date that the page declares, as `YYYY-MM-DD`. */
  readonly published: string | null;
  readonly authors: readonly string[];
  /** Content types that the page declares (`og:type`, JSON-LD `@type`), in lower case. */
  readonly declared: readonly string[];
  readonly breadcrumbs: readonly string[];
  /** Address of the next page of the same listing or thread. */
  readonly next: string | null;
  /** Address of the same list in an earlier month; null if the address of this page names no month. */
  readonly earlier: EarlierMonth | null;
}
