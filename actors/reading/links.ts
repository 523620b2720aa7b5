/**
 * Where a page leads: every `a[href]` and `area[href]`, once for each distinct target, in document order.
 *
 * The same pair of pages is one link however often it is written (a manual's sidebar repeats its chapters), so
 * a link is described by one of them: the first in the content, else the first that is not hidden. Targets are normalised (machines/exploration/url.ts); a
 * link to a place on the same page counts as one from the page to itself.
 */
import { normaliseUrl, urlKey } from "../../machines/exploration/url.ts";
import type { Control } from "../../machines/records.ts";
import { controlOf, type Labels, NAME_LENGTH } from "./control.ts";
import type { HtmlDocument, HtmlElement } from "./document.ts";
import { AttributeCounts, locate } from "./locator.ts";
import { cut, isHidden } from "./text.ts";

export interface PageLink {
  /** Normalised, without fragment. */
  readonly url: string;
  /** Its dedupe key (`urlKey`); no two links of a page share one. */
  readonly key: string;
  /** What a person reads on it: text, label or image description; the address when it has none. */
  readonly text: string;
  /** Tokens of `rel`, in lower case. */
  readonly rel: readonly string[];
  /** The element to click. */
  readonly control: Control;
}

/** How likely a person can see and means to use one of several links to the same target; the best comes first. */
function rankOf(anchor: HtmlElement, content: HtmlElement): number {
  let inContent = false;
  for (let at: HtmlElement | null = anchor; at; at = at.parent) {
    if (isHidden(at)) return 0;
    if (at === content) inContent = true;
  }
  // Menus are repeated for small screens, and only one of them is shown; a link in the content always is.
  return inContent ? BEST_RANK : 1;
}
const BEST_RANK = 2;

/**
 * @param content the page's main content
 * @param base what relative addresses are resolved against: the page's `<base>`, else its final URL
 */
export function readLinks(
  document: HtmlDocument,
  labels: Labels,
  content: HtmlElement,
  base: string,
): PageLink[] {
  const { anchors } = document;
  const targets = new Map<string, { readonly url: string; anchor: HtmlElement; rank: number }>();
  /** By the address as written: a page repeats the same few hundred. */
  const keys = new Map<string, string | undefined>();
  for (const anchor of anchors) {
    const written = anchor.attributes.href ?? "";
    const hash = written.indexOf("#");
    const bare = hash < 0 ? written : written.slice(0, hash);
    if (!keys.has(bare)) {
      const url = normaliseUrl(bare, base);
      const key = url === undefined ? undefined : urlKey(url);
      keys.set(bare, key);
      if (url !== undefined && key !== undefined && !targets.has(key))
        targets.set(key, { url, anchor, rank: -1 });
    }
    const target = targets.get(keys.get(bare) ?? "");
    if (!target || target.rank === BEST_RANK) continue;
    const rank = rankOf(anchor, content);
    if (rank > target.rank) {
      target.anchor = anchor;
      target.rank = rank;
    }
  }
  const counts = new AttributeCounts(anchors, ["href"]);
  return Array.from(targets, ([key, { url, anchor }]) => {
    const text = labels.nameOf(anchor) || cut(url, NAME_LENGTH);
    return {
      url,
      key,
      text,
      rel: (anchor.attributes.rel ?? "").toLowerCase().split(/\s+/).filter(Boolean),
      control: controlOf(anchor, text, locate(document, anchor, ["href"], counts)),
    };
  });
}
