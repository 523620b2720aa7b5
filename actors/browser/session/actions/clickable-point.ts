/**
 * Converts an element index to a point for a click. A click at this point reaches the element, which is
 * enabled, not covered and not moving. If there is no such point, a typed error is thrown.
 */
import { setTimeout as pause } from "node:timers/promises";
import {
  type Candidate,
  candidatesFor,
} from "../../../../machines/session/controls/candidates-for-stale-index.ts";
import { nameOf } from "../../../../machines/session/page/element-line.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type {
  FramePoint,
  PreparedUse,
  TargetInfo,
} from "../../page-script/actionability/guarded-element-action.ts";
import type { Obstacle } from "../../page-script/actionability/same-element-check.ts";
import { ActionFailure } from "../action-error.ts";
import { acceptElements } from "../snapshot/page-change-tracker.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import { DocumentGone, type Frame, Frames } from "../tabs/tab-frames.ts";

/** An element on the page, and the frame that contains it. */
export interface Target {
  /**
   * The index by which the caller refers to the element; -1 for an element that the action has found by
   * itself.
   */
  readonly index: number;
  readonly frame: Frame;
  readonly id: number;
  readonly info: TargetInfo;
}

/** A point in the tab's viewport at which a hit test returns the element of the action. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Returns the element with the given index. Each action then checks whether the element has changed since the
 * caller's snapshot.
 */
export async function targetOf(tab: Tab, index: number): Promise<Target> {
  const { snapshots, frames } = tab;
  if (!snapshots.hasShown) {
    throw new ActionFailure("no_analysis", "No DOM analysis data found. Call analyze_page first.", { index });
  }
  if (!snapshots.wasShown(index)) {
    throw new ActionFailure(
      "element_not_found",
      `No analysis has shown an element [${index}]. Call analyze_page for those there are.`,
      {
        index,
      },
    );
  }
  const location = snapshots.locationOf(index);
  const frame = location && frames.get(location.frameId);
  if (!frame || Frames.documentKey(frame) !== location.document)
    throw await staleIndex(tab, index, "Its document is gone.");
  const info = await inDocument(tab, index, frames.call(frame, "actionability", "describe", location.id));
  if (!info) throw await staleIndex(tab, index, NO_LONGER_THERE);
  return { index, frame, id: location.id, info };
}

/** Returns the current state of an element, by the number that the page script has assigned to it. */
export async function elementIn(
  { tab }: { readonly tab: Tab },
  { index, frame }: Target,
  id: number,
): Promise<Target> {
  const info = await inDocument(tab, index, tab.frames.call(frame, "actionability", "describe", id));
  if (!info) throw new ActionFailure("interrupted", "The calendar went away.", { index });
  return { index: -1, frame, id, info };
}

/**
 * Waits for the result of `call`, which runs in the document of an element. If the document was replaced
 * during the call, throws the error for an outdated element index.
 */
export async function inDocument<Value>(tab: Tab, index: number, call: Promise<Value>): Promise<Value> {
  try {
    return await tab.answer(call);
  } catch (error) {
    if (error instanceof DocumentGone) throw await staleIndex(tab, index, "Its document is gone.");
    throw error;
  }
}

/**
 * Returns the error for an index whose element has disappeared or changed. The error lists similar elements
 * that the caller may mean.
 */
export async function staleIndex(
  tab: Tab,
  index: number,
  why: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<ActionFailure> {
  const shownElement = tab.snapshots.lastKnown(index);
  const reason = `${describeIndex(index)} is not what it was: ${why}`;
  try {
    const { candidates, redrawn } = await candidatesAfterRedraw(tab, shownElement, why === NO_LONGER_THERE);
    // The error shows these similar elements to the caller. They are recorded as seen, so that their indices
    // can be used in the next action.
    await acceptElements(
      tab,
      candidates.map(({ highlight_index }) => highlight_index),
    );
    if (candidates.length === 0)
      return new ActionFailure(
        "element_stale",
        `${reason} Nothing like it is on the page: call analyze_page.`,
        {
          index,
          ...more,
          candidates,
        },
      );
    const message = `${reason} ${adviceFor(redrawn)}`;
    const isSame = candidates[0]?.highlight_index === index;
    const advice = `${reason} The first candidate is the element in its current state: repeat the action if you still mean it, or choose another candidate.`;
    return new ActionFailure("element_stale", isSame ? advice : message, { index, ...more, candidates });
  } catch {
    // The page is navigating, so similar elements cannot be found, and the error lists none.
    return new ActionFailure("element_stale", `${reason} Call analyze_page.`, {
      index,
      ...more,
      candidates: [],
    });
  }
}

/**
 * The reason that is reported for an element whose node a script has removed. The script may have drawn the
 * same control again.
 */
const NO_LONGER_THERE = "It is no longer on the page.";

/**
 * Returns the candidates for an element that has disappeared. Some pages draw all their controls again after an input,
 * so the function waits for a new element of the same kind and name.
 */
async function candidatesAfterRedraw(
  tab: Tab,
  shown: HighlightedElement | undefined,
  isRemoved: boolean,
): Promise<{ readonly candidates: readonly Candidate[]; readonly redrawn: readonly number[] }> {
  const until = performance.now() + sessionLimits.redrawnWithin;
  const name = shown && nameOf(shown);
  // Elements that the page already showed together with the removed one, such as "Delete" in another row, are
  // not its new copy.
  const neighbours = new Set(
    (shown ? tab.snapshots.lastKnownWith(shown.highlight_index) : []).map((one) => one.highlight_index),
  );
  for (;;) {
    const { elements, url } = await tab.answer(tab.snapshots.peek());
    const candidates = candidatesFor(shown, elements, url);
    const redrawn =
      isRemoved && shown && name
        ? elements.filter(
            (one) =>
              one.tagName === shown.tagName && nameOf(one) === name && !neighbours.has(one.highlight_index),
          )
        : [];
    if (redrawn.length > 0 || !isRemoved || performance.now() >= until)
      return { candidates, redrawn: redrawn.map(({ highlight_index }) => highlight_index) };
    await pause(sessionLimits.pollEvery);
  }
}

/**
 * Returns what the caller can do about an element that has disappeared.
 *
 * @param redrawn the new elements that have the kind and the name of the one that was removed
 */
function adviceFor([only, ...others]: readonly number[]): string {
  if (only === undefined) return "Choose among the candidates, or call analyze_page.";
  const retry = "repeat the action with retry: true, which acts only on an element that is surely the same";
  return others.length === 0
    ? `The page has drawn an element of its name again: use [${only}], or ${retry}.`
    : `Several elements have its name: choose among the candidates, or ${retry}.`;
}

const describeIndex = (index: number): string => (index < 0 ? "The element" : `Element [${index}]`);

/**
 * Returns the error for an element that an obstacle makes unusable.
 *
 * @param isDialog whether the obstacle is a dialog with controls that covers the element
 */
export async function obstacleFailure(
  tab: Tab,
  index: number,
  obstacle: Obstacle,
  isDialog = false,
): Promise<ActionFailure> {
  switch (obstacle.problem) {
    case "gone":
      return await staleIndex(tab, index, NO_LONGER_THERE);
    case "changed": {
      const { was, is } = obstacle;
      return await staleIndex(tab, index, `It was "${was}" and is "${is}".`, { was, is });
    }
    case "covered":
      return new ActionFailure("element_covered", `${describeIndex(index)} is covered by ${obstacle.by}.`, {
        index,
        by: obstacle.by,
        ...(isDialog ? { by_dialog: true } : {}),
      });
    case "disabled":
      return new ActionFailure("element_disabled", `${describeIndex(index)} is disabled.`, { index });
    case "read_only":
      return new ActionFailure("element_disabled", `${describeIndex(index)} is read-only.`, { index });
    case "no_field":
      return new ActionFailure("invalid_params", `${describeIndex(index)} is nothing to type into.`, {
        index,
      });
    case "not_visible":
      return new ActionFailure("element_not_visible", `${describeIndex(index)} is not visible.`, { index });
    case "moving":
      return new ActionFailure("timeout", `${describeIndex(index)} does not stop moving.`, { index });
  }
}

const isPoint = (result: FramePoint | Obstacle): result is FramePoint => "x" in result;

/**
 * The pointer is parked (moved to a point over no element) at this distance in CSS pixels from the bottom and
 * the right edge of the viewport. Notifications and chat buttons keep larger margins than this.
 */
const PARKED_POINTER_MARGIN = 2;

/**
 * Waits until the element can be clicked, and returns the point for the click. At the time `until`, throws an
 * error with the reason.
 */
export async function clickablePointOf(
  tab: Tab,
  target: Target,
  until: number,
  use: PreparedUse = "press",
): Promise<Point> {
  let first = true;
  let hasLeft = false;
  for (;;) {
    const found = await tryPoint(tab, target, use);
    if (!("problem" in found)) return found;
    const { problem } = found;
    if (problem === "gone" || problem === "changed" || performance.now() >= until)
      throw await obstacleFailure(tab, target.index, found);
    if (problem === "covered" && !hasLeft) {
      hasLeft = true;
      if (await leaveHovered(tab)) continue;
    }
    const lasting = await lastingObstacle(tab, target, found, first);
    if (lasting) throw await obstacleFailure(tab, target.index, found, lasting.isDialog);
    first = false;
    await pause(sessionLimits.actionableEvery);
  }
}

/**
 * Checks whether waiting longer for the element is useless. If so, returns whether the obstacle is a dialog;
 * otherwise returns `undefined`. On an idle page, a disabled, hidden or covered element usually stays so, and
 * a dialog with controls stays over an element until it is closed. Waiting is useful if a notification covers
 * the element. It is also useful for an element in a frame, which the parent page may cover for a moment.
 */
async function lastingObstacle(
  tab: Tab,
  { index, frame, id }: Target,
  { problem }: Obstacle,
  first: boolean,
): Promise<{ readonly isDialog: boolean } | undefined> {
  if (!/^(disabled|covered|not_visible)$/.test(problem) || frame.parent !== undefined) return undefined;
  const covered = problem === "covered";
  const call = tab.frames.call(frame, "pageIdle", "unchanged", id, covered, first);
  const { milliseconds, isDialog } = await inDocument(tab, index, call);
  const { unchangedAfter, dialogUnchangedAfter } = sessionLimits;
  const isStable = milliseconds >= (isDialog ? dialogUnchangedAfter : unchangedAfter);
  return isStable && !tab.loading && tab.pendingRequests() === 0 ? { isDialog } : undefined;
}

/**
 * Moves the pointer to the bottom right corner. This closes a menu that opened under the pointer and may cover the
 * element of the action. Returns false if no action has moved the pointer yet.
 */
async function leaveHovered(tab: Tab): Promise<boolean> {
  if (tab.pointer.x === 0 && tab.pointer.y === 0) return false;
  const { width, height } = tab.viewport;
  const corner = { x: width - PARKED_POINTER_MARGIN, y: height - PARKED_POINTER_MARGIN };
  await tab.answer(tab.session.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...corner }));
  tab.pointer = corner;
  return true;
}

/**
 * Returns the point for a click on the element. If the element is visible in its frame but not in the frames
 * around it, they are scrolled first.
 */
async function tryPoint(tab: Tab, target: Target, use: PreparedUse): Promise<Point | Obstacle> {
  const { index, frame, id } = target;
  const found = await pointInFrames(tab, target, use);
  if (!("problem" in found) || found.problem !== "covered" || frame.parent === undefined) return found;
  await inDocument(tab, index, tab.frames.call(frame, "actionability", "center", id));
  return await pointInFrames(tab, target, use);
}

async function pointInFrames(
  tab: Tab,
  { index, frame, id }: Target,
  use: PreparedUse,
): Promise<Point | Obstacle> {
  const { frames } = tab;
  // The frame of the element and all frames around it, the outermost first. A frame must be scrolled into
  // view before the frame inside of it can be checked.
  const path: Frame[] = [];
  for (
    let current: Frame | undefined = frame;
    current?.parent !== undefined;
    current = frames.get(current.parent)
  )
    path.unshift(current);
  const offsets: { readonly x: number; readonly y: number; readonly scale: number }[] = [];
  for (const inner of path) {
    const outer = inner.parent === undefined ? undefined : frames.get(inner.parent);
    const offset =
      outer && (await inDocument(tab, index, frames.call(outer, "actionability", "frameContent", inner.id)));
    if (!offset) return { problem: "not_visible" };
    offsets.push(offset);
  }
  const result = await inDocument(tab, index, frames.call(frame, "actionability", "prepare", id, use));
  if (!isPoint(result)) return result;
  // The point is converted from the innermost frame outwards, one frame at a time. In each outer frame, no
  // element may cover the inner frame at this point.
  let [x, y] = [result.x, result.y];
  for (let level = path.length - 1; level >= 0; level--) {
    const [inner, offset] = [path[level], offsets[level]];
    const outer = inner?.parent === undefined ? undefined : frames.get(inner.parent);
    if (!inner || !offset || !outer) return { problem: "not_visible" };
    [x, y] = [offset.x + x * offset.scale, offset.y + y * offset.scale];
    const obstacle = await inDocument(
      tab,
      index,
      frames.call(outer, "actionability", "frameObstacle", inner.id, x, y),
    );
    if (obstacle) return { problem: "covered", by: obstacle.by };
  }
  await blockOtherFrames(tab, frame);
  return { x, y };
}

/**
 * Converts a point in a frame's viewport to a point in the tab's viewport. Returns `undefined` when the
 * frame, or a frame around it, is not visible.
 */
export async function toTabCoordinates(
  tab: Tab,
  index: number,
  frame: Frame,
  point: Point,
): Promise<Point | undefined> {
  const { frames } = tab;
  let { x, y } = point;
  for (let inner: Frame | undefined = frame; inner?.parent !== undefined; ) {
    const outer: Frame | undefined = frames.get(inner.parent);
    const offset =
      outer && (await inDocument(tab, index, frames.call(outer, "actionability", "frameContent", inner.id)));
    if (!offset) return undefined;
    [x, y] = [offset.x + x * offset.scale, offset.y + y * offset.scale];
    inner = outer;
  }
  return { x, y };
}

/**
 * Blocks input events in all other frames. One of them may move under the pointer, and must not receive the
 * click.
 */
async function blockOtherFrames(tab: Tab, frame: Frame): Promise<void> {
  const others = tab.frames.all().filter((other) => other !== frame);
  await Promise.all(
    others.map((other) =>
      tab.answer(tab.frames.call(other, "actionability", "blockAll")).catch((error) => {
        // The error is ignored, because a frame without a document has nothing to click.
        if (!(error instanceof DocumentGone)) throw error;
      }),
    ),
  );
}

/**
 * Ends the blocking of input events in all frames. An error is ignored: a document that was replaced blocks
 * no events.
 */
export async function releaseEvents(tab: Tab): Promise<void> {
  await Promise.allSettled(
    tab.frames.all().map((frame) => tab.answer(tab.frames.call(frame, "actionability", "release"))),
  );
}
