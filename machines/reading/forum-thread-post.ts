/** A post of a thread, as a page shows it. */

export interface Post {
  readonly author: string | null;
  /** Date of the post as `YYYY-MM-DD`. */
  readonly date: string | null;
  readonly text: string;
}
