/**
 * Converts a recording to a task. Each typed text becomes a variable, so that a caller can supply another
 * value.
 */

import type { Control } from "../records.ts";
import type { RecordedStep } from "../session/recorded-step.ts";
import { shortHash, slug } from "./screen-id.ts";
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
    const target = step.targets.index;
    const label = target ? target.name || target.text || target.attributes.name || target.tag : "";
    const parameters: Record<string, unknown> = { ...step.params };
    const entered = ENTERED[step.action];
    if (entered !== undefined && target) {
      const name = freeName(slug(label) || `value_${at + 1}`, variables);
      const value = step.params[entered];
      variables.set(name, {
        name,
        label,
        type: target.type,
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

function controlOf(target: NonNullable<RecordedStep["targets"][string]>): Control {
  return {
    role: target.role,
    name: target.name,
    selector: target.selector,
    xpath: "",
    attributes: { ...target.attributes, tag: target.tag, ...(target.type ? { type: target.type } : {}) },
    alone: target.alone,
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
