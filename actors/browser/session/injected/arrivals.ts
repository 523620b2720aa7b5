/**
 * In the page: whether something that an act set off is still on its way into sight, or out of it.
 *
 * Dialogs, menus and panels fade and slide in, often one after the other; who looks while they do misses what the act
 * opened. Sent as its own source. Neighbour: `hands.ts` tells it with what became of an element.
 */

export interface Arrivals {
  /** @param acted what happens in it by itself, such as being pressed, brings nothing */
  under(acted: Element | undefined): boolean;
}

export function makeArrivals(): Arrivals {
  /** Milliseconds: what takes longer, or began longer ago, is none of the act. */
  const MOST = 1_000;
  const PAINT = /color|shadow|background|border|outline|fill|stroke|filter/;

  return {
    under(acted) {
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
  };
}
