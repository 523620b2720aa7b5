/** The ARIA role of an element that has no `role` attribute. Maps and sessions use the same rule. */

const INPUT_ROLES: Readonly<Record<string, string>> = {
  button: "button",
  submit: "button",
  reset: "button",
  image: "button",
  checkbox: "checkbox",
  radio: "radio",
  range: "slider",
  number: "spinbutton",
  search: "searchbox",
  file: "file",
};

export interface RoleFacts {
  readonly tag: string;
  /** The attribute `type` of an input element. */
  readonly type?: string | undefined;
  /** Whether a select element shows several options at once. */
  readonly isList?: boolean;
  readonly isEditable?: boolean;
}

export function implicitRole({ tag, type, isList = false, isEditable = false }: RoleFacts): string {
  switch (tag) {
    case "a":
    case "area":
      return "link";
    case "button":
    case "summary":
      return "button";
    case "select":
      return isList ? "listbox" : "combobox";
    case "textarea":
      return "textbox";
    case "input":
      return INPUT_ROLES[(type ?? "text").toLowerCase()] ?? "textbox";
    default:
      return isEditable ? "textbox" : "generic";
  }
}
