/**
 * In the page: whether something that an act set off is still on its way into sight, or out of it.
 *
 * Dialogs, menus and panels fade and slide in, often one after the other; who looks while they do misses what the act
 * opened. Sent as its own source. Neighbour: `hands.ts` tells it with what became of an element.
 */

import { geometry } from "../actionability/geometry.ts";
import { VISIBLE } from "../dom.ts";

export interface Transitions {
  /** An element is about to be acted on: what happens from now on is counted. */
  begin(element: Element): void;
  /** What changed since. */
  record(records: readonly MutationRecord[]): void;
  /** It says that something pops up for it, and nothing of the kind has come into sight. */
  awaitsPopup(element: Element): boolean;
  /**
   * @param acted what happens in it by itself, such as being pressed, brings nothing
   * @param came what was put into the page since
   */
  isRunning(acted: Element | undefined, came: ReadonlySet<Element>): boolean;
  /** Whether it is being moved, or what is around it: it is not where it is seen for long. */
  isMoving(element: Element): boolean;
}

/** Milliseconds: what takes longer, or began longer ago, is none of the act. */
const MOST = 1_000;
const PAINT = /color|shadow|background|border|outline|fill|stroke|filter/;

/** Milliseconds in which a script draws the next frame of what it moves by itself, on a busy machine too. */
const FRAME = 100;
const SLIDES_MOST = 50;
const POPUPS =
  "dialog,[popover],[role=menu],[role=listbox],[role=dialog],[role=tree],[role=grid],[role=tooltip]";
let popups = new Set<Element>();
/** How high and how faint a script has made things, and how often. */
let slides = new Map<Element, { readonly value: string; readonly at: number; readonly times: number }>();

const seenPopups = (): Element[] =>
  [...document.querySelectorAll(POPUPS)].filter((one) => one.checkVisibility(VISIBLE));

/** A script unfolds it, or lets it fade, step by step. */
const slidesOn = (element: Element, acted: Element | undefined): boolean => {
  const slide = slides.get(element);
  if (!slide || !(element instanceof HTMLElement) || !element.isConnected) return false;
  if (performance.now() - slide.at > FRAME || acted?.contains(element)) return false;
  return slide.times > 2 || (element.style.overflow === "hidden" && element.style.height !== "");
};

/** It begins from nothing, and moves with the next frame. */
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
