/** The egress policy of a configuration, and its description for people. */
import { ALL_PRIVATE, type EgressPolicy } from "../../machines/egress/egress-policy.ts";
import type { Config } from "../config.ts";
import { isLoopback } from "./bind.ts";

export type EgressConfig = Pick<Config, "host" | "allowPrivate">;

/** Loopback is allowed only while Cairn listens on loopback: local services trust every local caller. */
export function egressPolicy({ host, allowPrivate }: EgressConfig): EgressPolicy {
  return { loopback: isLoopback(host), allowPrivate };
}

/** The allowed destinations, in one line. */
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
