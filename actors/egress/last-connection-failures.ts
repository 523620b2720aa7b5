/**
 * Stores why the last connection to each host failed, because a browser reports only that its tunnel failed.
 * A successful connection removes the entry of the host. The number of entries is limited.
 */
import type { CairnError } from "../../machines/errors.ts";
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
