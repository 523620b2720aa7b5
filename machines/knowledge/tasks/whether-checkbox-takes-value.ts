/** Tells whether a value of a task may be meant for a checkbox or switch of a form. */
import { isYesOrNo } from "../../session/controls/values-that-tick-checkbox.ts";
import { parseControl } from "../screens/page-to-screen.ts";
import type { TaskField } from "./tasks-from-forms.ts";

const TICKED_ROLES: ReadonlySet<string> = new Set(["checkbox", "switch"]);

/**
 * Whether a field can take a value. A checkbox takes only yes, no, or its own name. For example, "Juice" for the
 * checkbox "Category" is meant for a field of another form: ticking the checkbox would change something that the task
 * does not ask for.
 */
export function takesValue({ action, name, label }: TaskField, value: unknown): boolean {
  const role = action && parseControl(action.target)?.role;
  if (role === undefined || !TICKED_ROLES.has(role) || typeof value !== "string") return true;
  const text = value.trim().toLowerCase();
  return isYesOrNo(text) || text === name.toLowerCase() || text === label.toLowerCase();
}
