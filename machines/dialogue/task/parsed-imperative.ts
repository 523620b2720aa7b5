/** An imperative of a task: the kind of step that it asks for, its target and its value. */

export type OrderKind =
  | "click"
  | "input"
  | "select"
  /**
   * The imperative (an instruction of the task) creates a thing, such as "Create a project named Apollo". The
   * form for the values is on this page, or a click opens it.
   */
  | "create"
  /** The imperative (such as "Sort by name") sorts a table by a click on the header of a column. */
  | "sort"
  /**
   * Sets a value, as "Set the status to Open" does: by typing it into a text field or choosing it in a list.
   */
  | "set"
  | "check"
  | "navigate"
  | "search"
  | "keys"
  | "sign_in"
  | "go_back"
  | "refresh"
  | "scroll";

/** One imperative of a task, such as "set the phone to 555". */
export interface Order {
  readonly kind: OrderKind;
  /** The words of the task for the element; empty if the task does not describe one. */
  readonly target: string;
  readonly value: string | null;
  readonly ordinal?: number | undefined;
  /** Other words that may describe the same element, such as the complete text of the imperative. */
  readonly also?: string | undefined;
  /** True if a checkbox is to be unchecked instead of checked. */
  readonly off?: boolean | undefined;
  /** Name of the stored secret whose value the step types. */
  readonly secret?: string | undefined;
  /** The values of the thing to create, such as its name. */
  readonly entries?: readonly Order[] | undefined;
  /** Whether the target is the name of a page, so that the map may contain a route to it. */
  readonly isPlace?: boolean | undefined;
}
