/**
 * Builds the record of an interactive element, and keeps the previous record while it is still true. Password
 * values are never reported.
 */

import type { InteractionType } from "../../../../machines/session/page-snapshot.ts";
import type { Pane, Rect, View } from "../actionability/geometry.ts";
import { geometry } from "../actionability/geometry.ts";
import { registry } from "../document-state.ts";
import { shorten } from "../dom.ts";
import type { CachedElement, RecordedElement } from "./cached-element.ts";
import { describer } from "./describer.ts";
import { elementCache } from "./element-cache.ts";
import { elementPaths } from "./element-paths.ts";
import { elementStates } from "./element-state.ts";
import { icons } from "./icons.ts";
import type { RawElement } from "./raw-snapshot.ts";
import type { Visual } from "./rendering-cache.ts";
import { renderingCache } from "./rendering-cache.ts";

/** An element that the walk has found, with what the walk knows about it. */
export interface FoundElement {
  readonly element: Element;
  readonly cached: CachedElement;
  readonly action: InteractionType;
  /** Operable although the element itself is not visible. */
  readonly hidden: boolean;
  readonly segment: number;
  readonly rect: Rect;
  /** The visible part of the scrolled boxes around it; `undefined`: there are none. */
  readonly pane: Pane | undefined;
  /** Other elements lie on it, and its text belongs to them. */
  readonly isBackground: boolean;
  /** Its text content. */
  readonly text: string;
  /** Sort order of the column that it heads. */
  readonly sort: string;
  /** Marked as the current one of several. */
  readonly current: boolean;
  /** Text around it that tells it from elements with the same name. */
  readonly contextLabel: string;
}

/** When a snapshot is taken, and of which view. */
export interface SnapshotTime {
  readonly number: number;
  readonly time: number;
  /** Time at which an element was last moved in the DOM. */
  readonly moved: number;
  readonly view: View;
}

export interface Recorder {
  /** Returns the previous record with the new position where nothing else has changed. */
  record(found: FoundElement, look: SnapshotTime): RecordedElement;
  /** The whole record, with the current position. */
  complete(told: RecordedElement): RawElement;
  /** Whether the element is high enough to be reported as scrollable. */
  isScrollable(rect: Rect): boolean;
  nameOf(element: Element): string;
  /** `nameOf`, cached until the element changes. */
  cachedNameOf(cached: CachedElement): string;
  /** How often labels of fields were invalidated, which changes names. */
  readonly labelChanges: number;
  attributesOf(element: Element): Readonly<Record<string, string>>;
}

const TEXT_MOST = 120;
const VALUE_MOST = 200;
const ATTRIBUTES_MOST = 30;
const TIP = /(^|[-:])(tooltip|tip|original-title|tippy-content)$/;
/** Pixels. */
const SCROLLS_FROM = 40;

/** Labels of components have their words in a slot, ligature icons beside them, or the field inside them. */
const said = (element: Element): string => {
  const { textContent: text } = element;
  const plain = element.firstElementChild === null && text?.trim();
  if (plain) return text;
  return describer.wordsOf(element) || (element.querySelector("style,script") ? "" : (text ?? ""));
};

/** `aria-labelledby` may refer to the element itself: a button "Remove", and the name of what it removes. */
const namedBy = (element: Element): string => {
  const ids = element.getAttribute("aria-labelledby");
  if (!ids) return "";
  const root = element.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return "";
  const words = ids.split(/\s+/).map((id) => {
    const by = root.getElementById(id);
    if (!by) return "";
    const own = by.getAttribute("aria-label")?.trim();
    return shorten(own || said(by), TEXT_MOST);
  });
  return words.filter((word) => word !== "").join(" ");
};

const nameOf = (element: Element): string => {
  const plain = (text: string | null | undefined): string => shorten(text ?? "", TEXT_MOST);
  const labels = describer.captionsOf(element).map((label) => plain(said(label)));
  const typed = /^(input|select|textarea)$/.test(element.localName);
  return (
    namedBy(element) ||
    plain(element.getAttribute("aria-label")) ||
    labels.join(" ").trim() ||
    (typed ? "" : plain(said(element))) ||
    plain(element.getAttribute("placeholder")) ||
    plain(element.getAttribute("title")) ||
    plain(tipOf(element)) ||
    plain(element.getAttribute("alt")) ||
    pictured(element) ||
    (typed ? "" : plain(icons.generatedText(element)))
  );
};

/** Tooltip text in an attribute of a tooltip library. */
const tipOf = (element: Element): string => {
  const name = element.getAttributeNames().find((one) => TIP.test(one));
  const tip = name === undefined ? "" : (element.getAttribute(name) ?? "");
  // Some of these attributes only hold the position of the tooltip.
  return /^(|true|false|top|bottom|left|right|auto)$/.test(tip) ? "" : tip;
};

const calledOf = (cached: CachedElement): string => {
  const { touched } = cached;
  if (cached.name?.touched !== touched || cached.name.at !== describer.labelChanges)
    cached.name = { text: nameOf(cached.element), at: describer.labelChanges, touched };
  return cached.name.text;
};

/** Name of an image or icon inside the element. */
const pictured = (element: Element): string => {
  for (const inner of element.querySelectorAll("[alt], [aria-label], [title]")) {
    const [name] = ["aria-label", "alt", "title"].flatMap((of) => inner.getAttribute(of)?.trim() || []);
    if (name) return shorten(name, TEXT_MOST);
  }
  return "";
};

const attributesOf = (element: Element): Record<string, string> => {
  const found: Record<string, string> = {};
  const secret = registry.isSecret(element);
  let left = ATTRIBUTES_MOST;
  for (const name of element.getAttributeNames()) {
    if (name === "style" || (name === "value" && secret)) continue;
    if (left-- === 0) break;
    const value = element.getAttribute(name) ?? "";
    found[name] = value.length > VALUE_MOST ? value.slice(0, VALUE_MOST) : value;
  }
  return found;
};

const roomy = ({ height }: Rect): boolean => height >= SCROLLS_FROM;

const scrollsOf = (cached: CachedElement, rect: Rect): readonly [number, number] | undefined => {
  if (!cached.hasChildren && !roomy(rect)) return undefined;
  const overflow = renderingCache.overflow(cached);
  if (overflow !== "auto" && overflow !== "scroll") return undefined;
  const { element } = cached;
  const { scrollHeight, clientHeight, scrollTop } = element;
  if (clientHeight < SCROLLS_FROM || scrollHeight <= clientHeight + 4) return undefined;
  return [Math.round(scrollTop), Math.round(scrollHeight - clientHeight - scrollTop)];
};

const typeOf = (element: Element): string => {
  if (
    element instanceof HTMLInputElement ||
    element instanceof HTMLButtonElement ||
    element instanceof HTMLSelectElement
  )
    return element.type;
  return element.getAttribute("role") ?? element.localName;
};

/** State of a field that may change without a mutation of the field. */
const fieldOf = (cached: CachedElement, secret: boolean): string => {
  const { element } = cached;
  const { form } = element as { readonly form?: unknown }; // Form controls have this property.
  const owner =
    form instanceof HTMLFormElement ? `${form.getAttribute("id")}\n${form.getAttribute("name")}` : "";
  if (cached.labels?.at !== describer.labelChanges) {
    const labels = describer.captionsOf(element).map(said);
    cached.labels = { text: labels.join("\n"), at: describer.labelChanges };
  }
  cached.value = secret ? "" : elementStates.comparableValue(element);
  return `${element.matches(":disabled")}\n${cached.value}\n${owner}\n${cached.labels.text}`;
};

const anew = (
  found: FoundElement,
  place: Pick<RawElement, "box" | "inViewport"> & { readonly covered: string | undefined },
  scrolls: readonly [number, number] | undefined,
): { readonly record: RawElement; readonly visual: Visual | undefined } => {
  const {
    element,
    cached,
    action,
    hidden,
    segment,
    text: inside,
    contextLabel,
    current,
    isBackground: ground,
  } = found;
  const { box, inViewport: seen, covered } = place;
  const aria = element.getAttribute("aria-label");
  const typed = action === "input";
  const asks = ["placeholder", "aria-placeholder", ...(typed ? ["data-placeholder"] : [])];
  const placeholder = asks.map((name) => element.getAttribute(name)).find((text) => text && text !== "true");
  const role = element.getAttribute("role");
  const sorted = sortOf(found);
  const owner = "form" in element && element.form instanceof HTMLFormElement ? element.form : undefined;
  // A field named "id" hides the `id` property of its form.
  const [formId, formName] = [owner?.getAttribute("id"), owner?.getAttribute("name")];
  const named = namedBy(element);
  const labels = (named === "" ? describer.captionsOf(element).map(said) : [named])
    .map((label) => shorten(label, TEXT_MOST))
    .filter((label) => label !== "");
  const text = shorten(inside, TEXT_MOST);
  const called = labels.length > 0 || aria || placeholder;
  const title = text === "" && !called && !ground ? nameOf(element) : "";
  // A punctuation mark says little, and nothing where an icon font draws it.
  const says = /[\p{L}\p{N}]/u.test(text || title);
  const visual = called || (says && text !== "") ? undefined : renderingCache.visual(cached);
  const record: RawElement = {
    id: cached.id,
    tag: cached.tag,
    type: typeOf(element),
    action,
    selector: elementPaths.selector(element),
    xpath: elementPaths.xpath(element),
    ...(text || title ? { text: text || title } : {}),
    ...(visual?.icon && !says ? { icon: visual.icon } : {}),
    ...elementStates.of(element, typed ? inside : undefined),
    ...(placeholder ? { placeholder } : {}),
    ...(aria ? { ariaLabel: aria } : {}),
    ...(role ? { role } : {}),
    ...(element.matches(":disabled") ||
    element.getAttribute("aria-disabled") === "true" ||
    (role && element.hasAttribute("disabled"))
      ? { disabled: true }
      : {}),
    ...(hidden ? { hidden: true } : {}),
    ...(element.hasAttribute("required") || element.getAttribute("aria-required") === "true"
      ? { required: true }
      : {}),
    ...(sorted === "" ? {} : { sorted }),
    ...(current ? { current } : {}),
    ...(formId ? { formId } : {}),
    ...(formName ? { formName } : {}),
    ...(labels.length > 0 ? { labels } : {}),
    ...(contextLabel === "" ? {} : { contextLabel }),
    attributes: attributesOf(element),
    segment,
    ...(scrolls ? { scrolls } : {}),
    box,
    inViewport: seen,
    ...(covered === undefined ? {} : { coveredBy: covered }),
  };
  return { record, visual };
};

/** Reported once: by the part of a column header that has text. */
const sortOf = ({ element, text, sort }: FoundElement): string =>
  text !== "" || element.hasAttribute("aria-sort") ? sort : "";

const coveredBy = (cached: CachedElement, pane: Pane | undefined): string | undefined => {
  const over = renderingCache.coveredBy(cached, pane);
  return over && geometry.brief(over);
};

const isDrawnAs = (then: Visual | undefined, cached: CachedElement): boolean => {
  if (!then) return true;
  const { icon, generatedText: written } = renderingCache.visual(cached);
  return then.icon === icon && then.generatedText === written;
};

const record = (found: FoundElement, { number, time, moved, view }: SnapshotTime): RecordedElement => {
  const { element, cached, hidden, action, segment, pane } = found;
  const { left, top, right, bottom, width: wide, height: high } = found.rect;
  const near = right > 0 && bottom > 0 && left < view.width && top < view.height;
  const over = near && !hidden ? coveredBy(cached, pane) : undefined;
  // Scrolled out of its box: nothing can cover it. An element positioned outside of the box is tested where
  // it is.
  const out = pane !== undefined && !geometry.overlaps(found.rect, pane);
  const seen = near && !(out && (hidden || over !== undefined));
  const covered = out ? undefined : over;
  const x = Math.round(left + view.x);
  const y = Math.round(top + view.y);
  const width = Math.round(wide);
  const height = Math.round(high);
  const scrolls = scrollsOf(cached, found.rect);
  const { field, secret, named } = elementCache.traitsOf(cached);
  let state = field ? fieldOf(cached, secret) : "";
  if (scrolls) state += `\n${scrolls}`;
  if (named) state += `\n${nameOf(element)}`;
  const { recorded: told } = cached;
  const stays =
    told !== undefined &&
    cached.touched <= told.at &&
    told.text === found.text &&
    (told.record.contextLabel ?? "") === found.contextLabel &&
    told.state === state &&
    told.record.action === action &&
    told.record.segment === segment &&
    (told.record.hidden ?? false) === hidden &&
    (told.record.sorted ?? "") === sortOf(found) &&
    (told.record.current ?? false) === found.current &&
    isDrawnAs(told.visual, cached) &&
    (told.at >= moved ||
      (told.record.selector === elementPaths.selector(element) &&
        told.record.xpath === elementPaths.xpath(element)));
  if (!stays) {
    const place = { box: [x, y, width, height] as const, inViewport: seen, covered };
    const made: RecordedElement = {
      ...anew(found, place, scrolls),
      ...{ x, y, width, height, inViewport: seen, coveredBy: covered },
      ...{ change: "anew", dx: 0, dy: 0 },
      ...{ snapshot: number, previousSnapshot: told?.snapshot ?? 0, at: time },
      ...{ text: found.text, state },
    };
    cached.recorded = made;
    return made;
  }
  told.dx = x - told.x;
  told.dy = y - told.y;
  if (
    told.width !== width ||
    told.height !== height ||
    told.inViewport !== seen ||
    told.coveredBy !== covered
  )
    told.change = "placed";
  else told.change = told.dx === 0 && told.dy === 0 ? "none" : "shifted";
  told.x = x;
  told.y = y;
  told.width = width;
  told.height = height;
  told.inViewport = seen;
  told.coveredBy = covered;
  told.previousSnapshot = told.snapshot;
  told.snapshot = number;
  told.at = time;
  return told;
};

const whole = (told: RecordedElement): RawElement => {
  const { record, x, y, width, height, inViewport: seen, coveredBy: covered } = told;
  const { box } = record;
  const rests = box[0] === x && box[1] === y && box[2] === width && box[3] === height;
  if (!rests || record.inViewport !== seen || record.coveredBy !== covered) {
    const { coveredBy: _, ...rest } = record;
    const place = { box: [x, y, width, height] as const, inViewport: seen };
    told.record = { ...rest, ...place, ...(covered === undefined ? {} : { coveredBy: covered }) };
  }
  return told.record;
};

export const recorder: Recorder = {
  record,
  complete: whole,
  isScrollable: roomy,
  nameOf,
  cachedNameOf: calledOf,
  attributesOf,
  get labelChanges() {
    return describer.labelChanges;
  },
};
