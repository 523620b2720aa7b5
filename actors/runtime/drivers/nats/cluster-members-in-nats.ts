/**
 * The nodes of a cluster: a bucket with one entry for each node, which expires unless the node renews it. A
 * node that stops is removed after one lease time. A node announces when it joins or leaves, so that the
 * other nodes react at once.
 */
import type { KV, KvEntry, Subscription } from "nats";
import { leaseLimits } from "../../../../machines/runtime/shared-runtime-limits.ts";
import { askLimits, busLimits } from "../../actor-runtime-limits.ts";
import type { Member } from "../../host/shard-placement.ts";
import { ensureTogether } from "./create-nats-streams-and-buckets.ts";
import type { BrokerConnection } from "./nats-connection-of-node.ts";
import { apiCodes, apiError } from "./nats-errors.ts";

const BUCKET = "cairn-members";
const CHANGED = "cairn.control.members";

export class Members {
  readonly #broker: BrokerConnection;
  readonly #ttl: number;
  readonly #replicas: number;
  readonly #listeners = new Set<() => void>();
  readonly #announcements: Subscription;
  #bucket: KV | undefined;
  #self: Member | undefined;
  #others: readonly Member[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #refreshing: Promise<void> | undefined;
  #refreshAgain = false;
  #closed = false;
  #clockAhead = 0;

  private constructor(broker: BrokerConnection, ttl: number, replicas: number) {
    this.#broker = broker;
    this.#ttl = ttl;
    this.#replicas = replicas;
    this.#announcements = broker.subscribe(CHANGED, () => this.#refreshSoon());
    broker.onBack(() => this.#refreshSoon());
  }

  /** Reads the members of the cluster. The other nodes do not see this node before it joins. */
  static async open(
    broker: BrokerConnection,
    { ttl, replicas }: { readonly ttl: number; readonly replicas: number },
  ): Promise<Members> {
    const members = new Members(broker, ttl, replicas);
    try {
      await members.#refresh();
    } catch (error) {
      members.close();
      throw error;
    }
    return members;
  }

  /** All live nodes by name. This node is included after it has joined. */
  get all(): readonly Member[] {
    const all = this.#self ? [...this.#others, this.#self] : [...this.#others];
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * Milliseconds by which this machine's clock is ahead of the NATS server's clock; negative if it is behind.
   * It is 0 if the difference is at most `askLimits.clockTolerance`.
   */
  get clockAhead(): number {
    return this.#clockAhead;
  }

  /** Calls `listen` whenever a member joined, left or changed, until the returned function is called. */
  onChange(listen: () => void): () => void {
    this.#listeners.add(listen);
    return () => {
      this.#listeners.delete(listen);
    };
  }

  /** Makes this node visible to the other nodes until it leaves or stops. */
  async join(self: Member): Promise<void> {
    this.#self = self;
    const until = performance.now() + busLimits.joinPatience;
    for (;;) {
      try {
        await this.#refresh();
        break;
      } catch (error) {
        // The broker became unreachable while this node joined the cluster. The join is repeated for at most
        // `busLimits.joinPatience` milliseconds.
        if (performance.now() >= until) throw error;
        await new Promise((resolve) => setTimeout(resolve, leaseLimits.pollExpiryEvery));
      }
    }
    this.#broker.publish(CHANGED);
  }

  /** Removes this node from the members, so that the other nodes take over its shards. */
  async leave(): Promise<void> {
    const self = this.#self;
    this.#self = undefined;
    if (!self || !this.#broker.connected) return;
    await this.#bucket?.delete(self.name);
    this.#broker.publish(CHANGED);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#announcements.unsubscribe();
    this.#listeners.clear();
  }

  /**
   * Reads the list of cluster members. Only one read runs at a time. If the members change during a read, the
   * list is read again.
   */
  #refreshSoon(): void {
    this.#refreshAgain = true;
    if (this.#refreshing) return;
    this.#refreshing = (async () => {
      while (this.#refreshAgain && !this.#closed) {
        this.#refreshAgain = false;
        await this.#refresh().catch((error) =>
          this.#broker.log("warn", "the nodes of the cluster cannot be read at the moment", {
            error: String(error),
          }),
        );
      }
      this.#refreshing = undefined;
    })();
  }

  /** Renews the entry of this node, and reads the entries of all other nodes. */
  async #refresh(): Promise<void> {
    clearTimeout(this.#timer);
    let next = this.#ttl * leaseLimits.renewEvery;
    try {
      const bucket = await this.#open();
      const before = Date.now();
      if (this.#self) await this.#broker.answer(bucket.put(this.#self.name, JSON.stringify(this.#self)));
      const after = Date.now();
      const others: Member[] = [];
      for (const entry of await this.#broker.answer(this.#entries(bucket))) {
        if (entry?.operation !== "PUT") continue;
        if (entry.key === this.#self?.name) {
          this.#compare(entry.created.getTime(), before, after);
          continue;
        }
        const member = readMember(entry);
        if (member) others.push(member);
        else
          this.#broker.log("warn", "an entry of the cluster's nodes is not readable and is ignored", {
            entry: entry.key,
          });
        // The list of members is read again when the first entry in it expires.
        const left = entry.created.getTime() + this.#ttl - Date.now() + leaseLimits.expiryLag;
        next = Math.min(next, Math.max(left, leaseLimits.pollExpiryEvery));
      }
      this.#update(others);
    } catch (error) {
      if (apiError(error).code === apiCodes.streamNotFound || apiError(error).away) this.#bucket = undefined;
      next = leaseLimits.pollExpiryEvery;
      throw error;
    } finally {
      if (!this.#closed) this.#timer = setTimeout(() => this.#refreshSoon(), next);
    }
  }

  /**
   * Reads all members of the bucket, each with a separate request. The NATS client's own method waits forever
   * if an entry expires during the call.
   */
  async #entries(bucket: KV): Promise<readonly (KvEntry | null)[]> {
    const subjects = `$KV.${BUCKET}.`;
    const { state } = await this.#broker.manager.streams.info(`KV_${BUCKET}`, {
      subjects_filter: `${subjects}>`,
    });
    const names = Object.keys(state.subjects ?? {}).map((subject) => subject.slice(subjects.length));
    return await Promise.all(names.map((name) => bucket.get(name)));
  }

  async #open(): Promise<KV> {
    await this.#broker.whenConnected(busLimits.jetStreamPatience);
    const shape = { ttl: this.#ttl, history: 1, replicas: this.#replicas };
    this.#bucket ??= await ensureTogether(() => this.#broker.jetStream.views.kv(BUCKET, shape));
    return this.#bucket;
  }

  /**
   * Compares this machine's clock with the broker's. `written` is the time of an entry by the broker's clock.
   * If the clocks agree, `written` is between this machine's times `before` and `after`.
   */
  #compare(written: number, before: number, after: number): void {
    const ahead = Math.max(before - written, 0) || Math.min(after - written, 0);
    const far = (milliseconds: number) => Math.abs(milliseconds) > askLimits.clockTolerance;
    if (far(ahead) && !far(this.#clockAhead)) {
      this.#broker.log("warn", "this machine's clock differs from that of NATS; set both by the same time", {
        ahead,
      });
    }
    this.#clockAhead = far(ahead) ? ahead : 0;
  }

  #update(others: readonly Member[]): void {
    const before = JSON.stringify(this.#others);
    this.#others = others.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    if (JSON.stringify(this.#others) !== before) for (const listen of [...this.#listeners]) listen();
  }
}

/** Parses the entry of another node. Returns `undefined` for any other content. */
function readMember(entry: KvEntry): Member | undefined {
  try {
    const { name, roles, workers, kinds } = Object(entry.json()) as Partial<Member>;
    const isMember = name === entry.key && Array.isArray(roles) && Number.isInteger(workers);
    return isMember && typeof kinds === "object" && kinds !== null ? entry.json<Member>() : undefined;
  } catch {
    return undefined; // The entry is not JSON; the caller logs it.
  }
}
