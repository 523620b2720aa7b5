/**
 * What can become of a URL that is rendered, in the same shapes that a read over HTTP answers.
 *
 * The network's failures have the codes of `actors/reading/read-outcome.ts`: what went wrong is the same, whoever asked.
 * Only the browser's own troubles are `browser.*`.
 */

/** A page as it stood when it had settled. */
export interface RenderedDocument {
  readonly kind: "document";
  /** Where the browser was in the end: after redirects, after scripts that sent it on, with what a router wrote. */
  readonly url: string;
  /** Of the document's own answer. Not only 2xx: an application may be served as the page of a 404. */
  readonly status: number;
  /** Without parameters: `text/html`, `application/xhtml+xml` or `text/plain`. */
  readonly mediaType: string;
  /** The `Content-Language` header. */
  readonly language: string | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of `text` in UTF-8. */
  readonly bytes: number;
  /**
   * The document after its scripts, as HTML. Open shadow roots are in it as `<template shadowrootmode="open">`, the
   * form that HTML itself has for them. For `text/plain` the text itself.
   */
  readonly text: string;
  /** Documents of the same origin that the page shows in frames, nested ones too, each with its own base. */
  readonly frames: readonly RenderedFrame[];
  /** Addresses that the page tried to open in windows of their own; none was loaded. */
  readonly opened: readonly string[];
  readonly facts: RenderFacts;
}

export interface RenderedFrame {
  /** What its relative links start from. */
  readonly url: string;
  readonly text: string;
}

export interface RenderFacts {
  /** `quiet`: it had settled. `bounded`: it went on changing, or waited for an answer, until the bound was reached. */
  readonly settled: "quiet" | "bounded";
  /** Milliseconds from the start of its navigation until it was taken. */
  readonly took: number;
  /** Requests that the page made, blocked ones and its own included. */
  readonly requests: number;
  /** Documents that it went through because scripts or refreshes sent it on; 1 is the usual. */
  readonly documents: number;
}

/**
 * Why there is no document, now and at the next try: `not_http` (another scheme than http and https), `download`,
 * `not_html`, `too_large`, `no_content` (204, 205), `left_http` (a script sent it to something that is no web page).
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
  /** Where it led, when that is why. */
  readonly url?: string;
}

export interface FailedRender {
  readonly kind: "failed";
  /** Whether the same render may succeed later. */
  readonly retryable: boolean;
  /**
   * `browser.unavailable` (there is no Chromium, or it does not start), `browser.crashed`, `browser.page_crashed`,
   * `browser.busy`, `browser.stuck` (the page's scripts let nothing else run), `browser.failed`, or of the network:
   * `reading.unknown_host`, `reading.refused`, `reading.reset`, `reading.tls`, `reading.timeout`,
   * `reading.bad_response`, `reading.too_many_redirects`, `reading.network`, `reading.http_<status>`.
   */
  readonly code: string;
  readonly message: string;
  readonly status?: number;
}

export type RenderOutcome = RenderedDocument | SkippedRender | FailedRender;

export function skippedRender(reason: RenderSkipReason, detail: string, url?: string): SkippedRender {
  return url === undefined ? { kind: "skipped", reason, detail } : { kind: "skipped", reason, detail, url };
}

export function failedRender(code: string, retryable: boolean, message: string): FailedRender {
  return { kind: "failed", code, retryable, message };
}

/** Statuses after which the same request may succeed, as for a read over HTTP. */
const RETRYABLE_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

/** An error status whose answer had no body, so that there is nothing to show. */
export function failedStatus(url: string, status: number): FailedRender {
  const failed = failedRender(
    `reading.http_${status}`,
    RETRYABLE_STATUSES.has(status),
    `${url} answered ${status}.`,
  );
  return { ...failed, status };
}

/** Chromium's name of a network error (`net::ERR_…`, see chromium's net_error_list.h) in words. */
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
