/**
 * Lists every browser action with its aliases and the JSON Schema of its parameters. The JSON Schemas come
 * from the schemas that validate the parameters.
 */
import { z } from "zod";
import {
  type ActionName,
  type ActionRisk,
  actionNames,
  actionTable,
} from "./browser-action-names-and-risks.ts";
import { actionSchemas } from "./browser-action-parameters.ts";
import { locatorSchema } from "./locators-from-action-params.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

export interface CatalogueEntry {
  readonly action_type: ActionName;
  readonly aliases: readonly string[];
  /** Whether the action is idempotent: a repetition has no further effect. */
  readonly idempotent: boolean;
  readonly risk: ActionRisk;
  readonly params: JsonSchema;
}

function paramsOf(name: ActionName): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(actionSchemas[name], { io: "input" });
  const { properties = {}, required } = schema;
  if (!("index" in properties)) return schema;
  // Adds the locator parameters to the schema, such as `selector` and `role`. A caller may name an element by
  // a locator instead of `index`.
  return {
    ...schema,
    properties: {
      ...locatorProperties(),
      ...("to_index" in properties ? { to: { type: "object", properties: locatorProperties() } } : {}),
      ...properties,
    },
    ...(required ? { required: required.filter((one) => one !== "index") } : {}),
  };
}

function locatorProperties(): JsonSchema {
  return z.toJSONSchema(locatorSchema, { io: "input" }).properties ?? {};
}

export function actionCatalogue(): readonly CatalogueEntry[] {
  return actionNames.map((name) => ({
    action_type: name,
    ...actionTable[name],
    params: paramsOf(name),
  }));
}

/** The JSON Schema that covers all actions, in the form that the tool `execute_action` accepts. */
export function actionSchema(): JsonSchema {
  return {
    description: "An action of execute_action: its type, by name or alias, and its parameters",
    oneOf: actionCatalogue().map(({ action_type, aliases, params }) => ({
      type: "object",
      title: action_type,
      properties: { action_type: { enum: [action_type, ...aliases] }, params },
      required: ["action_type", "params"],
    })),
  };
}
