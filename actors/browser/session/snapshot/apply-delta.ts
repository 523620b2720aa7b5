/**
 * Combines a known snapshot of a frame with a delta into the current snapshot. What has not changed stays the
 * same object, so later stages detect changes by comparing references.
 */
import type { RawDelta, RawElement, RawSnapshot } from "../../page-script/snapshot/raw-snapshot.ts";

/** @param before the snapshot with the number `news.since`; returned itself if nothing differs */
export function applyDelta(news: RawDelta, before: RawSnapshot | undefined): RawSnapshot {
  const {
    number: _,
    since,
    order,
    changed: told,
    paths,
    moved: placed,
    shifted,
    segments,
    texts,
    ...rest
  } = news;
  const known = since === 0 ? undefined : before;
  const elements = elementsOf(news, before?.elements ?? [], known);
  const look: RawSnapshot = {
    ...rest,
    scroll: equal(before?.scroll, rest.scroll) ? (before?.scroll ?? rest.scroll) : rest.scroll,
    elements,
    segments: segments ?? known?.segments ?? [],
    texts: texts ?? known?.texts ?? [],
  };
  return known && isSame(known, look) ? known : look;
}

function elementsOf(
  news: RawDelta,
  before: readonly RawElement[],
  known: RawSnapshot | undefined,
): readonly RawElement[] {
  const { order, moved: placed, shifted } = news;
  const told = toldIn(news);
  if (known && !order && told.length === 0 && placed.length === 0 && shifted.length === 0)
    return known.elements;
  const listed =
    known && !order && told.length + placed.length === 0
      ? [...known.elements]
      : anew(news, told, before, known);
  for (const [from, count, dx, dy] of shifted) {
    for (let at = from; at < from + count; at++) {
      const then = listed[at];
      if (!then) continue;
      const [x, y, width, height] = then.box;
      listed[at] = { ...then, box: [x + dx, y + dy, width, height] };
    }
  }
  return listed;
}

/** The elements in their order, with the changes that the delta lists by element. */
function anew(
  { order, moved: placed }: RawDelta,
  told: readonly RawElement[],
  before: readonly RawElement[],
  known: RawSnapshot | undefined,
): RawElement[] {
  const elements = new Map(before.map((element) => [element.id, element]));
  for (const element of told) {
    const then = elements.get(element.id);
    // Something in the element changed, but nothing that a snapshot contains.
    if (!equal(then, element)) elements.set(element.id, element);
  }
  for (const [id, x, y, width, height, seen, covered] of placed) {
    const then = elements.get(id);
    if (!then) continue;
    const { coveredBy: _, ...rest } = then;
    elements.set(id, {
      ...rest,
      box: [x, y, width, height],
      inViewport: seen === 1,
      ...(covered === null ? {} : { coveredBy: covered }),
    });
  }
  return (order ?? known?.elements.map(({ id }) => id) ?? []).flatMap((id) => elements.get(id) ?? []);
}

/** The elements that the delta contains in full. Their paths are stored as differences from the path before. */
function toldIn({ changed: told, paths }: RawDelta): readonly RawElement[] {
  let [selector, xpath] = ["", ""];
  return told.map((element, at) => {
    const [css = 0, rest = "", steps = 0, end = ""] = paths[at] ?? [];
    selector = selector.slice(0, css) + rest;
    xpath = xpath.slice(0, steps) + end;
    const { id, tag, type, action, ...others } = element;
    return { id, tag, type, action, selector, xpath, ...others };
  });
}

function isSame(one: RawSnapshot, other: RawSnapshot): boolean {
  if (one.elements !== other.elements) {
    const { length } = one.elements;
    if (length !== other.elements.length) return false;
    if (!one.elements.every((element, at) => element === other.elements[at])) return false;
  }
  return (
    one.segments === other.segments &&
    one.texts === other.texts &&
    one.closedHosts === other.closedHosts &&
    one.url === other.url &&
    one.title === other.title &&
    one.ready_state === other.ready_state &&
    equal(one.scroll, other.scroll) &&
    equal(one.frames, other.frames)
  );
}

const equal = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
