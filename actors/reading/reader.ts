/**
 * The reader: one call from a URL to what became of it.
 *
 * It puts the parts of this folder together in the order that politeness asks for: robots.txt first, then a
 * turn at the host, then the fetch hop by hop (each redirect is checked against scope and robots before it is
 * followed), then the document. Every end is a value: `read` rejects only when its signal aborts.
 */
import type { ReadPage } from "./page.ts";

export type SkipReason =
  | "not_html"
  | "robots"
  | "redirected_out_of_scope"
  | "too_large"
  | "no_content"
  | "bad_redirect";

/** A page as it was fetched and read. */
export interface FetchedPage extends ReadPage {
  /** What was asked for. */
  readonly url: string;
  /** Where it was found after redirects, normalised. */
  readonly finalUrl: string;
  readonly status: number;
  /** Without parameters, such as `text/html`. */
  readonly mediaType: string;
  /** Of the body, after decompression. */
  readonly bytes: number;
}

/** No page of its own, and never will be: not to be retried. */
export interface SkippedRead {
  readonly kind: "skipped";
  readonly reason: SkipReason;
  readonly detail: string;
  /** Where a redirect pointed, when that is why. */
  readonly url?: string;
}

export interface FailedRead {
  readonly kind: "failed";
  readonly retryable: boolean;
  /** Milliseconds the server asked to be left alone. */
  readonly retryAfter?: number;
  /** `reading.unknown_host`, `reading.refused`, `reading.http_404`, … */
  readonly code: string;
  readonly message: string;
  readonly status?: number;
}

export type ReadOutcome = { readonly kind: "page"; readonly page: FetchedPage } | SkippedRead | FailedRead;

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** Asked for every redirect target, normalised. */
  readonly inScope: (url: string) => boolean;
  readonly respectRobots: boolean;
}

export interface ReaderOptions {
  /** Sent with every request; its product token is what robots.txt is read for. */
  readonly userAgent: string;
}

export interface Reader {
  /** `url` is normalised. Rejects with the signal's reason when aborted, and never otherwise. */
  read(url: string, options: ReadOptions): Promise<ReadOutcome>;
}

export function createReader(_options: ReaderOptions): Reader {
  throw new Error("in progress");
}
