/**
 * Draws numbered boxes over elements on the page, for people who watch a session. The boxes are in the top
 * layer and in a closed shadow root. They do not receive pointer events.
 */
import type { NumberedBox } from "./screenshot-boxes.ts";

export interface BoxOverlay {
  /**
   * Draws the given boxes and removes all boxes that were drawn before. An empty list only removes boxes.
   * Coordinates are CSS pixels from the top left corner of the document.
   */
  show(boxes: readonly NumberedBox[]): void;
}

/** Colours of the boxes. The number of a box determines its colour. */
const COLOURS = ["#d00000", "#0050d0", "#007a33", "#8a2be2", "#b05a00", "#00797a", "#c2185b", "#4a4a00"];
let host: HTMLElement | undefined;

export const boxOverlay: BoxOverlay = {
  show(boxes) {
    host?.remove();
    host = undefined;
    if (boxes.length === 0) return;
    host = document.createElement("div");
    host.popover = "manual";
    host.setAttribute("aria-hidden", "true");
    host.style.cssText =
      "all: initial; position: absolute; inset: 0 auto auto 0; width: 0; height: 0; overflow: visible; pointer-events: none";
    const root = host.attachShadow({ mode: "closed" });
    for (const { number, x, y, width, height } of boxes) {
      const colour = COLOURS[number % COLOURS.length] ?? "";
      const box = document.createElement("div");
      box.style.cssText = `position: absolute; box-sizing: border-box; left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px; border: 2px solid ${colour}`;
      const label = document.createElement("span");
      label.style.cssText = `position: absolute; left: 0; top: 0; font: bold 12px/1.2 sans-serif; padding: 0 3px; color: #fff; background: ${colour}`;
      label.textContent = String(number);
      box.append(label);
      root.append(box);
    }
    document.documentElement.append(host);
    host.showPopover();
  },
};
