/** Creates map transitions from presses, and finds the element that undoes a press. */
import type { PressStep } from "../../../machines/exploration/press-choice.ts";
import { nameOf } from "../../../machines/exploration/ui-state.ts";
import { type FoundTransition, stateIdOf } from "../../../machines/knowledge/page-state.ts";
import type { Control } from "../../../machines/records.ts";
import type { HighlightedElement } from "../../../machines/session/page-snapshot.ts";
import type { Shown } from "./press-session.ts";

/** Whether a second press on the element closes what the first one opened. */
export function isToggle(shown: Shown | undefined, { name, role, xpath }: PressStep): boolean {
  const element = shown?.page.highlightedElements.find(
    (one) => one.xpath === xpath && nameOf(one) === name && (one.role ?? one.tagName) === role,
  );
  if (!element || element.covered !== undefined) return false;
  const { attributes, tagName } = element;
  return attributes["aria-expanded"] !== undefined || tagName.toLowerCase() === "summary";
}

/** Returns the tab that was selected before another tab was pressed. */
export function selectedTab({ page }: Shown, { xpath }: PressStep): PressStep | undefined {
  const list = xpath.slice(0, xpath.lastIndexOf("/"));
  const tab = page.highlightedElements.find(
    (one) =>
      one.role === "tab" &&
      one.xpath !== xpath &&
      (one.selected === true || one.attributes["aria-selected"] === "true") &&
      one.xpath.slice(0, one.xpath.lastIndexOf("/")).length === list.length,
  );
  return tab && { kind: "click", name: nameOf(tab), role: "tab", xpath: tab.xpath };
}

interface Ends {
  readonly key: string;
  readonly names: readonly string[];
}

export function ends(from: Ends, to: Ends) {
  return { from: stateIdOf(from.key, from.names), to: stateIdOf(to.key, to.names) };
}

export function transition(
  from: Ends,
  to: Ends,
  { element, step }: { readonly element: HighlightedElement; readonly step: PressStep },
): FoundTransition {
  const action = step.kind === "hover" ? ({ action_type: "hover" } as const) : {};
  return { ...ends(from, to), name: nameOf(element), control: controlOf(element), ...action };
}

function controlOf(element: HighlightedElement): Control {
  const { role, tagName, selector, xpath, attributes } = element;
  return {
    role: role ?? tagName,
    name: nameOf(element),
    selector,
    xpath,
    attributes: { ...attributes, tag: tagName },
  };
}

export function controlOfStep({ name, role, xpath }: PressStep): Pick<FoundTransition, "name" | "control"> {
  return { name, control: { role, name, selector: "", xpath, attributes: {} } };
}
