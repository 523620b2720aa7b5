/**
 * Facts about the repeated blocks (such as posts and rows) and the main content of a page. Page readers
 * extract them from the HTML, and navigation runs use them to tell articles, threads and lists apart.
 */

export interface PageBlockFacts {
  /** Number of characters of running text in posts. */
  readonly posts_text: number;
  /** Number of characters of all text in rows of lists. */
  readonly rows_text: number;
  /**
   * The address of a version of this page for visitors without scripts, from a link in a `noscript` element;
   * `null` when there is none.
   */
  readonly plain: string | null;
  /** Number of characters of the main content. */
  readonly text: number;
  /** Share (0 to 1) of the characters of the main content that are in links. */
  readonly link_share: number;
  /** Whether the page shows its content only after a payment or a sign-in. */
  readonly walled: boolean;
  /**
   * Whether the page shows one message with a header (From, Date, Subject), as in archives of mailing lists.
   */
  readonly message: boolean;
  /** The subject of the single message; `null` when no field of the message names it. */
  readonly subject: string | null;
  /** Whether the page has a field in which a visitor can reply, as most pages with a thread have. */
  readonly answerable: boolean;
}
