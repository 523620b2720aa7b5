/** A step of a plan as an action of a session. Its element is found by role and name when the action runs. */
import type { Action } from "../session/actions.ts";
import type { PlanStep } from "./plan-schemas.ts";

export function stepAction({ action, target, value }: PlanStep): Action {
  const locators = target ? { index: { role: target.role, name: target.name } } : undefined;
  const located = <A extends Action>(made: A): A => (locators ? { ...made, locators } : made);
  const text = value ?? "";
  switch (action) {
    case "input":
      return located({ name: "input", params: { index: 0, text, clear: true } });
    case "select_dropdown":
      return located({ name: "select_dropdown", params: { index: 0, text } });
    case "navigate":
      return { name: "navigate", params: { url: text } };
    case "send_keys":
      return { name: "send_keys", params: { keys: text } };
    default:
      return located({ name: "click", params: { index: 0 } });
  }
}
