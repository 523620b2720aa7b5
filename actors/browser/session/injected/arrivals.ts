/**
 * In the page: whether something that an act set off is still on its way into sight, or out of it.
 *
 * Dialogs, menus and panels fade and slide in, often one after the other; who looks while they do misses what the act
 * opened. Sent as its own source. Neighbour: `hands.ts` tells it with what became of an element.
 */

import type { Geometry } from "./geometry.ts";

export interface Arrivals {
  /**
   * @param acted what happens in it by itself, such as being pressed, brings nothing
   * @param came what was put into the page since
   */
  under(acted: Element | undefined, came: ReadonlySet<Element>): boolean;
  /** Whether it is being moved, or what is around it: it is not where it is seen for long. */
  moves(element: Element): boolean;
}

export function makeArrivals(geometry: Geometry): Arrivals {
  /** Milliseconds: what takes longer, or began longer ago, is none of the act. */
  const MOST = 1_000;
  const PAINT = /color|shadow|background|border|outline|fill|stroke|filter/;

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

  return {
    under(acted, came) {
      if ([...came].some(waits)) return true;
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

    moves: (element) =>
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
}
