/**
 * Links of a page: every `a[href]`, `area[href]` and frame, one for each distinct target, in document order.
 *
 * A target that is linked several times is described by one element: the first in the content, else the first
 * that is visible. A link to a place on the same page counts as a link from the page to itself.
 */
import { normaliseUrl, urlKey } from "../../../machines/exploration/normalise-url.ts";
import type { Control } from "../../../machines/records.ts";
import type { HtmlDocument, HtmlElement } from "../parse/html-document.ts";
import { AttributeCounts, locate } from "../parse/locator.ts";
import { cut, isDeclaredHidden } from "../parse/text.ts";
import { controlOf, type Labels, NAME_LENGTH } from "./control.ts";
import { withoutAnchor, withoutFragment } from "./hash-routes.ts";

export interface PageLink {
  /** Normalised; without fragment, unless the fragment is a route. */
  readonly url: string;
  /** Dedupe key of the URL (`urlKey`), unique among the page's links. */
  readonly key: string;
  /** The visible text, label or image description; the URL if the link has none. */
  readonly text: string;
  /** True if every link to the target has `rel=nofollow`. */
  readonly nofollow: boolean;
  /** True for a frame: the target is shown inside this page and cannot be clicked. */
  readonly framed: boolean;
  /** The element to click, or the frame. */
  readonly control: Control;
}

/** Rank among links to the same target, higher for links that a person is more likely to see and use. */
function rankOf(anchor: HtmlElement, content: HtmlElement): number {
  let inContent = false;
  for (let at: HtmlElement | null = anchor; at; at = at.parent) {
    if (isDeclaredHidden(at)) return 0;
    if (at === content) inContent = true;
  }
  // Menus are repeated for small screens and only one copy is visible; a link in the content always is.
  return inContent ? BEST_RANK : 1;
}
const BEST_RANK = 2;

/** The document's URLs, against which its links are resolved. */
export interface DocumentLocation {
  /** The URL after redirects. */
  readonly url: string;
  /** Base of relative URLs: the page's `<base>`, else its final URL. */
  readonly base: string;
  /** True after rendering: then URLs behind `#` lead to pages (`hash-routes.ts`). */
  readonly routes: boolean;
}

/** The URL that an address without fragment leads to. */
function targetOf(
  bare: string,
  { url: own, base, routes }: DocumentLocation,
  document: HtmlDocument,
): string | undefined {
  // The address is a fragment of this page.
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
  place: DocumentLocation,
): PageLink[] {
  const { anchors } = document;
  const targets = new Map<string, Target>();
  /** Keys by address as written: a page repeats the same few hundred addresses. */
  const keys = new Map<string, string | undefined>();
  for (const anchor of anchors) {
    if (isSentByScript(anchor)) continue;
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

/** A link that scripts of Rails, Yii, Turbo and others send by another method than GET: no page is at its address. */
function isSentByScript({ attributes }: HtmlElement): boolean {
  const method = attributes["data-method"] ?? attributes["data-turbo-method"];
  return method !== undefined && !/^get$/i.test(method);
}

function isNofollow(anchor: HtmlElement): boolean {
  const { rel } = anchor.attributes;
  return rel !== undefined && /(?:^|\s)nofollow(?:\s|$)/i.test(rel);
}

/** Frames whose URL no link of the page has. */
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
