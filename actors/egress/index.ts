/** The way out of Cairn: names are resolved, checked against the policy, and connected to by address. */
export { type EgressProxy, type EgressProxyOptions, startEgressProxy } from "./proxy.ts";
export { createDestinations, type Lookup, type ResolverOptions } from "./resolver.ts";
export type { UpstreamProxy } from "./upstream.ts";
