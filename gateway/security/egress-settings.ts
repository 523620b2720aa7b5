/** Derives the egress policy from the configuration, and describes it for people. */
import { networkInterfaces } from "node:os";
import { ALL_PRIVATE, type EgressPolicy, type OwnListener } from "../../machines/egress/egress-policy.ts";
import type { Config } from "../config.ts";
import { isLoopback } from "./listen-address-rules.ts";

export type EgressConfig = Pick<Config, "host" | "allowPrivate" | "allowSelf">;

/**
 * Builds the egress policy. Loopback is allowed only while Cairn itself listens only on loopback, because
 * local services trust every local caller.
 *
 * @param port the port on which this process listens; absent if it does not listen
 */
export function egressPolicy({ host, allowPrivate, allowSelf }: EgressConfig, port?: number): EgressPolicy {
  const own = port === undefined || allowSelf ? undefined : ownListener(port);
  return { loopback: isLoopback(host), allowPrivate, ...(own ? { own } : {}) };
}

/**
 * Returns the port of this Cairn and all addresses of this machine. The addresses include those on which
 * Cairn does not listen.
 */
function ownListener(port: number): OwnListener {
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.map(({ address }) => address),
  );
  return { port, addresses };
}

/** Describes in one line to which destinations connections are allowed. */
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
