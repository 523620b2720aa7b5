/**
 * Serves one node's store over the bus to nodes with `CAIRN_STORE=bus`. One node at a time holds the lease to
 * serve, and it answers only while that lease is certainly valid. When the answer to a commit is lost, the
 * sender repeats the commit with a higher number; the store then refuses the first commit.
 */
import { asCairnError, type CairnError, Refused, Unavailable } from "../../machines/errors.ts";
import { addressLimits, leaseLimits } from "../../machines/runtime/shared-runtime-limits.ts";
import {
  newestSchema,
  type OwnedStore,
  openServedStore,
  type Store,
  type StoreChannel,
} from "../../store/index.ts";
import { storeLimits } from "../../store/store-limits.ts";
import {
  type ByteBus,
  ByteClient,
  type LeaseTable,
  type Log,
  pause,
  serveBytes,
  systemClock,
} from "../runtime/index.ts";

const SUBJECT = "cairn.store";
/**
 * The number of the lease for serving the store. It is stored in the table of shard leases, under a number
 * that no shard has.
 */
const SERVING_SHARD: readonly number[] = [addressLimits.shards];

/** The parts of the cluster connection that are needed to serve a store. */
export interface Cluster {
  /**
   * A unique name of this process. It changes with each restart of the node, so that the lease of the earlier
   * process is not mistaken for one of this process.
   */
  readonly node: string;
  readonly bytes: ByteBus;
  readonly leases: LeaseTable;
  /** Lifetime of the lease to serve the store, in milliseconds. */
  readonly leaseTtl: number;
  readonly log: Log;
}

/** The lease that permits a node to serve the store. Only one node holds it at a time. */
export class StoreServingLease {
  readonly #cluster: Cluster;
  readonly #owner: string;
  #sureUntil = 0;
  #lost = false;
  #closed = false;
  #cancel = () => {};

  private constructor(cluster: Cluster, asked: number) {
    this.#cluster = cluster;
    this.#owner = ownerOf(cluster);
    this.#extend(asked);
    this.#later();
  }

  /**
   * Takes the lease that permits this node to serve the store. If the holder of the lease no longer answers,
   * waits until its lease expires. Throws `store.already_served` when another node holds the lease.
   */
  static async take(cluster: Cluster): Promise<StoreServingLease> {
    const { leases, leaseTtl } = cluster;
    const until = systemClock.monotonic() + 2 * leaseTtl;
    const client = new ByteClient(cluster.bytes, SUBJECT, await newestSchema());
    try {
      for (;;) {
        const asked = systemClock.monotonic();
        if ((await leases.take(SERVING_SHARD, ownerOf(cluster))).length > 0)
          return new StoreServingLease(cluster, asked);
        if ((await isServed(client)) || asked > until) throw alreadyServed();
        await pause(systemClock, storeLimits.servingLease.checkEvery);
      }
    } finally {
      client.close();
    }
  }

  /**
   * Whether this node holds the lease and may serve the store. `unsure`: the lease may have expired, so the
   * node must not serve the store. `no`: another node holds the lease.
   */
  get held(): "yes" | "unsure" | "no" {
    if (this.#lost) return "no";
    return systemClock.monotonic() < this.#sureUntil ? "yes" : "unsure";
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    await this.#cluster.leases.release(SERVING_SHARD, this.#owner);
  }

  #extend(asked: number): void {
    this.#sureUntil = asked + this.#cluster.leaseTtl * leaseLimits.giveUpAt;
  }

  #later(): void {
    if (this.#closed) return;
    this.#cancel = systemClock.after(this.#cluster.leaseTtl * leaseLimits.renewEvery, () => {
      this.#keep()
        // A failed renewal is only logged, because the broker may be unreachable. The lease may then expire,
        // and the next round requests it again.
        .catch((error: unknown) =>
          this.#cluster.log("warn", "the store's lease was not renewed", reason(error)),
        )
        .finally(() => this.#later());
    });
  }

  async #keep(): Promise<void> {
    const { leases, log } = this.#cluster;
    const asked = systemClock.monotonic();
    const kept = await leases.renew(SERVING_SHARD, this.#owner);
    const held = kept.length > 0 || (await leases.take(SERVING_SHARD, this.#owner)).length > 0;
    if (held) this.#extend(asked);
    if (held === !this.#lost) return;
    this.#lost = !held;
    if (held) log("info", "this node serves the store again", {});
    else log("error", "another node serves a store now; restart this one with CAIRN_STORE=bus", {});
  }
}

/** Serves the store to other nodes until the returned function is called. */
export async function serveStoreToOthers(
  store: OwnedStore,
  servingLease: StoreServingLease,
  { bytes }: Cluster,
): Promise<() => void> {
  return serveBytes(bytes, SUBJECT, {
    version: await newestSchema(),
    realm: await store.identity(),
    mayServe: () => servingLease.held,
    answer: (request) => store.serve(request),
  });
}

export interface OthersStore {
  readonly store: Store;
  readonly channel: StoreChannel;
  close(): Promise<void>;
}

/** Connects to the store that another node serves. Throws `store.unavailable` while no node serves it. */
export async function joinStoreOfOthers({ bytes }: Cluster): Promise<OthersStore> {
  const client = new ByteClient(bytes, SUBJECT, await newestSchema());
  const channel: StoreChannel = {
    call: async (request) => {
      try {
        return await client.call(request);
      } catch (error) {
        throw new Unavailable(
          "store.unavailable",
          `The store that another node serves cannot be used now: ${asCairnError(error).message}`,
          { cause: error },
        );
      }
    },
  };
  const store = await openServedStore(channel, "the store that another node serves");
  const close = async () => {
    await store.close();
    client.close();
  };
  return { store, channel, close };
}

/** Whether a node serves the store. An error that the server returns also counts as an answer. */
async function isServed(client: ByteClient): Promise<boolean> {
  const answer = client.call(new Uint8Array()).then(
    () => true,
    (error: CairnError) => error.code === "bytes.refused",
  );
  return await Promise.race([
    answer,
    pause(systemClock, storeLimits.servingLease.answerWithin).then(() => false),
  ]);
}

function alreadyServed(): Refused {
  return new Refused(
    "store.already_served",
    "Another node of this cluster serves its store to the others, and there can be one only. Start this one with CAIRN_STORE=bus, or give all of them one server with SURREAL_URL.",
    { status: 409 },
  );
}

function ownerOf({ node }: Cluster): string {
  return `${node}-store`;
}

function reason(error: unknown): Record<string, unknown> {
  const { code, message } = asCairnError(error);
  return { code, error: message };
}
