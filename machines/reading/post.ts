/** A post of a thread, as a page shows it. */

export interface Post {
  readonly author: string | null;
  /** `YYYY-MM-DD`. */
  readonly date: string | null;
  readonly text: string;
}
