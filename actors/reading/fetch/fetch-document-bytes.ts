/** Fetches the bytes of a document of any type. */
import { documentLimits } from "../../../machines/knowledge/documents/ingested-document-limits.ts";
import { type FailedRead, failedStatus, type SkippedRead } from "../url-read-failures.ts";
import { type FetchOptions, followRedirects, tooLarge, type Unfollowed } from "./fetch-page.ts";
import { discard, readBody } from "./http-exchange.ts";

export interface FetchedBytes {
  readonly kind: "bytes";
  /** The URL of the document after redirects. */
  readonly url: string;
  /** The media type that the server declares. It may be empty. */
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Fetches the bytes of a document. Rejects only with the reason of an aborted signal. */
export function fetchBytes(url: string, options: FetchOptions): Promise<FetchedBytes | Unfollowed> {
  return followRedirects(url, options, "*/*", receive);
}

async function receive(
  url: string,
  response: Response,
  options: FetchOptions,
): Promise<FetchedBytes | SkippedRead | FailedRead> {
  if (response.status !== 200) {
    await discard(response);
    return failedStatus(url, response, options.now());
  }
  const bytes = await readBody(response, documentLimits.bytes);
  if (!bytes) return tooLarge(url, documentLimits.bytes);
  return { kind: "bytes", url, mediaType: response.headers.get("content-type") ?? "", bytes };
}
