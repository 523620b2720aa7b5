/**
 * In the page: an interactive element as it is told, field by field. What passwords are is told to nobody.
 *
 * Sent as its own source. Neighbour: `walker.ts` finds the elements.
 */

import type { InteractionType } from "../../../../machines/session/page-snapshot.ts";
import type { Pane, Rect, View } from "../actionability/geometry.ts";
import { geometry } from "../actionability/geometry.ts";
import { registry } from "../document-state.ts";
import { shorten } from "../dom.ts";
import type { Note, Told } from "./cached-element.ts";
import { describer } from "./describer.ts";
import { notes } from "./element-cache.ts";
import { paths } from "./element-paths.ts";
import { states } from "./element-state.ts";
import { icons } from "./icons.ts";
import type { RawElement } from "./raw-snapshot.ts";
import type { Drawn } from "./rendering-cache.ts";
import { readings } from "./rendering-cache.ts";

/** An element that was found, and what the walk knows of it. */
export interface Found {
  readonly element: Element;
  readonly note: Note;
  readonly act: InteractionType;
  /** Operable though it is not seen itself. */
  readonly hidden: boolean;
  readonly segment: number;
  readonly rect: Rect;
  /** What the boxes around it that are scrolled let be seen; `undefined`: there are none. */
  readonly pane: Pane | undefined;
  /** Other things lie on it, whose words are none of its own. */
  readonly ground: boolean;
  /** What is written in it. */
  readonly text: string;
  /** How the column is sorted that it heads. */
  readonly sort: string;
  /** The one of several alike that is marked. */
  readonly current: boolean;
  /** What it stands in, where others are called the same. */
  readonly around: string;
}

/** When it is looked. */
export interface Looked {
  readonly number: number;
  readonly time: number;
  /** When something came to stand elsewhere. */
  readonly moved: number;
  readonly view: View;
}

export interface Recorder {
  /** The one of before where it still says all, with the place of now. */
  record(found: Found, look: Looked): Told;
  /** All of it, at the place of now. */
  whole(told: Told): RawElement;
  /** High enough to be told as something that is scrolled. */
  roomy(rect: Rect): boolean;
  nameOf(element: Element): string;
  /** The same, as long as nothing of it changed. */
  calledOf(note: Note): string;
  /** How often the labels of fields were found anew, by which they may be called otherwise. */
  readonly labelled: number;
  attributesOf(element: Element): Readonly<Record<string, string>>;
}

const TEXT_MOST = 120;
const VALUE_MOST = 200;
const ATTRIBUTES_MOST = 30;
const TIP = /(^|[-:])(tooltip|tip|original-title|tippy-content)$/;
/** Pixels. */
const SCROLLS_FROM = 40;

/** Labels of components have their words in a slot, icons beside them that are letters in the markup, or the field in them. */
const said = (element: Element): string => {
  const { textContent: text } = element;
  const plain = element.firstElementChild === null && text?.trim();
  if (plain) return text;
  return describer.wordsOf(element) || (element.querySelector("style,script") ? "" : (text ?? ""));
};

/** By other elements, and by itself where it is one of them: "Remove" of a button, and the name of what it removes. */
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
    (typed ? "" : plain(icons.written(element)))
  );
};

/** What a script shows beside the pointer. */
const tipOf = (element: Element): string => {
  const name = element.getAttributeNames().find((one) => TIP.test(one));
  const tip = name === undefined ? "" : (element.getAttribute(name) ?? "");
  // Some only say where it is shown.
  return /^(|true|false|top|bottom|left|right|auto)$/.test(tip) ? "" : tip;
};

const calledOf = (note: Note): string => {
  const { touched } = note;
  if (note.called?.touched !== touched || note.called.at !== describer.relabelled)
    note.called = { text: nameOf(note.element), at: describer.relabelled, touched };
  return note.called.text;
};

/** What a picture or an icon in it is called. */
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

const scrollsOf = (note: Note, rect: Rect): readonly [number, number] | undefined => {
  if (!note.holds && !roomy(rect)) return undefined;
  const overflow = readings.overflow(note);
  if (overflow !== "auto" && overflow !== "scroll") return undefined;
  const { element } = note;
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

/** Everything of a field that may change without a mutation of it. */
const fieldOf = (note: Note, secret: boolean): string => {
  const { element } = note;
  const { form } = element as { readonly form?: unknown }; // Where there is any.
  const owner =
    form instanceof HTMLFormElement ? `${form.getAttribute("id")}\n${form.getAttribute("name")}` : "";
  if (note.labels?.at !== describer.relabelled) {
    const labels = describer.captionsOf(element).map(said);
    note.labels = { text: labels.join("\n"), at: describer.relabelled };
  }
  note.held = secret ? "" : states.heldBy(element);
  return `${element.matches(":disabled")}\n${note.held}\n${owner}\n${note.labels.text}`;
};

const anew = (
  found: Found,
  place: Pick<RawElement, "box" | "seen"> & { readonly covered: string | undefined },
  scrolls: readonly [number, number] | undefined,
): { readonly record: RawElement; readonly drawn: Drawn | undefined } => {
  const { element, note, act, hidden, segment, text: inside, around, current, ground } = found;
  const { box, seen, covered } = place;
  const aria = element.getAttribute("aria-label");
  const typed = act === "input";
  const asks = ["placeholder", "aria-placeholder", ...(typed ? ["data-placeholder"] : [])];
  const placeholder = asks.map((name) => element.getAttribute(name)).find((text) => text && text !== "true");
  const role = element.getAttribute("role");
  const sorted = sortOf(found);
  const owner = "form" in element && element.form instanceof HTMLFormElement ? element.form : undefined;
  // A field called "id" stands in the place of its form's own property.
  const [formId, formName] = [owner?.getAttribute("id"), owner?.getAttribute("name")];
  const named = namedBy(element);
  const labels = (named === "" ? describer.captionsOf(element).map(said) : [named])
    .map((label) => shorten(label, TEXT_MOST))
    .filter((label) => label !== "");
  const text = shorten(inside, TEXT_MOST);
  const called = labels.length > 0 || aria || placeholder;
  const title = text === "" && !called && !ground ? nameOf(element) : "";
  // A sign says as little, and less where only a font knows it.
  const says = /[\p{L}\p{N}]/u.test(text || title);
  const drawn = called || (says && text !== "") ? undefined : readings.drawn(note);
  const record: RawElement = {
    id: note.id,
    tag: note.tag,
    type: typeOf(element),
    act,
    selector: paths.selector(element),
    xpath: paths.xpath(element),
    ...(text || title ? { text: text || title } : {}),
    ...(drawn?.icon && !says ? { icon: drawn.icon } : {}),
    ...states.of(element, typed ? inside : undefined),
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
    ...(around === "" ? {} : { around }),
    attributes: attributesOf(element),
    segment,
    ...(scrolls ? { scrolls } : {}),
    box,
    seen,
    ...(covered === undefined ? {} : { covered }),
  };
  return { record, drawn };
};

/** Said once: of several parts of a head by the one that says which it is. */
const sortOf = ({ element, text, sort }: Found): string =>
  text !== "" || element.hasAttribute("aria-sort") ? sort : "";

const coveredBy = (note: Note, pane: Pane | undefined): string | undefined => {
  const over = readings.over(note, pane);
  return over && geometry.brief(over);
};

const isDrawnAs = (then: Drawn | undefined, note: Note): boolean => {
  if (!then) return true;
  const { icon, written } = readings.drawn(note);
  return then.icon === icon && then.written === written;
};

const record = (found: Found, { number, time, moved, view }: Looked): Told => {
  const { element, note, hidden, act, segment, pane } = found;
  const { left, top, right, bottom, width: wide, height: high } = found.rect;
  const near = right > 0 && bottom > 0 && left < view.width && top < view.height;
  const over = near && !hidden ? coveredBy(note, pane) : undefined;
  // Scrolled out of its box: nothing lies over it. What is placed apart from that box is hit where it is.
  const out = pane !== undefined && !geometry.isIn(found.rect, pane);
  const seen = near && !(out && (hidden || over !== undefined));
  const covered = out ? undefined : over;
  const x = Math.round(left + view.x);
  const y = Math.round(top + view.y);
  const width = Math.round(wide);
  const height = Math.round(high);
  const scrolls = scrollsOf(note, found.rect);
  const { field, secret, named } = notes.traitsOf(note);
  let state = field ? fieldOf(note, secret) : "";
  if (scrolls) state += `\n${scrolls}`;
  if (named) state += `\n${nameOf(element)}`;
  const { told } = note;
  const stays =
    told !== undefined &&
    note.touched <= told.at &&
    told.text === found.text &&
    (told.record.around ?? "") === found.around &&
    told.state === state &&
    told.record.act === act &&
    told.record.segment === segment &&
    (told.record.hidden ?? false) === hidden &&
    (told.record.sorted ?? "") === sortOf(found) &&
    (told.record.current ?? false) === found.current &&
    isDrawnAs(told.drawn, note) &&
    (told.at >= moved ||
      (told.record.selector === paths.selector(element) && told.record.xpath === paths.xpath(element)));
  if (!stays) {
    const place = { box: [x, y, width, height] as const, seen, covered };
    const made: Told = {
      ...anew(found, place, scrolls),
      ...{ x, y, width, height, seen, covered },
      ...{ change: "anew", dx: 0, dy: 0 },
      ...{ look: number, before: told?.look ?? 0, at: time },
      ...{ text: found.text, state },
    };
    note.told = made;
    return made;
  }
  told.dx = x - told.x;
  told.dy = y - told.y;
  if (told.width !== width || told.height !== height || told.seen !== seen || told.covered !== covered)
    told.change = "placed";
  else told.change = told.dx === 0 && told.dy === 0 ? "none" : "shifted";
  told.x = x;
  told.y = y;
  told.width = width;
  told.height = height;
  told.seen = seen;
  told.covered = covered;
  told.before = told.look;
  told.look = number;
  told.at = time;
  return told;
};

const whole = (told: Told): RawElement => {
  const { record, x, y, width, height, seen, covered } = told;
  const { box } = record;
  const rests = box[0] === x && box[1] === y && box[2] === width && box[3] === height;
  if (!rests || record.seen !== seen || record.covered !== covered) {
    const { covered: _, ...rest } = record;
    const place = { box: [x, y, width, height] as const, seen };
    told.record = { ...rest, ...place, ...(covered === undefined ? {} : { covered }) };
  }
  return told.record;
};

export const recorder: Recorder = {
  record,
  whole,
  roomy,
  nameOf,
  calledOf,
  attributesOf,
  get labelled() {
    return describer.relabelled;
  },
};
