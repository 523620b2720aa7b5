/**
 * Which worker of which node should host a shard: rendezvous hashing over those that can.
 *
 * Shards come in groups by what their actors need (`addressLimits.groups`): those of the browser's group go to nodes
 * with that role, the rest to those that compute, and of these to the ones with the newest machines. Everybody works this out alike from the same members; the leases
 * decide where two see different ones. Neighbours: `address.ts` says which shard an actor is in, `worker-pool.ts` and
 * the node act on it. Pure.
 */
import { addressLimits } from "../../../machines/runtime/limits.ts";
import type { Role } from "../../../machines/runtime/roles.ts";
import { rendezvous } from "../address.ts";

/** A node, as all of them know each other. */
export interface Member {
  /** Unique for each life of a node. */
  readonly name: string;
  readonly roles: readonly Role[];
  readonly workers: number;
  /** Of its Cairn. */
  readonly version: string;
  /** The kinds of actors that it can host, each with the version of its machine. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** The fingerprint of its file `key`; absent of nodes that know no such thing. */
  readonly vault?: string;
}

/** The names of a node's workers. */
export function workerNames(node: string, size: number): readonly string[] {
  return Array.from({ length: size }, (_, i) => `${node}-w${i + 1}`);
}

/** The shards that each worker of these nodes should host. */
export function placement(members: readonly Member[]): ReadonlyMap<string, readonly number[]> {
  const placed = new Map<string, number[]>();
  for (const { role, first, shards } of addressLimits.groups) {
    const able = newest(members.filter((member) => member.workers > 0 && member.roles.includes(role)));
    // Each worker counts, so that a node of many has more.
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
 * Those that can read what any of these may store: while a Cairn is upgraded node by node, actors go to the newer ones
 * and not back. All of them when each knows something that another does not.
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

/** What no node of these can do though actors need it; empty when all have a place. */
export function missingRoles(members: readonly Member[]): readonly Role[] {
  return addressLimits.groups
    .map(({ role }) => role)
    .filter((role) => !members.some((member) => member.workers > 0 && member.roles.includes(role)));
}
