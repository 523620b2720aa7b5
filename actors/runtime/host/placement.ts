/**
 * Decides which worker of which node should host a shard, by rendezvous hashing over the able ones.
 * Shards of the browser group go to nodes with that role, others to compute nodes, and of these to the ones
 * with the newest machines. Every node computes the same from the same members; leases decide when views
 * differ.
 */
import { addressLimits } from "../../../machines/runtime/limits.ts";
import type { Role } from "../../../machines/runtime/roles.ts";
import { rendezvous } from "../address.ts";

/** A node as the others know it. */
export interface Member {
  /** Unique for each start of a node. */
  readonly name: string;
  readonly roles: readonly Role[];
  readonly workers: number;
  /** Version of its Cairn. */
  readonly version: string;
  /** The kinds it can host, with the version of each machine. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Fingerprint of its key file; absent in older nodes. */
  readonly vault?: string;
}

/** The names of a node's workers. */
export function workerNames(node: string, size: number): readonly string[] {
  return Array.from({ length: size }, (_, i) => `${node}-w${i + 1}`);
}

/** The shards of each worker of these nodes. */
export function placement(members: readonly Member[]): ReadonlyMap<string, readonly number[]> {
  const placed = new Map<string, number[]>();
  for (const { role, first, shards } of addressLimits.groups) {
    const able = newest(members.filter((member) => member.workers > 0 && member.roles.includes(role)));
    // Each worker counts, so a node with more workers gets more shards.
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
 * The nodes that can read everything any of them may store: during an upgrade, actors move to newer nodes and
 * not back. All nodes when each knows something that another does not.
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

/** Required roles that no node has. */
export function missingRoles(members: readonly Member[]): readonly Role[] {
  return addressLimits.groups
    .map(({ role }) => role)
    .filter((role) => !members.some((member) => member.workers > 0 && member.roles.includes(role)));
}
