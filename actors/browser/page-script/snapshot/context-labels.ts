/**
 * Context labels: words of the row, card or heading around an element, by which elements without a name or with the same
 * name are told apart.
 */
import { shorten } from "../dom.ts";
import type { CachedElement } from "./cached-element.ts";
import { describer, type Fingerprint } from "./describer.ts";
import { recorder } from "./recorder.ts";

/** A reported element with its own text. */
export interface LabelledElement {
  readonly element: Element;
  readonly cached: CachedElement;
  readonly text: string;
  /** Text around it; empty where the element needs none. */
  contextLabel: string;
}

const PRIVATE = /^[\s\ue000-\uf8ff\u{f0000}-\u{10fffd}]+$/u;
const AROUND_MOST = 60;
/** Characters of markup in which a short caption is searched; markup contains much white space. */
const MARKUP_MOST = 4_000;
/** Characters: a longer name identifies an element by itself. */
const NAME_MOST = 24;
const LABELLED = "[aria-label],[aria-labelledby]";
const UNSAID = "script,style,template,select,button,[role=button],[aria-hidden=true]";
const ROWS = "tr,li,article,[role=row],[role=listitem],[role=article]";
const FIELDS = "input:not([type=hidden]),textarea,select,[role=combobox],[role=textbox]";
const BOXES = "input[type=checkbox],input[type=radio],[role=switch],[role=checkbox],[role=radio]";
const LEVELS = 4;
const arounds = new WeakMap<Fingerprint, string>();

/** Inputs and result of the last assignment. */
let last: {
  readonly found: readonly LabelledElement[];
  readonly touched: readonly number[];
  readonly prints: ReadonlyMap<number, Fingerprint>;
  readonly labelled: number;
} = { found: [], touched: [], prints: new Map(), labelled: -1 };

/** Whether it is one of several siblings of the same structure. */
const isRow = (element: Element): boolean => {
  if (element.matches(ROWS)) return true;
  const { localName, classList, nextElementSibling: next, previousElementSibling: previous } = element;
  const [name] = classList;
  // Without a class: adjacent siblings of the same tag that contain elements.
  if (name === undefined)
    return element.firstElementChild !== null && [next, previous].some((one) => one?.localName === localName);
  return [next, previous].some((one) => one?.localName === localName && one.classList.contains(name));
};

/** The container of a field without a label, where it has a few words and no other field. */
const captionOf = (field: Element): Element | undefined => {
  if (!field.matches(FIELDS)) return undefined;
  let up = field.parentElement;
  for (let level = 0; up && level < LEVELS; level++, up = up.parentElement) {
    if (up.matches("form,fieldset,section,main,body") || (up.textContent ?? "").length > MARKUP_MOST)
      return undefined;
    const said = shorten(describer.wordsOf(up), AROUND_MOST * 3);
    if (said.length > AROUND_MOST * 2) return undefined;
    const others = [...up.querySelectorAll(FIELDS)].filter((one) => one !== field && one.checkVisibility());
    if (others.length > 0) return undefined;
    if (/\p{L}/u.test(said)) return up;
  }
  return undefined;
};

/** The text directly after a checkbox or radio button. */
const behind = (box: Element): string => {
  if (!box.matches(BOXES) || !box.parentElement || box.parentElement.matches("main,body")) return "";
  for (let node = box.nextSibling; node; node = node.nextSibling) {
    if (node instanceof Element && (node.matches(FIELDS) || node.querySelector(`${FIELDS},a,button`)))
      return "";
    const said = node instanceof Text ? node.data : node instanceof Element ? describer.wordsOf(node) : "";
    if (/\p{L}/u.test(said)) return shorten(said, AROUND_MOST);
  }
  return "";
};

/** Text around the element without its own words; empty where there is no row or where it is long. */
const around = ({ element, cached, text: own }: LabelledElement, print: Fingerprint): string => {
  const known = arounds.get(print);
  if (known !== undefined) return known;
  const after = own === "" && recorder.cachedNameOf(cached) === "" ? behind(element) : "";
  if (after !== "") {
    arounds.set(print, after);
    return after;
  }
  const head = own === "" ? element.closest("th,[role=columnheader]") : null;
  const caption = own === "" ? captionOf(element) : undefined;
  const row = head ?? caption ?? (print.context.length > 0 && isRow(print.scope) ? print.scope : undefined);
  let text = "";
  const walk = document.createTreeWalker(
    row ?? element,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    (node) => {
      if (node instanceof Text)
        return PRIVATE.test(node.data) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
      const passed = node === element || (node instanceof Element && node.matches(UNSAID));
      return passed ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
    },
  );
  while (row && text.length < AROUND_MOST && walk.nextNode()) {
    const { data } = walk.currentNode as Text; // The filter accepts only texts.
    text += `${text === "" ? "" : " "}${data.replace(/\s+/g, " ").trim()}`;
  }
  arounds.set(print, text);
  return text;
};

/** Gives elements without a name, or with the name of another, the words of the row or card around them. */
export function assignContextLabels(
  found: readonly LabelledElement[],
  prints: ReadonlyMap<number, Fingerprint>,
): void {
  const { labelChanges: labelled } = recorder;
  const isAsBefore = ({ cached, text }: LabelledElement, at: number): boolean =>
    last.found[at]?.cached === cached &&
    last.found[at].text === text &&
    last.touched[at] === cached.touched &&
    last.prints.get(cached.id) === prints.get(cached.id);
  if (last.labelled === labelled && last.found.length === found.length && found.every(isAsBefore)) {
    for (const [at, one] of found.entries()) one.contextLabel = last.found[at]?.contextLabel ?? "";
    return;
  }
  last = { found, touched: found.map(({ cached }) => cached.touched), prints, labelled };
  const names = found.map(({ cached, text }) =>
    text === "" || cached.element.matches(LABELLED) ? recorder.cachedNameOf(cached) : text,
  );
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  /** Rows that an element before has already identified. */
  const said = new Set<Element>();
  for (const [at, one] of found.entries()) {
    const name = names[at] ?? "";
    const print = prints.get(one.cached.id);
    if (!print) continue;
    // A placeholder is not a name.
    const asks = name !== "" && name === one.element.getAttribute("placeholder");
    if (name !== "" && counts.get(name) === 1 && !asks) said.add(print.scope);
    else if (name.length <= NAME_MOST && !said.has(print.scope)) one.contextLabel = around(one, print);
  }
  const shared = new Map<string, Set<string>>();
  for (const [at, { contextLabel: around }] of found.entries()) {
    const name = names[at] ?? "";
    if (around !== "") shared.set(name, new Set());
  }
  for (const [at, { contextLabel: around }] of found.entries()) shared.get(names[at] ?? "")?.add(around);
  for (const [at, one] of found.entries()) {
    const name = names[at] ?? "";
    if (name === "" || one.contextLabel === "") continue;
    const alike = (counts.get(name) ?? 0) > 1 && shared.get(name)?.size === 1;
    // A label that all of them share, or that repeats the name, does not tell them apart.
    if (alike || one.contextLabel.toLowerCase() === name.toLowerCase()) one.contextLabel = "";
  }
}
