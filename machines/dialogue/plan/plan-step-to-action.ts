/** Converts a step of a plan into an action of a session. */
import type { Action } from "../../session/actions/browser-action-parameters.ts";
import type { PlanStep } from "./plan-schemas.ts";

/**
 * How the element of a step is found: by index on the current page, or by role and name on a page that may
 * change before the step. `isSubmit` is true for a button that submits a form.
 */
export type StepElement =
  | { readonly index: number; readonly isSubmit?: boolean }
  | { readonly role: string; readonly name: string }
  | null;

/**
 * Returns the session's action for a step of a plan; `undefined` for a step that is no action of a session.
 *
 * @param value the text to type: the step's value, or the value of the step's stored secret
 */
export function stepAction(
  { action }: PlanStep,
  element: StepElement,
  value: string | null,
): Action | undefined {
  const text = value ?? "";
  const index = element && "index" in element ? element.index : 0;
  const located = <A extends Action>(made: A): A => {
    if (!element || "index" in element) return made;
    const { role, name } = element;
    return { ...made, locators: { index: { ...(role === "" ? {} : { role }), name } } };
  };
  switch (action) {
    case "input":
      return located({ name: "input", params: { index, text, clear: true } });
    case "select_dropdown":
      return located({ name: "select_dropdown", params: { index, text } });
    case "click":
      // The action `submit_form` also presses the given button, and in addition verifies that the server
      // accepted the form.
      return element && "index" in element && element.isSubmit === true
        ? { name: "submit_form", params: { index } }
        : located({ name: "click", params: { index } });
    case "hover":
      return located({ name: "hover", params: { index } });
    case "navigate":
      return { name: "navigate", params: { url: text } };
    case "send_keys":
      return { name: "send_keys", params: { keys: text } };
    case "go_back":
      return { name: "go_back", params: {} };
    case "refresh":
      return { name: "refresh", params: {} };
    case "scroll":
      return { name: "scroll", params: { direction: text === "up" ? "up" : "down" } };
    default:
      return undefined;
  }
}

/** Whether the action of a plan's step is done on an element. */
export const takesElement = ({ action }: PlanStep): boolean =>
  action === "input" || action === "select_dropdown" || action === "click" || action === "hover";
