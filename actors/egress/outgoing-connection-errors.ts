/** Converts failures of outgoing connections to typed errors, for callers and for the pages of a browser. */
import { Refused, TimedOut, Unavailable } from "../../machines/errors.ts";

function codeOf(thrown: unknown): string {
  return thrown instanceof Error
    ? `${"code" in thrown ? thrown.code : ""} ${thrown.message}`
    : String(thrown);
}

/**
 * Converts the error of a failed connection to `egress.refused`, `egress.unknown_host`, `egress.timeout` or
 * `egress.unreachable`.
 */
export function connectionError(host: string, thrown: unknown): Refused | TimedOut | Unavailable {
  if (thrown instanceof Refused || thrown instanceof TimedOut) return thrown;
  const code = codeOf(thrown);
  if (/ENOTFOUND|EAI_|ENODATA|ESERVFAIL/.test(code)) {
    const message = `The host ${host} is unknown: check its spelling and the network.`;
    return new Unavailable("egress.unknown_host", message, { cause: thrown });
  }
  const why = /ECONNREFUSED/.test(code) ? "it refused the connection" : code.trim();
  return new Unavailable("egress.unreachable", `${host} cannot be reached: ${why}.`, { cause: thrown });
}

/** Returns the error for a host that does not answer, before or after the connection is made. */
export function silentHostError(host: string, milliseconds: number): TimedOut {
  return new TimedOut("egress.timeout", `${host} did not answer within ${milliseconds / 1_000} s.`);
}
