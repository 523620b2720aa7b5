/**
 * Passes pointer and key events to one listener before the listeners of the page. Listeners are called in the
 * order of their addition, so these are added before any script of the page runs. The event guard sets the
 * listener later.
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
