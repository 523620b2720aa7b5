/** Loads the input schemas of all tools once, for the forms of the console. */
import { get } from "../console-api-client.ts";
import { type Resource, useResource } from "../preact-store-hooks.ts";
import type { JsonSchema } from "./json-schema-form.tsx";

interface ToolList {
  readonly tools: readonly { readonly name: string; readonly inputSchema: JsonSchema }[];
}

let list: Promise<ToolList> | undefined;

async function schemaOf(name: string): Promise<JsonSchema> {
  list ??= get<ToolList>("/mcp/tools");
  try {
    const { tools } = await list;
    const found = tools.find((tool) => tool.name === name);
    if (!found) throw new Error(`This Cairn has no tool ${name}.`);
    return found.inputSchema;
  } catch (error) {
    list = undefined;
    throw error;
  }
}

export function useToolSchema(name: string): Resource<JsonSchema> {
  return useResource(`schema ${name}`, () => schemaOf(name));
}
