/**
 * Decides whether an obstacle to an action may disappear by itself. A page that is still working may enable,
 * move or uncover elements. If the page is idle, the obstacle stays.
 */

import { geometry } from "../actionability/element-geometry.ts";
import { identity } from "../actionability/same-element-check.ts";
import { widgetOf } from "../widgets/proxy-controls-of-hidden-fields.ts";

export interface PageIdle {
  /**
   * Returns the number of milliseconds since the page last changed or an element moved. Returns 0 while a
   * covering element may disappear by itself, such as a notification.
   *
   * @param covered whether another element covers the target
   * @param restart whether to start counting the milliseconds from now
   */
  idleFor(id: number, covered: boolean, restart: boolean): number;
}

/**
 * Minimum share (0 to 1) of the window that an element must cover to count as a modal layer. Such a layer
 * waits for the user and does not disappear by itself.
 */
const MODAL_SHARE = 0.9;
let last = 0;
let observer: MutationObserver | undefined;

const isModalLayer = (hit: Element | undefined): boolean => {
  for (let up: Element | null = hit ?? null; up && up !== document.body; up = geometry.renderedParent(up)) {
    const { width, height } = up.getBoundingClientRect();
    const all = width >= innerWidth * MODAL_SHARE && height >= innerHeight * MODAL_SHARE;
    if (all && /fixed|absolute/.test(getComputedStyle(up).position)) return true;
    if (up.matches("dialog:modal")) return true;
  }
  return false;
};

export const pageIdle: PageIdle = {
  idleFor(id, covered, restart) {
    if (restart || !observer) {
      observer ??= new MutationObserver(() => {
        last = performance.now();
      });
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      last = performance.now();
    }
    const element = identity.find(id);
    const runs = document.getAnimations().some(({ playState }) => playState === "running");
    const over = covered && element ? geometry.coveredBy(element) : undefined;
    // A covering element may belong to the field's own component, such as a text that the component draws
    // over the field. Such an element does not disappear by itself.
    const stays = over && element && (isModalLayer(over) || geometry.within(over, widgetOf(element)));
    if (!element || runs || document.readyState !== "complete" || (over && !stays)) last = performance.now();
    return performance.now() - last;
  },
};
