/**
 * Reports the URLs of a job that did not become pages. It counts these URLs by reason, and suggests what the
 * caller can do. The counts are stored with the job.
 */

import type { HeldBack, HeldBackReason } from "../exploration-protocol.ts";
import type { Settlement, SkipReason } from "./crawl-batch-of-read-pages.ts";

export type SkipTally = Readonly<
  Partial<Record<SkipReason, { readonly count: number; readonly examples: readonly string[] }>>
>;

const MOST_EXAMPLES = 3;

/** Adds the skipped URLs of a batch to the counts of the job. */
export function tallySkips(
  before: SkipTally,
  settled: readonly Pick<Settlement, "row" | "why">[],
): SkipTally {
  const after: Partial<Record<SkipReason, { count: number; examples: readonly string[] }>> = { ...before };
  for (const { row, why } of settled) {
    if (why === undefined) continue;
    const { count = 0, examples = [] } = after[why] ?? {};
    after[why] = {
      count: count + 1,
      examples: examples.length < MOST_EXAMPLES ? [...examples, row.url] : examples,
    };
  }
  return after;
}

export interface HeldBackFacts {
  readonly skips: SkipTally;
  readonly nofollow: number;
  /** Minimum number of milliseconds between two requests, as robots.txt demands; 0 without a crawl-delay. */
  readonly crawlDelay: number;
}

/** Returns the reasons why URLs were skipped. Reasons that the caller can change come first. */
export function heldBack({ skips, nofollow, crawlDelay }: HeldBackFacts): HeldBack[] {
  const heldBack: HeldBack[] = [];
  const tell = (
    reason: HeldBackReason,
    count: number,
    examples: readonly string[],
    advice: string | null,
  ) => {
    heldBack.push({
      reason,
      count,
      examples: [...examples],
      message: [MESSAGES[reason](count), advice].join(""),
    });
  };
  for (const reason of ORDER) {
    if (reason === "crawl_delay") {
      if (crawlDelay > 0) tell(reason, crawlDelay / 1_000, [], IGNORED);
    } else if (reason === "nofollow") {
      if (nofollow > 0) tell(reason, nofollow, [], FOLLOWED);
    } else {
      const tally = skips[reason];
      if (tally) tell(reason, tally.count, tally.examples, reason === "robots" ? FOLLOWED : null);
    }
  }
  return heldBack;
}

const FOLLOWED = " With respect_robots: false they are followed.";
const IGNORED = " With respect_robots: false it is not waited for.";

/**
 * For each reason why URLs were skipped, the message in the report. The report lists the reasons in this order.
 */
const MESSAGES: Readonly<Record<HeldBackReason, (count: number) => string>> = {
  robots: (count) => `robots.txt does not allow ${addresses(count)}.`,
  nofollow: (count) => `${count === 1 ? "1 link asks" : `${count} links ask`} not to be followed (nofollow).`,
  crawl_delay: (seconds) =>
    `robots.txt asks for ${seconds} s between two requests, so at most ${perMinute(seconds)} pages a minute are read.`,
  redirected_out_of_scope: (count) => `${answered(count)} a redirect to outside of what the job keeps to.`,
  too_large: (count) => `${answered(count)} more than is read of a page.`,
  redirected: (count) => `${answered(count)} a redirect to a page that counts under its own address.`,
  same_page: (count) => `${answered(count)} what another page says already.`,
  soft_404: (count) => `${answered(count)} "not found", with the status of a page.`,
  not_html: (count) => `${answered(count)} a file that is no page.`,
  download: (count) => `${answered(count)} a download.`,
  no_content: (count) => `${answered(count)} nothing (204 or 205).`,
  bad_redirect: (count) => `${answered(count)} a redirect to what is no web address.`,
  left_http: (count) => `${answered(count)} what is no web page.`,
  not_http: (count) => `${answered(count)} what is no web page.`,
  no_listing: (count) => `${answered(count)} a page in place of a list of pages.`,
};
// The cast is safe: the strings are the keys of `MESSAGES`.
const ORDER = Object.keys(MESSAGES) as HeldBackReason[];

function addresses(count: number): string {
  return count === 1 ? "1 address that was found" : `${count} addresses that were found`;
}

function answered(count: number): string {
  return count === 1 ? "1 address answered" : `${count} addresses answered`;
}

function perMinute(seconds: number): number {
  return Math.max(1, Math.floor(60 / seconds));
}
