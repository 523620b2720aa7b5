/**
 * Opens a closed menu before a control in it is pressed. This is needed if the page contains the control although a
 * person cannot see it: the control is transparent and below another element (Ghost, the menus of habx's ui-core).
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { roleOf } from "../elements/texts-that-may-name-element.ts";
import { plannedStep } from "../plan/build-plan-step.ts";
import type { Plan } from "../plan/plan-schemas.ts";
import { leadingPlan } from "./plans-that-lead-to-thing.ts";

/**
 * Maximum number of levels from a control in a menu up to the nearest element that also contains the button of the
 * menu. Usual levels are the control, its entry, the list of entries, and one further box.
 */
const MENU_LEVELS = 4;
/** Score (0 to 1) of the button that opens the menu. */
const OPENER = 0.7;

/** Whether a person cannot see an element: it is transparent and below another element. */
const isUnseen = ({ hidden, covered }: HighlightedElement): boolean =>
  hidden === true && covered !== undefined;

/**
 * Returns a plan that only opens the menu in which the first control of the given plan is. Returns `undefined` if a
 * person sees this control, or if it is not clear which button opens its menu.
 */
export function planToOpenMenu(
  task: string,
  plan: Plan,
  elements: readonly HighlightedElement[],
): Plan | undefined {
  const [first] = plan.steps;
  const control = elements.find(({ highlight_index }) => highlight_index === first?.targetId);
  if (first?.action !== "click" || !control || !isUnseen(control)) return undefined;
  const openers = elements.filter(
    (one) =>
      roleOf(one) === "button" &&
      one.interactionType !== "submit" &&
      one.disabled !== true &&
      one.hidden !== true &&
      one.covered === undefined,
  );
  const levels = openers.map((opener) => ({ opener, level: levelsToCommon(control.xpath, opener.xpath) }));
  const least = Math.min(...levels.map(({ level }) => level));
  const [only, other] = levels.filter(({ level }) => level === least);
  if (!only || other || least > MENU_LEVELS) return undefined;
  const order = { kind: "click", target: nameOf(only.opener), value: null } as const;
  const step = plannedStep(order, only.opener, { action: "click", target: OPENER, part: "open", elements });
  return step.risk === "high" ? undefined : leadingPlan(task, plan, [step], "page");
}

/** Returns the number of levels from the first element up to the nearest element that contains both. */
function levelsToCommon(xpath: string, other: string): number {
  const [own, others] = [xpath, other].map((path) => path.split("/"));
  if (!own || !others) return Number.POSITIVE_INFINITY;
  const differing = own.findIndex((part, at) => part !== others[at]);
  return differing < 0 ? 0 : own.length - differing;
}
