/**
 * Makes all outgoing connections of Cairn. Host names are resolved, the addresses are checked against the
 * egress policy, and the connection goes to a checked address.
 */

export type { UpstreamProxy } from "./connect-through-upstream-proxy.ts";
export { type EgressProxy, type EgressProxyOptions, startEgressProxy } from "./egress-proxy.ts";
export {
  createDestinations,
  type Lookup,
  type ResolverOptions,
} from "./resolve-host-to-allowed-addresses.ts";
