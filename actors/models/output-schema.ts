/** Output schemas made of zod schemas and of JSON Schemas. It imports zod, so workers load it when a model is asked. */
import { z } from "zod";
import type { JsonSchema, OutputSchema } from "./completion.ts";

export function outputSchema<T>(schema: z.ZodType<T>): OutputSchema<T> {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema);
  return { json, parse: (value) => checked(schema, value) };
}

/** The schema of a caller. Throws what zod says of a schema that it cannot read. */
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
