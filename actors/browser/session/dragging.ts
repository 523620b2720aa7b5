/**
 * Dragging one element onto another, both ways that pages know: the browser's own drag and drop, and scripts that
 * follow the pointer.
 *
 * Where the browser's own begins, Chromium hands over what is dragged instead of giving it to a desktop that is not
 * there, and the rest is told to the page as drag events. Neighbours: `touch.ts` has the pointer, `injected/drags.ts`
 * says what came of it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { limits } from "../../../machines/limits.ts";
import type { Action } from "../../../machines/session/actions.ts";
import { aimAt, failureOf, inDocument, outwards, type Point, release, type Target, targetOf } from "./aim.ts";
import { ActFailure } from "./failure.ts";
import type { Data, Touch } from "./touch.ts";
import { told } from "./touch.ts";

type Params = Extract<Action, { name: "drag_drop" }>["params"];

/** What the browser carries, as it tells and is told. */
interface DragData {
  readonly items: { mimeType: string; data: string; title?: string; baseURL?: string }[];
  readonly files?: string[];
  readonly dragOperationsMask: number;
}

/** Moves on the way: scripts that follow the pointer want to see it come. */
const STEPS = 12;
/** Pixels after which scripts and the browser take a pressed button for a drag. */
const PULL = 8;
/** Times that a goal is looked for again once it was reached. */
const SETTLING = 4;
/** Between two moves, in milliseconds: a frame of the page. */
const PACE = 16;

export async function dragAndDrop(touch: Touch, params: Params): Promise<Data> {
  const { tab } = touch;
  const { index, selector, to_index, to_selector, by, position } = params;
  const source = await elementOf(touch, index, selector);
  const goal =
    to_index === undefined && to_selector === undefined
      ? undefined
      : await elementOf(touch, to_index, to_selector);
  const before = touch.before();
  // First where it goes to, so that the one to be taken is in sight afterwards.
  if (goal) await pointOf(touch, goal, position);
  const from = await aimAt(tab, source, performance.now() + limits.session.actionableWithin);
  await inDocument(tab, source.index, tab.frames.call(source.frame, "drags", "watch", source.id));
  await touch.permitted();
  const intercepted = interceptedDrag(touch);
  let pressed = false;
  try {
    await tab.answer(tab.session.send("Input.setInterceptDrags", { enabled: true }));
    await touch.move(from.x, from.y);
    await mouse(touch, "mousePressed", from);
    pressed = true;
    const after = await touch.aftermath(source);
    if (after?.stopped && after.met.length === 0) throw await failureOf(tab, source.index, after.stopped);
    // From here on the pointer meets other elements, and is meant to.
    await release(tab);
    await mouse(touch, "mouseMoved", { x: from.x + PULL / 2, y: from.y + PULL / 2 });
    await mouse(touch, "mouseMoved", { x: from.x + PULL, y: from.y + PULL });
    const began = await inDocument(tab, source.index, tab.frames.call(source.frame, "drags", "began"));
    const data = began ? await intercepted.within(limits.session.dispatchWithin) : undefined;
    const to = goal
      ? await pointOf(touch, goal, position)
      : { x: from.x + (by?.x ?? 0), y: from.y + (by?.y ?? 0) };
    if (data) await carry(touch, data, from, to);
    else {
      for (const point of steps(from, to)) {
        await mouse(touch, "mouseMoved", point);
        await pause(PACE);
      }
      // What moves out of the way moves the goal as well: it is followed until it rests.
      for (let look = 0; goal && look < SETTLING; look++) {
        const now = await pointOf(touch, goal, position);
        if (position === "on" && look > 0) break;
        await mouse(touch, "mouseMoved", { x: now.x + (look % 2), y: now.y });
        await pause(PACE * 3);
      }
    }
    if (!data) await mouse(touch, "mouseReleased", tab.pointer);
    pressed = false;
  } finally {
    if (pressed) await mouse(touch, "mouseReleased", tab.pointer).catch(() => {});
    await tab.session.send("Input.setInterceptDrags", { enabled: false }).catch(() => {});
    await release(tab);
  }
  // Lists put what was dropped into its place with a short animation.
  await pause(limits.session.dropSettles);
  const effect = await touch.effect(before, undefined, undefined);
  if (effect.effect !== "unknown") return { dropped: true, element: told(source), ...effect };
  const outcome = await inDocument(
    tab,
    source.index,
    tab.frames.call(source.frame, "drags", "outcome", source.id),
  );
  const { reordered, moved, changes, position: at, heard, alive } = outcome;
  const away = Math.abs(moved[0]) + Math.abs(moved[1]) > 1;
  return {
    dropped: true,
    native: heard.includes("dragstart"),
    element: told(source),
    effect: !alive
      ? "element_gone"
      : reordered
        ? "reordered"
        : away
          ? "moved"
          : changes > 0
            ? "changed"
            : "nothing_changed",
    position: at,
    moved: { x: moved[0], y: moved[1] },
    changes,
  };
}

/** An element by its index, or the only one of a selector that is seen in any frame. */
export async function elementOf(
  { tab }: Touch,
  index: number | undefined,
  selector: string | undefined,
): Promise<Target> {
  if (index !== undefined) return await targetOf(tab, index);
  let count = 0;
  for (const frame of tab.frames.all()) {
    const found = await tab.answer(tab.frames.call(frame, "drags", "select", selector ?? ""));
    if (found === "bad_selector")
      throw new ActFailure("invalid_params", `"${selector}" is no CSS selector.`, { selector });
    if ("id" in found) {
      const info = await tab.answer(tab.frames.call(frame, "hands", "target", found.id));
      if (info) return { index: -1, frame, id: found.id, info };
    } else count += found.count;
  }
  throw new ActFailure(
    "element_not_found",
    count === 0
      ? `No element of "${selector}" is seen.`
      : `"${selector}" means ${count} elements that are seen; name one.`,
    { selector, count },
  );
}

async function pointOf(
  { tab }: Touch,
  { index, frame, id }: Target,
  where: Params["position"],
): Promise<Point> {
  const point = await inDocument(tab, index, tab.frames.call(frame, "drags", "point", id, where));
  const seen = point && (await outwards(tab, index, frame, point));
  if (!seen)
    throw new ActFailure("element_not_visible", "What it is to be dropped on is not visible.", { index });
  return seen;
}

function* steps(from: Point, to: Point): Generator<Point> {
  for (let step = 1; step <= STEPS; step++) {
    const part = step / STEPS;
    yield { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
  }
}

async function carry({ tab }: Touch, data: DragData, from: Point, to: Point): Promise<void> {
  const tell = (type: "dragEnter" | "dragOver" | "drop", { x, y }: Point) =>
    tab.answer(tab.session.send("Input.dispatchDragEvent", { type, x, y, data }));
  await tell("dragEnter", from);
  for (const point of steps(from, to)) {
    await tell("dragOver", point);
    await pause(PACE);
  }
  await tell("dragOver", to);
  await tell("drop", to);
  tab.pointer = { x: to.x, y: to.y };
}

async function mouse(
  { tab }: Touch,
  type: "mousePressed" | "mouseMoved" | "mouseReleased",
  { x, y }: Point,
): Promise<void> {
  const held = type === "mouseMoved" || type === "mousePressed";
  await tab.answer(
    tab.session.send("Input.dispatchMouseEvent", {
      type,
      x,
      y,
      button: "left",
      buttons: held ? 1 : 0,
      ...(type === "mouseMoved" ? {} : { clickCount: 1 }),
    }),
  );
  tab.pointer = { x, y };
}

/** What the browser would carry, as soon as it is told. */
function interceptedDrag({ tab }: Touch): { within(time: number): Promise<DragData | undefined> } {
  const dragged = new Promise<DragData>((resolve) => {
    tab.session.on("Input.dragIntercepted", ({ data }) => resolve(data));
  });
  return {
    async within(time) {
      const stop = new AbortController();
      try {
        return await Promise.race([dragged, pause(time, undefined, { signal: stop.signal })]);
      } finally {
        stop.abort();
      }
    },
  };
}
