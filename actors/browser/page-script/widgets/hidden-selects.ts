/**
 * In the page: the native select that a script's list stands in for, and the other way about.
 *
 * Such a widget hides the select and writes into it what is chosen; that says more surely what was taken than what the
 * widget shows, and `aria-selected` often says only which option the pointer is at. Sent as its own source. Neighbour:
 * `lists.ts` asks whether an option was taken.
 */

import { registry } from "../document-state.ts";

export interface Holders {
  /** The hidden select that holds what is chosen in the list of a control. */
  holderOf(control: Element): HTMLSelectElement | undefined;
  /** What is operated in the place of a label, or of a select that is hidden. */
  standInFor(element: Element): Element | undefined;
}

const SEEN = { visibilityProperty: true, opacityProperty: true } as const;
const OPENER = "[role=combobox],[aria-haspopup],[aria-expanded],[tabindex],input,button";
/** Elements around a control in which a select may be that belongs to it. */
const LEVELS = 3;
const SIBLINGS = 2;

const isHidden = (element: Element): boolean => {
  if (!element.checkVisibility(SEEN)) return true;
  const { width, height } = element.getBoundingClientRect();
  if (width <= 1 || height <= 1) return true;
  // Shown to readers of screens alone.
  const { clip, clipPath } = getComputedStyle(element);
  return clip !== "auto" || clipPath !== "none";
};

/** Widgets put labels to elements that are no fields as well. */
const labelledBy = (label: HTMLLabelElement): Element | null => {
  const { control, htmlFor } = label;
  const root = label.getRootNode();
  if (control || htmlFor === "" || !(root instanceof Document || root instanceof ShadowRoot)) return control;
  const named = root.getElementById(htmlFor);
  return named?.matches(OPENER) ? named : null;
};

const hiddenSelect = (element: Element | null | undefined): HTMLSelectElement | undefined =>
  element instanceof HTMLSelectElement && isHidden(element) ? element : undefined;

const near = function* (element: Element, first: "next" | "previous"): Generator<Element> {
  const step = (from: Element, way: "next" | "previous"): Element | null =>
    way === "next" ? from.nextElementSibling : from.previousElementSibling;
  const second = first === "next" ? "previous" : "next";
  let [one, other]: (Element | null)[] = [element, element];
  for (let at = 0; at < SIBLINGS; at++) {
    one = one && step(one, first);
    if (one) yield one;
    other = other && step(other, second);
    if (other) yield other;
  }
};

export const holders: Holders = {
  holderOf(control) {
    const label = control instanceof HTMLLabelElement ? control : undefined;
    const labelled = hiddenSelect(label?.control);
    if (labelled) return labelled;
    let up: Element | null = control;
    for (let level = 0; up && level <= LEVELS; level++, up = registry.parentOf(up)) {
      if (up === document.body || up === document.documentElement) break;
      const inside = [...up.querySelectorAll("select")];
      // Of several it cannot be said which.
      if (inside.length > 1) break;
      const own = hiddenSelect(inside[0]);
      if (own) return own;
      for (const one of near(up, label ? "next" : "previous")) {
        const beside = hiddenSelect(one);
        if (beside) return beside;
      }
    }
    return undefined;
  },

  standInFor(element) {
    const select = element instanceof HTMLLabelElement ? labelledBy(element) : element;
    if (!select) return undefined;
    if (!isHidden(select)) return select === element ? undefined : select;
    const opens = (one: Element): Element | undefined =>
      [one, ...one.querySelectorAll(OPENER)].find((each) => each.matches(OPENER) && !isHidden(each));
    let up = registry.parentOf(select);
    for (let level = 0; up && level < LEVELS; level++, up = registry.parentOf(up)) {
      if (up === document.body || up.querySelectorAll("select").length > 1) break;
      if (up.matches(OPENER) && !isHidden(up)) return up;
    }
    for (const one of near(select, "next")) {
      if (one instanceof HTMLLabelElement || one instanceof HTMLSelectElement) continue;
      const found = opens(one);
      if (found) return found;
    }
    return undefined;
  },
};
