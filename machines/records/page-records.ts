/** Rows of the pages that an exploration has read, with their metadata and links. */

import type { Control } from "./page-control-records.ts";
import type { JobId, KnowledgeId, UrlKey } from "./record-ids.ts";

/** A JSON value in a page's structured data. `null` values are not stored. */
export type StructuredValue =
  | string
  | number
  | boolean
  | readonly StructuredValue[]
  | { readonly [name: string]: StructuredValue };

/** The structured data of a page. Its size is limited by `readingLimits.structured`. */
export interface StructuredData {
  /** Open Graph properties such as `og:…` and `article:…`, by name. */
  readonly open_graph: Readonly<Record<string, StructuredValue>>;
  readonly twitter: Readonly<Record<string, StructuredValue>>;
  readonly json_ld: readonly StructuredValue[];
  /** Microdata items in the form of JSON-LD, with their types as `@type`. */
  readonly microdata: readonly StructuredValue[];
}

/** One breadcrumb: a link on the path from the site's start page to a page. */
export interface Crumb {
  readonly name: string;
  readonly url: string | null;
}

/**
 * Metadata of a page, such as its author and language. A field is empty or `null` if the page does not state
 * it.
 */
export interface PageMetadata {
  readonly description: string | null;
  readonly authors: readonly string[];
  readonly site_name: string | null;
  /** Publication date or time (ISO 8601), as precise as the page states it. */
  readonly published_at: string | null;
  readonly modified_at: string | null;
  /** Absolute URL of the image that the page declares for previews. */
  readonly image: string | null;
  /** Images in the content that have a description. */
  readonly images: readonly { readonly url: string; readonly alt: string }[];
  /** Tables in the content, without their cells. The cells are in the page's Markdown. */
  readonly tables: readonly PageTable[];
  /**
   * Breadcrumbs that the page shows, starting with the site's start page. The page itself is not included.
   */
  readonly breadcrumbs: readonly Crumb[];
  readonly structured: StructuredData;
}

export interface PageTable {
  readonly caption: string | null;
  /** Texts of the header row; empty when the table has none. */
  readonly columns: readonly string[];
  /** Number of rows of the table, without the header row. */
  readonly rows: number;
}

export interface PageRecord {
  readonly id: readonly [KnowledgeId, UrlKey];
  readonly knowledge_id: KnowledgeId;
  readonly website_id: string;
  readonly job_id: JobId;
  readonly url: string;
  readonly title: string;
  readonly language: string | null;
  readonly headings: readonly string[];
  /** The main content of the page as Markdown. */
  readonly content: string;
  /** The SHA-256 hash of `content`. */
  readonly content_hash: string;
  /**
   * The `simHash` of `content` (exploration/crawl/simhash.ts). Absent if the page has no words, and in older
   * rows.
   */
  readonly signature?: string;
  readonly chunk_type: "webpage";
  readonly media_type: string;
  readonly http_status: number;
  readonly depth: number;
  readonly bytes: number;
  readonly fetched_at: number;
  /** The controls of the page, as JSON of `PageControls`. */
  readonly controls: string;
  /**
   * A sketch (compact signature) of the page's structure (knowledge/screens/page-feature-sketch.ts). Absent
   * in older rows.
   */
  readonly structure?: string;
  /** JSON of the page's `PageLink`s. The map derives edges from them after the crawl has stored the page. */
  readonly links: string;
  readonly internal_links: number;
  readonly external_links: number;
  /**
   * JSON of URLs that the page declares outside of its content, such as the next page of a series or another
   * language. The crawl follows them, but they cannot be clicked. Absent when there are none.
   */
  readonly relatives?: string;
  /** Whether the page was read over HTTP or rendered, and the reason. Absent in older rows. */
  readonly rendered_by?: "http" | "browser";
  readonly render_reason?: string;
  /** The metadata of the page, as JSON of `PageMetadata`. Absent in older rows. */
  readonly metadata?: string;
  /** The role of the account that read the page; absent if the exploration names no role. */
  readonly role?: string;
}

/** A link of a page, with the element to click. A page has one entry for each URL to which it links. */
export interface PageLink {
  readonly url: string;
  readonly kind: "internal" | "external";
  /** The visible text of the link. */
  readonly text: string;
  /** The element of the link, or the frame in which the page shows the target. */
  readonly control: Control;
  /** Set if the page shows the target in a frame. Such a link cannot be clicked. */
  readonly framed?: true;
  /** Whether the link is marked `nofollow`. Only a job that ignores such marks follows it. */
  readonly nofollow?: true;
}

/** The edge `page -links_to-> page`. Two pages have at most one such edge in each direction. */
export interface LinkRecord {
  readonly in: readonly [KnowledgeId, UrlKey];
  readonly out: readonly [KnowledgeId, UrlKey];
  readonly kind: PageLink["kind"];
  readonly from_url: string;
  readonly to_url: string;
  readonly text: string;
}
