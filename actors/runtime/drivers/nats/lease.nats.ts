/**
 * The leases of a cluster: one key per shard in a bucket with expiring entries, taken and renewed by
 * revision.
 * Only a writer that knows the last revision succeeds, so a stale holder is refused. The broker does not
 * announce expired entries, so a refused node polls when the lease should be free; a returned lease is
 * announced.
 */
import type { KV } from "nats";
import { Refused, Unavailable } from "../../../../machines/errors.ts";
import { leaseLimits } from "../../../../machines/runtime/limits.ts";
import type { NodeLeases } from "../lease.ts";
import type { BrokerConnection } from "./connection.nats.ts";
import { ensureTogether } from "./ensure-streams.nats.ts";
import { apiCodes, apiError, brokerAway } from "./nats-errors.ts";

const BUCKET = "cairn-leases";
const FREED = "cairn.control.freed";

interface Held {
  readonly owner: string;
  readonly revision: number;
  /** Monotonic time at which it expires at the latest, as far as this node knows. */
  readonly until: number;
}

const keyOf = (shard: number) => `shard-${shard}`;

export class NatsLeases implements NodeLeases {
  readonly #broker: BrokerConnection;
  readonly #ttl: number;
  readonly #replicas: number;
  #bucket: KV;
  /** Leases that owners of this node hold. */
  readonly #held = new Map<number, Held>();
  /** By owner: the time of its last request, and how many are running. */
  readonly #asked = new Map<string, { at: number; underWay: number }>();
  readonly #told = new Set<(shards: readonly number[]) => void>();
  /** Leases of other nodes that are polled, until they may be free. */
  readonly #looking = new Map<number, ReturnType<typeof setTimeout>>();

  private constructor(broker: BrokerConnection, bucket: KV, ttl: number, replicas: number) {
    this.#broker = broker;
    this.#bucket = bucket;
    this.#ttl = ttl;
    this.#replicas = replicas;
    broker.hear(FREED, (msg) => this.#tell(readShards(msg.json())));
  }

  /** Lease time in milliseconds; throws `config.lease_ttl_differs` when the cluster uses another. */
  static async open(
    broker: BrokerConnection,
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
    // Leases expire while the broker is away too: an owner that still asks is not stuck.
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

  /** All at once, so the answers arrive together. Rejects when any request failed. */
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
        // The broker may have lost its state; then the bucket is created again, with all leases free.
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

  /** Another owner has it. It is free when its last renewal is one lease time old, unless it is renewed. */
  #lookAgain(shard: number, renewed: number): void {
    if (this.#looking.has(shard)) return;
    // With differing clocks this is too early, and repeated.
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
    // The last renewal may have succeeded with its answer lost; then the key still names this owner.
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

/** Parses the announcement of another node; throws for anything else. */
function readShards(said: unknown): readonly number[] {
  if (!Array.isArray(said) || !said.every(Number.isInteger)) throw new Error("it names no shards");
  return said;
}

/** Opens the bucket with this lease time. A bucket with another time is changed only while no lease is held. */
async function openBucket(broker: BrokerConnection, ttl: number, replicas: number): Promise<KV> {
  const bucket = await ensureTogether(() => broker.jetStream.views.kv(BUCKET, { ttl, history: 1, replicas }));
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
