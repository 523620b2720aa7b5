/** Every action with its aliases and the JSON Schema of its parameters, made from the schemas that validate them. */
import { z } from "zod";
import { actionAliases } from "./action-aliases.ts";
import { type ActionName, actionNames, actionSchemas } from "./actions.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

export interface CatalogueEntry {
  readonly action_type: ActionName;
  readonly aliases: readonly string[];
  readonly params: JsonSchema;
}

function paramsOf(name: ActionName): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(actionSchemas[name], { io: "input" });
  return schema;
}

export function actionCatalogue(): readonly CatalogueEntry[] {
  return actionNames.map((name) => ({
    action_type: name,
    aliases: Object.keys(actionAliases).filter((alias) => actionAliases[alias] === name),
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
