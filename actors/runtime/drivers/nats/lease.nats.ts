/**
 * The leases of a cluster: one key for each shard in a bucket whose entries expire, taken and renewed by revision.
 *
 * Only who knows a key's last revision can write it, so a holder that was silent for too long is refused. The broker
 * tells nobody that an entry expired, so whoever was refused a lease is told when it should be free; one that is given
 * back is told to all at once.
 * Neighbours: `lease.ts` says what a lease table promises, `broker.nats.ts` is the connection.
 */
import type { KV } from "nats";
import { Refused, Unavailable } from "../../../../machines/errors.ts";
import { leaseLimits } from "../../../../machines/runtime/limits.ts";
import type { NodeLeases } from "../lease.ts";
import type { Broker } from "./connection.nats.ts";
import { makeTogether } from "./ensure-streams.nats.ts";
import { apiCodes, apiError, brokerAway } from "./nats-errors.ts";

const BUCKET = "cairn-leases";
const FREED = "cairn.control.freed";

interface Held {
  readonly owner: string;
  readonly revision: number;
  /** Monotonic; when it runs out at the latest, as far as this node knows. */
  readonly until: number;
}

const keyOf = (shard: number) => `shard-${shard}`;

export class NatsLeases implements NodeLeases {
  readonly #broker: Broker;
  readonly #ttl: number;
  readonly #replicas: number;
  #bucket: KV;
  /** What owners of this node hold, as this node knows it. */
  readonly #held = new Map<number, Held>();
  /** By owner: the moment at which it last asked for something, and how much of that is under way. */
  readonly #asked = new Map<string, { at: number; underWay: number }>();
  readonly #told = new Set<(shards: readonly number[]) => void>();
  /** Leases of others that were asked for, until they may be free. */
  readonly #looking = new Map<number, ReturnType<typeof setTimeout>>();

  private constructor(broker: Broker, bucket: KV, ttl: number, replicas: number) {
    this.#broker = broker;
    this.#bucket = bucket;
    this.#ttl = ttl;
    this.#replicas = replicas;
    broker.hear(FREED, (msg) => this.#tell(readShards(msg.json())));
  }

  /** Milliseconds. `config.lease_ttl_differs` when the cluster lives with another. */
  static async open(
    broker: Broker,
    { ttl, replicas }: { readonly ttl: number; readonly replicas: number },
  ): Promise<NatsLeases> {
    return new NatsLeases(broker, await openBucket(broker, ttl, replicas), ttl, replicas);
  }

  async take(shards: readonly number[], owner: string): Promise<readonly number[]> {
    return await this.#of(owner, () => this.#each(shards, (shard) => this.#take(shard, owner)));
  }

  async renew(shards: readonly number[], owner: string): Promise<readonly number[]> {
    return await this.#of(owner, () => this.#each(shards, (shard) => this.#renew(shard, owner)));
  }

  async release(shards: readonly number[], owner: string): Promise<void> {
    await this.#each(shards, (shard) => this.#release(shard, owner));
  }

  freed(tell: (shards: readonly number[]) => void): () => void {
    this.#told.add(tell);
    return () => {
      this.#told.delete(tell);
    };
  }

  silent(owner: string): boolean {
    const now = performance.now();
    // Leases run out, too, while the broker is away: who asks for them is not stuck.
    const asked = this.#asked.get(owner);
    if (asked && (asked.underWay > 0 || asked.at + this.#ttl > now)) return false;
    for (const held of this.#held.values()) if (held.owner === owner && held.until <= now) return true;
    return false;
  }

  async releaseAll(owner: string): Promise<void> {
    const shards = [...this.#held].flatMap(([shard, held]) => (held.owner === owner ? [shard] : []));
    this.#asked.delete(owner);
    await this.release(shards, owner);
  }

  close(): void {
    for (const timer of this.#looking.values()) clearTimeout(timer);
    this.#looking.clear();
    this.#told.clear();
  }

  async #of<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const asked = this.#asked.get(owner) ?? { at: 0, underWay: 0 };
    this.#asked.set(owner, asked);
    asked.at = performance.now();
    asked.underWay += 1;
    try {
      return await work();
    } finally {
      asked.underWay -= 1;
    }
  }

  /** All at once: their answers come back together. Rejects when any could not be asked. */
  async #each(
    shards: readonly number[],
    work: (shard: number) => Promise<boolean>,
  ): Promise<readonly number[]> {
    if (shards.length === 0) return [];
    await this.#broker.whenConnected(this.#ttl / 3);
    try {
      const done = await this.#broker.answer(Promise.all(shards.map(work)));
      return shards.filter((_, i) => done[i]);
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      const { away, code, message } = apiError(error);
      if (code === apiCodes.streamNotFound || away) {
        // The broker may have lost its state: then the bucket is made anew, with every lease free.
        if (this.#broker.connected) {
          const bucket = openBucket(this.#broker, this.#ttl, this.#replicas);
          this.#bucket = await this.#broker.answer(bucket);
        }
        throw brokerAway(this.#broker.place, error);
      }
      throw new Unavailable("bus.lease_failed", `The leases at NATS cannot be had: ${message}.`, {
        cause: error,
      });
    }
  }

  async #take(shard: number, owner: string): Promise<boolean> {
    const asked = performance.now();
    try {
      this.#holds(shard, owner, await this.#bucket.create(keyOf(shard), owner), asked);
      return true;
    } catch (error) {
      if (apiError(error).code !== apiCodes.wrongRevision) throw error;
    }
    const entry = await this.#bucket.get(keyOf(shard));
    if (entry?.operation === "PUT" && entry.string() === owner) {
      return await this.#update(shard, owner, entry.revision);
    }
    this.#lookAgain(shard, entry?.created.getTime() ?? 0);
    return false;
  }

  /** Somebody has it: it is free when its last renewal is as old as leases get, if there is no other until then. */
  #lookAgain(shard: number, renewed: number): void {
    if (this.#looking.has(shard)) return;
    // Where the clocks of broker and node differ this is too soon, and done again.
    const left = Math.min(Math.max(renewed + this.#ttl - Date.now(), leaseLimits.pollExpiryEvery), this.#ttl);
    const timer = setTimeout(() => {
      this.#looking.delete(shard);
      this.#tell([shard]);
    }, left + leaseLimits.expiryLag);
    this.#looking.set(shard, timer);
  }

  async #renew(shard: number, owner: string): Promise<boolean> {
    const held = this.#held.get(shard);
    if (held?.owner !== owner) return false;
    if (await this.#update(shard, owner, held.revision)) return true;
    // Its last renewal may have been done though its answer was lost: then the key still says so.
    const entry = await this.#bucket.get(keyOf(shard));
    const ours = entry?.operation === "PUT" && entry.string() === owner;
    if (ours && (await this.#update(shard, owner, entry.revision))) return true;
    this.#forget(shard, owner);
    return false;
  }

  async #update(shard: number, owner: string, revision: number): Promise<boolean> {
    const asked = performance.now();
    try {
      this.#holds(shard, owner, await this.#bucket.update(keyOf(shard), owner, revision), asked);
      return true;
    } catch (error) {
      if (apiError(error).code !== apiCodes.wrongRevision) throw error;
      return false;
    }
  }

  async #release(shard: number, owner: string): Promise<boolean> {
    const held = this.#held.get(shard);
    if (held?.owner !== owner) return false;
    this.#forget(shard, owner);
    try {
      await this.#bucket.delete(keyOf(shard), { previousSeq: held.revision });
    } catch (error) {
      if (apiError(error).code !== apiCodes.wrongRevision) throw error;
      return false;
    }
    this.#free(shard);
    return true;
  }

  #holds(shard: number, owner: string, revision: number, asked: number): void {
    this.#held.set(shard, { owner, revision, until: asked + this.#ttl });
  }

  #forget(shard: number, owner: string): void {
    if (this.#held.get(shard)?.owner === owner) this.#held.delete(shard);
  }

  #free(shard: number): void {
    this.#broker.publish(FREED, JSON.stringify([shard]));
    this.#tell([shard]);
  }

  #tell(shards: readonly number[]): void {
    for (const tell of this.#told) tell(shards);
  }
}

/** What `#free` of another node said; throws for what it cannot have said. */
function readShards(said: unknown): readonly number[] {
  if (!Array.isArray(said) || !said.every(Number.isInteger)) throw new Error("it names no shards");
  return said;
}

/** The bucket with this life of its entries; another's is changed only when nobody holds a lease in it. */
async function openBucket(broker: Broker, ttl: number, replicas: number): Promise<KV> {
  const bucket = await makeTogether(() => broker.jetStream.views.kv(BUCKET, { ttl, history: 1, replicas }));
  const status = await bucket.status();
  if (Math.round(status.ttl) === ttl) return bucket;
  if (status.values > 0) {
    throw new Refused(
      "config.lease_ttl_differs",
      `The nodes at NATS ${broker.place} live with CAIRN_LEASE_TTL_MS=${status.ttl}, this one with ${ttl}. Give all the same, or stop all to change it.`,
      { status: 409, details: { cluster: status.ttl, node: ttl } },
    );
  }
  await broker.manager.streams.update(`KV_${BUCKET}`, { ...status.streamInfo.config, max_age: ttl * 1e6 });
  return bucket;
}
