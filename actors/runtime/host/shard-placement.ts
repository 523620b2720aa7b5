/**
 * Decides by rendezvous hashing which worker of which node should host a shard. Shards of browser kinds go to
 * nodes with the browser role and other shards to compute nodes, but only to nodes with the newest versions
 * of the state machines. Every node computes the same result; if nodes see different members for a moment,
 * the leases decide.
 */

import type { Role } from "../../../machines/runtime/cluster-node-roles.ts";
import { addressLimits } from "../../../machines/runtime/shared-runtime-limits.ts";
import { rendezvous } from "../actor-address.ts";

/** A node as the other nodes see it. */
export interface Member {
  /** Name of the node, which is unique for each start of the node. */
  readonly name: string;
  readonly roles: readonly Role[];
  readonly workers: number;
  /** The version of Cairn on the node. */
  readonly version: string;
  /** The actor kinds that the node can host, with the version of each machine. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Start of the node, in milliseconds since the epoch. */
  readonly since: number;
  /** Fingerprint of the node's encryption key. Older releases do not report it. */
  readonly vault?: string;
}

/** Returns the names of a node's workers. */
export function workerNames(node: string, size: number): readonly string[] {
  return Array.from({ length: size }, (_, i) => `${node}-w${i + 1}`);
}

/** Distributes the shards over the workers of the given nodes. Returns the shards of each worker. */
export function placement(members: readonly Member[]): ReadonlyMap<string, readonly number[]> {
  const placed = new Map<string, number[]>();
  for (const { role, first, shards } of addressLimits.groups) {
    const able = newest(members.filter((member) => member.workers > 0 && member.roles.includes(role)));
    // Shards are distributed over workers and not over nodes, so that a node with more workers gets more
    // shards.
    const workers = able.flatMap(({ name, workers: size }) => workerNames(name, size));
    for (let shard = first; shard < first + shards; shard++) {
      const worker = rendezvous(shard, workers);
      if (worker === undefined) continue;
      const others = placed.get(worker);
      if (others) others.push(shard);
      else placed.set(worker, [shard]);
    }
  }
  return placed;
}

/**
 * Returns the nodes whose state machines can read every stored state. Placing actors only on these nodes
 * moves them to newer versions during an upgrade, and never back. When no node has the newest version of
 * every machine, all nodes are returned.
 */
function newest(members: readonly Member[]): readonly Member[] {
  const latest = new Map<string, number>();
  for (const { kinds } of members) {
    for (const [kind, version] of Object.entries(kinds)) {
      latest.set(kind, Math.max(version, latest.get(kind) ?? 0));
    }
  }
  const knowAll = members.filter(({ kinds }) =>
    [...latest].every(([kind, version]) => (kinds[kind] ?? 0) >= version),
  );
  return knowAll.length > 0 ? knowAll : members;
}

/** Returns the roles that a cluster needs and that no node has. */
export function missingRoles(members: readonly Member[]): readonly Role[] {
  return addressLimits.groups
    .map(({ role }) => role)
    .filter((role) => !members.some((member) => member.workers > 0 && member.roles.includes(role)));
}
