/**
 * Which addresses are this machine only, and what a bind to any other needs.
 *
 * Neighbours: `guard.ts` checks requests by the same names, `serve` and `doctor` ask before they listen.
 */
import { Refused } from "../../machines/errors.ts";
import type { Config } from "../config.ts";

/** Whether a host name (without port; IPv6 with or without brackets) reaches this machine only. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return name === "localhost" || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Throws `config.unguarded_bind` when others could reach Cairn and no key is asked of them. */
export function assertGuardedBind(config: Pick<Config, "host" | "apiKey">): void {
  if (isLoopback(config.host) || config.apiKey !== undefined) return;
  throw new Refused(
    "config.unguarded_bind",
    `HOST=${config.host} can be reached from other machines, and CAIRN_API_KEY is not set. ` +
      "Set CAIRN_API_KEY to a long random value, or unset HOST to listen on 127.0.0.1 only.",
  );
}

/** The address in a URL's form. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
