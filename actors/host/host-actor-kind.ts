/**
 * The actor kind `host/<host:port>`: limits the requests to one host. It grants leases to the workers of all
 * nodes. A lease permits a worker to run a number of concurrent requests for some time.
 */

import { kinds } from "../../machines/actor-kinds.ts";
import { AdaptiveLimit } from "../../machines/host/adaptive-request-limit.ts";
import { hostLimits } from "../../machines/host/host-concurrency-limits.ts";
import type { Lease } from "../../machines/host/host-lease-messages.ts";
import { hostMachine } from "../../machines/host/host-machine.ts";
import type { HostProtocol } from "../../machines/host/host-protocol.ts";
import { readingLimits } from "../../machines/reading/page-reading-limits.ts";
import { addressLimits } from "../../machines/runtime/shared-runtime-limits.ts";
import type { Store } from "../../store/index.ts";
import type { AskHost } from "../reading/index.ts";
import { defineKind } from "../runtime/index.ts";
import type { CairnSystem } from "../typed-actor-system.ts";
import type { CairnServices } from "../worker-services.ts";

/**
 * For each store, the adaptive concurrency limits of the hosts. They are in memory and lost when the worker
 * ends.
 */
const known = new WeakMap<Store, Map<string, AdaptiveLimit>>();

function limitOf(store: Store, host: string, now: number): AdaptiveLimit {
  let hosts = known.get(store);
  if (!hosts) {
    hosts = new Map();
    known.set(store, hosts);
  }
  let limit = hosts.get(host);
  if (!limit) {
    if (hosts.size >= readingLimits.hosts) {
      for (const [other, its] of hosts) if (its.isIdle(now)) hosts.delete(other);
    }
    limit = new AdaptiveLimit();
    hosts.set(host, limit);
  }
  return limit;
}

export const host = defineKind<HostProtocol, CairnServices, Record<string, never>>({
  kind: "host",
  version: kinds.host.version,
  machine: hostMachine,
  effects: {},
  queries: {
    lease: async (request, { address: { id }, services }): Promise<Lease> => {
      const now = Date.now();
      return limitOf(services.store, id, now).ask(request, now);
    },
  },
});

/**
 * Returns a function that requests a lease (the permission for a number of concurrent requests) from the
 * host's actor. An actor id has a maximum length, so only the end of a longer host name is used.
 */
export function hostAsker(system: CairnSystem): AskHost {
  return (name, request) =>
    system.query("host", name.slice(-addressLimits.maxIdBytes), "lease", request, hostLimits.answerWithin);
}
