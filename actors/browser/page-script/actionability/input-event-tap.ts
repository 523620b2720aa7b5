/**
 * Passes every pointer and key event to one listener before any listener of the page gets it. Browsers call
 * listeners in the order in which they were added, so Cairn adds its listeners before any script of the page
 * runs. The actionability guard sets the listener later.
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
