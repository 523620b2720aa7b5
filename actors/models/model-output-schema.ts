/**
 * Creates output schemas from zod schemas and from JSON Schemas. Workers load this module with the first
 * question to a model, because it imports zod.
 */
import { z } from "zod";
import type { JsonSchema, OutputSchema } from "./model-question.ts";

export function outputSchema<T>(schema: z.ZodType<T>): OutputSchema<T> {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema);
  return { json, parse: (value) => checked(schema, value) };
}

/**
 * Creates an output schema from a caller's JSON Schema. Throws zod's error when zod cannot read the schema.
 */
export function outputSchemaOf(json: JsonSchema): OutputSchema<unknown> {
  const schema = z.fromJSONSchema(json);
  return { json, parse: (value) => checked(schema, value) };
}

function checked<T>(schema: z.ZodType<T>, value: unknown): ReturnType<OutputSchema<T>["parse"]> {
  const parsed = schema.safeParse(value);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, problem: z.prettifyError(parsed.error) };
}
