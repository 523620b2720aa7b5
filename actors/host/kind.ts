/**
 * The kind `host/<host:port>`: decides for all workers of all nodes how a host is treated.
 *
 * Neighbours: `machines/host/limit.ts` is what it decides by, `reading/politeness.ts` asks it for leases, through
 * `hostAsker`, which `worker.ts` gives to the reader.
 */

import { AdaptiveLimit } from "../../machines/host/adaptive-limit.ts";
import type { Lease } from "../../machines/host/host-lease.ts";
import { hostLimits } from "../../machines/host/limits.ts";
import { hostMachine } from "../../machines/host/machine.ts";
import type { HostProtocol } from "../../machines/host/protocol.ts";
import { kinds } from "../../machines/kinds.ts";
import { readingLimits } from "../../machines/reading/limits.ts";
import { addressLimits } from "../../machines/runtime/limits.ts";
import type { Store } from "../../store/index.ts";
import type { CairnSystem } from "../cairn-system.ts";
import type { AskHost } from "../reading/index.ts";
import { defineKind } from "../runtime/index.ts";
import type { CairnServices } from "../services.ts";

/** What the hosts that live in a worker are known for, by the store of the worker's services. */
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

/** Asks the actor of a host. Names too long for an address share the actor of their last part. */
export function hostAsker(system: CairnSystem): AskHost {
  return (name, request) =>
    system.query("host", name.slice(-addressLimits.maxIdBytes), "lease", request, hostLimits.answerWithin);
}
