/**
 * Prepares an element for an action, guards the action, and reports its effect. The page may change between
 * the check of the element and the action. So a guard receives every input event before the page does, and
 * stops events that do not reach the element.
 */

import * as transitions from "../observe/running-animations-after-action.ts";
import * as scheduledWork from "../observe/work-scheduled-by-page.ts";
import { eventTap, registry, unsavedInput } from "../page-script-document-state.ts";
import { deepElements, VISIBLE } from "../shadow-dom.ts";
import type { RawBox } from "../snapshot/raw-frame-snapshot.ts";
import { recorder } from "../snapshot/snapshot-element-records.ts";
import { isInPopupOfTypedField } from "../widgets/popup-of-typed-field.ts";
import { isProxyOf, widgetOf } from "../widgets/proxy-controls-of-hidden-fields.ts";
import { geometry } from "./element-geometry.ts";
import type { InvalidField } from "./invalid-fields-of-refused-form.ts";
import * as refusedSubmission from "./invalid-fields-of-refused-form.ts";
import type { Obstacle } from "./same-element-check.ts";
import { identity } from "./same-element-check.ts";
import type { Disappearance } from "./why-pressed-element-disappeared.ts";
import * as pressOutcome from "./why-pressed-element-disappeared.ts";

export interface FramePoint {
  readonly x: number;
  readonly y: number;
}

/** Facts about the target element of an action. They are read before the action starts. */
export interface TargetInfo {
  readonly tag: string;
  readonly type: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly secret: boolean;
}

/** What has happened to an element and its page since `prepare` was called. */
export interface ActionEffect {
  readonly alive: boolean;
  /** How the element has disappeared; absent when it has not disappeared since it was pressed. */
  readonly disappeared?: Disappearance;
  /** Names of the input events that reached the element. */
  readonly received: readonly string[];
  /**
   * Why an input event was stopped before the page received it, for example because another element was hit.
   * It is `undefined` when no event was stopped.
   */
  readonly stopped: Obstacle | undefined;
  readonly focused: boolean;
  /** Whether the focus is in a text field in the element. */
  readonly edited: boolean;
  readonly value?: string;
  readonly checked?: boolean;
  readonly expanded?: string;
  /** Number of mutations of the document since `prepare` was called. */
  readonly changes: number;
  /** Whether a part of the page is still appearing or disappearing. */
  readonly transitioning: boolean;
  /**
   * Whether the element announces a popup by an attribute such as `aria-haspopup`, and the popup is not
   * visible yet.
   */
  readonly awaitsPopup: boolean;
  /**
   * Whether a press on the element takes the focus out of another field into which the user has just typed.
   * It is false for an element in the list of suggestions of that field.
   */
  readonly endsTyping: boolean;
  /** Whether a press on the element takes the focus out of another field, which may then show a message. */
  readonly leavesField: boolean;
  /** How far the element has moved since `prepare`, in pixels; absent if it has not moved. */
  readonly moved?: FramePoint;
  /**
   * The fields with invalid values that kept the browser from sending the form; absent when there are none.
   */
  readonly refused?: readonly InvalidField[];
}

/**
 * What an action does with an element. `press`: input events that would reach another element are stopped.
 * `check`: no events are stopped. `hover`: the action only moves the pointer.
 */
export type PreparedUse = "press" | "check" | "hover";

export interface Actionability {
  describe(id: number): TargetInfo | undefined;
  /**
   * Scrolls the element into view. Returns the point to click, or the reason why an action cannot use the
   * element now. Being disabled is no such reason if the use is `hover`.
   */
  prepare(id: number, use: PreparedUse): FramePoint | Obstacle;
  /**
   * Checks whether an element of this frame covers a child frame at a point, so that a click there would not
   * reach the child frame. Returns a description of the covering element, or `undefined` when nothing covers
   * the point.
   */
  frameObstacle(frameId: string, x: number, y: number): { readonly by: string } | undefined;
  /**
   * Scrolls the element to the center, in its frame and in all frames around it. `prepare` does not scroll an
   * element that is visible in its own frame.
   */
  center(id: number): void;
  /**
   * Returns the position of a child frame's content in this frame, and the scale at which this frame shows
   * it.
   */
  frameContent(
    frameId: string,
  ): { readonly x: number; readonly y: number; readonly scale: number } | undefined;
  effect(id: number): ActionEffect;
  /**
   * Stops every input event in this frame until `release` is called. The action is for an element in another
   * frame, so this frame must receive nothing.
   */
  blockAll(): void;
  /** Ends the event guard, so that input events reach the page again. */
  release(): void;
  /**
   * Focuses a field. `choose` determines the selection: with `true`, all text is selected; with `false`, the
   * cursor goes to the end; with `as_it_is`, the cursor stays where the field places it.
   */
  focus(id: number, choose: boolean | "as_it_is"): Obstacle | undefined;
  /** Returns the position and size of an element, relative to the document. */
  box(id: number): RawBox | undefined;
  /**
   * Scrolls an element, by 80% of its visible size when no amount is given. Returns its scroll positions
   * before and after, and the maximum, in pixels.
   */
  scroll(
    id: number | undefined,
    direction: "up" | "down" | "left" | "right",
    amount: number | undefined,
  ): { readonly before: number; readonly after: number; readonly maximum: number };
}

let guard:
  | {
      readonly element: Element | undefined;
      readonly id: number;
      readonly isHover?: boolean;
      stopped: Obstacle | undefined;
    }
  | undefined;
let received: string[] = [];
/** The element to click, and its position when it was prepared. */
let prepared: { readonly clickTarget: Element; readonly x: number; readonly y: number } | undefined;
let changes = 0;
let inserted = new Set<Element>();
let observer: MutationObserver | undefined;

/** Maximum number of elements inserted during an action that are tracked. */
const MAX_INSERTED = 20;
/** Share of the visible size by which an element is scrolled when no amount is given. */
const SCROLL_SHARE = 0.8;
/** Selector of controls that open when the box around them is clicked. */
const COMBOBOX = "[role=combobox],input[aria-haspopup]";
/** Selector of lists of choices. A press on a choice belongs to the field that has opened the list. */
const CHOICE = "[role=listbox],[role=option],[role=menu]";
/** Selector of fields that take the focus for text input. */
const FIELD = "input,select,textarea,[contenteditable=true]";

const meets = (hit: Element | undefined, element: Element): boolean =>
  geometry.hits(hit, element) || isProxyOf(hit, element);

/**
 * Returns the element that a click must hit: the element itself, the box around a combobox, or a label that
 * operates the element.
 */
const clickTargetOf = (element: Element): Element => {
  const isSeen = (element: Element): boolean =>
    element.checkVisibility(VISIBLE) && geometry.canScrollTo(element);
  if (isSeen(element)) return element;
  if (element.matches(COMBOBOX)) {
    const widget = widgetOf(element);
    for (let up = element; up !== widget && up.parentElement; ) {
      up = up.parentElement;
      if (isSeen(up)) return up;
    }
  }
  return geometry.visibleLabel(element) ?? element;
};

const recordMutations = (records: readonly MutationRecord[]): void => {
  changes += records.length;
  transitions.record(records);
  for (const { addedNodes } of records) {
    for (const node of addedNodes)
      if (node instanceof Element && inserted.size < MAX_INSERTED) inserted.add(node);
  }
};

const guardEvent = (event: Event): void => {
  if (!guard || !event.isTrusted) return;
  const { element, id, isHover = false } = guard;
  const hit = event.composedPath()[0];
  const target = hit instanceof Element ? hit : undefined;
  const inner = target && behindClosedRoot(target, event);
  if (!guard.stopped) {
    const wrong = obstacleAt(inner, element, id, isHover);
    if (!wrong) {
      received.push(event.type);
      return;
    }
    guard.stopped = wrong;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
};

const obstacleAt = (
  hit: Element | undefined,
  element: Element | undefined,
  id: number,
  isHover: boolean,
): Obstacle | undefined => {
  if (!element || !meets(hit, element))
    return { problem: "covered", by: hit ? geometry.brief(hit) : "nothing" };
  // The element is checked only until it has received the action's first event. The page may react to this
  // event by changing the element, so a check at the click would then fail.
  if (received.length > 0) return undefined;
  return (
    identity.obstacle(element, id) ??
    (!isHover && identity.isDisabled(element) ? { problem: "disabled" } : undefined)
  );
};

/**
 * Returns the element inside a closed shadow root at which an event really happened. For listeners outside of
 * the root, the target of the event is only the root's host element.
 */
const behindClosedRoot = (target: Element, event: Event): Element => {
  if (!(event instanceof MouseEvent)) return target;
  const root = registry.rootOf(target);
  if (!root || target.shadowRoot) return target;
  return geometry.hitTest(event.clientX, event.clientY) ?? target;
};

eventTap.listener = guardEvent;

/** Returns how far the prepared element has moved, if it is still on the page. */
const movement = (): FramePoint | undefined => {
  if (!prepared?.clickTarget.isConnected) return undefined;
  const { left, top } = prepared.clickTarget.getBoundingClientRect();
  const [x, y] = [left - prepared.x, top - prepared.y];
  return Math.abs(x) < 1 && Math.abs(y) < 1 ? undefined : { x, y };
};

export const actionability: Actionability = {
  describe(id) {
    const element = identity.find(id);
    if (!element) return undefined;
    return {
      tag: element.localName,
      type: element.getAttribute("type") ?? "",
      name: recorder.nameOf(element),
      attributes: recorder.attributesOf(element),
      secret: registry.isSecret(element),
    };
  },

  prepare(id, use) {
    guard = undefined;
    const element = identity.find(id);
    if (!element) return { problem: "gone" };
    const other = identity.obstacle(element, id);
    if (other) return other;
    // A hover over a disabled element is possible, because a style sheet or a tooltip may then show a menu or
    // a hint.
    if (use !== "hover" && identity.isDisabled(element)) return { problem: "disabled" };
    const clickTarget = clickTargetOf(element);
    if (!geometry.canScrollTo(clickTarget) || !clickTarget.checkVisibility(VISIBLE))
      return { problem: "not_visible" };
    let points = geometry.points(clickTarget);
    const free = (): readonly [number, number] | undefined =>
      points.find(([x, y]) => meets(geometry.hitTest(x, y), element));
    let point = free();
    if (!point) {
      clickTarget.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      points = geometry.points(clickTarget);
      point = free();
    }
    if (transitions.isMoving(clickTarget)) return { problem: "moving" };
    const [first] = points;
    if (!first) return { problem: "not_visible" };
    if (!point) {
      const hit = geometry.hitTest(...first);
      return { problem: "covered", by: hit ? geometry.brief(hit) : "nothing" };
    }
    received = [];
    changes = 0;
    inserted = new Set();
    observer ??= new MutationObserver((records) => {
      recordMutations(records);
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    if (use !== "check") guard = { element, id, isHover: use === "hover", stopped: undefined };
    const [x, y] = point;
    const { left, top } = clickTarget.getBoundingClientRect();
    prepared = { clickTarget, x: left, y: top };
    pressOutcome.begin(clickTarget, x, y);
    transitions.begin(element);
    scheduledWork.begin();
    refusedSubmission.begin(element);
    return { x, y };
  },

  frameObstacle(frameId, x, y) {
    const hit = geometry.hitTest(x, y);
    if (hit && registry.frames.get(hit) === frameId) return undefined;
    return { by: hit ? geometry.brief(hit) : "nothing" };
  },

  center(id) {
    const element = identity.find(id);
    if (element)
      clickTargetOf(element).scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  },

  frameContent(frameId) {
    for (const element of frameElements()) {
      if (registry.frames.get(element) !== frameId) continue;
      const rect = element.getBoundingClientRect();
      const seen = rect.bottom > 0 && rect.top < innerHeight && rect.right > 0 && rect.left < innerWidth;
      if (!seen) element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const { box, scale } = geometry.contentBox(element);
      return { x: box[0], y: box[1], scale };
    }
    return undefined;
  },

  effect(id) {
    recordMutations(observer?.takeRecords() ?? []);
    const element = identity.find(id);
    const stopped = guard?.stopped;
    const field = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    const secret = element !== undefined && registry.isSecret(element);
    const expanded = element?.getAttribute("aria-expanded") ?? undefined;
    const sliderValue =
      element?.matches("[role=slider],[role=spinbutton]:not(input)") && element.getAttribute("aria-valuenow");
    const root = element?.getRootNode();
    const active = root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
    const focused = element !== undefined && active !== null && geometry.within(active, element);
    const disappeared =
      received.length > 0 && !received.includes("click") ? pressOutcome.disappearance(inserted) : undefined;
    const refused = refusedSubmission.fieldsRefusedFor(element);
    const moved = movement();
    return {
      alive: element !== undefined,
      ...(disappeared === undefined ? {} : { disappeared }),
      received,
      stopped,
      focused,
      edited: focused && active !== element && active?.matches(FIELD) === true,
      ...(field && !secret ? { value: element.value } : {}),
      ...(sliderValue ? { value: sliderValue } : {}),
      ...(element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type)
        ? { checked: element.checked }
        : {}),
      // biome-ignore lint/performance/useDomNodeTextContent: only what is rendered counts
      ...(element instanceof HTMLElement && element.isContentEditable ? { value: element.innerText } : {}),
      ...(expanded === undefined ? {} : { expanded }),
      changes,
      transitioning: transitions.isRunning(element, inserted),
      awaitsPopup: element !== undefined && transitions.awaitsPopup(element),
      endsTyping:
        element !== undefined && unsavedInput.endsTypingElsewhere(element) && !isInPopupOfTypedField(element),
      leavesField:
        element !== undefined &&
        active?.matches(FIELD) === true &&
        !focused &&
        element.closest(CHOICE) === null &&
        !isInPopupOfTypedField(element),
      ...(moved ? { moved } : {}),
      ...(refused.length > 0 ? { refused } : {}),
    };
  },

  blockAll() {
    guard = { element: undefined, id: 0, stopped: undefined };
  },

  release() {
    guard = undefined;
    observer?.disconnect();
  },

  focus(id, choose) {
    const element = identity.find(id);
    if (!(element instanceof HTMLElement)) return { problem: "gone" };
    const other = identity.obstacle(element, id);
    if (other) return other;
    const hasEditContext = "editContext" in element && element.editContext !== null;
    if (!hasEditContext && !element.matches("input,textarea") && !element.isContentEditable)
      return { problem: "no_field" };
    if (identity.isDisabled(element)) return { problem: "disabled" };
    if (!hasEditContext && !element.matches(":read-write")) return { problem: "read_only" };
    element.focus({ preventScroll: true });
    received = [];
    guard = { element, id, stopped: undefined };
    if (choose === "as_it_is") return undefined;
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
      if (choose) element.select();
      else {
        // The cursor of some input types, such as `number`, cannot be set, and `setSelectionRange` throws.
        // Their cursor is moved to the end by selecting the text and collapsing the selection.
        try {
          element.setSelectionRange(element.value.length, element.value.length);
        } catch {
          element.select();
          getSelection()?.collapseToEnd();
        }
      }
    } else {
      const range = document.createRange();
      range.selectNodeContents(element);
      if (!choose) range.collapse(false);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
    }
    return undefined;
  },

  box(id) {
    const element = identity.find(id);
    if (!element) return undefined;
    const { left, top, width, height } = geometry.boxOf(clickTargetOf(element));
    return [left + scrollX, top + scrollY, width, height];
  },

  scroll(id, direction, amount) {
    const across = direction === "left" || direction === "right";
    const scrolls = (element: Element): boolean => {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = element;
      const { overflowX, overflowY } = getComputedStyle(element);
      if (across) return scrollWidth > clientWidth + 1 && /auto|scroll/.test(overflowX);
      return scrollHeight > clientHeight + 1 && /auto|scroll/.test(overflowY);
    };
    let place: Element | null = id === undefined ? null : (identity.find(id) ?? null);
    while (place && !scrolls(place)) place = registry.parentOf(place);
    const target = place ?? document.scrollingElement ?? document.documentElement;
    const size = across ? target.clientWidth : target.clientHeight;
    const way = (amount ?? size * SCROLL_SHARE) * (direction === "up" || direction === "left" ? -1 : 1);
    const position = (): number => (across ? target.scrollLeft : target.scrollTop);
    const before = position();
    target.scrollBy({ left: across ? way : 0, top: across ? 0 : way, behavior: "instant" });
    const maximum = across
      ? target.scrollWidth - target.clientWidth
      : target.scrollHeight - target.clientHeight;
    return { before: Math.round(before), after: Math.round(position()), maximum };
  },
};

function* frameElements(): Generator<HTMLElement> {
  for (const element of deepElements(document)) {
    if (element instanceof HTMLElement && /^i?frame$/.test(element.localName)) yield element;
  }
}
