/**
 * Converts a recording to a task. Each typed text becomes a variable, so that a caller can supply another
 * value.
 */

import type { Control } from "../../records/page-control-records.ts";
import type { RecordedStep } from "../../session/actions/actions-to-recorded-steps.ts";
import { splitLocators } from "../../session/actions/locators-from-action-params.ts";
import { shortHash, slug } from "../screens/screen-id.ts";
import { simpleSelector } from "./simple-css-selector.ts";
import type { TaskDefinition, TaskStep, TaskVariable } from "./task-definition.ts";

export interface RecordedSession {
  readonly name: string;
  readonly steps: readonly RecordedStep[];
}

/** For each action, the name of the parameter that contains the user's input. */
const ENTERED: Readonly<Record<string, string>> = {
  input: "text",
  type_slowly: "text",
  paste: "text",
  select_dropdown: "text",
};

export function recordedTask(recording: RecordedSession, source_id: string): TaskDefinition | undefined {
  const variables = new Map<string, TaskVariable>();
  const steps = recording.steps.map((step, at): TaskStep => {
    const { target, parameters } = targetOf(step);
    const label = target ? target.name || target.text || target.attributes.name || target.tag : "";
    const entered = ENTERED[step.action];
    if (entered !== undefined && target) {
      const name = freeName(slug(label) || `value_${at + 1}`, variables);
      const value = step.params[entered];
      variables.set(name, {
        name,
        label,
        type: target.attributes.type ?? "",
        required: true,
        ...(typeof value === "string" && !step.needs.includes(entered) ? { example: value } : {}),
      });
      parameters[entered] = `{{${name}}}`;
    }
    return {
      order: at + 1,
      action: { action_type: step.action, target: label, parameters },
      description: describe(step.action, label, step.params),
      ...(target ? { control: controlOf(target) } : {}),
      url: step.url,
    };
  });
  if (steps.length === 0) return undefined;
  const name = recording.name;
  const last = recording.steps.at(-1);
  return {
    task_id: `task_${slug(name).slice(0, 32)}_${shortHash([source_id, name].join("\n"))}`,
    name,
    description: `${name}, as recorded in ${steps.length} steps`,
    origin: "recording",
    source_id,
    steps,
    variables: [...variables.values()],
    success_criteria: [
      last?.effect === undefined
        ? `The last step is done: ${steps.at(-1)?.description ?? name}`
        : last.effect,
    ],
  };
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}_${number}`)) return `${name}_${number}`;
}

/** The element of a step: its fingerprint, or else what a locator in the parameters states. */
type RecordedTarget = Pick<
  RecordedStep["targets"][string],
  "role" | "name" | "text" | "tag" | "attributes" | "selector"
> & { readonly alone?: boolean };

/**
 * Returns the target element of a step, and those parameters of the step that do not locate the element. In
 * recordings by hand or by other tools, `selector`, `role`, `name`, `label` or `text` may locate it.
 */
function targetOf(step: RecordedStep): {
  readonly target: RecordedTarget | undefined;
  readonly parameters: Record<string, unknown>;
} {
  const { index: known } = step.targets;
  if (known) {
    const attributes = { ...known.attributes, ...(known.type ? { type: known.type } : {}) };
    return { target: { ...known, attributes }, parameters: { ...step.params } };
  }
  const entered = ENTERED[step.action];
  const own = { index: 0, ...(entered === undefined ? {} : { [entered]: "" }) };
  const { params, locators } = splitLocators(step.params, own);
  const locator = locators.index;
  if (!locator) return { target: undefined, parameters: { ...step.params } };
  const { index: _, ...parameters } = params;
  const { fingerprint, role, name, label, text, selector } = locator;
  return {
    target: {
      role: role ?? fingerprint?.role ?? "",
      name: name ?? label ?? text ?? fingerprint?.name ?? "",
      text: nameIn(selector),
      tag: fingerprint?.tag ?? "",
      attributes: { ...fingerprint?.attributes },
      selector: selector ?? "",
    },
    parameters,
  };
}

/** Returns the name or id of the field that a selector such as `input[name=email]` states. */
function nameIn(selector: string | undefined): string {
  const { name, id } = simpleSelector(selector ?? "")?.attributes ?? {};
  return name ?? id ?? "";
}

function controlOf({ role, name, selector, attributes, tag, alone }: RecordedTarget): Control {
  return {
    role,
    name,
    selector,
    xpath: "",
    attributes: { ...attributes, ...(tag === "" ? {} : { tag }) },
    ...(alone === undefined ? {} : { alone }),
  };
}

function describe(action: string, label: string, params: Readonly<Record<string, unknown>>): string {
  switch (action) {
    case "navigate":
      return `Open ${String(params.url ?? "")}`;
    case "input":
    case "type_slowly":
    case "paste":
      return `Type into "${label}"`;
    case "click":
      return `Click "${label}"`;
    case "select_dropdown":
      return `Choose an option of "${label}"`;
    default:
      return label === "" ? action : `${action} "${label}"`;
  }
}
