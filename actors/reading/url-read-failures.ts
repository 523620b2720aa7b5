/**
 * The results of reading a URL that returns no page. A result is `skipped`, which is final, or `failed`,
 * after which a retry may help.
 */

import type { Refused } from "../../machines/errors.ts";

/**
 * Why a URL returns no page: `not_html` (another content type), `robots` (disallowed),
 * `redirected_out_of_scope`, `download` (an attachment), `bad_redirect` (the target is not an http(s) URL),
 * `too_large`, `no_content` (204, 205), `no_listing` (requested as a sitemap or feed, but is neither).
 */
export type SkipReason =
  | "not_html"
  | "download"
  | "robots"
  | "redirected_out_of_scope"
  | "bad_redirect"
  | "too_large"
  | "no_content"
  | "no_listing";

/** The result for a URL that returns no page. A retry would not change it. */
export interface SkippedRead {
  readonly kind: "skipped";
  readonly reason: SkipReason;
  readonly detail: string;
  /** The target of the redirect, if the page was skipped because of a redirect. */
  readonly url?: string;
}

/**
 * A redirect to another host that is in scope. Each host has its own queue, so the caller fetches the target
 * by a new request.
 */
export interface Elsewhere {
  readonly kind: "elsewhere";
  /** The absolute URL of the redirect's target, as the server has written it: it is not normalised. */
  readonly url: string;
}

export interface FailedRead {
  readonly kind: "failed";
  /** Whether a retry of the same request may succeed later. */
  readonly retryable: boolean;
  /** Milliseconds that the server asks clients to wait before the next request. */
  readonly retryAfter?: number;
  /**
   * The error code: `reading.unknown_host`, `reading.refused`, `reading.reset`, `reading.tls`,
   * `reading.timeout`, `reading.bad_response`, `reading.network`, `reading.redirect_loop`,
   * `reading.too_many_redirects`, `reading.robots_unreachable`, `reading.too_complex`,
   * `reading.http_<status>`, or `egress.refused`.
   */
  readonly code: string;
  readonly message: string;
  readonly status?: number;
}

export function skipped(reason: SkipReason, detail: string, url?: string): SkippedRead {
  return url === undefined ? { kind: "skipped", reason, detail } : { kind: "skipped", reason, detail, url };
}

function failed(code: string, retryable: boolean, message: string): FailedRead {
  return { kind: "failed", code: `reading.${code}`, retryable, message };
}

/**
 * HTTP statuses after which the same request may succeed later: timeouts, rate limits, and a server that is
 * temporarily down.
 */
const RETRYABLE_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Returns the milliseconds of a `Retry-After` header, which contains seconds or an HTTP date (RFC 9110
 * §10.2.3).
 */
function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

export function failedStatus(url: string, response: Response, now: number): FailedRead {
  const { status, statusText } = response;
  const retryable = RETRYABLE_STATUSES.has(status);
  const retryAfter = retryable ? parseRetryAfter(response.headers.get("retry-after"), now) : undefined;
  const failure = failed(
    `http_${status}`,
    retryable,
    `${url} answered ${status}${statusText ? ` ${statusText}` : ""}.`,
  );
  return { ...failure, status, ...(retryAfter === undefined ? {} : { retryAfter }) };
}

/** Whether the failure means that the host is overloaded (429, 503), and not that this page has a problem. */
export function isOverload({ status }: FailedRead): boolean {
  return status === 429 || status === 503;
}

export function redirectLoop(url: string): FailedRead {
  return failed("redirect_loop", false, `${url} redirects in a circle.`);
}

export function tooManyRedirects(url: string, most: number): FailedRead {
  return failed("too_many_redirects", false, `${url} redirects more than ${most} times.`);
}

/**
 * Returns the failure of a document that takes too long to parse, or on which the parser throws. It is not
 * retried, because a retry would fail too.
 */
export function tooComplex(url: string, why: string): FailedRead {
  return failed("too_complex", false, `The markup of ${url} could not be read: ${why}.`);
}

export function timedOut(url: string, after: number): FailedRead {
  return failed("timeout", true, `${new URL(url).host} did not answer in full within ${after / 1_000} s.`);
}

/** Returns the failure of a request that the egress policy refuses. A retry would be refused too. */
export function refusedByPolicy({ code, message }: Refused): FailedRead {
  return { kind: "failed", code, retryable: false, message };
}

/** Returns the codes of a network error. Bun sets the code on the error itself, and Node on its cause. */
function codesOf(thrown: unknown): string {
  const codes: string[] = [];
  for (let at: unknown = thrown, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if ("code" in at) codes.push(String(at.code));
    codes.push(at.message);
  }
  return codes.join(" ");
}

/** Converts a thrown network error to a `FailedRead` that names what failed. */
export function networkFailure(url: string, thrown: unknown): FailedRead {
  const { host, hostname } = new URL(url);
  const codes = codesOf(thrown);
  if (/ENOTFOUND|EAI_AGAIN|ENODATA|DNS/i.test(codes)) {
    return failed(
      "unknown_host",
      true,
      `The host ${hostname} is unknown: check its spelling and the network.`,
    );
  }
  if (/ECONNREFUSED|ConnectionRefused/i.test(codes)) {
    return failed("refused", true, `${host} refused the connection: nothing listens there.`);
  }
  if (/CERT|SSL|TLS|SIGNATURE|UNABLE_TO_/i.test(codes)) {
    return failed("tls", false, `No secure connection to ${host}: ${firstLine(thrown)}`);
  }
  if (/ECONNRESET|EPIPE|ConnectionClosed|UND_ERR_SOCKET|closed/i.test(codes)) {
    return failed("reset", true, `${host} closed the connection before its answer was complete.`);
  }
  if (/ETIMEDOUT|TIMEOUT/i.test(codes)) {
    return failed("timeout", true, `${host} did not answer in time.`);
  }
  if (/Zlib|Brotli|Zstd|Malformed|Invalid|HPE_|Decompress/i.test(codes)) {
    return failed("bad_response", true, `${host} sent an answer that cannot be read: ${firstLine(thrown)}`);
  }
  return failed("network", true, `${host} cannot be reached: ${firstLine(thrown)}`);
}

function firstLine(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return message.split("\n")[0]?.slice(0, 200) ?? "";
}
