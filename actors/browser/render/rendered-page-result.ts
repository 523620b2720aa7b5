/**
 * The possible results of a render, in the same shapes as the results of an HTTP read. Network failures have
 * the codes of `actors/reading/url-read-failures.ts`, because their causes are the same. Only failures of the
 * browser itself have codes with `browser.`.
 */

/** The content of a page after the page has settled. */
export interface RenderedDocument {
  readonly kind: "document";
  /** The final address, after redirects, navigations by scripts, and changes by a client-side router. */
  readonly url: string;
  /**
   * The HTTP status of the document. It may be an error status, because some sites send their application as
   * the page of status 404.
   */
  readonly status: number;
  /** The media type without parameters: `text/html`, `application/xhtml+xml` or `text/plain`. */
  readonly mediaType: string;
  /** The value of the response header `Content-Language`. */
  readonly language: string | undefined;
  /** The headers of the response to the document, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Size of the document's text in bytes of UTF-8. */
  readonly bytes: number;
  /**
   * The document as HTML, after its scripts have run. Open shadow roots are written as `<template
   * shadowrootmode="open">`. For `text/plain` it is the text itself.
   */
  readonly text: string;
  /**
   * The documents of the same origin in frames of the page, including nested frames. Each has its own base
   * URL.
   */
  readonly frames: readonly RenderedFrame[];
  /** Addresses that the page tried to open in new windows. These addresses were not loaded. */
  readonly opened: readonly string[];
  readonly facts: RenderFacts;
}

export interface RenderedFrame {
  /** The base against which relative links of the frame are resolved. */
  readonly url: string;
  readonly text: string;
}

export interface RenderFacts {
  /**
   * How the wait for the page ended. `quiet`: the page has settled. `bounded`: at the deadline, the page was
   * still changing or waiting for a response.
   */
  readonly settled: "quiet" | "bounded";
  /** Milliseconds from the start of the navigation until the page was read. */
  readonly took: number;
  /** Number of requests of the page. The request for the document and blocked requests count too. */
  readonly requests: number;
  /**
   * Number of documents that were loaded one after another. It is usually 1, and higher if scripts or
   * refreshes replaced the document.
   */
  readonly documents: number;
}

/**
 * Why a URL has no document to return. A retry would not help. `not_http`: the URL's scheme is neither http
 * nor https. `download`: the URL returns a file. `not_html`: Cairn does not read this media type.
 * `too_large`: the document exceeds the size limit. `no_content`: the status is 204 or 205. `left_http`: a
 * script navigated to an address that is not a web page.
 */
export type RenderSkipReason =
  | "not_http"
  | "download"
  | "not_html"
  | "too_large"
  | "no_content"
  | "left_http";

export interface SkippedRender {
  readonly kind: "skipped";
  readonly reason: RenderSkipReason;
  readonly detail: string;
  /**
   * The final address of the page, after redirects and navigations. It is set only if the URL is skipped
   * because of this address.
   */
  readonly url?: string;
}

export interface FailedRender {
  readonly kind: "failed";
  /** Whether the failure may be temporary, so that a later render of the same URL may succeed. */
  readonly retryable: boolean;
  /**
   * The error code. Failures of the browser: `browser.unavailable` (there is no Chromium, or it does not
   * start), `browser.crashed`, `browser.page_crashed`, `browser.busy`, `browser.stuck` (the page's scripts
   * never end) and `browser.failed`. Failures of the network: `reading.unknown_host`, `reading.refused`,
   * `reading.reset`, `reading.tls`, `reading.timeout`, `reading.bad_response`, `reading.too_many_redirects`,
   * `reading.network` and `reading.http_<status>`.
   */
  readonly code: string;
  readonly message: string;
  readonly status?: number;
}

export type RenderOutcome = RenderedDocument | SkippedRender | FailedRender;

export function skippedRender(reason: RenderSkipReason, detail: string, url?: string): SkippedRender {
  return url === undefined ? { kind: "skipped", reason, detail } : { kind: "skipped", reason, detail, url };
}

/** Media types of documents that are read as pages. */
export const READ_TYPES: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml", "text/plain"]);

/**
 * Returns the media type of a response. Chromium shows feeds (`application/rss+xml`) and some other data as plain text
 * and reports this type, so for a plain text the header `Content-Type` counts.
 */
export function servedMediaType(reported: string, header: string | undefined): string {
  if (reported !== "text/plain") return reported;
  return header?.split(";")[0]?.trim().toLowerCase() || reported;
}

/** Returns the outcome for a document that is not read, because it is no page, such as an image. */
export function notRead(url: string, mediaType: string): SkippedRender {
  return skippedRender("not_html", `${url} is ${mediaType}, which is not read.`);
}

export function failedRender(code: string, retryable: boolean, message: string): FailedRender {
  return { kind: "failed", code, retryable, message };
}

/**
 * HTTP statuses that may be temporary, so that a later request may succeed.
 * `actors/reading/url-read-failures.ts` uses the same list for reads without a browser.
 */
const RETRYABLE_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

export function failedStatus(url: string, status: number): FailedRender {
  const failed = failedRender(
    `reading.http_${status}`,
    RETRYABLE_STATUSES.has(status),
    `${url} answered ${status}.`,
  );
  return { ...failed, status };
}

/**
 * Converts Chromium's name of a network error (`net::ERR_…`, see chromium's net_error_list.h) to a failure
 * with a message.
 */
export function networkFailure(url: string, error: string): FailedRender {
  const { host, hostname } = new URL(url);
  const reading = (code: string, retryable: boolean, message: string) =>
    failedRender(`reading.${code}`, retryable, message);
  if (/NAME_NOT_RESOLVED|NAME_RESOLUTION/.test(error))
    return reading(
      "unknown_host",
      true,
      `The host ${hostname} is unknown: check its spelling and the network.`,
    );
  if (/CONNECTION_REFUSED/.test(error))
    return reading("refused", true, `${host} refused the connection: nothing listens there.`);
  if (/CERT_|SSL_/.test(error)) return reading("tls", false, `No secure connection to ${host}: ${error}`);
  if (/CONNECTION_(RESET|CLOSED|ABORTED)|EMPTY_RESPONSE|INCOMPLETE/.test(error))
    return reading("reset", true, `${host} closed the connection before its answer was complete.`);
  if (/TIMED_OUT/.test(error)) return reading("timeout", true, `${host} did not answer in time.`);
  if (/TOO_MANY_REDIRECTS/.test(error))
    return reading("too_many_redirects", false, `${url} redirects in a circle, or too many times.`);
  if (/INVALID_|RESPONSE_HEADERS|CONTENT_DECODING|UNSAFE_REDIRECT/.test(error))
    return reading("bad_response", true, `${host} sent an answer that cannot be read: ${error}`);
  return reading("network", true, `${host} cannot be reached: ${error}`);
}
