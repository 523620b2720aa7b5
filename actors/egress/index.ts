/**
 * Egress: the way out of Cairn. Names are resolved, checked against the policy, and connected to by that address.
 *
 * The public face of this folder. A worker makes one set of destinations; its reader connects by them, and so does
 * the proxy that its browser is launched with.
 */
export { type EgressProxy, type EgressProxyOptions, startEgressProxy } from "./proxy.ts";
export { createDestinations, type LookUp, type ResolverOptions } from "./resolver.ts";
export type { UpstreamProxy } from "./upstream.ts";
