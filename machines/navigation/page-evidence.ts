/**
 * The facts about a page that the decisions of a navigation run need. Page readers extract them from HTML.
 */
import type { Post } from "../reading/thread-post.ts";

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

export interface PageEvidence {
  readonly url: string;
  readonly title: string;
  readonly headings: readonly string[];
  /** The main content as Markdown. */
  readonly content: string;
  readonly links: readonly EvidenceLink[];
  /** Pages of a map that may be the requested section. They are not links of this page. */
  readonly known?: readonly EvidenceLink[];
  readonly posts: readonly Post[];
  readonly rows: readonly EvidenceRow[];
  /** Number of characters of running text in the blocks of posts, and of all text in the blocks of rows. */
  readonly posts_text: number;
  readonly rows_text: number;
  /** The address of this page's version for readers without scripts; null if it has none. */
  readonly plain: string | null;
  /** Length of running text in the main content in characters, and the share of link text in all its text. */
  readonly text: number;
  readonly link_share: number;
  readonly walled: boolean;
  readonly answerable: boolean;
  /** Whether the page shows one message with labelled fields, as archives of mailing lists do. */
  readonly message: boolean;
  /** Date of publication that the page declares, as `YYYY-MM-DD`. */
  readonly published: string | null;
  readonly authors: readonly string[];
  /** Types that the page declares (`og:type`, JSON-LD `@type`), in lower case. */
  readonly declared: readonly string[];
  readonly breadcrumbs: readonly string[];
  /** Address of the next page of the same list or thread. */
  readonly next: string | null;
}
