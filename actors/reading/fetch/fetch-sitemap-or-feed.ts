/**
 * Fetches a sitemap or a feed with any content type. Bytes in gzip format are decompressed. The size is
 * limited before and after decompression.
 */
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";
import { type Listing, readListing } from "../content/sitemap-and-feed-parser.ts";
import { decodeText } from "../parse/charset-decoding.ts";
import { type FailedRead, failedStatus, type SkippedRead, skipped } from "../url-read-failures.ts";
import { type FetchOptions, followRedirects, tooLarge, type Unfollowed } from "./fetch-page.ts";
import { discard, readBody } from "./http-exchange.ts";

const ACCEPT = "application/xml,text/xml,application/rss+xml,application/atom+xml,text/plain;q=0.8,*/*;q=0.1";

export interface FetchedListing extends Listing {
  readonly kind: "listing";
}

/** Fetches a listing (a sitemap or a feed). Rejects only with the reason of an aborted signal. */
export function fetchListing(url: string, options: FetchOptions): Promise<FetchedListing | Unfollowed> {
  return followRedirects(url, options, ACCEPT, receive);
}

async function receive(
  url: string,
  response: Response,
  options: FetchOptions,
): Promise<FetchedListing | SkippedRead | FailedRead> {
  if (response.status !== 200) {
    await discard(response);
    return failedStatus(url, response, options.now());
  }
  // A site without a sitemap often answers a request for the sitemap with its home page. So an answer in HTML
  // is not read as a listing.
  if (/^text\/html\b/i.test(response.headers.get("content-type") ?? "")) {
    await discard(response);
    return skipped("no_listing", `${url} is a web page and no list of pages.`);
  }
  const most = readingLimits.listingBytes;
  const bytes = await readBody(response, most);
  if (!bytes) return tooLarge(url, most);
  const plain = await unpacked(bytes, most);
  if (!plain) return skipped("no_listing", `${url} cannot be unpacked, or is too large when it is.`);
  return { kind: "listing", ...readListing(decodeText(plain, undefined), url) };
}

/**
 * Decompresses data in gzip format, and returns other data unchanged. Returns `undefined` when the data is
 * corrupt, or larger than `most` bytes after decompression.
 */
async function unpacked(bytes: Uint8Array, most: number): Promise<Uint8Array | undefined> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: most });
  } catch (error) {
    // zlib reports invalid input by these error codes. An error with another code is a defect of the program
    // and is thrown again.
    if (error instanceof Error && "code" in error && /^(Z_|ERR_BUFFER_TOO_LARGE)/.test(String(error.code)))
      return undefined;
    throw error;
  }
}
