/**
 * Where a page leads: every `a[href]`, `area[href]` and frame, once for each distinct target, in document order.
 *
 * The same pair of pages is one link however often it is written (a manual's sidebar repeats its chapters), so
 * a link is described by one of them: the first in the content, else the first that is not hidden. Targets are normalised (machines/exploration/url.ts); a
 * link to a place on the same page counts as one from the page to itself.
 */
import { normaliseUrl, urlKey } from "../../../machines/exploration/normalise-url.ts";
import type { Control } from "../../../machines/records.ts";
import type { HtmlDocument, HtmlElement } from "../parse/html-document.ts";
import { AttributeCounts, locate } from "../parse/locator.ts";
import { cut, isHidden } from "../parse/text.ts";
import { controlOf, type Labels, NAME_LENGTH } from "./control.ts";
import { withoutAnchor, withoutFragment } from "./hash-routes.ts";

export interface PageLink {
  /** Normalised, without fragment unless it is a route. */
  readonly url: string;
  /** Its dedupe key (`urlKey`); no two links of a page share one. */
  readonly key: string;
  /** What a person reads on it: text, label or image description; the address when it has none. */
  readonly text: string;
  /** Every link to the target asks not to be followed (`rel=nofollow`). */
  readonly nofollow: boolean;
  /** A page shown inside this one: part of it, and nothing to click. */
  readonly framed: boolean;
  /** The element to click, or the frame. */
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

/** Where a document stands. */
export interface Place {
  /** Its final URL. */
  readonly url: string;
  /** What relative addresses are resolved against: the page's `<base>`, else its final URL. */
  readonly base: string;
  /** Scripts have run, so that addresses behind `#` lead to pages (`routes.ts`). */
  readonly routes: boolean;
}

/** The page that an address without fragment leads to. */
function targetOf(
  bare: string,
  { url: own, base, routes }: Place,
  document: HtmlDocument,
): string | undefined {
  // A place on the page.
  if (bare === "" && base === own) return own;
  const url = normaliseUrl(bare, base);
  if (!routes || url === undefined) return url;
  const page = withoutAnchor(url, document);
  return urlKey(page) === urlKey(withoutAnchor(own, document)) ? own : url;
}

/** @param content the page's main content */
export function readLinks(
  document: HtmlDocument,
  labels: Labels,
  content: HtmlElement,
  place: Place,
): PageLink[] {
  const { anchors } = document;
  const targets = new Map<string, Target>();
  /** By the address as written: a page repeats the same few hundred. */
  const keys = new Map<string, string | undefined>();
  for (const anchor of anchors) {
    const written = anchor.attributes.href ?? "";
    const bare = withoutFragment(written, place.routes);
    if (!keys.has(bare)) {
      const url = targetOf(bare, place, document);
      const key = url === undefined ? undefined : urlKey(url);
      keys.set(bare, key);
      if (url !== undefined && key !== undefined && !targets.has(key))
        targets.set(key, { url, anchor, rank: -1, nofollow: true });
    }
    const target = targets.get(keys.get(bare) ?? "");
    if (!target) continue;
    if (target.nofollow) target.nofollow = isNofollow(anchor);
    if (target.rank === BEST_RANK) continue;
    const rank = rankOf(anchor, content);
    if (rank > target.rank) {
      target.anchor = anchor;
      target.rank = rank;
    }
  }
  const counts = new AttributeCounts(anchors, ["href"]);
  const links = Array.from(targets, ([key, { url, anchor, nofollow }]): PageLink => {
    const text = labels.nameOf(anchor) || cut(url, NAME_LENGTH);
    const control = controlOf(anchor, text, locate(document, anchor, ["href"], counts));
    return { url, key, text, nofollow, framed: false, control };
  });
  return document.frames.length === 0
    ? links
    : [...links, ...readFrames(document, labels, targets, place.base)];
}

interface Target {
  readonly url: string;
  anchor: HtmlElement;
  rank: number;
  nofollow: boolean;
}

function isNofollow(anchor: HtmlElement): boolean {
  const { rel } = anchor.attributes;
  return rel !== undefined && /(?:^|\s)nofollow(?:\s|$)/i.test(rel);
}

/** Frames whose pages no link of the page leads to. */
function readFrames(
  document: HtmlDocument,
  labels: Labels,
  linked: ReadonlyMap<string, unknown>,
  base: string,
): PageLink[] {
  const counts = new AttributeCounts(document.frames, ["src"]);
  const framed = new Map<string, PageLink>();
  for (const frame of document.frames) {
    const url = normaliseUrl(frame.attributes.src ?? "", base);
    if (url === undefined || frame.attributes.srcdoc !== undefined) continue;
    const key = urlKey(url);
    if (linked.has(key) || framed.has(key)) continue;
    const text = labels.nameOf(frame) || cut(url, NAME_LENGTH);
    const control = controlOf(frame, text, locate(document, frame, ["src"], counts));
    framed.set(key, { url, key, text, nofollow: false, framed: true, control });
  }
  return [...framed.values()];
}
