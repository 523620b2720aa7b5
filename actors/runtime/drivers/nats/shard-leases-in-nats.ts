/**
 * The leases of a cluster: a bucket (key-value store of NATS) with one expiring key for each shard. Each
 * write names the last revision of the key, so an owner that has lost its lease is refused.
 *
 * Owners announce released leases, but nothing announces expired leases, so they are checked again at the
 * time of their expiry.
 */
import type { KV } from "nats";
import { Refused, Unavailable } from "../../../../machines/errors.ts";
import { leaseLimits } from "../../../../machines/runtime/shared-runtime-limits.ts";
import type { NodeLeases } from "../shard-leases.ts";
import { ensureTogether } from "./create-nats-streams-and-buckets.ts";
import type { BrokerConnection } from "./nats-connection-of-node.ts";
import { apiCodes, apiError, brokerAway } from "./nats-errors.ts";

const BUCKET = "cairn-leases";
const FREED = "cairn.control.freed";

interface Held {
  readonly owner: string;
  readonly revision: number;
}

const keyOf = (shard: number) => `shard-${shard}`;

export class NatsLeases implements NodeLeases {
  readonly #broker: BrokerConnection;
  readonly #ttl: number;
  readonly #replicas: number;
  #bucket: KV;
  /** For each shard: the lease that an owner on this node holds. */
  readonly #held = new Map<number, Held>();
  /**
   * For each owner of shards on this node: the time of its last request to the lease table (`at`), and the
   * number of its unanswered requests (`running`).
   */
  readonly #requests = new Map<string, { at: number; running: number }>();
  readonly #freedListeners = new Set<(shards: readonly number[]) => void>();
  /**
   * The shards whose leases other nodes hold, each with a timer. When the timer ends, this node tries to take
   * the lease, because it may have expired.
   */
  readonly #polled = new Map<number, ReturnType<typeof setTimeout>>();

  private constructor(broker: BrokerConnection, bucket: KV, ttl: number, replicas: number) {
    this.#broker = broker;
    this.#bucket = bucket;
    this.#ttl = ttl;
    this.#replicas = replicas;
    broker.subscribe(FREED, (msg) => this.#reportFreed(readShards(msg.json())));
  }

  /**
   * Opens the lease table of the cluster.
   * @param ttl milliseconds for which a lease is valid
   * @throws `config.lease_ttl_differs` when the cluster uses another value
   */
  static async open(
    broker: BrokerConnection,
    { ttl, replicas }: { readonly ttl: number; readonly replicas: number },
  ): Promise<NatsLeases> {
    const bucket = await broker.answer(openBucket(broker, ttl, replicas));
    return new NatsLeases(broker, bucket, ttl, replicas);
  }

  async take(shards: readonly number[], owner: string): Promise<readonly number[]> {
    return await this.#requestFor(owner, () => this.#each(shards, (shard) => this.#take(shard, owner)));
  }

  async renew(shards: readonly number[], owner: string): Promise<readonly number[]> {
    return await this.#requestFor(owner, () => this.#each(shards, (shard) => this.#renew(shard, owner)));
  }

  async release(shards: readonly number[], owner: string): Promise<void> {
    await this.#each(shards, (shard) => this.#release(shard, owner));
  }

  onFreed(listen: (shards: readonly number[]) => void): () => void {
    this.#freedListeners.add(listen);
    return () => {
      this.#freedListeners.delete(listen);
    };
  }

  isSilentSince(owner: string, since: number): boolean {
    // An owner with a running request does not count as silent. While the broker is unreachable, the request gets
    // no answer, but the owner still works.
    const request = this.#requests.get(owner);
    if (request && (request.running > 0 || request.at > since)) return false;
    return this.#shardsOf(owner).length > 0;
  }

  async extend(owner: string): Promise<void> {
    await this.#each(this.#shardsOf(owner), (shard) => this.#renew(shard, owner));
  }

  async releaseAll(owner: string): Promise<void> {
    const shards = this.#shardsOf(owner);
    this.#requests.delete(owner);
    await this.release(shards, owner);
  }

  close(): void {
    for (const timer of this.#polled.values()) clearTimeout(timer);
    this.#polled.clear();
    this.#freedListeners.clear();
  }

  #shardsOf(owner: string): readonly number[] {
    return [...this.#held].flatMap(([shard, held]) => (held.owner === owner ? [shard] : []));
  }

  async #requestFor<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const request = this.#requests.get(owner) ?? { at: 0, running: 0 };
    this.#requests.set(owner, request);
    request.at = performance.now();
    request.running += 1;
    try {
      return await work();
    } finally {
      request.running -= 1;
    }
  }

  /**
   * Sends one request for each shard, all at the same time, so that the answers arrive together. Rejects when
   * any request failed.
   */
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
        // A connected broker without the bucket may have lost its data. The bucket is then created again, and
        // all leases are free.
        if (this.#broker.connected) {
          const bucket = openBucket(this.#broker, this.#ttl, this.#replicas);
          this.#bucket = await this.#broker.answer(bucket);
        }
        throw brokerAway(this.#broker.serverNames, error);
      }
      throw new Unavailable("bus.lease_failed", `The leases at NATS are not available: ${message}.`, {
        cause: error,
      });
    }
  }

  async #take(shard: number, owner: string): Promise<boolean> {
    try {
      this.#remember(shard, owner, await this.#bucket.create(keyOf(shard), owner));
      return true;
    } catch (error) {
      if (apiError(error).code !== apiCodes.wrongRevision) throw error;
    }
    const entry = await this.#bucket.get(keyOf(shard));
    if (entry?.operation === "PUT" && entry.string() === owner) {
      return await this.#update(shard, owner, entry.revision);
    }
    this.#poll(shard, entry?.created.getTime() ?? 0);
    return false;
  }

  /**
   * Checks repeatedly whether another owner's lease has expired. A lease expires when it was not renewed for
   * `#ttl` milliseconds.
   */
  #poll(shard: number, renewed: number): void {
    if (this.#polled.has(shard)) return;
    // The timer fires when the lease has expired by this machine's clock. If the lease is then still valid by
    // the broker's clock, it is checked again later.
    const left = Math.min(Math.max(renewed + this.#ttl - Date.now(), leaseLimits.pollExpiryEvery), this.#ttl);
    const timer = setTimeout(() => {
      this.#polled.delete(shard);
      this.#reportFreed([shard]);
    }, left + leaseLimits.expiryLag);
    this.#polled.set(shard, timer);
  }

  async #renew(shard: number, owner: string): Promise<boolean> {
    const held = this.#held.get(shard);
    if (held?.owner !== owner) return false;
    if (await this.#update(shard, owner, held.revision)) return true;
    // The update of the lease was refused. Perhaps the last renewal succeeded, but its answer was lost. The
    // lease then still names this owner, and has a newer revision. The update is repeated with the newer
    // revision.
    const entry = await this.#bucket.get(keyOf(shard));
    const isHeld = entry?.operation === "PUT" && entry.string() === owner;
    if (isHeld && (await this.#update(shard, owner, entry.revision))) return true;
    this.#forget(shard, owner);
    return false;
  }

  async #update(shard: number, owner: string, revision: number): Promise<boolean> {
    try {
      this.#remember(shard, owner, await this.#bucket.update(keyOf(shard), owner, revision));
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

  #remember(shard: number, owner: string, revision: number): void {
    this.#held.set(shard, { owner, revision });
  }

  #forget(shard: number, owner: string): void {
    if (this.#held.get(shard)?.owner === owner) this.#held.delete(shard);
  }

  #free(shard: number): void {
    this.#broker.publish(FREED, JSON.stringify([shard]));
    this.#reportFreed([shard]);
  }

  #reportFreed(shards: readonly number[]): void {
    for (const listen of this.#freedListeners) listen(shards);
  }
}

/** Parses an announcement of another node. Throws for any other message. */
function readShards(value: unknown): readonly number[] {
  if (!Array.isArray(value) || !value.every(Number.isInteger)) throw new Error("it names no shards");
  return value;
}

/**
 * Opens the bucket with this lease time. The lease time of an existing bucket is changed only while no lease
 * is held.
 */
async function openBucket(broker: BrokerConnection, ttl: number, replicas: number): Promise<KV> {
  const bucket = await ensureTogether(() => broker.jetStream.views.kv(BUCKET, { ttl, history: 1, replicas }));
  const status = await bucket.status();
  if (Math.round(status.ttl) === ttl) return bucket;
  if (status.values > 0) {
    throw new Refused(
      "config.lease_ttl_differs",
      `The nodes at NATS ${broker.serverNames} live with CAIRN_LEASE_TTL_MS=${status.ttl}, this one with ${ttl}. Give all the same, or stop all to change it.`,
      { status: 409, details: { cluster: status.ttl, node: ttl } },
    );
  }
  await broker.manager.streams.update(`KV_${BUCKET}`, { ...status.streamInfo.config, max_age: ttl * 1e6 });
  return bucket;
}
