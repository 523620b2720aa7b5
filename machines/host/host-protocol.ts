/**
 * The protocol of the actor kind `host`. Its only query grants leases, which are shares of the concurrent
 * requests to a host.
 */
import { defineProtocol, typed } from "../actor-kind-protocol.ts";
import type { Lease, LeaseRequest } from "./host-lease-messages.ts";

export const hostProtocol = defineProtocol({
  commands: {},
  queries: { lease: { params: typed<LeaseRequest>(), result: typed<Lease>() } },
});
export type HostProtocol = typeof hostProtocol;
