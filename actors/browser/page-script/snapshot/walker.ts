/**
 * In the page: one walk over everything that is rendered in a frame, shadow roots included, which answers what can be
 * acted on, the parts of the page, and on request its text.
 *
 * Sent as its own source. Neighbours: `describer.ts` says what an element is, `hands.ts` acts on what was listed.
 */

import { geometry } from "../actionability/geometry.ts";
import { registry } from "../document-state.ts";
import { shorten } from "../dom.ts";
import { stillness } from "../observe/cache-validity.ts";
import type { Note } from "./cached-element.ts";
import type { Draft, Place } from "./candidate.ts";
import { tellApart } from "./context-labels.ts";
import { doubles } from "./dedupe.ts";
import type { Kind, Print } from "./describer.ts";
import { describer } from "./describer.ts";
import { sinks } from "./drawn-editors.ts";
import { notes } from "./element-cache.ts";
import { paths } from "./element-paths.ts";
import { differences } from "./encode-delta.ts";
import { glance } from "./page-head.ts";
import type { Glance, LookOptions, RawFrame, RawNews, RawSegment, RawText } from "./raw-snapshot.ts";
import { recorder } from "./recorder.ts";
import { readings } from "./rendering-cache.ts";
import { panes } from "./scroll-panes.ts";
import { shown as memory } from "./shown-fingerprints.ts";
import type { Gatherer, Line } from "./text-flow.ts";
import { flow } from "./text-flow.ts";
import { signs } from "./visual-cues.ts";

export interface Walker {
  glance(): Glance;
  /**
   * Whether the last look would be answered again, but for what styles alone have changed.
   * @param shown then somebody is told that look
   */
  still(shown: boolean): boolean;
  look(options: LookOptions): RawNews;
}

const TEXT_MOST = 120;
const SEGMENT_TEXT_MOST = 200;
const NATIVE = /^(a|button|input|select|textarea|summary|label|canvas|video|audio)$/;
const POINTED: Kind = { act: "click", weak: true };
const TYPED: Kind = { act: "input", weak: false };
const PAINTED = /^(input|select|textarea|button|a)$/;
const SAYS = /[\p{L}\p{N}]/u;

/** What the last look told. */
interface Last {
  readonly number: number;
  readonly ids: readonly number[];
  readonly segments: string;
  readonly texts: readonly RawText[];
}
let last: Last = {
  number: 0,
  ids: [],
  segments: "[]",
  texts: [],
};
let numbers = 0;

/** Told with it, or with what is around it. */
const isTold = (draft: Draft | undefined): boolean => {
  for (let up = draft; up; up = up.outer) if (!up.dropped) return true;
  return false;
};

const look = ({ since, shown, drawn }: LookOptions): RawNews => {
  if (since === 0) notes.forget();
  registry.gather();
  const time = notes.begin();
  paths.begin();
  panes.begin();
  const view = geometry.view();
  readings.begin(stillness.anew(drawn, view));
  flow.begin();
  const drafts: Draft[] = [];
  const segments: (RawSegment & Gatherer)[] = [];
  const texts: Line<Draft>[] = [];
  const frames: { at: number; element: Element; segment: number }[] = [];
  const roots: ShadowRoot[] = [];
  const scrollers: Element[] = [];
  /** Fields of which what a script draws is told in their place. */
  const replaced = new Set<Element>();
  const editors: Element[] = [];
  const lists = new Map<Element, Map<string, boolean>>();
  // A modal dialog makes everything outside of it inert.
  const modal = [...document.querySelectorAll("dialog:modal")].at(-1);

  /** @param clear it is known to be seen, and opaque */
  const draft = (note: Note, { act, weak }: Kind, place: Place, clear: boolean): Draft | undefined => {
    const { element, tag } = note;
    if (modal && !geometry.within(element, modal)) return undefined;
    const rect = readings.rect(note);
    const own = panes.shows(element, rect, place) && (clear || readings.seen(note));
    const opaque = own && (clear || readings.clear(note));
    const label = own ? undefined : geometry.labelSeen(element);
    if (!own && !label) return undefined;
    // What an opaque wrapper paints in its place works; anything else that is not seen cannot be meant.
    if (own && !opaque && !PAINTED.test(tag)) return undefined;
    // The hidden twin of a widget, for those who send forms without it.
    const twin = place.away && element.getAttribute("tabindex") === "-1";
    if (twin && !(own && opaque && !geometry.isClipped(element))) return undefined;
    const { marked: entry } = place;
    const inEntry = entry !== undefined && entry === element.parentElement;
    const marked = notes.traitsOf(note).marked ? element : inEntry ? entry : undefined;
    const made: Draft = {
      element,
      note,
      act,
      hidden: !opaque,
      segment: place.segment,
      rect: label?.getBoundingClientRect() ?? rect,
      pane: place.pane,
      weak,
      outer: place.interactive,
      dropped: false,
      ground: false,
      text: "",
      most: TEXT_MOST * 2,
      lines: act === "input",
      aside: { text: "", most: TEXT_MOST },
      around: "",
      sort: place.sort,
      current: marked !== undefined && signs.standsOut(marked),
    };
    drafts.push(made);
    return made;
  };

  /** Moved to where nobody can scroll, as closed menus are. */
  const isLost = (note: Note, place: Place): boolean => {
    const rect = readings.rect(note);
    return rect.width > 1 && rect.height > 1 && !panes.shows(note.element, rect, place);
  };

  /** Answers whether anything of it is rendered. */
  const visit = (note: Note, given: Place): boolean => {
    const { element, tag, style } = note;
    const traits = notes.traitsOf(note);
    if (traits.skipped) {
      if (tag === "title" && element instanceof SVGElement)
        flow.addAlt(given.gatherers, element.textContent?.trim() ?? "");
      else if (tag === "br" || tag === "hr") flow.end();
      return false;
    }
    const kind = notes.kindOf(note);
    const parts = notes.partsOf(note);
    if (note.root) roots.push(note.root);
    // Of a mere wrapper that was rendered, what is in it says whether it still is.
    const hollow = !kind && !traits.notable && !note.texts && note.holds;
    const wraps = hollow && note.rendered;
    const clear = kind !== undefined && readings.clear(note);
    let visible = true;
    if (!wraps && !clear && !readings.seen(note)) {
      // An input that is not rendered may be operated by its label.
      if (tag === "input" || tag === "select") {
        if (kind && geometry.isDrawn(geometry.above(element))) draft(note, kind, given, false);
        return false;
      }
      const { display, visibility } = style;
      if (display === "contents" && geometry.isDrawn(geometry.above(element)))
        visible = visibility === "visible";
      else if (display === "none" || display === "contents" || visibility === "visible") {
        note.rendered = false;
        return false;
      } else visible = false;
    }
    if (traits.inert) return true;
    if (traits.custom && !note.root && !element.firstElementChild) registry.suspect(element);
    const mark = flow.enter(note, hollow);
    let place = given;
    if (traits.notable) {
      if (traits.frame) {
        frames.push({ at: drafts.length, element, segment: place.segment });
        return true;
      }
      if (traits.image && visible) {
        const alt = element.getAttribute("alt")?.trim();
        if (alt) flow.addAlt(place.gatherers, alt);
      }
      if (traits.segment && visible) {
        const segment = {
          type: traits.segment,
          selector: paths.selector(element),
          text: "",
          depth: place.depth,
          most: SEGMENT_TEXT_MOST,
        };
        segments.push(segment);
        place = {
          ...place,
          gatherers: [...place.gatherers, segment],
          segment: segments.length - 1,
          depth: place.depth + 1,
        };
      }
    }
    if (traits.sort !== "") place = { ...place, sort: traits.sort };
    if (tag === "li" && (traits.marked || place.marked))
      place = { ...place, marked: traits.marked ? element : undefined };
    if (traits.level > 0) place = { ...place, level: traits.level };
    let made: Draft | undefined;
    let byPointer = false;
    const open = !place.interactive || place.interactive.weak || place.items;
    const text = (!kind || kind.weak) && open && !place.written && readings.writes(note);
    const sink = text && visible ? sinks.of(element) : undefined;
    if (text) place = { ...place, written: true };
    if (sink) {
      made = draft(note, TYPED, place, false);
      if (made) {
        replaced.add(sink);
        editors.push(sinks.frameOf(element, sink));
      }
    } else if (kind) {
      const double = kind.weak
        ? doubles.controls(element)
        : tag === "canvas" && doubles.isBackdrop(element, place.away || traits.muted);
      if (!double) made = draft(note, kind, place, clear);
    } else if (traits.focused && open && visible && signs.isItem(element, place.heard, lists))
      made = draft(note, POINTED, place, false);
    else if (open && !place.pointer && tag !== "html" && tag !== "body") {
      byPointer = readings.pointer(note);
      if (byPointer && visible && !doubles.controls(element)) made = draft(note, POINTED, place, false);
    } else if (place.items && place.pointer && visible && /\S/.test(element.textContent ?? ""))
      made = draft(note, POINTED, place, false);
    // Words are out of sight where what is acted on by them is.
    if ((kind || byPointer) && !made && !place.lost && isLost(note, place)) place = { ...place, lost: true };
    // What is only text moves nothing else when it is scrolled, and a line of it is not told as such.
    const scrolls = note.holds || (made !== undefined && recorder.roomy(made.rect));
    const overflow = scrolls ? readings.overflow(note) : "visible";
    if (overflow !== "visible" && overflow !== "clip") {
      scrollers.push(element);
      const sight = panes.into(note, overflow, place);
      if (sight !== place) place = { ...place, ...sight };
    }
    // Parts of what a script made a control of may be controls of their own.
    const script = kind !== undefined && (kind.weak || !NATIVE.test(tag));
    const pointer = place.pointer || byPointer || (script && readings.pointer(note));
    if (made) {
      // An entry is not called what the entries in it are.
      const role = describer.nestedRole(element);
      const isOuter = (one: Gatherer): boolean =>
        "element" in one && one.element instanceof Element && describer.nestedRole(one.element) === role;
      const outer = role === undefined ? place.gatherers : place.gatherers.filter((one) => !isOuter(one));
      place = { ...place, gatherers: [...outer, made], interactive: made };
    }
    const items = pointer && signs.holdsItems(element, byPointer);
    const muted = place.muted || (traits.muted && place.interactive !== undefined && !made);
    const away = place.away || traits.muted;
    const heard = place.heard || (script && tag !== "body" && registry.listens(element));
    const still = pointer === place.pointer && items === place.items && muted === place.muted;
    if (!still || away !== place.away || heard !== place.heard)
      place = { ...place, pointer, items, muted, away, heard };
    const from = drafts.length;
    let rendered = !wraps;
    for (const part of parts) {
      if (typeof part !== "string") rendered = visit(part, place) || rendered;
      else if (visible) {
        const { interactive: of, level } = place;
        const words = flow.read(part, !of || of.weak || of.lines);
        if (!words) continue;
        const icon = signs.isIcon(note, words.text);
        const aside = icon || place.muted;
        flow.add(place.gatherers, words, aside);
        const read = !icon && !place.lost && (!of || of.weak);
        // Between what lies out of sight stand lines and dots.
        if (read && (SAYS.test(words.text) || !isLost(note, place)))
          texts.push({ at: drafts.length, ...words, level, of });
      }
    }
    flow.leave(note, mark);
    note.rendered = rendered;
    if (made) made.text = flow.gathered(made) || (made.lines ? "" : made.aside.text);
    if (made && (made.weak || drafts.length > from))
      doubles.settle(made, drafts.slice(from), { weak: kind?.weak ?? false, byPointer, items });
    return rendered;
  };

  const top = notes.top();
  if (top) {
    visit(top, {
      gatherers: [],
      interactive: undefined,
      segment: -1,
      depth: 0,
      pointer: false,
      items: false,
      muted: false,
      away: false,
      heard: false,
      lost: false,
      written: false,
      level: 0,
      sort: "",
      marked: undefined,
      view,
      pane: undefined,
    });
  }
  notes.watch(roots);

  for (const one of drafts) {
    // What a script draws beside that text is its lines, a map of it, or the text itself.
    const drawn = one.note.tag === "canvas" && editors.some((editor) => editor.contains(one.element));
    if (drawn || replaced.has(one.element)) one.dropped = true;
  }
  const kept = drafts.filter(({ dropped }) => !dropped);
  const before = flow.countsBefore(drafts);
  const printing = describer.prints();
  const prints = new Map<number, Print>();
  for (const { element, note } of kept) {
    if (note.id === 0) note.id = registry.idOf(element);
    prints.set(note.id, notes.printOf(note, printing));
  }
  memory.looked(prints, shown);
  tellApart(kept, prints);
  const head = glance();
  const number = ++numbers;
  const looked = { number, time, moved: notes.moved(), view };
  const known = since !== 0 && since === last.number ? last : undefined;
  const { ids, ...differing } = differences.of(kept, looked, known);
  const parts = segments.map(({ type, selector, text: said, depth }) => ({
    type,
    selector,
    text: shorten(said, SEGMENT_TEXT_MOST),
    depth,
  }));
  const lines = flow.linesOf(texts, isTold, before);
  const now = {
    number,
    ids,
    segments: JSON.stringify(parts),
    texts: lines,
  };
  stillness.keep({
    told: kept,
    frames: frames.map(({ element }) => element),
    roots,
    scrollers,
    head: JSON.stringify(head),
  });
  last = now;
  return {
    ...head,
    number,
    since: known?.number ?? 0,
    ...differing,
    ...(known && known.segments === now.segments ? {} : { segments: parts }),
    ...(known && differences.sameTexts(known.texts, lines) ? {} : { texts: lines }),
    frames: frames.flatMap(({ at, element, segment }) => frameOf(element, before(at), segment)),
    hosts: registry.waiting(),
  };
};

const frameOf = (element: Element, at: number, segment: number): RawFrame[] => {
  const frameId = registry.frames.get(element);
  if (frameId === undefined || !(element instanceof HTMLElement)) return [];
  return [{ at, frameId, selector: paths.selector(element), ...geometry.contentOf(element), segment }];
};

export const walker: Walker = {
  glance,
  still(shown) {
    const still = stillness.still(JSON.stringify(glance()));
    if (still && shown) memory.again();
    return still;
  },
  look: (options) => describer.unchanged(() => look(options)),
};
