/**
 * Parses a value in which `null` may stand for a field that is left out. Programs in many languages send
 * `null` for each optional field that they do not use.
 */
import type { z } from "zod";

/**
 * Parses the value. If the schema refuses a field because it is `null`, the field counts as absent. A `null`
 * that the schema allows stays.
 */
export function parseWithoutNulls<S extends z.ZodType>(
  schema: S,
  value: unknown,
): z.ZodSafeParseResult<z.output<S>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed;
  const paths = parsed.error.issues.flatMap(pathsOf).filter((path) => isNullField(value, path));
  return paths.length === 0 ? parsed : schema.safeParse(paths.reduce(withoutField, value));
}

/**
 * Returns the path of each refused field. If a value fits none of several schemas (a union), these are the
 * fields that each of the schemas refuses.
 */
function pathsOf(issue: z.core.$ZodIssue): readonly (readonly PropertyKey[])[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => [...path, key]);
  if (issue.code !== "invalid_union") return [path];
  return [
    path,
    ...issue.errors
      .flat()
      .flatMap(pathsOf)
      .map((inner) => [...path, ...inner]),
  ];
}

function isNullField(value: unknown, path: readonly PropertyKey[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined || typeof value !== "object" || value === null) return false;
  const field: unknown = Reflect.get(value, name);
  // A `null` in a list is kept, because an item of a list is no field that could be left out.
  if (rest.length === 0) return field === null && !Array.isArray(value);
  return isNullField(field, rest);
}

/** Returns a copy of the value without the field at the path. */
function withoutField(value: unknown, [name, ...rest]: readonly PropertyKey[]): unknown {
  if (name === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return value.map((item, at) => (at === Number(name) ? withoutField(item, rest) : item));
  const fields = Object.entries(value).flatMap(([key, field]) => {
    if (key !== name) return [[key, field] as const];
    return rest.length === 0 ? [] : [[key, withoutField(field, rest)] as const];
  });
  return Object.fromEntries(fields);
}
