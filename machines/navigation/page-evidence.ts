/** What a page shows, as far as decisions need it. Readers make it from HTML. */
import type { Post } from "../reading/post.ts";

export interface EvidenceLink {
  readonly url: string;
  readonly text: string;
  /** The landmark around the link, such as `navigation`; empty in the content. */
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
  /** Pages of a map that may be the section that is asked for. They are no links of this page. */
  readonly known?: readonly EvidenceLink[];
  readonly posts: readonly Post[];
  readonly rows: readonly EvidenceRow[];
  /** Characters of running text in the main content, and the share of links in all of its text. */
  readonly text: number;
  readonly link_share: number;
  readonly walled: boolean;
  readonly answerable: boolean;
  /** The page shows one message with labelled fields, as archives of mailing lists do. */
  readonly message: boolean;
  /** `YYYY-MM-DD`, as the page declares it. */
  readonly published: string | null;
  readonly authors: readonly string[];
  /** Types that the page declares (`og:type`, JSON-LD `@type`), in lower case. */
  readonly declared: readonly string[];
  readonly breadcrumbs: readonly string[];
  /** The next page of the same list or thread. */
  readonly next: string | null;
}
