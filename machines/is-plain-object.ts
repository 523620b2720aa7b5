/** Whether a value of unknown type, such as parsed JSON, is an object with fields: neither `null` nor a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
