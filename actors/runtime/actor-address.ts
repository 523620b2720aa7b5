/**
 * The address of an actor, `kind/id`, and its shard. Every node computes the same shard from an address, so
 * no directory of actors is needed.
 */

import { kinds } from "../../machines/actor-kinds.ts";
import { Refused } from "../../machines/errors.ts";
import { addressLimits } from "../../machines/runtime/shared-runtime-limits.ts";

export interface Address {
  readonly kind: string;
  readonly id: string;
}

const KIND = /^[a-z][a-z0-9_-]{0,31}$/;
const encoder = new TextEncoder();

/**
 * Creates an address; throws `actor.bad_address` for an id that is empty, too long or has control characters.
 */
export function address(kind: string, id: string): Address {
  if (!KIND.test(kind)) throw new Refused("actor.bad_address", `"${kind}" is not a kind of actor.`);
  const bytes = encoder.encode(id).length;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is refused
  if (bytes === 0 || bytes > addressLimits.maxIdBytes || /[\u0000-\u001f]/.test(id)) {
    throw new Refused(
      "actor.bad_address",
      `An id of ${kind} is 1 to ${addressLimits.maxIdBytes} bytes without control characters; this one has ${bytes}.`,
    );
  }
  return { kind, id };
}

export function formatAddress({ kind, id }: Address): string {
  return `${kind}/${id}`;
}

export function parseAddress(text: string): Address {
  const slash = text.indexOf("/");
  if (slash < 0) throw new Refused("actor.bad_address", `"${text}" is not of the form kind/id.`);
  return address(text.slice(0, slash), text.slice(slash + 1));
}

/**
 * Returns a 32-bit hash of a text (FNV-1a over UTF-8, by Fowler, Noll and Vo). It is the same on all
 * platforms and in all releases.
 */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Fast path for ASCII names: their characters are their bytes. Any other name is encoded to UTF-8 first.
    if (code > 0x7f) return fnv1aBytes(encoder.encode(text));
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash >>> 0;
}

function fnv1aBytes(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

const [computeGroup] = addressLimits.groups;
const groupOfKind = new Map(
  Object.entries(kinds).map(([name, { role }]) => [
    name,
    addressLimits.groups.find((group) => group.role === role) ?? computeGroup,
  ]),
);

/** The numbers of all shards. */
export const allShards: readonly number[] = Array.from({ length: addressLimits.shards }, (_, shard) => shard);

/**
 * Returns the number of the shard to which an actor belongs. Kinds that need a browser have shards of their
 * own; all other kinds, also unknown ones, share the remaining shards.
 */
export function shardOf(target: Address): number {
  const { first, shards } = groupOfKind.get(target.kind) ?? computeGroup;
  return first + (fnv1a(formatAddress(target)) % shards);
}

/**
 * Mixes the bits of a hash (finalizer of MurmurHash3). Without it, FNV gives similar scores to names that
 * differ in one letter.
 */
function mix(hash: number): number {
  let mixed = hash;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/**
 * Chooses the member that should host a shard, by rendezvous hashing (Thaler and Ravishankar): the one with
 * the highest score. When a member joins or leaves, only the shards of this member move. Returns `undefined`
 * without members.
 */
export function rendezvous(shard: number, members: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestScore = -1;
  for (const member of members) {
    const score = mix(fnv1a(`${member}#${shard}`));
    if (score > bestScore || (score === bestScore && best !== undefined && member < best)) {
      best = member;
      bestScore = score;
    }
  }
  return best;
}
