/**
 * Whether an action has started an animation that is still running. A snapshot during the animation would
 * miss the dialog or menu that the action opens.
 */

import { geometry } from "../actionability/geometry.ts";
import { VISIBLE } from "../dom.ts";

export interface Transitions {
  /** Call before an element is acted on. */
  begin(element: Element): void;
  /** Processes mutations since `begin`. */
  record(records: readonly MutationRecord[]): void;
  /** Whether the element announces a popup, and no new popup is visible. */
  awaitsPopup(element: Element): boolean;
  /**
   * @param acted animations of the element itself, such as a press effect, do not count
   * @param came elements inserted since
   */
  isRunning(acted: Element | undefined, came: ReadonlySet<Element>): boolean;
  /** Whether the element, or an element around it, is being moved by an animation. */
  isMoving(element: Element): boolean;
}

/** Milliseconds: a longer animation, or one that started earlier, is not the result of the action. */
const MOST = 1_000;
const PAINT = /color|shadow|background|border|outline|fill|stroke|filter/;

/** Milliseconds until the next frame of an animation by a script, on a busy machine as well. */
const FRAME = 100;
const SLIDES_MOST = 50;
const POPUPS =
  "dialog,[popover],[role=menu],[role=listbox],[role=dialog],[role=tree],[role=grid],[role=tooltip]";
let popups = new Set<Element>();
/** Heights and opacities that a script has set, with the number of steps. */
let slides = new Map<Element, { readonly value: string; readonly at: number; readonly times: number }>();

const seenPopups = (): Element[] =>
  [...document.querySelectorAll(POPUPS)].filter((one) => one.checkVisibility(VISIBLE));

/** Whether a script is unfolding or fading the element step by step. */
const slidesOn = (element: Element, acted: Element | undefined): boolean => {
  const slide = slides.get(element);
  if (!slide || !(element instanceof HTMLElement) || !element.isConnected) return false;
  if (performance.now() - slide.at > FRAME || acted?.contains(element)) return false;
  return slide.times > 2 || (element.style.overflow === "hidden" && element.style.height !== "");
};

/** An inserted element with content that is still transparent or scaled to zero. */
const waits = (element: Element): boolean => {
  if (!element.isConnected) return false;
  return [
    element,
    ...element.children,
    ...[...element.children].flatMap(({ children }) => [...children]),
  ].some((one) => {
    const { opacity, transform, display } = getComputedStyle(one);
    return (
      display !== "none" &&
      (opacity === "0" || /^matrix\(0, 0, 0, 0/.test(transform)) &&
      one.textContent?.trim()
    );
  });
};

export const transitions: Transitions = {
  begin(element) {
    slides = new Map();
    popups = new Set(element.matches("[aria-haspopup]") ? seenPopups() : []);
  },

  record(records) {
    for (const { target, attributeName } of records) {
      if (attributeName !== "style" || !(target instanceof HTMLElement)) continue;
      const { height, maxHeight, opacity } = target.style;
      const value = `${height} ${maxHeight} ${opacity}`;
      const then = slides.get(target);
      if (then?.value === value || (!then && slides.size >= SLIDES_MOST)) continue;
      slides.set(target, { value, at: performance.now(), times: (then?.times ?? 0) + 1 });
    }
  },

  awaitsPopup: (element) =>
    element.matches("[aria-haspopup]:not([aria-haspopup=false])") &&
    element.getAttribute("aria-expanded") !== "true" &&
    !seenPopups().some((one) => !popups.has(one)),

  isRunning(acted, came) {
    if ([...came].some(waits)) return true;
    if ([...slides.keys()].some((element) => slidesOn(element, acted))) return true;
    return document.getAnimations().some((animation) => {
      const { effect, playState, currentTime } = animation;
      if (playState !== "running" || !(effect instanceof KeyframeEffect)) return false;
      const { target, pseudoElement } = effect;
      if (!target || pseudoElement !== null) return false;
      if (acted && (acted.contains(target) || target.contains(acted))) return false;
      if (animation instanceof CSSTransition && PAINT.test(animation.transitionProperty)) return false;
      const { endTime } = effect.getComputedTiming();
      return typeof endTime === "number" && endTime <= MOST && Number(currentTime ?? 0) <= MOST;
    });
  },

  isMoving: (element) =>
    document
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
      ),
};
