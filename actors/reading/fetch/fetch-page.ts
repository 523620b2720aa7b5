/**
 * Fetches a document over HTTP. It follows redirects and checks status, content type, size and charset, but
 * does not parse the content.
 */

import type { Destinations } from "../../../machines/egress/checked-host-resolver-interface.ts";
import { normaliseUrl } from "../../../machines/exploration/crawl/normalise-url.ts";
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";
import type { RelationHeaders } from "../content/canonical-and-related-page-links.ts";
import { decodeText, type EncodedText } from "../parse/charset-decoding.ts";
import {
  type Elsewhere,
  type FailedRead,
  failedStatus,
  redirectLoop,
  type SkippedRead,
  skipped,
  tooManyRedirects,
} from "../url-read-failures.ts";
import {
  discard,
  type Exchange,
  isRedirect,
  readBody,
  redirectTarget,
  withExchange,
} from "./http-exchange.ts";

const ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1";
const SNIFFED_BYTES = 512;
const READ_TYPES = new Set(["text/html", "application/xhtml+xml", "text/plain"]);
/**
 * Matches names of data files. A file with such a name is skipped even if the server sends it as
 * `text/plain`.
 */
const DATA_FILE = /\.(?:csv|tsv|json|jsonl|ndjson|geojson)$/i;

/** The result of a fetch that ends without a document. */
export type Unfollowed = SkippedRead | FailedRead | Elsewhere;

export interface FetchOptions {
  readonly signal: AbortSignal;
  readonly destinations: Destinations;
  readonly userAgent: string;
  /**
   * Decides on each redirect before it is followed. `url` is the normalised target, and `written` is the
   * target in the server's own spelling. If the function returns a result, the redirect is not followed, and
   * the fetch returns this result.
   */
  readonly mayFollow: (url: string, written: string) => Promise<Unfollowed | undefined>;
  /**
   * Returns the current time in milliseconds since the epoch. Dates in `Retry-After` headers are compared
   * with this time.
   */
  readonly now: () => number;
  readonly maxBytes?: number;
  readonly answerWithin?: number;
  readonly within?: number;
}

export interface FetchedDocument {
  readonly kind: "document";
  /** The normalised URL of the document after redirects. */
  readonly url: string;
  readonly status: number;
  /** The content type of the response without parameters, such as `text/html`. */
  readonly mediaType: string;
  /** The value of the response header `Content-Language`. */
  readonly language: string | undefined;
  /** The response headers `Link` and `X-Robots-Tag`. */
  readonly relations: RelationHeaders;
  /** Size of the body in bytes after decompression. */
  readonly bytes: number;
  readonly text: EncodedText;
}

export type FetchResult = FetchedDocument | Unfollowed;

/** Fetches a document. Rejects only with the reason of an aborted signal. */
export function fetchPage(url: string, options: FetchOptions): Promise<FetchResult> {
  return followRedirects(url, options, ACCEPT, receive);
}

/**
 * Sends a request and follows its redirects. `mayFollow` decides for each redirect whether it is followed.
 * `receive` converts the final response to the result.
 */
export function followRedirects<Result>(
  url: string,
  options: FetchOptions,
  accept: string,
  receive: (url: string, response: Response, options: FetchOptions) => Promise<Result>,
): Promise<Result | Unfollowed> {
  const reading = readingLimits;
  return withExchange<Result | Unfollowed>(
    url,
    {
      signal: options.signal,
      destinations: options.destinations,
      userAgent: options.userAgent,
      accept,
      answerWithin: options.answerWithin ?? reading.answerWithin,
      within: options.within ?? reading.pageWithin,
    },
    async (exchange) => {
      const answer = await follow(url, exchange, options);
      return answer.kind === "answer" ? await receive(answer.url, answer.response, options) : answer;
    },
  );
}

/** The last response, after all redirects were followed. */
interface Answer {
  readonly kind: "answer";
  readonly url: string;
  readonly response: Response;
}

async function follow(
  start: string,
  exchange: Exchange,
  options: FetchOptions,
): Promise<Answer | Unfollowed> {
  const seen = new Set([start]);
  let url = start;
  for (;;) {
    const response = await exchange.request(url);
    if (!isRedirect(response.status) || response.headers.get("location") === null) {
      return { kind: "answer", url, response };
    }
    await discard(response);
    const target = redirectTarget(response, url);
    const normalised = target === undefined ? undefined : normaliseUrl(target);
    if (target === undefined || normalised === undefined) {
      const written = response.headers.get("location") ?? "";
      return skipped(
        "bad_redirect",
        `${url} redirects to "${written.slice(0, 200)}", which cannot be explored.`,
      );
    }
    // Redirect loops are detected by the URLs as the server has written them. A redirect that only adds a
    // tracking parameter would look like a loop after normalisation.
    if (seen.has(target)) return redirectLoop(start);
    if (seen.size > readingLimits.redirects) return tooManyRedirects(start, readingLimits.redirects);
    seen.add(target);
    const verdict = await options.mayFollow(normalised, target);
    if (verdict) return verdict;
    url = target;
  }
}

async function receive(url: string, response: Response, options: FetchOptions): Promise<FetchResult> {
  const { status, headers } = response;
  if (status < 200 || status > 299) {
    await discard(response);
    return failedStatus(url, response, options.now());
  }
  if (status === 204 || status === 205)
    return skipped("no_content", `${url} answered ${status}, without content.`);

  const named = contentType(headers.get("content-type"));
  if (named.mediaType !== "" && !READ_TYPES.has(named.mediaType)) {
    await discard(response);
    return skipped("not_html", `${url} is ${named.mediaType}, which is not read.`);
  }
  if (/^\s*attachment\b/i.test(headers.get("content-disposition") ?? "")) {
    await discard(response);
    return skipped("download", `${url} is a download, not a page.`);
  }
  if (named.mediaType === "text/plain" && DATA_FILE.test(pathOf(url))) {
    await discard(response);
    return skipped("not_html", `${url} is a file of data, which is not read.`);
  }
  const most = options.maxBytes ?? readingLimits.pageBytes;
  if (Number(headers.get("content-length") ?? 0) > most) {
    await discard(response);
    return tooLarge(url, most);
  }
  const bytes = await readBody(response, most);
  if (!bytes) return tooLarge(url, most);
  const { charset } = named;
  const mediaType = named.mediaType || sniff(decodeText(bytes.subarray(0, SNIFFED_BYTES), charset));
  if (mediaType === undefined)
    return skipped("not_html", `${url} has no content type and does not look like HTML.`);
  return {
    kind: "document",
    url: normaliseUrl(url) ?? url,
    status,
    mediaType,
    language: headers.get("content-language") ?? undefined,
    relations: {
      link: headers.get("link") ?? undefined,
      robots: headers.get("x-robots-tag") ?? undefined,
    },
    bytes: bytes.byteLength,
    text: { bytes, charset },
  };
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}

export function tooLarge(url: string, most: number): SkippedRead {
  return skipped("too_large", `${url} is larger than ${Math.round(most / 1_024 / 1_024)} MiB.`);
}

function contentType(header: string | null): {
  readonly mediaType: string;
  readonly charset: string | undefined;
} {
  const [type = "", ...parameters] = (header ?? "").split(";");
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*["']?([^"'\s]+)/i.exec(parameter)?.[1])
    .find((value) => value !== undefined);
  return { mediaType: type.trim().toLowerCase(), charset };
}

/**
 * Returns `text/html` if the start of the document contains a tag of HTML. Used for a response without a
 * content type.
 */
function sniff(text: string): "text/html" | undefined {
  return /<(?:!doctype\s+html|html|head|body|title|script|h1|div|p|table|a)\b/i.test(text)
    ? "text/html"
    : undefined;
}
