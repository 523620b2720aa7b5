/**
 * Drags one element onto another. It works for the browser's native drag and drop, and for pages whose
 * scripts follow the pointer. In a native drag, Chromium returns the dragged data to Cairn instead of the
 * desktop, and Cairn sends the drag events to the page.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Action } from "../../../../machines/session/actions/browser-action-parameters.ts";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { DragOutcome } from "../../page-script/actions/drag-points-and-effects.ts";
import { ActionFailure } from "../action-error.ts";
import {
  clickablePointOf,
  inDocument,
  obstacleFailure,
  type Point,
  releaseEvents,
  type Target,
  targetOf,
  toTabCoordinates,
} from "./clickable-point.ts";
import type { Data, PageInput } from "./pointer-and-key-input.ts";
import { elementResultOf } from "./pointer-and-key-input.ts";
import { waitForResponses } from "./wait-for-responses-of-action.ts";

type Params = Extract<Action, { name: "drag_drop" }>["params"];

/** The data of a drag, in Chromium's format. */
interface DragData {
  readonly items: { mimeType: string; data: string; title?: string; baseURL?: string }[];
  readonly files?: string[];
  readonly dragOperationsMask: number;
}

/**
 * Number of mouse moves between the start and the drop target of a drag. A script that follows the pointer
 * must get several mouse moves.
 */
const STEPS = 12;
/** Distance in pixels after which scripts and the browser treat a press as a drag. */
const DRAG_DISTANCE = 8;
/** Maximum number of times that the pointer follows the drop target when the target moves away. */
const MAX_RELOCATIONS = 4;
/** Milliseconds between two mouse moves. It is the time in which a page draws one animation frame. */
const MOVE_INTERVAL = 16;
/**
 * Milliseconds between the press and the first move. Some lists can also be scrolled by dragging. They start
 * a drag only if the pointer does not move for a while after the press.
 */
const HOLD_TIME = 300;

export async function dragAndDrop(input: PageInput, params: Params): Promise<Data> {
  const { tab } = input;
  const { index, selector, to_index, to_selector } = params;
  const source = await elementOf(input, index, selector);
  const goal =
    to_index === undefined && to_selector === undefined
      ? undefined
      : await elementOf(input, to_index, to_selector);
  const before = input.pageState();
  // The drop target is scrolled into view first and the dragged element afterwards, because the dragged element
  // must be in view when the drag starts.
  if (goal) await pointOf(input, goal, params, false);
  const from = await clickablePointOf(tab, source, performance.now() + sessionLimits.actionableWithin);
  for (const { index: targetIndex, frame, id } of goal && goal.frame !== source.frame
    ? [goal, source]
    : [source])
    await inDocument(tab, targetIndex, tab.frames.call(frame, "dragDrop", "watch", id));
  await input.awaitPermit();
  await drag(input, params, { source, goal, from });
  // An animation may move a dropped element to its place in a list, so the effect is read after a pause.
  await pause(sessionLimits.dropSettles);
  const effect = await input.effect(before, undefined, undefined);
  if (effect.effect !== "unknown") return { dropped: true, element: elementResultOf(source), ...effect };
  return await resultOfDrag(input, source, goal);
}

interface Drag {
  readonly source: Target;
  /** The drop target. Absent if the call gives a distance instead. */
  readonly goal: Target | undefined;
  /** Point at which the element is pressed. */
  readonly from: Point;
}

/** Presses the element, moves the pointer to the drop target, and releases it there. */
async function drag(input: PageInput, params: Params, { source, goal, from }: Drag): Promise<void> {
  const { tab } = input;
  const intercepted = interceptedDrag(input);
  let pressed = false;
  try {
    await tab.answer(tab.session.send("Input.setInterceptDrags", { enabled: true }));
    await input.move(from.x, from.y);
    await sendMouse(input, "mousePressed", from);
    pressed = true;
    const after = await input.targetState(source);
    if (after?.stopped && after.received.length === 0)
      throw await obstacleFailure(tab, source.index, after.stopped);
    // From here on, the pointer moves over elements other than the dragged one. The event guard would keep these
    // events from the page, so the guard is ended.
    await releaseEvents(tab);
    await pause(HOLD_TIME);
    await sendMouse(input, "mouseMoved", { x: from.x + DRAG_DISTANCE / 2, y: from.y + DRAG_DISTANCE / 2 });
    await sendMouse(input, "mouseMoved", { x: from.x + DRAG_DISTANCE, y: from.y + DRAG_DISTANCE });
    const isNative = await inDocument(
      tab,
      source.index,
      tab.frames.call(source.frame, "dragDrop", "isNativeDrag"),
    );
    const data = isNative ? await intercepted.within(sessionLimits.dispatchWithin) : undefined;
    const to = goal
      ? await pointOf(input, goal, params, true)
      : { x: from.x + (params.by?.x ?? 0), y: from.y + (params.by?.y ?? 0) };
    if (data) await dropNatively(input, data, from, to);
    else {
      for (const point of steps(from, to)) {
        await sendMouse(input, "mouseMoved", point);
        await pause(MOVE_INTERVAL);
      }
      if (goal) await followDropTarget(input, goal, params);
      await sendMouse(input, "mouseReleased", tab.pointer);
    }
    pressed = false;
  } finally {
    if (pressed) await sendMouse(input, "mouseReleased", tab.pointer).catch(() => {});
    await tab.session.send("Input.setInterceptDrags", { enabled: false }).catch(() => {});
    await releaseEvents(tab);
  }
}

/**
 * Moves the pointer after the drop target until the target stays in place. A list may move its rows aside during
 * a drag, so the drop target may move too.
 */
async function followDropTarget(input: PageInput, goal: Target, params: Params): Promise<void> {
  for (let round = 0; round < MAX_RELOCATIONS; round++) {
    const current = await pointOf(input, goal, params, true);
    if (params.position === "on" && round > 0) break;
    await sendMouse(input, "mouseMoved", { x: current.x + (round % 2), y: current.y });
    await pause(MOVE_INTERVAL * 3);
  }
}

/** Reads the lasting changes of the drag. Throws `not_applied` if there are none. */
async function resultOfDrag(input: PageInput, source: Target, goal: Target | undefined): Promise<Data> {
  const { tab } = input;
  let outcome = await outcomeOf(input, source, goal);
  await waitForResponses(tab, async () => {
    outcome = await outcomeOf(input, source, goal);
    return lastingEffect(outcome) === undefined;
  });
  const { moved, changes, position, events } = outcome;
  const facts = {
    native: events.includes("dragstart"),
    element: elementResultOf(source),
    position,
    moved: { x: moved[0], y: moved[1] },
    changes,
  };
  const lasting = lastingEffect(outcome);
  if (lasting !== undefined) return { dropped: true, ...facts, effect: lasting };
  // A drag on a canvas may have changed something that the DOM does not show, so its effect is `unknown`. If
  // the page has received a drop event, the drag succeeds even though nothing has changed.
  if (await isOpaque(input, source, goal)) return { dropped: true, ...facts, effect: "unknown" };
  if (events.includes("drop")) return { dropped: true, ...facts, effect: "nothing_changed" };
  throw new ActionFailure(
    "not_applied",
    "It was dragged and let go, and nothing has moved or changed for good: it cannot be dragged, or not to there.",
    { ...facts, effect: "nothing_changed" },
  );
}

/**
 * Returns what the drag has changed, in the frame of the dragged element and in the frame of the drop target.
 */
async function outcomeOf(input: PageInput, source: Target, goal: Target | undefined): Promise<DragOutcome> {
  const outcomeIn = ({ index, frame, id }: Target): Promise<DragOutcome> =>
    inDocument(input.tab, index, input.tab.frames.call(frame, "dragDrop", "outcome", id));
  const outcome = await outcomeIn(source);
  if (!goal || goal.frame === source.frame) return outcome;
  const goalOutcome = await outcomeIn(goal);
  return {
    ...outcome,
    events: [...outcome.events, ...goalOutcome.events],
    changes: outcome.changes + goalOutcome.changes,
  };
}

/**
 * Returns the effect of a drop that is still visible after the end of the drag, such as `moved`; otherwise
 * `undefined`.
 */
function lastingEffect({ alive, reordered, moved: [x, y], changes }: DragOutcome): string | undefined {
  if (!alive) return "element_gone";
  if (reordered) return "reordered";
  if (Math.abs(x) + Math.abs(y) > 1) return "moved";
  return changes > 0 ? "changed" : undefined;
}

async function isOpaque({ tab }: PageInput, source: Target, goal: Target | undefined): Promise<boolean> {
  const checks = [source, ...(goal ? [goal] : [])].map(({ index, frame, id }) =>
    inDocument(tab, index, tab.frames.call(frame, "dragDrop", "isOpaqueContent", [id])),
  );
  return (await Promise.all(checks)).includes(true);
}

/**
 * Returns the element with an index. Without an index, returns the only visible element of the tab that
 * matches a selector, in any frame.
 */
export async function elementOf(
  { tab }: PageInput,
  index: number | undefined,
  selector: string | undefined,
): Promise<Target> {
  if (index !== undefined) return await targetOf(tab, index);
  let count = 0;
  for (const frame of tab.frames.all()) {
    const found = await tab.answer(tab.frames.call(frame, "elementSearch", "onlyOf", selector ?? ""));
    if (found === "bad_selector")
      throw new ActionFailure("invalid_params", `"${selector}" is no CSS selector.`, { selector });
    if ("id" in found) {
      const info = await tab.answer(tab.frames.call(frame, "actionability", "describe", found.id));
      if (info) return { index: -1, frame, id: found.id, info };
    } else count += found.count;
  }
  throw new ActionFailure(
    "element_not_found",
    count === 0
      ? `No element of "${selector}" is seen.`
      : `"${selector}" means ${count} elements that are seen; name one.`,
    { selector, count },
  );
}

async function pointOf(
  { tab }: PageInput,
  { index, frame, id }: Target,
  { position, at }: Params,
  dragging: boolean,
): Promise<Point> {
  const options = { where: position, at, dragging };
  const point = await inDocument(tab, index, tab.frames.call(frame, "dragDrop", "dropPoint", id, options));
  if (point && "by" in point) {
    const { by } = point;
    throw new ActionFailure("element_covered", `What it is to be dropped on is covered by ${by}.`, {
      index,
      by,
    });
  }
  if (point && "width" in point) {
    const message = `at lies outside of what is seen of the goal: ${point.width} by ${point.height} pixels.`;
    throw new ActionFailure("invalid_params", message, { index, ...point });
  }
  const seen = point && (await toTabCoordinates(tab, index, frame, point));
  if (!seen)
    throw new ActionFailure("element_not_visible", "What it is to be dropped on is not visible.", { index });
  return seen;
}

function* steps(from: Point, to: Point): Generator<Point> {
  for (let step = 1; step <= STEPS; step++) {
    const part = step / STEPS;
    yield { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
  }
}

async function dropNatively({ tab }: PageInput, data: DragData, from: Point, to: Point): Promise<void> {
  const dispatch = (type: "dragEnter" | "dragOver" | "drop", { x, y }: Point) =>
    tab.answer(tab.session.send("Input.dispatchDragEvent", { type, x, y, data }));
  await dispatch("dragEnter", from);
  for (const point of steps(from, to)) {
    await dispatch("dragOver", point);
    await pause(MOVE_INTERVAL);
  }
  await dispatch("dragOver", to);
  await dispatch("drop", to);
  tab.pointer = { x: to.x, y: to.y };
}

async function sendMouse(
  { tab }: PageInput,
  type: "mousePressed" | "mouseMoved" | "mouseReleased",
  { x, y }: Point,
): Promise<void> {
  const isHeld = type === "mouseMoved" || type === "mousePressed";
  await tab.answer(
    tab.session.send("Input.dispatchMouseEvent", {
      type,
      x,
      y,
      button: "left",
      buttons: isHeld ? 1 : 0,
      ...(type === "mouseMoved" ? {} : { clickCount: 1 }),
    }),
  );
  tab.pointer = { x, y };
}

/**
 * Waits for the start of a native drag. Resolves with the drag's data, or with `undefined` if the browser
 * starts no drag in time.
 */
function interceptedDrag({ tab }: PageInput): { within(time: number): Promise<DragData | undefined> } {
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
