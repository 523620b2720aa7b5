/**
 * In the page: hears every event of the pointer and the keys first, for whoever guards an act.
 *
 * A listener hears before those that were added after it, so these are there before any script of the page; who judges
 * what they hear comes with the first act. Sent as its own source. Neighbour: `hands.ts` judges.
 */
export interface EventTap {
  listener: ((event: Event) => void) | undefined;
}

const EVENTS =
  "pointerdown mousedown pointerup mouseup click auxclick dblclick contextmenu keydown beforeinput".split(
    " ",
  );
export const eventTap: EventTap = { listener: undefined };
for (const name of EVENTS)
  addEventListener(name, (event) => eventTap.listener?.(event), { capture: true, passive: false });
