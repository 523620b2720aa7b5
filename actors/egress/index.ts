/**
 * Egress: the way out of Cairn. Names are resolved, checked against the policy, and connected to by that address.
 *
 * The public face of this folder. A worker makes one set of destinations and gives it to its reader.
 */
export { createDestinations, type LookUp, type ResolverOptions } from "./resolver.ts";
