/**
 * Where a page leads: every `a[href]` and `area[href]`, once for each distinct target, in document order.
 *
 * The same pair of pages is one link however often it is written (a manual's sidebar repeats its chapters), so
 * a link is described by its first occurrence. Targets are normalised (machines/exploration/url.ts); a
 * link to a place on the same page counts as one from the page to itself.
 */
import { normaliseUrl, urlKey } from "../../machines/exploration/url.ts";
import type { Control } from "../../machines/records.ts";
import { controlOf, type Labels, NAME_LENGTH } from "./control.ts";
import type { HtmlDocument } from "./document.ts";
import { AttributeCounts, locate } from "./locator.ts";
import { cut } from "./text.ts";

export interface PageLink {
  /** Normalised, without fragment. */
  readonly url: string;
  /** Its dedupe key (`urlKey`); no two links of a page share one. */
  readonly key: string;
  /** What a person reads on it: text, label or image description; the address when it has none. */
  readonly text: string;
  /** Tokens of `rel`, in lower case. */
  readonly rel: readonly string[];
  /** The element, so that it can be clicked. */
  readonly control: Control;
}

/** @param base what relative addresses are resolved against: the page's `<base>`, else its final URL */
export function readLinks(document: HtmlDocument, labels: Labels, base: string): PageLink[] {
  const { anchors } = document;
  const counts = new AttributeCounts(anchors, ["href"]);
  const seenAsWritten = new Set<string>();
  const links = new Map<string, PageLink>();
  for (const anchor of anchors) {
    const written = anchor.attributes.href ?? "";
    const hash = written.indexOf("#");
    const bare = hash < 0 ? written : written.slice(0, hash);
    if (seenAsWritten.has(bare)) continue;
    seenAsWritten.add(bare);
    const url = normaliseUrl(bare, base);
    if (url === undefined) continue;
    const key = urlKey(url);
    if (links.has(key)) continue;
    const text = labels.nameOf(anchor);
    const name = text === "" ? cut(url, NAME_LENGTH) : text;
    links.set(key, {
      url,
      key,
      text: name,
      rel: (anchor.attributes.rel ?? "").toLowerCase().split(/\s+/).filter(Boolean),
      control: controlOf(anchor, name, locate(document, anchor, ["href"], counts)),
    });
  }
  return [...links.values()];
}
