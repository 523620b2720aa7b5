/**
 * Reads sitemaps and feeds after all links are followed, so that a job with a page limit first reads the
 * pages near its start page. It reads the sitemap at `/sitemap.xml`, the sitemaps that robots.txt names, and
 * the feeds that pages name.
 */

import { urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { explorationLimits } from "../../../machines/exploration/exploration-limits.ts";
import type { ExplorationRequest } from "../../../machines/exploration/exploration-request.ts";
import type { Scope } from "../../../machines/exploration/exploration-scope.ts";
import type { FetchedPage, Reader } from "../../reading/index.ts";

export const LISTINGS = "listings";

interface Kept {
  readonly feeds: readonly string[];
  readonly read: boolean;
}

export class Listings {
  readonly #request: ExplorationRequest;
  readonly #reader: Reader;
  readonly #feeds: Set<string>;
  #read: boolean;
  #changed = false;

  /**
   * Creates the reader of a job's sitemaps and feeds.
   * @param note the JSON that the method `note` returned in an earlier run of the job; `undefined` in the
   * first run
   */
  constructor(request: ExplorationRequest, reader: Reader, note: string | undefined) {
    this.#request = request;
    this.#reader = reader;
    // The method `note` wrote this JSON, so the cast is safe.
    const kept: Kept = note === undefined ? { feeds: [], read: false } : (JSON.parse(note) as Kept);
    this.#feeds = new Set(kept.feeds);
    this.#read = kept.read;
  }

  /** Whether there may be sitemaps or feeds that were not read yet. */
  get waiting(): boolean {
    return this.#request.sitemaps && this.#request.max_depth > 0 && !this.#read;
  }

  /** Records the RSS and Atom feeds that a page names, so that they are read later. */
  noteFeeds({ relations }: FetchedPage): void {
    for (const feed of relations.feeds) {
      if (this.#feeds.size >= explorationLimits.feeds || this.#feeds.has(feed)) continue;
      this.#feeds.add(feed);
      this.#changed = true;
    }
  }

  /**
   * Returns JSON that is stored with the job: the found feeds, and whether all sitemaps and feeds were read.
   * Returns `undefined` when nothing has changed since the last call.
   */
  note(): string | undefined {
    if (!this.#changed) return undefined;
    this.#changed = false;
    return JSON.stringify({ feeds: [...this.#feeds], read: this.#read } satisfies Kept);
  }

  /**
   * Reads the sitemaps and feeds, and returns at most `most` of the page addresses in them, in order. A job
   * gets these addresses once; later calls return an empty list.
   */
  async pages(site: string, scope: Scope, most: number, signal: AbortSignal): Promise<string[]> {
    const options = { signal, inScope: () => true, respectRobots: this.#request.respect_robots };
    const named = await this.#reader.sitemapsOf(site, options);
    const ahead = [...named, new URL("/sitemap.xml", site).href, ...this.#feeds];
    const seen = new Set<string>();
    const found = new Map<string, string>();
    for (let at = 0; at < ahead.length && seen.size < explorationLimits.listings && found.size < most; at++) {
      const url = ahead[at];
      if (url === undefined || seen.has(url)) continue;
      seen.add(url);
      const outcome = await this.#reader.readListing(url, options);
      if (outcome.kind !== "listing") continue;
      ahead.push(...outcome.sitemaps);
      for (const page of outcome.pages) {
        const key = urlKey(page);
        if (found.size < most && !found.has(key) && scope.follows(page)) found.set(key, page);
      }
    }
    this.#read = true;
    this.#changed = true;
    return [...found.values()];
  }
}
