/**
 * Detects a plan that types the new value of a named thing into a filter of a list: "Pier places" into the filter "Quota
 * name" for 'Change the name of the quota "Pier capacity" to "Pier places"'.
 */
import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import type { PlanOnPage } from "../checks/input-of-plan-checks.ts";
import { isField, roleOf } from "../elements/texts-that-may-name-element.ts";
import { isGeneral, showsThing, thingOfTask } from "./plans-that-lead-to-thing.ts";

/**
 * Matches words for filtering and searching. They are in the names of buttons that filter a list (pretix, Wagtail,
 * Redmine), and in tasks that ask for this.
 */
const FILTERS =
  /\b(?:filter|search|find|such|suche|suchen|filtern|filtrer|rechercher|filtrar|buscar|filtra|cerca)\b/iu;

/** Whether a plan enters a value in a form that only filters a list, although the task changes a thing of this list. */
export function changesByFilter({ task, steps, elements }: PlanOnPage): boolean {
  const entered = steps.flatMap(
    ({ targetId, value }) =>
      (value !== null && elements.find(({ highlight_index }) => highlight_index === targetId)) || [],
  );
  if (entered.length === 0 || FILTERS.test(task)) return false;
  const thing = thingOfTask(task);
  if (!thing || thing.name.length === 0 || !isGeneral(thing)) return false;
  const shown = elements.filter((one) => !isField(one));
  return showsThing(thing, shown) && entered.every((field) => isInFilter(field, elements));
}

/** Whether each button of the field's form filters a list. */
function isInFilter(field: HighlightedElement, elements: readonly HighlightedElement[]): boolean {
  const form = formPath(field);
  const buttons = elements.filter(
    (one) => form !== undefined && roleOf(one) === "button" && formPath(one) === form,
  );
  return buttons.length > 0 && buttons.every((button) => FILTERS.test(nameOf(button)));
}
