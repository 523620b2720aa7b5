/**
 * Keeps the keyboard focus near its place. A browser drops the focus when the focused element is disabled or
 * removed, and Tab then starts at the top of the page again.
 */

/** Named parts of a view, which can take the focus in place of an element that was removed from them. */
const REGIONS = "section[aria-label]";

const isDisabled = (element: HTMLElement): boolean => element.matches(":disabled");

/** Moves the focus to a part of a view. The next press of Tab then reaches the first control in this part. */
export function focusRegion(region: HTMLElement): void {
  if (!region.hasAttribute("tabindex")) region.tabIndex = -1;
  region.focus({ preventScroll: true });
}

/**
 * Returns the regions around an element, from the innermost to the outermost, and the view's heading. One of
 * them gets the focus when the element is removed.
 */
function regionsAround(element: HTMLElement): readonly HTMLElement[] {
  const regions: HTMLElement[] = [];
  let region = element.closest<HTMLElement>(REGIONS) ?? undefined;
  while (region) {
    regions.push(region);
    region = region.parentElement?.closest<HTMLElement>(REGIONS) ?? undefined;
  }
  const heading = element.closest(".view")?.querySelector("h1");
  return heading ? [...regions, heading] : regions;
}

/**
 * Returns the region that has the focus, if it is still on the page. If the region was replaced, for example
 * by a reload of a view, returns the new region with the same name.
 */
function currentRegion(region: HTMLElement): HTMLElement | undefined {
  if (region.isConnected) return region;
  const name = region.getAttribute("aria-label");
  const all = [...document.querySelectorAll<HTMLElement>(REGIONS)];
  return name === null ? undefined : all.find((each) => each.getAttribute("aria-label") === name);
}

/**
 * An element that loses the focus when it is disabled gets it back when it is enabled again. If an element
 * with the focus is removed, the nearest remaining region around it gets the focus.
 */
export function keepFocus(): void {
  let held: HTMLElement | undefined;
  let regions: readonly HTMLElement[] = [];
  document.addEventListener("focusin", ({ target }) => {
    held = target instanceof HTMLElement ? target : undefined;
    regions = held ? regionsAround(held) : [];
  });
  // If the person presses the mouse elsewhere on the page, the focus is removed on purpose. So it is not
  // restored.
  document.addEventListener(
    "pointerdown",
    () => {
      held = undefined;
    },
    true,
  );
  new MutationObserver(() => {
    if (held === undefined || document.activeElement !== document.body) return;
    if (held.isConnected) {
      if (!isDisabled(held)) held.focus({ preventScroll: true });
      return;
    }
    for (const each of regions) {
      const region = currentRegion(each);
      if (region) return focusRegion(region);
    }
  }).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled"],
  });
}
