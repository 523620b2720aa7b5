/**
 * In the page: whether what keeps an element from being acted on may go by itself.
 *
 * Pages enable, move and uncover things while they work; one on which nothing stirs waits for somebody. Sent as its own
 * source. Neighbours: `hands.ts` says what hinders, `../aim.ts` waits until it does not.
 */

import { identity } from "../actionability/element-identity.ts";
import { geometry } from "../actionability/geometry.ts";
import { widgetOf } from "../widgets/input-proxies.ts";

export interface PageIdle {
  /**
   * For how many milliseconds nothing has changed or moved; 0 also where something lies over the element that may go by
   * itself, as notes do that are shown for a while.
   * @param covered that is what hinders
   * @param anew from now on
   */
  idleFor(id: number, covered: boolean, anew: boolean): number;
}

/** Of the window: what covers more of it is there to be answered. */
const MOST_OF_IT = 0.9;
let last = 0;
let watching: MutationObserver | undefined;

const isShade = (hit: Element | undefined): boolean => {
  for (let up: Element | null = hit ?? null; up && up !== document.body; up = geometry.renderedParent(up)) {
    const { width, height } = up.getBoundingClientRect();
    const all = width >= innerWidth * MOST_OF_IT && height >= innerHeight * MOST_OF_IT;
    if (all && /fixed|absolute/.test(getComputedStyle(up).position)) return true;
    if (up.matches("dialog:modal")) return true;
  }
  return false;
};

export const pageIdle: PageIdle = {
  idleFor(id, covered, anew) {
    if (anew || !watching) {
      watching ??= new MutationObserver(() => {
        last = performance.now();
      });
      watching.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      last = performance.now();
    }
    const element = identity.find(id);
    const runs = document.getAnimations().some(({ playState }) => playState === "running");
    const over = covered && element ? geometry.coveredBy(element) : undefined;
    // What is drawn over a field in its own widget belongs there.
    const stays = over && element && (isShade(over) || geometry.within(over, widgetOf(element)));
    if (!element || runs || document.readyState !== "complete" || (over && !stays)) last = performance.now();
    return performance.now() - last;
  },
};
