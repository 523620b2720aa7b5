/**
 * Stores why the last connection to each host failed, because a browser reports only that its tunnel failed.
 * A successful connection removes the entry of the host. The number of entries is limited.
 */
import { type CairnError, Refused, TimedOut, Unavailable } from "../../machines/errors.ts";
import { egressLimits } from "./egress-limits.ts";

const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  "http:": "80",
  "ws:": "80",
  "https:": "443",
  "wss:": "443",
};

/** Returns `host:port` of a URL. When the URL has no port, the default port of its scheme is used. */
function key({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port || (DEFAULT_PORTS[protocol] ?? "")}`;
}

export class ConnectionFailures {
  readonly #byHost = new Map<string, CairnError>();

  get(url: URL): CairnError | undefined {
    return this.#byHost.get(key(url));
  }

  record(url: URL, error: CairnError): void {
    const name = key(url);
    this.#byHost.delete(name);
    this.#byHost.set(name, error);
    if (this.#byHost.size <= egressLimits.rememberedFailures) return;
    const oldest = this.#byHost.keys().next();
    if (!oldest.done) this.#byHost.delete(oldest.value);
  }

  clear(url: URL): void {
    if (this.#byHost.size > 0) this.#byHost.delete(key(url));
  }
}

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

/** The error for a host that does not answer, before or after the connection is made. */
export function silentHostError(host: string, milliseconds: number): TimedOut {
  return new TimedOut("egress.timeout", `${host} did not answer within ${milliseconds / 1_000} s.`);
}
