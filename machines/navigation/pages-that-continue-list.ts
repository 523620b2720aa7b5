/** Recognises pages that continue a list: its further pages, and the list of an earlier month. */

import type { Judged } from "./navigation-decision-without-model.ts";
import type { PageType } from "./navigation-run-schemas.ts";

/** Confidence (0 to 1) of a decision about a page that continues a list. No model is asked about it. */
const CONTINUED = 0.85;

/**
 * If a page continues a list, decides that the page is read as a list. Such a page is the list's second page, or the
 * list of an earlier month. Without this rule, a page with few rows could count as an article.
 */
export function asList(judged: Judged, list: PageType | undefined): Judged {
  if (list === undefined || judged.action === "EXTRACT_LINKS" || judged.action === "STOP") return judged;
  const reasoning = "It continues the list that led to it.";
  return { action: "EXTRACT_LINKS", page_type: list, confidence: CONTINUED, reasoning, target_url: null };
}

/**
 * Whether two addresses differ only in numbers, such as `thrd4.html` and `thrd5.html`, so that they are pages
 * of one list. A `rel=next` link alone does not prove that: in manuals (Sphinx) it leads to the next article.
 */
export function isNextInSeries(next: string, list: string): boolean {
  const pattern = (url: string) => url.replace(/\d+/g, "0");
  return pattern(next) === pattern(list);
}
