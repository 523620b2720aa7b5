/** Recognises pages that continue a list: its further pages, and the list of an earlier month. */

import type { PageType } from "./navigation-run-schemas.ts";
import type { Judged } from "./structural-navigation-decision.ts";

/** Confidence (0 to 1) of a decision about a page that continues a list. No model is asked about it. */
const CONTINUED = 0.85;

/**
 * Returns the decision for the list of an earlier month, or for a further page of a list. Such a page is
 * treated as a list too, even if it has only one or two rows and looks like an article.
 */
export function asList(judged: Judged, list: PageType | undefined): Judged {
  if (list === undefined || judged.action === "EXTRACT_LINKS" || judged.action === "STOP") return judged;
  const reasoning = "It continues the list that led to it.";
  return { action: "EXTRACT_LINKS", page_type: list, confidence: CONTINUED, reasoning, target_url: null };
}

/**
 * Whether an address differs from that of a list only in numbers, such as `thrd4.html` and `thrd5.html`. The
 * page is then a further page of this list. In manuals (Sphinx), `rel=next` leads to an article instead.
 */
export function isNextInSeries(next: string, list: string): boolean {
  const pattern = (url: string) => url.replace(/\d+/g, "0");
  return pattern(next) === pattern(list);
}
