/**
 * Checks whether an action has started an animation that is still running. A snapshot during the animation
 * would miss the dialog or menu that the action opens.
 */

import { geometry } from "../actionability/element-geometry.ts";
import { VISIBLE } from "../shadow-dom.ts";

/**
 * Maximum duration, in milliseconds, of an animation that counts as an effect of an action. A longer
 * animation is ignored, because it probably runs all the time.
 */
const MAX_DURATION = 1_000;
/** Matches CSS properties whose transition neither moves nor reveals anything. */
const PAINT_PROPERTY = /color|shadow|background|border|outline|fill|stroke|filter/;

/**
 * Maximum time in milliseconds between two steps of an animation by a script. If a script changes a style of
 * an element again within this time, it counts as animating the element. The limit is long enough for a busy
 * machine.
 */
const FRAME_TIME = 100;
/** Maximum number of elements for which changes of style by scripts are tracked. */
const MAX_STEPPED = 50;
/** Selector of popups that an element may announce with `aria-haspopup`. */
const POPUP =
  "dialog,[popover],[role=menu],[role=listbox],[role=dialog],[role=tree],[role=grid],[role=tooltip]";
let popups = new Set<Element>();
/**
 * The elements whose height or opacity a script has changed since the action began, each with its last value,
 * the time of the last change and the number of changes.
 */
let stepped = new Map<Element, { readonly value: string; readonly at: number; readonly times: number }>();

const visiblePopups = (): Element[] =>
  [...document.querySelectorAll(POPUP)].filter((element) => element.checkVisibility(VISIBLE));

/** Whether a script is changing the height or opacity of the element in steps, as an animation does. */
const isStepping = (element: Element, acted: Element | undefined): boolean => {
  const step = stepped.get(element);
  if (!step || !(element instanceof HTMLElement) || !element.isConnected) return false;
  if (performance.now() - step.at > FRAME_TIME || acted?.contains(element)) return false;
  return step.times > 2 || (element.style.overflow === "hidden" && element.style.height !== "");
};

/** Whether an inserted element has content but is still transparent or scaled to zero. */
const isAboutToAppear = (element: Element): boolean => {
  if (!element.isConnected) return false;
  return [
    element,
    ...element.children,
    ...[...element.children].flatMap(({ children }) => [...children]),
  ].some((element) => {
    const { opacity, transform, display } = getComputedStyle(element);
    return (
      display !== "none" &&
      (opacity === "0" || /^matrix\(0, 0, 0, 0/.test(transform)) &&
      element.textContent?.trim()
    );
  });
};

/** Must be called before an action whose animations are to be tracked. */
export function begin(element: Element): void {
  stepped = new Map();
  popups = new Set(element.matches("[aria-haspopup]") ? visiblePopups() : []);
}

/**
 * Records changes of heights and opacities by scripts. It must be called with all mutations of the document
 * since the call of `begin`.
 */
export function record(records: readonly MutationRecord[]): void {
  for (const { target, attributeName } of records) {
    if (attributeName !== "style" || !(target instanceof HTMLElement)) continue;
    const { height, maxHeight, opacity } = target.style;
    const value = `${height} ${maxHeight} ${opacity}`;
    const then = stepped.get(target);
    if (then?.value === value || (!then && stepped.size >= MAX_STEPPED)) continue;
    stepped.set(target, { value, at: performance.now(), times: (then?.times ?? 0) + 1 });
  }
}

/** Whether the element announces a popup with `aria-haspopup`, and no new popup is visible yet. */
export function awaitsPopup(element: Element): boolean {
  return (
    element.matches("[aria-haspopup]:not([aria-haspopup=false])") &&
    element.getAttribute("aria-expanded") !== "true" &&
    !visiblePopups().some((element) => !popups.has(element))
  );
}

/**
 * Whether an animation that the action has started is still running.
 *
 * @param acted the element that the action used; its own animations, such as a press effect, do not count
 * @param inserted the elements that were inserted since the action
 */
export function isRunning(acted: Element | undefined, inserted: ReadonlySet<Element>): boolean {
  if ([...inserted].some(isAboutToAppear)) return true;
  if ([...stepped.keys()].some((element) => isStepping(element, acted))) return true;
  return document.getAnimations().some((animation) => {
    const { effect, playState, currentTime } = animation;
    if (playState !== "running" || !(effect instanceof KeyframeEffect)) return false;
    const { target, pseudoElement } = effect;
    if (!target || pseudoElement !== null) return false;
    if (acted && (acted.contains(target) || target.contains(acted))) return false;
    if (animation instanceof CSSTransition && PAINT_PROPERTY.test(animation.transitionProperty)) return false;
    const { endTime } = effect.getComputedTiming();
    return typeof endTime === "number" && endTime <= MAX_DURATION && Number(currentTime ?? 0) <= MAX_DURATION;
  });
}

/** Whether an animation is moving the element or one of its ancestors. */
export function isMoving(element: Element): boolean {
  return document
    .getAnimations()
    .some(
      ({ effect, playState }) =>
        playState === "running" &&
        effect instanceof KeyframeEffect &&
        effect.target !== null &&
        geometry.within(element, effect.target) &&
        effect
          .getKeyframes()
          .some((frame) =>
            [
              "transform",
              "translate",
              "scale",
              "top",
              "left",
              "right",
              "bottom",
              "margin",
              "width",
              "height",
            ].some((name) => name in frame),
          ) &&
        effect.getComputedTiming().iterations !== Number.POSITIVE_INFINITY,
    );
}
