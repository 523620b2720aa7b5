/**
 * Builds the record of an interactive element for a snapshot, and reuses the previous record while it is
 * valid. Values of password fields are never reported.
 */

import { withoutLigatures } from "../../../../machines/session/controls/icon-font-ligatures.ts";
import type { InteractionType } from "../../../../machines/session/page/page-snapshot.ts";
import type { Pane, Rect, View } from "../actionability/element-geometry.ts";
import { geometry } from "../actionability/element-geometry.ts";
import { registry } from "../page-script-document-state.ts";
import { shorten } from "../shadow-dom.ts";
import { describer } from "./describe-element.ts";
import type { CachedElement, RecordedElement, Visual } from "./element-cache-entry.ts";
import * as elementPaths from "./element-paths.ts";
import * as elementStates from "./element-state.ts";
import * as icons from "./icon-names.ts";
import { ligaturesIn } from "./ligatures-in-element.ts";
import type { RawElement } from "./raw-frame-snapshot.ts";
import { elementCache } from "./snapshot-element-cache.ts";
import * as renderingCache from "./style-and-box-cache.ts";

/**
 * An interactive element that the traversal of the document has found, with the facts that were collected
 * about it.
 */
export interface FoundElement {
  readonly element: Element;
  readonly cached: CachedElement;
  readonly action: InteractionType;
  /** Whether the element is invisible, but something visible, such as its label, operates it. */
  readonly hidden: boolean;
  readonly segment: number;
  readonly rect: Rect;
  /** The visible part of the scroll containers around the element; `undefined` if there are none. */
  readonly pane: Pane | undefined;
  /**
   * Whether the element is only a background of other elements, as a map is. A text on the background belongs
   * to the element that is placed there, and not to the background.
   */
  readonly isBackground: boolean;
  /** The text that the element contains. */
  readonly text: string;
  /** The sort order of the column that the element heads. */
  readonly sort: string;
  /** Whether the page marks the element as the current one, such as the current entry of a menu. */
  readonly current: boolean;
  /** The text around the element that distinguishes it from other elements with the same name. */
  readonly contextLabel: string;
  /**
   * Words of the element's row, for the planner of tasks. They are set only if the element needs no
   * `contextLabel`, for example because its name is unique on the page, or because another element of the row has
   * such a name.
   */
  readonly rowLabel: string;
}

/**
 * Facts about the snapshot that is being taken: its number, its time by the cache's clock (a counter of
 * changes), and the scroll position and size of the window.
 */
export interface SnapshotTime {
  readonly number: number;
  readonly time: number;
  /**
   * Time at which an element was last added, removed or moved in the DOM, by the cache's clock (a counter of
   * changes).
   */
  readonly moved: number;
  readonly view: View;
}

export interface Recorder {
  /**
   * Returns the record of an element. If only the element's position has changed, returns the previous record
   * object with the new position in it.
   */
  record(found: FoundElement, snapshotTime: SnapshotTime): RecordedElement;
  /**
   * Returns the complete record of an element with its current position. Such a record is sent for a new or
   * changed element.
   */
  complete(recorded: RecordedElement): RawElement;
  /** Whether the element is large enough to be reported as scrollable. */
  isScrollable(rect: Rect): boolean;
  nameOf(element: Element): string;
  /** Returns the name of an element, cached until the element changes. */
  cachedNameOf(cached: CachedElement): string;
  /**
   * Counts changes of the page after which the labels of fields may be different. The name of a field may
   * come from a label, so a cached name is valid only while this counter stays the same.
   */
  readonly labelChanges: number;
  attributesOf(element: Element): Readonly<Record<string, string>>;
}

/** Maximum number of characters of a reported text or name. */
const MAX_TEXT_LENGTH = 120;
/** Maximum number of characters of a reported attribute. */
const MAX_ATTRIBUTE_LENGTH = 200;
/** Maximum number of reported attributes of an element. */
const MAX_ATTRIBUTES = 30;
/** Matches attributes in which tooltip libraries store their text. */
const TOOLTIP_ATTRIBUTE = /(^|[-:])(tooltip|tip|original-title|tippy-content)$/;
/** Matches a text that is only a number, such as the number of new messages. */
const COUNTER = /^\d+\+?$/;
/** Minimum width and height in pixels of an element that is reported as scrollable. */
const MIN_SCROLLABLE_SIZE = 40;

/**
 * Selector of the native field of a slider. A component may clip this field away and draw a track around it.
 * The field can still be used, because its value is set without a click.
 */
const SLIDER_FIELD = "input[type=range]";
/** Selector of elements that open a list of options, so that their own text is their value. */
const OPENS_OPTIONS = "[aria-haspopup=listbox],[role=combobox]:not(input)";
/** Selector of descendants whose text never names the element: code, and the options of a list. */
const NAMES_NOTHING = "style,script,select,datalist,[role=listbox],[role=menu]";

/**
 * Returns the text of a label. The label may also contain icons or its field, or show its text in a slot. A label
 * without a text, such as one around a switch, names its field by its tooltip.
 */
const labelText = (element: Element): string => {
  const { textContent: text } = element;
  const plain = element.firstElementChild === null && text?.trim();
  if (plain) return text;
  const words = describer.wordsOf(element) || element.getAttribute("aria-label");
  const shown = words || (element.querySelector(NAMES_NOTHING) ? "" : (text ?? ""));
  if (shown.trim() !== "" || element.localName !== "label") return shown;
  return element.getAttribute("title") || tipOf(element) || shown;
};

/**
 * Whether all words of a label are hidden from assistive technology, such as the "On" and "Off" inside of the
 * label around a switch (PatternFly, Carbon). Such words only show the value and do not name the field.
 */
const isPictureOfValue = (label: Element): boolean =>
  label.querySelector("[aria-hidden=true]") !== null &&
  describer.wordsOf(label).trim() === "" &&
  !label.hasAttribute("aria-label");

/**
 * Returns the labels of a field that name it. A label that only shows the value, such as the "On" of a
 * switch, names the field if nothing else does.
 */
const namingLabelsOf = (element: Element): readonly Element[] => {
  const labels = describer.captionsOf(element);
  const naming = labels.filter((label) => !isPictureOfValue(label));
  const isNamed = naming.length > 0 || Boolean(element.getAttribute("aria-label")?.trim());
  return isNamed ? naming : labels;
};

/**
 * Whether the element `by`, to which a field's `aria-labelledby` refers, only shows the field's value, while
 * another label names the field. So the name of a switch stays the same when it is turned on or off.
 */
const showsValueOf = (by: Element, field: Element): boolean =>
  by.getAttribute("aria-hidden") === "true" &&
  describer.captionsOf(field).some((label) => label.contains(by) && isPictureOfValue(label)) &&
  describer.captionsOf(field).some((label) => !isPictureOfValue(label));

/**
 * Returns the texts of the elements to which `aria-labelledby` refers, joined to one name. An element may
 * refer to itself too: the name of a button "Remove" then consists of this text and the text of the item that
 * the button removes. A list may refer to its value and to its label, such as "Everyone" and "Audience" (React Aria,
 * Material UI, Headless UI). Then only its label names it.
 */
const namedBy = (element: Element): string => {
  const ids = element.getAttribute("aria-labelledby");
  if (!ids) return "";
  const root = element.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return "";
  const named = ids.split(/\s+/).flatMap((id) => {
    const by = root.getElementById(id);
    if (!by || showsValueOf(by, element)) return [];
    const own = by.getAttribute("aria-label")?.trim();
    const word = shorten(own || labelText(by), MAX_TEXT_LENGTH);
    return word === "" ? [] : [{ word, isInside: element.contains(by) }];
  });
  const labels = element.matches(OPENS_OPTIONS) ? named.filter(({ isInside }) => !isInside) : [];
  return (labels.length > 0 ? labels : named).map(({ word }) => word).join(" ");
};

/**
 * Returns the text of an element. If the element also has a tooltip, which names it, the names of the icons
 * in the element are left out.
 */
const ownText = (element: Element): string => {
  const text = labelText(element);
  return element.hasAttribute("title") ? withoutLigatures(text, ligaturesIn(element)) : text;
};

const nameOf = (element: Element): string => {
  const plain = (text: string | null | undefined): string => shorten(text ?? "", MAX_TEXT_LENGTH);
  const labels = namingLabelsOf(element).map((label) => plain(labelText(label)));
  const typed = /^(input|select|textarea)$/.test(element.localName);
  return (
    namedBy(element) ||
    plain(element.getAttribute("aria-label")) ||
    labels.join(" ").trim() ||
    (typed ? "" : plain(ownText(element))) ||
    plain(element.getAttribute("placeholder")) ||
    plain(element.getAttribute("title")) ||
    plain(tipOf(element)) ||
    plain(element.getAttribute("alt")) ||
    imageNameOf(element) ||
    (typed ? "" : plain(icons.generatedText(element))) ||
    plain(tipOfBoxAround(element)) ||
    plain(textAroundTick(element))
  );
};

/**
 * Selector of elements that a script has made a radio button, a checkbox or a switch, such as a `<button
 * role=switch>`.
 */
const DRAWN_TICK = ":is([role=radio],[role=checkbox],[role=switch]):not(input)";
/**
 * Maximum number of ancestors of a scripted radio button, checkbox or switch in which the text beside it is
 * searched for.
 */
const TICK_BOXES = 2;
/**
 * Selector of controls that a person sees. Radix UI adds a hidden input to each of its checkboxes, radio buttons
 * and switches; such inputs are left out.
 */
const OTHER_CONTROLS =
  ":is(a,button,input,select,textarea,[role=radio],[role=checkbox],[role=switch]):not([aria-hidden=true],[type=hidden])";

/**
 * Selector of table rows. The search for the text beside a checkbox ends at its row, because the row's text
 * describes the row.
 */
const ROW = "tr,[role=row]";

/**
 * Returns the text beside a scripted radio button, checkbox or switch: that of the nearest ancestor with a text.
 * Returns an empty text if this ancestor contains another control or is a table row.
 */
const textAroundTick = (element: Element): string => {
  if (!element.matches(DRAWN_TICK)) return "";
  let box = element.parentElement;
  for (let level = 0; box && !box.matches(ROW) && level < TICK_BOXES; level++, box = box.parentElement) {
    const controls = [...box.querySelectorAll(OTHER_CONTROLS)];
    if (controls.some((one) => one !== element && !one.contains(element) && !element.contains(one)))
      return "";
    const text = describer.wordsOf(box).trim();
    if (text !== "") return text;
  }
  return "";
};

/**
 * Returns the name or tooltip of a box that contains only this control. A disabled control receives no
 * pointer events, so pages put it into a box with the tooltip. Some pages also put a link that shows only an
 * icon into such a box (Bugsink, Kallithea).
 */
const tipOfBoxAround = (element: Element): string => {
  const box = element.matches(":disabled,a,button") ? element.parentElement : null;
  if (!box?.matches("span,div") || box.childElementCount !== 1) return "";
  if (!element.matches(":disabled") && box.textContent?.trim() !== "") return "";
  return box.getAttribute("aria-label") || box.getAttribute("title") || tipOf(box);
};

/**
 * Matches a generated id of at least 16 characters, such as `QXXNiBziThdXboU-EBACR` (nanoid in Directus) or a
 * UUID. A tooltip text has spaces or is shorter.
 */
const GENERATED_ID = /^(?=\S*(?:[a-z][A-Z\d]|\d[A-Za-z]))[\w-]{16,}$/;

/** Returns the tooltip text in an attribute of a tooltip library. */
const tipOf = (element: Element): string => {
  const name = element.getAttributeNames().find((text) => TOOLTIP_ATTRIBUTE.test(text));
  const tip = name === undefined ? "" : (element.getAttribute(name) ?? "");
  // In some libraries, the tooltip attribute contains only the position of the tooltip, such as "top", or the
  // generated id of its element. Such a value is ignored.
  return /^(|true|false|top|bottom|left|right|auto)$/.test(tip) || GENERATED_ID.test(tip) ? "" : tip;
};

const cachedNameOf = (cached: CachedElement): string => {
  const { touched } = cached;
  if (cached.name?.touched !== touched || cached.name.at !== describer.labelChanges)
    cached.name = { text: nameOf(cached.element), at: describer.labelChanges, touched };
  return cached.name.text;
};

/** Returns the name of an image or icon inside of an element. */
const imageNameOf = (element: Element): string => {
  for (const inner of element.querySelectorAll("[alt], [aria-label], [title]")) {
    const [name] = ["aria-label", "alt", "title"].flatMap((of) => inner.getAttribute(of)?.trim() || []);
    if (name) return shorten(name, MAX_TEXT_LENGTH);
  }
  return "";
};

const attributesOf = (element: Element): Record<string, string> => {
  const found: Record<string, string> = {};
  const secret = registry.isSecret(element);
  let left = MAX_ATTRIBUTES;
  for (const name of element.getAttributeNames()) {
    if (name === "style" || (name === "value" && secret)) continue;
    if (left-- === 0) break;
    const value = element.getAttribute(name) ?? "";
    found[name] = value.length > MAX_ATTRIBUTE_LENGTH ? value.slice(0, MAX_ATTRIBUTE_LENGTH) : value;
  }
  return found;
};

const isScrollable = ({ height }: Rect): boolean => height >= MIN_SCROLLABLE_SIZE;

const scrollsOf = (cached: CachedElement, rect: Rect): readonly [number, number] | undefined => {
  if (!cached.hasChildren && !isScrollable(rect)) return undefined;
  const overflow = renderingCache.overflow(cached);
  if (overflow !== "auto" && overflow !== "scroll") return undefined;
  const { element } = cached;
  const { scrollHeight, clientHeight, scrollTop } = element;
  if (clientHeight < MIN_SCROLLABLE_SIZE || scrollHeight <= clientHeight + 4) return undefined;
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

/**
 * Returns what a field contains, as text for comparison. The content may change without a DOM mutation, for
 * example when a user types.
 */
const fieldOf = (cached: CachedElement, secret: boolean): string => {
  const { element } = cached;
  // Only form controls have the property `form`. For other elements it is `undefined`.
  const { form } = element as { readonly form?: unknown };
  const owner =
    form instanceof HTMLFormElement ? `${form.getAttribute("id")}\n${form.getAttribute("name")}` : "";
  if (cached.labels?.at !== describer.labelChanges) {
    const labels = describer.captionsOf(element).map(labelText);
    cached.labels = { text: labels.join("\n"), at: describer.labelChanges };
  }
  cached.value = secret ? "" : elementStates.comparableValue(element);
  return `${element.matches(":disabled")}\n${cached.value}\n${owner}\n${cached.labels.text}`;
};

const build = (
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
    rowLabel,
    current,
    isBackground: ground,
  } = found;
  const { box, inViewport, covered } = place;
  const aria = element.getAttribute("aria-label");
  const typed = action === "input";
  const asks = ["placeholder", "aria-placeholder", ...(typed ? ["data-placeholder"] : [])];
  const placeholder = asks.map((name) => element.getAttribute(name)).find((text) => text && text !== "true");
  const role = element.getAttribute("role");
  const sorted = sortOf(found);
  const owner = "form" in element && element.form instanceof HTMLFormElement ? element.form : undefined;
  // `getAttribute` is used, because a field with the name "id" in the form would replace the form's property
  // `id`.
  const [formId, formName] = [owner?.getAttribute("id"), owner?.getAttribute("name")];
  const named = namedBy(element);
  const labels = (named === "" ? namingLabelsOf(element).map(labelText) : [named])
    .map((label) => shorten(label, MAX_TEXT_LENGTH))
    .filter((label) => label !== "");
  const isNamed = labels.length > 0 || Boolean(aria) || element.hasAttribute("title");
  const shown = isNamed ? withoutLigatures(inside, ligaturesIn(element)) : inside;
  const text = shorten(shown, MAX_TEXT_LENGTH);
  const called = labels.length > 0 || aria || placeholder;
  const title = text === "" && !called && !ground ? nameOf(element) : "";
  // Whether the element's own text describes the element. A text without letters or digits may be an icon and
  // describes nothing.
  const says = /[\p{L}\p{N}]/u.test(text || title);
  // A number beside an icon, such as "3" beside a bell, is a counter and names nothing.
  const isCounter = COUNTER.test(text) && element.firstElementChild !== null;
  const visual = called || (says && text !== "" && !isCounter) ? undefined : renderingCache.visual(cached);
  const record: RawElement = {
    id: cached.id,
    tag: cached.tag,
    type: typeOf(element),
    action,
    selector: elementPaths.selector(element),
    xpath: elementPaths.xpath(element),
    ...(text || title ? { text: text || title } : {}),
    ...(visual?.icon && (!says || isCounter) ? { icon: visual.icon } : {}),
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
    ...(rowLabel === "" ? {} : { rowLabel }),
    attributes: attributesOf(element),
    segment,
    ...(scrolls ? { scrolls } : {}),
    box,
    inViewport,
    ...(covered === undefined ? {} : { coveredBy: covered }),
  };
  return { record, visual };
};

/**
 * Returns the sort order of a column for an element in its header. Elements in a header may be nested, so
 * only an element with a text or with `aria-sort` gets the sort order.
 */
const sortOf = ({ element, text, sort }: FoundElement): string =>
  text !== "" || element.hasAttribute("aria-sort") ? sort : "";

/**
 * Returns the element that covers another one. The track around a slider whose field is clipped away (React
 * Aria, Material UI) does not cover the field.
 */
const coveredBy = (cached: CachedElement, pane: Pane | undefined): string | undefined => {
  const over = renderingCache.coveredBy(cached, pane);
  if (over && cached.element.matches(SLIDER_FIELD) && geometry.within(cached.element, over)) return undefined;
  return over && geometry.brief(over);
};

const isDrawnAs = (then: Visual | undefined, cached: CachedElement): boolean => {
  if (!then) return true;
  const { icon, generatedText } = renderingCache.visual(cached);
  return then.icon === icon && then.generatedText === generatedText;
};

/** Matches the tags of form fields. */
const FIELD_TAG = /^(?:input|select|textarea)$/i;

const record = (found: FoundElement, { number, time, moved, view }: SnapshotTime): RecordedElement => {
  const { element, cached, hidden, action, segment, pane } = found;
  const { left, top, right, bottom, width: wide, height: high } = found.rect;
  const near = right > 0 && bottom > 0 && left < view.width && top < view.height;
  // A field that is hidden is operated by a visible control in its place, so it does not matter whether another
  // element covers the field. Any other transparent control cannot be pressed if an element covers it: it is in a
  // closed menu (Ghost).
  const isPressable = !hidden || !FIELD_TAG.test(cached.tag);
  const over = near && isPressable ? coveredBy(cached, pane) : undefined;
  // True if the element is outside of `pane`, the visible part of the scroll containers around it. If the hit
  // test finds another element at its place, this element is scrolled out of view and not covered. If the hit
  // test finds no other element, a style shows this element outside of its scroll containers.
  const out = pane !== undefined && !geometry.overlaps(found.rect, pane);
  const inViewport = near && !(out && (hidden || over !== undefined));
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
  const { recorded } = cached;
  const stays =
    recorded !== undefined &&
    cached.touched <= recorded.at &&
    recorded.text === found.text &&
    (recorded.record.contextLabel ?? "") === found.contextLabel &&
    (recorded.record.rowLabel ?? "") === found.rowLabel &&
    recorded.state === state &&
    recorded.record.action === action &&
    recorded.record.segment === segment &&
    (recorded.record.hidden ?? false) === hidden &&
    (recorded.record.sorted ?? "") === sortOf(found) &&
    (recorded.record.current ?? false) === found.current &&
    isDrawnAs(recorded.visual, cached) &&
    (recorded.at >= moved ||
      (recorded.record.selector === elementPaths.selector(element) &&
        recorded.record.xpath === elementPaths.xpath(element)));
  if (!stays) {
    const place = { box: [x, y, width, height] as const, inViewport, covered };
    const made: RecordedElement = {
      ...build(found, place, scrolls),
      ...{ x, y, width, height, inViewport, coveredBy: covered },
      ...{ change: "full", dx: 0, dy: 0 },
      ...{ snapshot: number, previousSnapshot: recorded?.snapshot ?? 0, at: time },
      ...{ text: found.text, state },
    };
    cached.recorded = made;
    return made;
  }
  recorded.dx = x - recorded.x;
  recorded.dy = y - recorded.y;
  if (
    recorded.width !== width ||
    recorded.height !== height ||
    recorded.inViewport !== inViewport ||
    recorded.coveredBy !== covered
  )
    recorded.change = "moved";
  else recorded.change = recorded.dx === 0 && recorded.dy === 0 ? "none" : "shifted";
  recorded.x = x;
  recorded.y = y;
  recorded.width = width;
  recorded.height = height;
  recorded.inViewport = inViewport;
  recorded.coveredBy = covered;
  recorded.previousSnapshot = recorded.snapshot;
  recorded.snapshot = number;
  recorded.at = time;
  return recorded;
};

const complete = (recorded: RecordedElement): RawElement => {
  const { record, x, y, width, height, inViewport, coveredBy: covered } = recorded;
  const { box } = record;
  const rests = box[0] === x && box[1] === y && box[2] === width && box[3] === height;
  if (!rests || record.inViewport !== inViewport || record.coveredBy !== covered) {
    const { coveredBy: _, ...rest } = record;
    const place = { box: [x, y, width, height] as const, inViewport };
    recorded.record = { ...rest, ...place, ...(covered === undefined ? {} : { coveredBy: covered }) };
  }
  return recorded.record;
};

export const recorder: Recorder = {
  record,
  complete,
  isScrollable,
  nameOf,
  cachedNameOf,
  attributesOf,
  get labelChanges() {
    return describer.labelChanges;
  },
};
