/**
 * In the page: what of an element says something to who looks at it.
 *
 * Icons are often letters in the markup, which no eye reads; some elements that hear of clicks show nothing at all; and
 * what many have in common is told apart by what stands around it. Sent as its own source. Neighbour: `walker.ts` asks.
 */

import type { Rect } from "../actionability/geometry.ts";
import type { Note } from "./cached-element.ts";
import type { Print } from "./describer.ts";
import { describer } from "./describer.ts";
import { recorder } from "./recorder.ts";
import { readings } from "./rendering-cache.ts";

export interface Signs {
  /** A text that a font draws as a picture: the word of a ligature, or letters that only that font knows. */
  isIcon(note: Note, text: string): boolean;
  /** Nothing is drawn of an element without text, which is no more than a strip: no eye finds it. */
  isBlank(note: Note, rect: Rect): boolean;
  /** Nothing is drawn of it, however large it is. */
  isBare(note: Note): boolean;
  /**
   * The parts of it are each chosen by themselves: of a list or a table where the pointer begins with it, and of a menu
   * that lies open over the page.
   */
  holdsItems(element: Element, begins: boolean): boolean;
  /** It is the only one of its kind beside each other that is marked. */
  standsOut(marked: Element): boolean;
  /**
   * One of several alike that take the focus in turn, or of which what is around them hears of clicks.
   * @param heard something around it hears of clicks
   * @param lists what was found of lists in this walk
   */
  isItem(element: Element, heard: boolean, lists: Map<Element, Map<string, boolean>>): boolean;
  /** Gives what has no name, or one of several, the words of the row or card that it stands in. */
  tellApart(found: readonly Alike[], prints: ReadonlyMap<number, Print>): void;
}

/** An element that is told, by its words. */
export interface Alike {
  readonly element: Element;
  readonly note: Note;
  readonly text: string;
  /** What it stands in. */
  around: string;
}

const ITEMS = new Set(["li", "tr", "td", "option", "dt", "dd"]);
const LIGATURE = /^[a-z][a-z0-9_]{1,39}$/;
const PRIVATE = /^[\s\ue000-\uf8ff\u{f0000}-\u{10fffd}]+$/u;
const PICTURES = "img,svg,canvas,video,picture,object,input,button";
/** Pixels: what is thinner is a handle or a gap. */
const STRIP = 24;
const DRAWN_MOST = 20;
const AROUND_MOST = 60;
/** Characters of what a few words are looked for in: markup is set in by blanks. */
const MARKUP_MOST = 4_000;
/** A longer name says enough by itself. */
const NAME_MOST = 24;
const LABELLED = "[aria-label],[aria-labelledby]";
const NAMED = "[aria-label],[aria-labelledby],[title],[tabindex],[role]";
const UNSAID = "script,style,template,select,button,[role=button],[aria-hidden=true]";
const ROWS = "tr,li,article,[role=row],[role=listitem],[role=article]";
const FIELDS = "input:not([type=hidden]),textarea,select,[role=combobox],[role=textbox]";
const BOXES = "input[type=checkbox],input[type=radio],[role=switch],[role=checkbox],[role=radio]";
const LEVELS = 4;
const CLEAR = /^(transparent|rgba\(.*, 0\))$/;
const UNPAINTED = /^(none|transparent|rgba\(.*, 0\))$/;
/** A line with a value parts what can be made larger. */
const RULES =
  ":is([role=presentation],[role=none],[role=toolbar],[role=separator]:not([tabindex='0'],[aria-valuenow])):not([aria-label],[aria-labelledby],[title])";
const WHOLES =
  "h1,h2,h3,h4,h5,h6,main,section,article,form,dialog,nav,header,footer,aside,fieldset,table,[role=dialog],[role=tabpanel]";
const SAID = "[aria-label],[title]";
/** Characters: what has more to read is no item that is chosen. */
const ITEM_MOST = 120;
const arounds = new WeakMap<Print, string>();

/** What was told apart last, and by what. */
let last: {
  readonly found: readonly Alike[];
  readonly touched: readonly number[];
  readonly prints: ReadonlyMap<number, Print>;
  readonly labelled: number;
} = { found: [], touched: [], prints: new Map(), labelled: -1 };

const draws = (element: Element): boolean => {
  const { backgroundColor, boxShadow, borderStyle, fill, stroke } = getComputedStyle(element);
  if (element instanceof SVGGeometryElement) return !UNPAINTED.test(fill) || !UNPAINTED.test(stroke);
  if (!CLEAR.test(backgroundColor) || boxShadow !== "none" || borderStyle !== "none") return true;
  return depicts(element);
};

const depicts = (element: Element): boolean => {
  if (element.matches(PICTURES) || element.querySelector(PICTURES)) return true;
  if (getComputedStyle(element).backgroundImage !== "none") return true;
  return ["::before", "::after"].some(
    (part) => !/^(none|normal|"")$/.test(getComputedStyle(element, part).content),
  );
};

const isBare = (note: Note): boolean => {
  if (note.blank?.at !== note.touched) {
    const { element } = note;
    const inner = element.querySelectorAll("*");
    const is = inner.length <= DRAWN_MOST && ![element, ...inner].some(draws);
    note.blank = { is, at: note.touched };
  }
  return note.blank.is;
};

/** What the page itself says is no more than a line between others, or a box around them. */
const isRule = (element: Element): boolean => {
  if (!element.matches(RULES)) return false;
  return ![element, ...element.querySelectorAll("*")].some(depicts);
};

const popsUp = (element: Element): boolean => /^(absolute|fixed)$/.test(getComputedStyle(element).position);

/** What stands beside it and is alike. */
const besides = ({
  localName,
  classList,
  nextElementSibling: next,
  previousElementSibling: previous,
}: Element) => {
  const [name = ""] = classList;
  return [next, previous].filter(
    (one): one is Element => one?.localName === localName && (one.classList[0] ?? "") === name,
  );
};

/** One of several alike. */
const isRow = (element: Element): boolean => {
  if (element.matches(ROWS)) return true;
  const { localName, classList, nextElementSibling: next, previousElementSibling: previous } = element;
  const [name] = classList;
  // Without a class, which would say so: parts that lie side by side, and are more than a text.
  if (name === undefined)
    return element.firstElementChild !== null && [next, previous].some((one) => one?.localName === localName);
  return [next, previous].some((one) => one?.localName === localName && one.classList.contains(name));
};

/** What a field without a label stands in alone, with a few words. */
const captionOf = (field: Element): Element | undefined => {
  if (!field.matches(FIELDS)) return undefined;
  let up = field.parentElement;
  for (let level = 0; up && level < LEVELS; level++, up = up.parentElement) {
    if (up.matches("form,fieldset,section,main,body") || (up.textContent ?? "").length > MARKUP_MOST)
      return undefined;
    const said = describer.collapsed(describer.wordsOf(up), AROUND_MOST * 3);
    if (said.length > AROUND_MOST * 2) return undefined;
    const others = [...up.querySelectorAll(FIELDS)].filter((one) => one !== field && one.checkVisibility());
    if (others.length > 0) return undefined;
    if (/\p{L}/u.test(said)) return up;
  }
  return undefined;
};

/** What stands directly behind a box to tick. */
const behind = (box: Element): string => {
  if (!box.matches(BOXES) || !box.parentElement || box.parentElement.matches("main,body")) return "";
  for (let node = box.nextSibling; node; node = node.nextSibling) {
    if (node instanceof Element && (node.matches(FIELDS) || node.querySelector(`${FIELDS},a,button`)))
      return "";
    const said = node instanceof Text ? node.data : node instanceof Element ? describer.wordsOf(node) : "";
    if (/\p{L}/u.test(said)) return describer.collapsed(said, AROUND_MOST);
  }
  return "";
};

/** Without its own words; empty where there is no row, or one of much text. */
const around = ({ element, note, text: own }: Alike, print: Print): string => {
  const known = arounds.get(print);
  if (known !== undefined) return known;
  const after = own === "" && recorder.calledOf(note) === "" ? behind(element) : "";
  if (after !== "") {
    arounds.set(print, after);
    return after;
  }
  const head = own === "" ? element.closest("th,[role=columnheader]") : null;
  const caption = own === "" ? captionOf(element) : undefined;
  const row = head ?? caption ?? (print.around.length > 0 && isRow(print.reach) ? print.reach : undefined);
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
    const { data } = walk.currentNode as Text; // As the filter says.
    text += `${text === "" ? "" : " "}${data.replace(/\s+/g, " ").trim()}`;
  }
  arounds.set(print, text);
  return text;
};

export const signs: Signs = {
  isIcon: (note, text) => PRIVATE.test(text) || (LIGATURE.test(text) && readings.icons(note)),

  isBlank(note, { width, height }) {
    const { element } = note;
    if (isRule(element)) return true;
    if (Math.min(width, height) >= STRIP || element.matches(NAMED)) return false;
    return isBare(note);
  },

  isBare,

  holdsItems(element, begins) {
    const items = [...element.children];
    if (items.length < 2) return false;
    if (items.every(({ localName }) => ITEMS.has(localName))) return begins || popsUp(element);
    const [first] = items;
    const [name] = first?.classList ?? [];
    if (!first || name === undefined || first.localName === "span") return false;
    // Beside its items a menu has lines and headings.
    const alike = items.filter((one) => one.localName === first.localName && one.classList.contains(name));
    return alike.length > 1 && alike.length * 3 >= items.length * 2 && popsUp(element);
  },

  standsOut(marked) {
    let others = 0;
    for (const one of marked.parentElement?.children ?? []) {
      if (one === marked || one.localName !== marked.localName) continue;
      if (describer.isMarked(one)) return false;
      others++;
    }
    return others > 0;
  },

  isItem(element, heard, lists) {
    if (element.matches(WHOLES)) return false;
    const text = element.textContent ?? "";
    if (text.length > ITEM_MOST || !(/\S/.test(text) || element.matches(SAID))) return false;
    const { parentElement: parent, localName } = element;
    const [name] = element.classList;
    const sort = `${CSS.escape(localName)}${name === undefined ? ":not([class])" : `.${CSS.escape(name)}`}[tabindex]`;
    const focused = `${sort}:not([tabindex^="-"])`;
    const inList = (list: Element | null, selector: string): boolean => {
      if (heard || !list) return heard;
      const known = lists.get(list) ?? new Map<string, boolean>();
      const takesTurns = known.get(selector) ?? list.querySelector(selector) !== null;
      lists.set(list, known.set(selector, takesTurns));
      return takesTurns;
    };
    if (besides(element).some((one) => one.hasAttribute("tabindex")))
      return inList(parent, `:scope > ${focused}`);
    if (!parent) return false;
    const alike = besides(parent).some((beside) => beside.querySelector(`:scope > ${sort}`) !== null);
    return alike && inList(parent.parentElement, `:scope > * > ${focused}`);
  },

  tellApart(found, prints) {
    const { labelled } = recorder;
    const isAsBefore = ({ note, text }: Alike, at: number): boolean =>
      last.found[at]?.note === note &&
      last.found[at].text === text &&
      last.touched[at] === note.touched &&
      last.prints.get(note.id) === prints.get(note.id);
    if (last.labelled === labelled && last.found.length === found.length && found.every(isAsBefore)) {
      for (const [at, one] of found.entries()) one.around = last.found[at]?.around ?? "";
      return;
    }
    last = { found, touched: found.map(({ note }) => note.touched), prints, labelled };
    const names = found.map(({ note, text }) =>
      text === "" || note.element.matches(LABELLED) ? recorder.calledOf(note) : text,
    );
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    /** Rows in which something before says which they are. */
    const said = new Set<Element>();
    for (const [at, one] of found.entries()) {
      const name = names[at] ?? "";
      const print = prints.get(one.note.id);
      if (!print) continue;
      // What a field asks for is no name of it.
      const asks = name !== "" && name === one.element.getAttribute("placeholder");
      if (name !== "" && counts.get(name) === 1 && !asks) said.add(print.reach);
      else if (name.length <= NAME_MOST && !said.has(print.reach)) one.around = around(one, print);
    }
    const shared = new Map<string, Set<string>>();
    for (const [at, { around }] of found.entries()) {
      const name = names[at] ?? "";
      if (around !== "") shared.set(name, new Set());
    }
    for (const [at, { around }] of found.entries()) shared.get(names[at] ?? "")?.add(around);
    for (const [at, one] of found.entries()) {
      const name = names[at] ?? "";
      if (name === "" || one.around === "") continue;
      const alike = (counts.get(name) ?? 0) > 1 && shared.get(name)?.size === 1;
      // What all of them stand in, or what they are called themselves, tells none of them from the others.
      if (alike || one.around.toLowerCase() === name.toLowerCase()) one.around = "";
    }
  },
};
