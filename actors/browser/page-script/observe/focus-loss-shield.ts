/**
 * Hides focus events from the page while its tab goes to the background and comes back. So menus and fields
 * that close when the window loses the focus stay open. Listeners run in the order in which they were added,
 * so the shield adds its own before the page's scripts run.
 */
export interface FocusShield {
  setActive(active: boolean): void;
}

const EVENTS = ["blur", "focus", "focusin", "focusout"];
let isActive = false;

const stop = (event: Event): void => {
  if (isActive) event.stopImmediatePropagation();
};
for (const name of EVENTS) addEventListener(name, stop, { capture: true });

export const focusShield: FocusShield = {
  setActive(active) {
    isActive = active;
  },
};
