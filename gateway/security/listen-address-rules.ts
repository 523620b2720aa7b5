/**
 * Decides which addresses can be reached only from this machine, and what Cairn requires before it listens on
 * another address.
 */
import { Refused } from "../../machines/errors.ts";
import type { Config } from "../config.ts";
import { type KeyConfig, keysOf } from "./api-keys.ts";

/** Returns a host name or address in canonical form: lower case, and IPv6 without brackets. */
export function plainHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
}

/**
 * Whether the host is a wildcard address such as `0.0.0.0`, which stands for every address of this machine.
 */
export function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** Whether a host name (without port) can be reached only from this machine. */
export function isLoopback(host: string): boolean {
  const name = plainHost(host);
  return name === "localhost" || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Throws `config.unguarded_bind` if other machines could reach Cairn without a key. */
export function assertGuardedBind(config: KeyConfig & Pick<Config, "host">): void {
  if (isLoopback(config.host) || keysOf(config).length > 0) return;
  throw new Refused(
    "config.unguarded_bind",
    `HOST=${config.host} can be reached from other machines, and CAIRN_API_KEY is not set. ` +
      "Set CAIRN_API_KEY to a long random value, or unset HOST to listen on 127.0.0.1 only.",
  );
}

/** Returns the URL at which this machine reaches a server that listens on the host. */
export function localUrl(host: string, port: number): string {
  const address = isWildcard(host) ? (host === "::" ? "::1" : "127.0.0.1") : host;
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
}
