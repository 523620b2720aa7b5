/**
 * The kind `host/<host:port>`: decides for all workers of all nodes how a host is treated.
 *
 * Neighbours: `machines/host/manners.ts` is what it decides by, `reading/politeness.ts` asks it for leases, through
 * `hostAsker`, which `worker.ts` gives to the reader.
 */
import type { AnyStateMachine } from "xstate";
import type { Lease, LeaseRequest } from "../machines/host/lease.ts";
import { hostLimits } from "../machines/host/limits.ts";
import { hostMachine } from "../machines/host/machine.ts";
import { HostManners } from "../machines/host/manners.ts";
import { readingLimits } from "../machines/reading/limits.ts";
import { addressLimits } from "../machines/runtime/limits.ts";
import { versions } from "../machines/runtime/versions.ts";
import type { Store } from "../store/index.ts";
import type { AskHost } from "./reading/index.ts";
import { type ActorSystem, address, defineActor } from "./runtime/index.ts";
import type { CairnServices } from "./services.ts";

/** What the hosts that live in a worker are known for, by the store of the worker's services. */
const known = new WeakMap<Store, Map<string, HostManners>>();

function mannersOf(store: Store, host: string, now: number): HostManners {
  let hosts = known.get(store);
  if (!hosts) {
    hosts = new Map();
    known.set(store, hosts);
  }
  let manners = hosts.get(host);
  if (!manners) {
    if (hosts.size >= readingLimits.hosts) {
      for (const [other, its] of hosts) if (its.isIdle(now)) hosts.delete(other);
    }
    manners = new HostManners();
    hosts.set(host, manners);
  }
  return manners;
}

export const host = defineActor<CairnServices, Record<string, never>>({
  kind: "host",
  version: versions.host,
  // The registry holds machines of every kind; the types of this one have done their work in its own file.
  machine: hostMachine as unknown as AnyStateMachine,
  effects: {},
  queries: {
    lease: async (request: LeaseRequest, { address: { id }, services }): Promise<Lease> => {
      const now = Date.now();
      return mannersOf(services.store, id, now).ask(request, now);
    },
  },
});

/** Asks the actor of a host. Names too long for an address share the actor of their last part. */
export function hostAsker(system: ActorSystem): AskHost {
  return async (name, request) => {
    const target = address("host", name.slice(-addressLimits.maxIdBytes));
    // The kind above is the one that answers.
    return (await system.query(target, "lease", request, hostLimits.answerWithin)) as Lease;
  };
}
