/**
 * In the page: one walk over everything that is rendered in a frame, shadow roots included, which answers what can be
 * acted on, the parts of the page, and on request its text.
 *
 * Sent as its own source. Neighbours: `describer.ts` says what an element is, `hands.ts` acts on what was listed.
 */
import type { SegmentType } from "../../../../machines/session/analysis.ts";
import type { Describer, Print } from "./describer.ts";
import type { Geometry } from "./geometry.ts";
import type { Glance, LookOptions, RawElement, RawFrame, RawLook, RawSegment, RawText } from "./raw.ts";
import type { Found, Recorder } from "./recorder.ts";
import type { Registry } from "./registry.ts";
import type { Stillness } from "./stillness.ts";

export interface Walker {
  glance(): Glance;
  /** Whether the last look would be answered again, but for what styles alone have changed. */
  still(): boolean;
  look(options: LookOptions): RawLook;
  /** What an element was at the last look. */
  printOf(id: number): Print | undefined;
}

export function makeWalker(
  registry: Registry,
  describer: Describer,
  geometry: Geometry,
  recorder: Recorder,
  stillness: Stillness,
): Walker {
  const SKIPPED = new Set(
    "script style noscript template meta link head base title param source track wbr br hr datalist".split(
      " ",
    ),
  );
  const SEGMENTS: Readonly<Record<string, SegmentType>> = {
    header: "header",
    nav: "nav",
    main: "main",
    section: "section",
    article: "article",
    aside: "aside",
    footer: "footer",
    form: "container",
    dialog: "container",
  };
  const SEGMENT_ROLES: Readonly<Record<string, SegmentType>> = {
    banner: "header",
    navigation: "nav",
    main: "main",
    region: "section",
    article: "article",
    complementary: "aside",
    contentinfo: "footer",
    search: "container",
    form: "container",
    dialog: "container",
    alertdialog: "container",
  };
  const TEXT_MOST = 120;
  const SEGMENT_TEXT_MOST = 200;
  const SEEN = { visibilityProperty: true } as const;
  const OPAQUE = { opacityProperty: true } as const;
  const ITEMS = new Set(["li", "tr", "td", "option", "dt", "dd"]);
  let prints = new Map<number, Print>();

  /** Gathers text from what is inside, up to a length. */
  interface Gatherer {
    text: string;
    readonly most: number;
  }
  interface Draft extends Omit<Found, "text">, Gatherer {
    readonly boxed: Element;
    dropped: boolean;
  }
  /** What is handed down the tree. */
  interface Place {
    readonly gatherers: readonly Gatherer[];
    readonly interactive: Draft | undefined;
    readonly segment: number;
    readonly depth: number;
    readonly pointer: boolean;
    /** The parent passes its pointer on to its items. */
    readonly items: boolean;
    readonly level: number;
  }

  const add = (gatherers: readonly Gatherer[], text: string): void => {
    for (const gatherer of gatherers) {
      if (gatherer.text.length < gatherer.most) gatherer.text += gatherer.text === "" ? text : ` ${text}`;
    }
  };

  const glance = (): Glance => {
    const { scrollWidth = 0, scrollHeight = 0 } = document.scrollingElement ?? {};
    return {
      url: location.href,
      title: document.title,
      ready_state: document.readyState,
      scroll: {
        x: Math.round(scrollX),
        y: Math.round(scrollY),
        width: scrollWidth,
        height: scrollHeight,
        viewport_width: innerWidth,
        viewport_height: innerHeight,
      },
    };
  };

  const look = (options: LookOptions): RawLook => {
    registry.gather();
    const drafts: Draft[] = [];
    const segments: (RawSegment & Gatherer)[] = [];
    const texts: RawText[] = [];
    const frames: { at: number; element: Element; segment: number }[] = [];
    const roots: ShadowRoot[] = [];
    const paths = describer.paths();
    // A modal dialog makes everything outside of it inert.
    const modal = [...document.querySelectorAll("dialog:modal")].at(-1);

    const draft = (element: Element, act: RawElement["act"], place: Place): Draft | undefined => {
      if (modal && !geometry.within(element, modal)) return undefined;
      const rect = geometry.boxOf(element);
      const own = geometry.shows(rect) && element.checkVisibility(SEEN);
      const clear = own && element.checkVisibility(OPAQUE);
      const label = own ? undefined : geometry.labelSeen(element);
      if (!own && !label) return undefined;
      const { segment } = place;
      const { localName } = element;
      // What an opaque wrapper paints in its place works; anything else that is not seen cannot be meant.
      if (own && !clear && !/^(input|select|textarea|button|a)$/.test(localName)) return undefined;
      const made: Draft = {
        element,
        act,
        hidden: !clear,
        segment,
        boxed: label ?? element,
        rect: label?.getBoundingClientRect() ?? rect,
        dropped: false,
        text: "",
        most: TEXT_MOST * 2,
      };
      drafts.push(made);
      return made;
    };

    const text = (node: Text, place: Place): void => {
      const { data } = node;
      if (!/\S/.test(data)) return;
      const plain = data.length > 2_000 ? data.slice(0, 2_000) : data;
      const trimmed = plain.replace(/\s+/g, " ").trim();
      add(place.gatherers, trimmed);
      if (options.texts && !place.interactive)
        texts.push({ at: drafts.length, text: trimmed, level: place.level });
    };

    const children = (parent: Element, place: Place, visible: boolean): void => {
      const root = registry.rootOf(parent);
      if (root) {
        roots.push(root);
        for (let node = root.firstChild; node; node = node.nextSibling) step(node, place, visible);
        return;
      }
      if (parent instanceof HTMLSlotElement) {
        const assigned = parent.assignedNodes();
        if (assigned.length > 0) {
          for (const node of assigned) step(node, place, visible);
          return;
        }
      }
      for (let node = parent.firstChild; node; node = node.nextSibling) step(node, place, visible);
    };

    const step = (node: Node, place: Place, visible: boolean): void => {
      if (node instanceof Text) {
        if (visible) text(node, place);
      } else if (node instanceof Element) visit(node, place);
    };

    const visit = (element: Element, place: Place): void => {
      const tag = element.localName;
      if (SKIPPED.has(tag)) {
        if (tag === "title" && element instanceof SVGElement)
          add(place.gatherers, element.textContent?.trim() ?? "");
        return;
      }
      let visible = true;
      if (!element.checkVisibility(SEEN)) {
        // An input that is not rendered may be operated by its label.
        if (tag === "input" || tag === "select") {
          const kind = describer.kindOf(element, tag);
          if (kind) draft(element, kind.act, place);
          return;
        }
        const { display, visibility } = getComputedStyle(element);
        if (display === "contents") visible = visibility === "visible";
        else if (display === "none" || visibility === "visible") return;
        else visible = false;
      }
      if (element instanceof HTMLElement && element.inert) return;
      if (tag.includes("-") && !registry.rootOf(element) && !element.firstElementChild)
        registry.suspect(element);
      if (tag === "iframe" || tag === "frame") {
        frames.push({ at: drafts.length, element, segment: place.segment });
        return;
      }
      if (tag === "img" && visible) {
        const alt = element.getAttribute("alt")?.trim();
        if (alt) add(place.gatherers, alt);
      }
      let next = place;
      const role = element.getAttribute("role");
      const segmentType = (role === null ? undefined : SEGMENT_ROLES[role]) ?? SEGMENTS[tag];
      if (segmentType && visible) {
        const segment = {
          type: segmentType,
          selector: paths.selector(element),
          text: "",
          depth: place.depth,
          most: SEGMENT_TEXT_MOST,
        };
        segments.push(segment);
        next = {
          ...next,
          gatherers: [...next.gatherers, segment],
          segment: segments.length - 1,
          depth: place.depth + 1,
        };
      }
      if (/^h[1-6]$/.test(tag)) next = { ...next, level: Number(tag[1]) };

      const kind = describer.kindOf(element, tag);
      let made: Draft | undefined;
      let byPointer = false;
      if (kind) made = draft(element, kind.act, next);
      else if ((!place.interactive || place.items) && !place.pointer && tag !== "html" && tag !== "body") {
        byPointer = getComputedStyle(element).cursor === "pointer";
        if (byPointer && visible && !controls(element)) made = draft(element, "click", next);
      } else if (place.items && place.pointer && visible && ITEMS.has(tag))
        made = draft(element, "click", next);
      const pointer = place.pointer || byPointer;
      if (made) {
        next = { ...next, gatherers: [...next.gatherers, made], interactive: made };
      }
      const items = byPointer && holdsItems(element);
      if (pointer !== next.pointer || items !== next.items) next = { ...next, pointer, items };
      const from = drafts.length;
      children(element, next, visible);
      if (!made) return;
      const inside = drafts.slice(from).filter(({ dropped }) => !dropped);
      if (kind?.weak && inside.length > 0 && !isPointed(element)) made.dropped = true;
      // A wrapper of nothing but one control, or of items that are each their own.
      if (byPointer && (items || (inside.length === 1 && inside[0]?.text === made.text)) && inside.length > 0)
        made.dropped = true;
    };

    /** A label does what its control does, which is listed itself. */
    const controls = (element: Element): boolean =>
      element instanceof HTMLLabelElement && element.control !== null;
    const isPointed = (element: Element): boolean => getComputedStyle(element).cursor === "pointer";
    const holdsItems = ({ children: items }: Element): boolean =>
      items.length > 1 && [...items].every(({ localName }) => ITEMS.has(localName));

    const place: Place = {
      gatherers: [],
      interactive: undefined,
      segment: -1,
      depth: 0,
      pointer: false,
      items: false,
      level: 0,
    };
    if (document.documentElement) visit(document.documentElement, place);

    const kept = drafts.filter(({ dropped }) => !dropped);
    const before = countsBefore(drafts);
    const printing = describer.prints();
    prints = new Map(kept.map(({ element }) => [registry.idOf(element), printing(element)]));
    const head = glance();
    stillness.keep({
      told: kept,
      frames: frames.map(({ element }) => element),
      roots,
      head: JSON.stringify(head),
    });
    return {
      ...head,
      elements: kept.map((one) => recorder.record(one, paths)),
      segments: segments.map(({ type, selector, text: said, depth }) => ({
        type,
        selector,
        text: describer.collapsed(said, SEGMENT_TEXT_MOST),
        depth,
      })),
      texts: texts.map((one) => ({ ...one, at: before(one.at) })),
      frames: frames.flatMap(({ at, element, segment }) => frameOf(element, before(at), segment, paths)),
      hosts: registry.waiting(),
    };
  };

  /** For a number of drafts, how many of them were kept. */
  const countsBefore = (drafts: readonly Draft[]): ((at: number) => number) => {
    const counts = [0];
    for (const { dropped } of drafts) counts.push((counts.at(-1) ?? 0) + (dropped ? 0 : 1));
    return (at) => counts[at] ?? 0;
  };

  const frameOf = (
    element: Element,
    at: number,
    segment: number,
    paths: ReturnType<Describer["paths"]>,
  ): RawFrame[] => {
    const frameId = registry.frames.get(element);
    if (frameId === undefined || !(element instanceof HTMLElement)) return [];
    return [{ at, frameId, selector: paths.selector(element), ...geometry.contentOf(element), segment }];
  };

  return {
    glance,
    still: () => stillness.still(JSON.stringify(glance())),
    look: (options) => describer.unchanged(() => look(options)),
    printOf: (id) => prints.get(id),
  };
}
