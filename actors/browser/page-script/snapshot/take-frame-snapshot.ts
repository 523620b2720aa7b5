/**
 * Takes a snapshot of a frame by one traversal of everything that is rendered, including shadow roots. It
 * reports interactive elements, segments (regions such as main or navigation) and texts.
 */

import { geometry } from "../actionability/element-geometry.ts";
import * as cacheValidity from "../observe/snapshot-validity.ts";
import { registry } from "../page-script-document-state.ts";
import { shorten } from "../shadow-dom.ts";
import * as drawnEditors from "./code-editors-and-terminals.ts";
import { assignContextLabels } from "./context-labels-of-elements.ts";
import type { Fingerprint, Interaction } from "./describe-element.ts";
import { describer } from "./describe-element.ts";
import * as dedupe from "./duplicate-elements.ts";
import * as visualCues from "./element-appearance.ts";
import type { CachedElement } from "./element-cache-entry.ts";
import { fingerprints } from "./element-fingerprints-seen-by-caller.ts";
import * as elementPaths from "./element-paths.ts";
import { isInClosedDialog, isUnreachable } from "./elements-in-closed-layers.ts";
import * as passiveElements from "./elements-reacting-only-to-hover.ts";
import * as deltaEncoder from "./encode-snapshot-delta.ts";
import type { Line, TextCollector } from "./join-texts-of-page-elements.ts";
import * as textFlow from "./join-texts-of-page-elements.ts";
import { pageHead } from "./page-address-and-title.ts";
import {
  type PageHead,
  type RawDelta,
  type RawFrame,
  type RawSegment,
  type RawText,
  type SnapshotOptions,
  VALID_SNAPSHOT,
} from "./raw-frame-snapshot.ts";
import * as scrollContainers from "./scroll-container-extents.ts";
import { elementCache } from "./snapshot-element-cache.ts";
import type { Candidate, WalkContext } from "./snapshot-element-candidate.ts";
import { recorder } from "./snapshot-element-records.ts";
import * as renderingCache from "./style-and-box-cache.ts";

export interface Snapshots {
  head(): PageHead;
  /**
   * Returns whether the last snapshot is still valid. It checks mutations, field values and scroll positions.
   * For changes of styles, the caller compares Chromium's counts, which are sent with `stamp`. If a small
   * page has changed, it returns a new snapshot instead of false, which saves a round trip.
   */
  checkOrTake(options: Pick<SnapshotOptions, "since" | "shown" | "stamp">): RawDelta | boolean;
  take(options: SnapshotOptions): RawDelta;
}

/**
 * Maximum number of elements of a small page. A new snapshot of such a page takes at most half a millisecond
 * (12 µs for each element), which is not longer than the round trip that it saves.
 */
const SMALL_PAGE = 40;

/** Maximum number of characters of an element's text in a snapshot. */
const MAX_TEXT_LENGTH = 120;
/** Maximum number of characters of text that are collected for a segment, such as the main part of a page. */
const MAX_SEGMENT_TEXT = 200;
/**
 * Matches tags of native controls. The children of such a control have its pointer cursor too, but this does
 * not make them interactive.
 */
const NATIVE_TAG = /^(a|button|input|select|textarea|summary|label|canvas|video|audio)$/;
/** If only the pointer cursor marks an element as interactive, a click is reported as the way to use it. */
const CLICKED_BY_POINTER: Interaction = { action: "click", weak: true };
/** How callers use a text that a code editor or a terminal draws: they type into it. */
const TYPED_INTO: Interaction = { action: "input", weak: false };
/**
 * Matches tags of native controls that a component often makes transparent. The element around the control is
 * then drawn instead.
 */
const DRAWN_BY_WRAPPER = /^(input|select|textarea|button|a)$/;
/**
 * Matches tags of form fields. A field may be invisible, because a component draws another element in its place.
 */
const FIELD = /^(input|select|textarea)$/;

/** The last snapshot. The next snapshot is sent as differences from this one. */
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
/** Number of elements that the last snapshot has visited. */
let visited = 0;

/** Whether the snapshot reports this interactive element, or another one around it. */
const isReported = (candidate: Candidate | undefined): boolean => {
  for (let up = candidate; up; up = up.outer) if (!up.dropped) return true;
  return false;
};

const takeSnapshot = ({ since, shown, rendered: isRendered }: Omit<SnapshotOptions, "stamp">): RawDelta => {
  if (since === 0) elementCache.forget();
  visited = 0;
  registry.collect();
  const time = elementCache.beginWalk();
  elementPaths.begin();
  scrollContainers.begin();
  passiveElements.begin();
  const view = geometry.view();
  renderingCache.begin(cacheValidity.invalidated(isRendered, view));
  textFlow.begin();
  const candidates: Candidate[] = [];
  const segments: (RawSegment & TextCollector)[] = [];
  const texts: Line<Candidate>[] = [];
  const frames: { at: number; element: Element; segment: number }[] = [];
  const roots: ShadowRoot[] = [];
  const scrollers: Element[] = [];
  /**
   * Hidden fields that receive the keys for editors which draw their text themselves. The snapshot contains the
   * drawn text in place of such a field.
   */
  const replaced = new Set<Element>();
  const editors: Element[] = [];
  const lists = new Map<ParentNode, Map<string, boolean>>();
  /**
   * Whether the last text of the current line can be reached by scrolling, according to the elements that
   * were visited so far.
   */
  let isLineReachable = false;
  // Elements outside of a modal dialog are inert. So when a modal dialog is open, only elements in it are
  // reported.
  const modal = [...document.querySelectorAll("dialog:modal")].at(-1);

  /**
   * Adds an interactive element that the snapshot may report.
   * @param clear whether the caller knows already that the element is visible and not transparent
   */
  const addCandidate = (
    cached: CachedElement,
    { action, weak }: Interaction,
    context: WalkContext,
    clear: boolean,
  ): Candidate | undefined => {
    const { element, tag } = cached;
    if (modal && !geometry.within(element, modal)) return undefined;
    const rect = renderingCache.rect(cached);
    const own =
      scrollContainers.isReachable(element, rect, context) && (clear || renderingCache.isVisible(cached));
    const opaque = own && (clear || renderingCache.isOpaque(cached));
    const label = own ? undefined : geometry.visibleLabel(element);
    if (!own && !label) return undefined;
    // A popup in a folded (closed) box may be positioned outside of the box, where it is visible. So an
    // element in a folded box is left out only if another element covers it. A field is kept, because a
    // visible control may represent it.
    if (context.folded && !FIELD.test(tag) && geometry.coveredBy(element) !== undefined) return undefined;
    // A transparent native control is reported, because an opaque element around it usually draws its
    // appearance. Other transparent elements are not reported.
    if (own && !opaque && !DRAWN_BY_WRAPPER.test(tag)) return undefined;
    // Some components contain an input only to submit its value with the form. Such an input is hidden from
    // assistive technology and cannot get the focus. It is not reported.
    const isFormTwin = context.ariaHidden && element.getAttribute("tabindex") === "-1";
    if (isFormTwin && !(own && opaque && !geometry.isClipped(element))) return undefined;
    const { markedItem: entry } = context;
    const inEntry = entry !== undefined && entry === element.parentElement;
    const marked = elementCache.traitsOf(cached).marked ? element : inEntry ? entry : undefined;
    const candidate: Candidate = {
      element,
      cached,
      action,
      hidden: !opaque,
      segment: context.segment,
      rect: label?.getBoundingClientRect() ?? rect,
      pane: context.pane,
      weak,
      outer: context.parent,
      dropped: false,
      isBackground: false,
      text: "",
      maxLength: MAX_TEXT_LENGTH * 2,
      lines: action === "input",
      fallbackText: { text: "", maxLength: MAX_TEXT_LENGTH },
      contextLabel: "",
      rowLabel: "",
      sort: context.sort,
      current: marked !== undefined && visualCues.isOnlyMarked(marked),
    };
    candidates.push(candidate);
    return candidate;
  };

  /** Visits an element and its descendants. Returns whether any of them is rendered. */
  const visit = (cached: CachedElement, parentContext: WalkContext): boolean => {
    const { element, tag } = cached;
    visited++;
    const traits = elementCache.traitsOf(cached);
    if (traits.skipped) {
      if (tag === "title" && traits.svg)
        textFlow.addAlt(parentContext.collectors, element.textContent?.trim() ?? "");
      else if (tag === "br" || tag === "hr") textFlow.end();
      return false;
    }
    const kind = elementCache.kindOf(cached);
    const passive =
      (kind?.weak || traits.svg) &&
      passiveElements.isPassive(
        element,
        renderingCache.hasPointerCursor(cached) && (parentContext.inClickListener || !traits.svg),
      );
    const interaction = passive ? undefined : kind;
    const parts = elementCache.partsOf(cached);
    if (cached.root) roots.push(cached.root);
    // An element without content of its own counts as rendered if at least one element inside of it is
    // rendered.
    const hollow = !interaction && !traits.notable && !cached.hasTexts && cached.hasChildren;
    const wraps = hollow && cached.rendered;
    // `isInClosedDialog` needs the opacity of elements with texts too. If an element is opaque, it is also
    // visible, so its visibility need not be computed.
    const opaque = (interaction !== undefined || cached.hasTexts) && renderingCache.isOpaque(cached);
    const clear = interaction !== undefined && opaque;
    let visible = true;
    if (!wraps && !opaque && !renderingCache.isVisible(cached)) {
      // A hidden input is reported if its label is visible, because a click on the label operates it.
      if (tag === "input" || tag === "select") {
        if (interaction && geometry.isDrawn(geometry.renderedParent(element)))
          addCandidate(cached, interaction, parentContext, false);
        return false;
      }
      const display = renderingCache.display(cached);
      if (display === "contents" && geometry.isDrawn(geometry.renderedParent(element)))
        visible = renderingCache.styleOf(cached).visibility === "visible";
      else if (
        display === "none" ||
        display === "contents" ||
        renderingCache.styleOf(cached).visibility === "visible"
      ) {
        cached.rendered = false;
        return false;
      } else visible = false;
    }
    if (traits.inert) return true;
    if (traits.custom && !cached.root && !element.firstElementChild) registry.suspectClosedRoot(element);
    const mark = textFlow.enter(cached, hollow);
    let context = parentContext;
    if (traits.notable) {
      if (traits.frame) {
        frames.push({ at: candidates.length, element, segment: context.segment });
        return true;
      }
      if (traits.image && visible) {
        const alt = element.getAttribute("alt")?.trim();
        if (alt) textFlow.addAlt(context.collectors, alt);
      }
      if (traits.segment && visible) {
        const segment = {
          type: traits.segment,
          selector: elementPaths.selector(element),
          text: "",
          depth: context.depth,
          maxLength: MAX_SEGMENT_TEXT,
        };
        segments.push(segment);
        context = {
          ...context,
          collectors: [...context.collectors, segment],
          segment: segments.length - 1,
          depth: context.depth + 1,
        };
      }
    }
    if (traits.dialog) context = { ...context, inDialog: true };
    if (traits.sort !== "") context = { ...context, sort: traits.sort };
    if (tag === "li" && (traits.marked || context.markedItem))
      context = { ...context, markedItem: traits.marked ? element : undefined };
    if (traits.level > 0) context = { ...context, level: traits.level };
    let candidate: Candidate | undefined;
    let byPointer = false;
    const open = !context.parent || context.parent.weak || context.ownItems;
    const text =
      (!interaction || interaction.weak) &&
      open &&
      !context.underTextCursor &&
      renderingCache.hasTextCursor(cached);
    const keyField = text && visible ? drawnEditors.keyFieldOf(element) : undefined;
    if (text) context = { ...context, underTextCursor: true };
    if (keyField) {
      candidate = addCandidate(cached, TYPED_INTO, context, false);
      if (candidate) {
        replaced.add(keyField);
        editors.push(drawnEditors.editorOf(element, keyField));
      }
    } else if (interaction) {
      const isDuplicate = interaction.weak
        ? dedupe.isRedundantLabel(element) || dedupe.isSurfaceBehindDialog(element)
        : tag === "canvas" && dedupe.isBackdrop(element, context.ariaHidden || traits.muted);
      if (!isDuplicate) candidate = addCandidate(cached, interaction, context, clear);
    } else if (
      traits.hasTabIndex &&
      !passive &&
      open &&
      visible &&
      visualCues.isItem(element, context.inClickListener, lists)
    )
      candidate = addCandidate(cached, CLICKED_BY_POINTER, context, false);
    else if (open && !passive && !context.pointer && tag !== "html" && tag !== "body") {
      byPointer = renderingCache.hasPointerCursor(cached);
      if (byPointer && visible && !dedupe.isRedundantLabel(element))
        candidate = addCandidate(cached, CLICKED_BY_POINTER, context, false);
    } else if (context.ownItems && context.pointer && visible && /\S/.test(element.textContent ?? ""))
      candidate = addCandidate(cached, CLICKED_BY_POINTER, context, false);
    // Controls outside of an open modal dialog are inert, so their texts are marked as inert. An element with
    // only a listener or a `tabindex` does not count as a control here, because it may contain the whole
    // page.
    if (modal && (byPointer || interaction?.weak === false) && !geometry.within(element, modal))
      context = { ...context, inInertControl: true };
    // The control is not in the snapshot. If scrolling cannot reach it, or if it is in a folded (closed) box,
    // the texts in it are left out too.
    if ((interaction || byPointer) && !candidate && !context.unreachable)
      if (context.folded || isUnreachable(cached, context)) context = { ...context, unreachable: true };
    // `overflow` is read only for an element with child elements, or for a tall one that the snapshot
    // reports. An element with only text scrolls no other element.
    const scrolls = cached.hasChildren || (candidate !== undefined && recorder.isScrollable(candidate.rect));
    const overflow = scrolls ? renderingCache.overflow(cached) : "visible";
    if (overflow !== "visible" && overflow !== "clip") {
      scrollers.push(element);
      const reach = scrollContainers.reachInside(cached, overflow, context);
      if (reach !== context) context = { ...context, ...reach };
    }
    // A control that a script defines may contain other controls, so its children are visited too.
    const isScripted = interaction !== undefined && (interaction.weak || !NATIVE_TAG.test(tag));
    const pointer = context.pointer || byPointer || (isScripted && renderingCache.hasPointerCursor(cached));
    if (candidate) {
      // The name of a tree or menu entry does not contain the texts of entries nested in it.
      const role = describer.nestedRole(element);
      const isOuter = (entry: TextCollector): boolean =>
        "element" in entry &&
        entry.element instanceof Element &&
        describer.nestedRole(entry.element) === role;
      const outer =
        role === undefined ? context.collectors : context.collectors.filter((entry) => !isOuter(entry));
      context = { ...context, collectors: [...outer, candidate], parent: candidate };
    }
    const items = pointer && visualCues.hasItems(element, byPointer);
    const decorative = context.decorative || (traits.muted && context.parent !== undefined && !candidate);
    const ariaHidden = context.ariaHidden || traits.muted;
    const inClickListener =
      context.inClickListener || (isScripted && tag !== "body" && registry.hasClickListener(element));
    const isUnchanged =
      pointer === context.pointer && items === context.ownItems && decorative === context.decorative;
    if (!isUnchanged || ariaHidden !== context.ariaHidden || inClickListener !== context.inClickListener)
      context = {
        ...context,
        pointer,
        ownItems: items,
        decorative,
        ariaHidden,
        inClickListener,
      };
    const from = candidates.length;
    let rendered = !wraps;
    for (const part of parts) {
      if ("element" in part) rendered = visit(part, context) || rendered;
      else if (visible && (opaque || !context.folded)) {
        const { parent, level } = context;
        const words = textFlow.read(part, !parent || parent.weak || parent.lines);
        if (!words) continue;
        const icon = visualCues.isIcon(cached, part);
        const isAside = icon || context.decorative;
        textFlow.add(context.collectors, words, isAside);
        const isReadable =
          !icon &&
          !context.unreachable &&
          (!parent || parent.weak) &&
          !isInClosedDialog(cached, context.inDialog, context);
        if (words.startsLine) isLineReachable = false;
        // A text that scrolling cannot reach is kept only if it contains letters or digits. Other texts at
        // such places are often only separators. The box of a text that continues a line is not read: it is
        // as reachable as its line.
        const isKept = isReadable && (part.hasWords || isLineReachable || !isUnreachable(cached, context));
        if (!icon) isLineReachable = isKept || (parent?.weak === false && !context.unreachable);
        if (isKept)
          texts.push({
            at: candidates.length,
            text: words.text,
            separator: words.separator,
            startsLine: words.startsLine,
            level,
            of: parent,
            isInert: context.inInertControl,
          });
      }
    }
    textFlow.leave(cached, mark);
    cached.rendered = rendered;
    if (candidate)
      candidate.text = textFlow.collected(candidate) || (candidate.lines ? "" : candidate.fallbackText.text);
    if (candidate && (candidate.weak || candidates.length > from))
      dedupe.resolve(candidate, candidates.slice(from), {
        weak: interaction?.weak ?? false,
        byPointer,
        items,
      });
    return rendered;
  };

  const top = elementCache.top();
  if (top) {
    visit(top, {
      collectors: [],
      parent: undefined,
      segment: -1,
      depth: 0,
      pointer: false,
      ownItems: false,
      decorative: false,
      ariaHidden: false,
      inClickListener: false,
      unreachable: false,
      inInertControl: false,
      inDialog: false,
      underTextCursor: false,
      level: 0,
      sort: "",
      markedItem: undefined,
      view,
      pane: undefined,
      folded: false,
    });
  }
  elementCache.watch(roots);

  for (const entry of candidates) {
    // A canvas inside of an editor is not reported, because the editor draws its line numbers, minimap or
    // text on it.
    const drawn = entry.cached.tag === "canvas" && editors.some((editor) => editor.contains(entry.element));
    if (drawn || replaced.has(entry.element)) entry.dropped = true;
  }
  const kept = candidates.filter(({ dropped }) => !dropped);
  const before = textFlow.countsBefore(candidates);
  const fingerprintOf = describer.fingerprints();
  const fingerprintById = new Map<number, Fingerprint>();
  for (const { element, cached } of kept) {
    if (cached.id === 0) cached.id = registry.idOf(element);
    fingerprintById.set(cached.id, elementCache.fingerprintOf(cached, fingerprintOf));
  }
  fingerprints.update(fingerprintById, shown);
  assignContextLabels(kept, fingerprintById);
  const head = pageHead();
  const number = ++numbers;
  const taken = { number, time, moved: elementCache.movedAt(), view };
  const known = since !== 0 && since === last.number ? last : undefined;
  const { ids, ...differing } = deltaEncoder.encode(kept, taken, known);
  const parts = segments.map(({ type, selector, text: said, depth }) => ({
    type,
    selector,
    text: shorten(said, MAX_SEGMENT_TEXT),
    depth,
  }));
  const lines = textFlow.linesOf(texts, isReported, before);
  const now = {
    number,
    ids,
    segments: JSON.stringify(parts),
    texts: lines,
  };
  cacheValidity.remember({
    elements: kept,
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
    ...(known && deltaEncoder.sameTexts(known.texts, lines) ? {} : { texts: lines }),
    frames: frames.flatMap(({ at, element, segment }) => frameOf(element, before(at), segment)),
    closedHosts: registry.suspectCount(),
  };
};

const frameOf = (element: Element, at: number, segment: number): RawFrame[] => {
  const frameId = registry.frames.get(element);
  if (frameId === undefined || !(element instanceof HTMLElement)) return [];
  return [
    { at, frameId, selector: elementPaths.selector(element), ...geometry.contentBox(element), segment },
  ];
};

/**
 * Whether the page is small. The measure is the number of elements that the last snapshot visited; before the
 * first snapshot, it is the number of elements in the document.
 */
const isSmall = (): boolean =>
  (last.number === 0 ? document.getElementsByTagName("*").length : visited) <= SMALL_PAGE;

const isCurrent = (shown: boolean): boolean => {
  const isUnchanged = cacheValidity.isValid(JSON.stringify(pageHead()));
  if (isUnchanged && shown) fingerprints.showLatest();
  return isUnchanged;
};

const take = (options: Omit<SnapshotOptions, "stamp">): RawDelta =>
  describer.withCachedLabels(() => takeSnapshot(options));

/**
 * Makes Chromium send its counts of style recalculations and layouts, in an event with the title `stamp`. The
 * event precedes the answer of the running call, so the counts need no round trip of their own.
 */
const sendCounts = (stamp: string): void => console.timeStamp(stamp);

export const snapshots: Snapshots = {
  head: pageHead,
  checkOrTake({ since, shown, stamp }) {
    const isValid = isCurrent(shown);
    sendCounts(isValid ? stamp + VALID_SNAPSHOT : stamp);
    return isValid || !isSmall() ? isValid : take({ since, shown, rendered: true });
  },
  take({ stamp, ...options }) {
    const delta = take(options);
    sendCounts(stamp);
    return delta;
  },
};
