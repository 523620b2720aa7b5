/**
 * Builds the short input schemas of tools for the MCP list: names, types, choices and descriptions. Limits of
 * values are left out, because the error of a refused call names them.
 */
import { isRecord } from "../../machines/is-plain-object.ts";
import type { BriefForm, JsonSchema } from "../tools/define-tool.ts";

type Value = JsonSchema[string];

/** Applies `change` to a schema and to all schemas inside it, innermost first. */
function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]): [string, Value] => {
    if (keyword === "properties" && isRecord(value)) {
      const inner = Object.entries(value).map(([name, each]): [string, Value] => [
        name,
        isRecord(each) ? mapSchema(each, change) : each,
      ]);
      return [keyword, Object.fromEntries(inner)];
    }
    // The values of these keywords are data, even if they look like schemas. So they are left unchanged.
    if (["default", "const", "enum", "examples"].includes(keyword)) return [keyword, value];
    if (Array.isArray(value))
      return [keyword, value.map((each) => (isRecord(each) ? mapSchema(each, change) : each))];
    return [keyword, isRecord(value) ? mapSchema(value, change) : value];
  });
  return change(Object.fromEntries(entries));
}

function without(schema: JsonSchema, keywords: ReadonlySet<string>): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.has(keyword)));
}

const BOUND_KEYWORDS = new Set([
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "pattern",
  "format",
  "propertyNames",
  "additionalProperties",
]);

/** Returns the input schema in a short form, which costs a model few tokens. */
export function briefSchema(
  schema: JsonSchema,
  { hidden = [], needed = [], choices = {} }: BriefForm,
): JsonSchema {
  const { properties, required, ...rest } = mapSchema(schema, (each) => without(each, BOUND_KEYWORDS));
  if (properties === undefined || !isRecord(properties)) return { ...rest, properties: {} };
  const listed = Object.entries(properties)
    .filter(([name]) => !hidden.includes(name))
    .map(([name, each]): [string, Value] => {
      const values = choices[name];
      return [name, isRecord(each) ? { ...shallow(each), ...(values ? { enum: [...values] } : {}) } : each];
    });
  const all = [...(Array.isArray(required) ? required : []), ...needed];
  return {
    ...rest,
    properties: Object.fromEntries(listed),
    ...(all.length > 0 ? { required: [...new Set(all)] } : {}),
  };
}

/** Returns a nested schema without its inner properties, with its type and description. */
function shallow(schema: JsonSchema): JsonSchema {
  const { properties: _inner, required: _required, anyOf: _choices, ...rest } = schema;
  const { items, default: fallback, ...others } = rest;
  return {
    ...others,
    ...(items === undefined
      ? {}
      : { items: isRecord(items) && items.properties !== undefined ? { type: "object" } : items }),
    // Defaults that are empty or `false` are left out of the short schema.
    ...(fallback === undefined || /^(\[\]|\{\}|""|false)$/.test(JSON.stringify(fallback))
      ? {}
      : { default: fallback }),
  };
}
