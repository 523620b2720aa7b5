/** Every action with its aliases and the JSON Schema of its parameters, made from the schemas that validate them. */
import { z } from "zod";
import { type ActionName, type ActionRisk, actionNames, actionTable } from "./action-table.ts";
import { actionSchemas } from "./actions.ts";
import { locatorSchema } from "./locator-params.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

export interface CatalogueEntry {
  readonly action_type: ActionName;
  readonly aliases: readonly string[];
  /** A repetition changes nothing more. */
  readonly idempotent: boolean;
  readonly risk: ActionRisk;
  readonly params: JsonSchema;
}

function paramsOf(name: ActionName): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(actionSchemas[name], { io: "input" });
  const { properties = {}, required } = schema;
  if (!("index" in properties)) return schema;
  // In place of an index, an element may be named in other ways.
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

/** One schema for all actions, as `execute_action` takes them. */
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
