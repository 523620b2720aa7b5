/**
 * Passes pointer and key events to one listener (set by the event guard) before the page receives them. A
 * browser calls listeners in the order in which they were added. So this file adds its listeners before any
 * script of the page runs.
 */
export interface EventTap {
  listener: ((event: Event) => void) | undefined;
}

/** Types of events that a user action, such as a click or a key press, causes. */
const EVENTS =
  "pointerdown mousedown pointerup mouseup click auxclick dblclick contextmenu keydown beforeinput".split(
    " ",
  );
export const eventTap: EventTap = { listener: undefined };
for (const name of EVENTS)
  addEventListener(name, (event) => eventTap.listener?.(event), { capture: true, passive: false });
