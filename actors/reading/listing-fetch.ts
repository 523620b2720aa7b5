/**
 * Brings a sitemap or a feed: any content type, gunzipped when the bytes say so, bounded before and after.
 *
 * `fetch.ts` follows the redirects, `listing.ts` reads what came.
 */
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { readingLimits } from "../../machines/reading/limits.ts";
import { decodeText } from "./charset.ts";
import { discard, readBody } from "./exchange.ts";
import { type FetchOptions, following, tooLarge, type Unfollowed } from "./fetch.ts";
import { type Listing, readListing } from "./listing.ts";
import { type FailedRead, failedStatus, type SkippedRead, skipped } from "./outcome.ts";

const ACCEPT = "application/xml,text/xml,application/rss+xml,application/atom+xml,text/plain;q=0.8,*/*;q=0.1";

export interface FetchedListing extends Listing {
  readonly kind: "listing";
}

/** Fetches a list. Rejects only with the reason of an aborted signal. */
export function fetchListing(url: string, options: FetchOptions): Promise<FetchedListing | Unfollowed> {
  return following(url, options, ACCEPT, receive);
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
  // A site that has no sitemap often shows its home page instead.
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

/** The bytes without gzip; `undefined` when they are broken or more than `most`. */
async function unpacked(bytes: Uint8Array, most: number): Promise<Uint8Array | undefined> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: most });
  } catch (error) {
    // zlib names what is wrong with its input by a code of its own; anything else is a defect of ours.
    if (error instanceof Error && "code" in error && /^(Z_|ERR_BUFFER_TOO_LARGE)/.test(String(error.code)))
      return undefined;
    throw error;
  }
}
