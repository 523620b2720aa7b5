/**
 * Protects the values that a caller gives to a walk (the execution of a route): removes secrets before they are
 * stored, and masks all values for inspection.
 */
import { MASK, namesSecret } from "../inspection/names-of-secret-fields.ts";
import { maskTyped } from "../session/build-session-events.ts";

type Values = Readonly<Record<string, unknown>>;

/** Returns the values without secrets. A value is a secret if its name says so, such as `password`. */
export function withoutSecrets(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !namesSecret(name)));
}

/**
 * Masks the caller's values and typed text in commands, events and contexts of walks (executions of routes), for
 * inspection.
 */
export function maskWalkValues(value: unknown): unknown {
  return maskTyped(maskRequests(value));
}

function maskRequests(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskRequests);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, maskRequests(field)]);
  const masked = Object.fromEntries(fields);
  // The parameters of a route's steps are not masked, because they come from the map and contain no value of
  // the caller.
  if (!("room_name" in value && "parameters" in value)) return masked;
  const names = Object.keys(Object(value.parameters));
  return { ...masked, parameters: Object.fromEntries(names.map((name) => [name, MASK])) };
}
