/**
 * The egress policy (`machines/egress/policy.ts`) that a configuration asks for, and how it is told to people.
 */
import { ALL_PRIVATE, type EgressPolicy } from "../../machines/egress/policy.ts";
import type { Config } from "../config.ts";
import { isLoopback } from "./bind.ts";

export type EgressConfig = Pick<Config, "host" | "allowPrivate">;

/** Who listens for others must not lend them its own loopback, where services trust whoever is there. */
export function egressPolicy({ host, allowPrivate }: EgressConfig): EgressPolicy {
  return { loopback: isLoopback(host), allowPrivate };
}

/** What may be reached, in one line. */
export function describeEgress(config: EgressConfig): string {
  const { loopback, allowPrivate } = egressPolicy(config);
  const networks =
    allowPrivate.length === 0
      ? "no private address"
      : allowPrivate === ALL_PRIVATE
        ? "private addresses"
        : allowPrivate.join(", ");
  return `public addresses, ${loopback ? "loopback" : "no loopback (HOST is not loopback)"}, ${networks}`;
}
