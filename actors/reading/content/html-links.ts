/**
 * Reads the links of a page, once for each target: `a[href]` and `area[href]` elements, then forms that only
 * open an address, rows with an address in `data-href`, and frames. Of several links to one target, the first
 * in the main content is used, or else the first visible one. A link to a place on the page counts as a link
 * to the page itself.
 */
import { normaliseUrl, urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import type { Control } from "../../../machines/records/page-control-records.ts";
import { riskOf } from "../../../machines/risk/risk-classes.ts";
import { AttributeCounts, locate } from "../parse/css-and-xpath-locators.ts";
import type { HtmlDocument, HtmlElement } from "../parse/parse-html-document.ts";
import { cut, isDeclaredHidden } from "../parse/visible-text-of-html-element.ts";
import { withoutAnchor, withoutFragment } from "./client-side-routes-after-hash.ts";
import { controlOf, type Labels, NAME_LENGTH } from "./describe-element-as-control.ts";
import { iconOf } from "./icon-of-html-element.ts";
import { isSubmit } from "./read-controls-forms-and-headings.ts";

export interface PageLink {
  /** The normalised URL. Its fragment is removed, except when the fragment is a client-side route. */
  readonly url: string;
  /** The key of the URL (`urlKey`) by which duplicates are found. It is unique among the page's links. */
  readonly key: string;
  /**
   * The text of the link: its visible text, its label, or the description of an image in it. When the link
   * has none of these, it is the URL.
   */
  readonly text: string;
  /** Whether every element that links to this target has `rel=nofollow`. */
  readonly nofollow: boolean;
  /**
   * True if the target is a page that a frame shows, and not a page to which a link leads. Then there is
   * nothing to click.
   */
  readonly framed: boolean;
  /** The control of the link, which can be clicked. For a framed page, this is the frame element. */
  readonly control: Control;
}

/**
 * Returns the rank of a link. It is higher if a person is more likely to see and use the link. Of several
 * links to one target, the one with the highest rank describes the target.
 */
function rankOf(anchor: HtmlElement, content: HtmlElement): number {
  let inContent = false;
  for (let at: HtmlElement | null = anchor; at; at = at.parent) {
    if (isDeclaredHidden(at)) return 0;
    if (at === content) inContent = true;
  }
  // A link outside of the main content has a lower rank, because it may be invisible. Pages often contain one
  // menu for small screens and a copy for large screens.
  return inContent ? BEST_RANK : 1;
}
const BEST_RANK = 2;

/** The URLs that are needed to resolve the links in a document. */
export interface DocumentLocation {
  /** The URL of the document after redirects. */
  readonly url: string;
  /** The URL against which relative URLs are resolved: the page's `<base>`, or else its own URL. */
  readonly base: string;
  /**
   * Whether the document was rendered by a browser. Only then can a URL with `#` lead to another page (see
   * `client-side-routes-after-hash.ts`).
   */
  readonly routes: boolean;
}

/** Returns the absolute URL to which the address in a link leads. */
function targetOf(
  bare: string,
  { url: own, base, routes }: DocumentLocation,
  document: HtmlDocument,
): string | undefined {
  // An address that consists only of a fragment leads to a place on this page.
  if (bare === "" && base === own) return own;
  const url = normaliseUrl(bare, base);
  if (!routes || url === undefined) return url;
  const page = withoutAnchor(url, document);
  return urlKey(page) === urlKey(withoutAnchor(own, document)) ? own : url;
}

/**
 * Returns the links of a page.
 * @param content the element with the main content of the page
 */
export function readLinks(
  document: HtmlDocument,
  labels: Labels,
  content: HtmlElement,
  place: DocumentLocation,
): PageLink[] {
  const { anchors } = document;
  const elements = [
    ...anchors.filter((anchor) => !isSentByScript(anchor)),
    ...buttonsOfLinks(document, labels),
    ...document.linkedRows.filter(isRowLink),
  ];
  const targets = new Map<string, Target>();
  /**
   * For each text of an `href` attribute: the key of its URL. It is cached, because a page repeats the same
   * few hundred addresses.
   */
  const keys = new Map<string, string | undefined>();
  for (const anchor of elements) {
    const written = addressOf(anchor) ?? "";
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
  const counts = new AttributeCounts(elements, LINK_ATTRIBUTES);
  const links = Array.from(targets, ([key, { url, anchor, nofollow }]): PageLink => {
    const name = labels.nameOf(anchor);
    const text = name || cut(url, NAME_LENGTH);
    const control = controlOf(anchor, text, locate(document, anchor, LINK_ATTRIBUTES, counts));
    const icon = name === "" ? iconOf(anchor) : "";
    return {
      url,
      key,
      text,
      nofollow,
      framed: false,
      control: withIcon(asLinkOfRow(control, anchor), icon),
    };
  });
  return document.frames.length === 0
    ? links
    : [...links, ...readFrames(document, labels, targets, place.base)];
}

/**
 * Adds the address of a row to its control. The row is found by this address, and the address is opened if the row
 * cannot be clicked. The id of the row is removed, because React often generates another id at each load.
 */
function asLinkOfRow(control: Control, { tag, attributes: { "data-href": address } }: HtmlElement): Control {
  if (address === undefined || tag === "a" || tag === "area") return control;
  const { id: _, ...attributes } = control.attributes;
  const selector = `${tag}[data-href=${JSON.stringify(address)}]`;
  return { ...control, selector, attributes: { ...attributes, href: address } };
}

const LINK_ATTRIBUTES = ["href", "data-href"] as const;

/** Returns the address of a link, of a row with an address, or of a form that only opens an address. */
function addressOf(element: HtmlElement): string | undefined {
  const { tag, attributes } = element;
  if (tag === "a" || tag === "area") return attributes.href;
  return attributes["data-href"] ?? actionOf(element);
}

/**
 * Matches a value of `data-href` that is an address, such as `/orders/7`. A name or a template of an address does
 * not match.
 */
const ADDRESS = /^(?:https?:\/\/|\/|\.{1,2}\/|\?|#[!/])/iu;

/** Whether a row has an address that changes no data. */
function isRowLink({ attributes }: HtmlElement): boolean {
  const href = attributes["data-href"] ?? "";
  return ADDRESS.test(href) && riskOf({ name: "", attributes: { href } }) === undefined;
}

interface Target {
  readonly url: string;
  anchor: HtmlElement;
  rank: number;
  nofollow: boolean;
}

/**
 * Whether scripts of Rails, Yii, Turbo or a similar framework send a request other than GET for this link.
 * Such a link opens no page.
 */
function isSentByScript({ attributes }: HtmlElement): boolean {
  const method = attributes["data-method"] ?? attributes["data-turbo-method"];
  return method !== undefined && !/^get$/i.test(method);
}

/**
 * Returns the buttons of forms that only open an address, as links do: a form of the method GET that has nothing but
 * one button. Rails (`button_to` with `method: :get`) and I Hate Money write such forms. A form whose button names a
 * change of data, such as "Delete", is no link.
 */
function buttonsOfLinks(document: HtmlDocument, labels: Labels): readonly HtmlElement[] {
  if (document.forms.length === 0) return [];
  const native = document.controls.filter(({ tag }) => NATIVE.has(tag));
  const byForm = Map.groupBy(native, formOf);
  return document.forms.flatMap((form) => {
    const [button, ...others] = byForm.get(form) ?? [];
    const { method = "get", action = "" } = form.attributes;
    if (!button || others.length > 0 || action.trim() === "" || !/^get$/i.test(method.trim())) return [];
    const { attributes } = button;
    if (!isSubmit(button) || attributes.name !== undefined || attributes.disabled !== undefined) return [];
    return riskOf({ name: labels.nameOf(button), attributes }) === undefined ? [button] : [];
  });
}

const NATIVE = new Set(["button", "input", "select", "textarea"]);

/** Returns the address that a form opens when its button is clicked. */
function actionOf(button: HtmlElement): string | undefined {
  return formOf(button)?.attributes.action;
}

function formOf(element: HtmlElement): HtmlElement | undefined {
  for (let at = element.parent; at; at = at.parent) if (at.tag === "form") return at;
  return undefined;
}

function isNofollow(anchor: HtmlElement): boolean {
  const { rel } = anchor.attributes;
  return rel !== undefined && /(?:^|\s)nofollow(?:\s|$)/i.test(rel);
}

/** Matches an inline style that makes a frame at most one pixel wide or high, or moves it out of the page. */
const TINY_STYLE =
  /(?:^|;)\s*(?:(?:max-)?(?:width|height)\s*:\s*[01](?:px)?|(?:left|top)\s*:\s*-\d{3,}px)\s*(?:!important\s*)?(?:;|$)/iu;
const TINY = /^\s*[01](?:px)?\s*$/u;

/**
 * Whether a frame shows nothing: scripts use it to send requests, to keep a history or to look for a sign-in. Examples are
 * the frame "login-status-iframe.html" of Keycloak, and those of oidc-client and of GWT.
 */
function isInvisible(frame: HtmlElement): boolean {
  const { width = "", height = "", style = "" } = frame.attributes;
  return isDeclaredHidden(frame) || TINY.test(width) || TINY.test(height) || TINY_STYLE.test(style);
}

/** Returns the visible frames whose URL is not the target of any link of the page. */
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
    if (url === undefined || frame.attributes.srcdoc !== undefined || isInvisible(frame)) continue;
    const key = urlKey(url);
    if (linked.has(key) || framed.has(key)) continue;
    const text = labels.nameOf(frame) || cut(url, NAME_LENGTH);
    const control = controlOf(frame, text, locate(document, frame, ["src"], counts));
    framed.set(key, { url, key, text, nofollow: false, framed: true, control });
  }
  return [...framed.values()];
}

/** Adds the name of the icon to a link that shows nothing else. */
const withIcon = (control: Control, icon: string): Control =>
  icon === "" ? control : { ...control, attributes: { ...control.attributes, icon } };
