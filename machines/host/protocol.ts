/** The protocol of the actor kind `host`: one query, which grants leases of requests. */
import { defineProtocol, typed } from "../kind-protocol.ts";
import type { Lease, LeaseRequest } from "./host-lease.ts";

export const hostProtocol = defineProtocol({
  commands: {},
  queries: { lease: { params: typed<LeaseRequest>(), result: typed<Lease>() } },
});
export type HostProtocol = typeof hostProtocol;
