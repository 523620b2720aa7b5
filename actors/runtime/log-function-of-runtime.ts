/** The log function that the runtime receives from its caller. */

export type Log = (
  level: "debug" | "info" | "warn" | "error",
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void;
