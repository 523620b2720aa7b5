/**
 * The nodes of a cluster: a bucket in which each node's entry expires unless it is renewed.
 * A silent node disappears after one lease time. Joining and leaving nodes are announced, so others react at
 * once.
 */
import type { KV, KvEntry } from "nats";
import { leaseLimits } from "../../../../machines/runtime/limits.ts";
import type { Member } from "../../host/placement.ts";
import { askLimits, busLimits } from "../../limits.ts";
import type { BrokerConnection } from "./connection.nats.ts";
import { ensureTogether } from "./ensure-streams.nats.ts";
import { apiCodes, apiError } from "./nats-errors.ts";

const BUCKET = "cairn-members";
const CHANGED = "cairn.control.members";

export class Members {
  readonly #broker: BrokerConnection;
  readonly #ttl: number;
  readonly #replicas: number;
  readonly #told = new Set<() => void>();
  #bucket: KV | undefined;
  #self: Member | undefined;
  #others: readonly Member[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #closed = false;
  #ahead = 0;

  private constructor(broker: BrokerConnection, ttl: number, replicas: number) {
    this.#broker = broker;
    this.#ttl = ttl;
    this.#replicas = replicas;
    broker.hear(CHANGED, () => this.#soon());
    broker.onBack(() => this.#soon());
  }

  /** Reads the members. This node is not visible before it joins. */
  static async open(
    broker: BrokerConnection,
    { ttl, replicas }: { readonly ttl: number; readonly replicas: number },
  ): Promise<Members> {
    const members = new Members(broker, ttl, replicas);
    await members.#look();
    return members;
  }

  /** All live nodes by name, including this one after it joined. */
  get all(): readonly Member[] {
    const all = this.#self ? [...this.#others, this.#self] : [...this.#others];
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Milliseconds by which this machine's clock is ahead of the broker's; 0 while they may be equal. */
  get ahead(): number {
    return this.#ahead;
  }

  /** Calls `tell` whenever a member joined, left or changed; the returned function ends that. */
  onChange(tell: () => void): () => void {
    this.#told.add(tell);
    return () => {
      this.#told.delete(tell);
    };
  }

  /** Makes this node known to the others for its lifetime. */
  async join(self: Member): Promise<void> {
    this.#self = self;
    const until = performance.now() + busLimits.joinPatience;
    for (;;) {
      try {
        await this.#look();
        break;
      } catch (error) {
        // A broker that goes away at this moment is waited for, as at any other.
        if (performance.now() >= until) throw error;
        await new Promise((resolve) => setTimeout(resolve, leaseLimits.pollExpiryEvery));
      }
    }
    this.#broker.publish(CHANGED);
  }

  /** Announces that this node will soon host nothing. */
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
    this.#told.clear();
  }

  /** Reads one at a time; a change during a read triggers the next. */
  #soon(): void {
    this.#lookAgain = true;
    if (this.#looking) return;
    this.#looking = (async () => {
      while (this.#lookAgain && !this.#closed) {
        this.#lookAgain = false;
        await this.#look().catch((error) =>
          this.#broker.log("warn", "the nodes of the cluster cannot be seen just now", {
            error: String(error),
          }),
        );
      }
      this.#looking = undefined;
    })();
  }

  /** Renews this node's entry and reads the others. */
  async #look(): Promise<void> {
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
        else this.#broker.log("warn", "what is told as a node of the cluster is none", { entry: entry.key });
        // Schedules the next read for the moment when the next entry expires.
        const left = entry.created.getTime() + this.#ttl - Date.now() + leaseLimits.expiryLag;
        next = Math.min(next, Math.max(left, leaseLimits.pollExpiryEvery));
      }
      this.#see(others);
    } catch (error) {
      if (apiError(error).code === apiCodes.streamNotFound || apiError(error).away) this.#bucket = undefined;
      next = leaseLimits.pollExpiryEvery;
      throw error;
    } finally {
      if (!this.#closed) this.#timer = setTimeout(() => this.#soon(), next);
    }
  }

  /** One request per entry. The client's own listing waits forever when an entry expires meanwhile. */
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

  /** The broker wrote the entry between these two local times, which bounds the difference of the clocks. */
  #compare(written: number, before: number, after: number): void {
    const ahead = Math.max(before - written, 0) || Math.min(after - written, 0);
    const far = (milliseconds: number) => Math.abs(milliseconds) > askLimits.lateBy;
    if (far(ahead) && !far(this.#ahead)) {
      this.#broker.log("warn", "this machine's clock differs from that of NATS; set both by the same time", {
        ahead,
      });
    }
    this.#ahead = far(ahead) ? ahead : 0;
  }

  #see(others: readonly Member[]): void {
    const before = JSON.stringify(this.#others);
    this.#others = others.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    if (JSON.stringify(this.#others) !== before) for (const tell of [...this.#told]) tell();
  }
}

/** Parses an entry of another node; `undefined` for anything else. */
function readMember(entry: KvEntry): Member | undefined {
  try {
    const { name, roles, workers, kinds } = Object(entry.json()) as Partial<Member>;
    const told = name === entry.key && Array.isArray(roles) && Number.isInteger(workers);
    return told && typeof kinds === "object" && kinds !== null ? entry.json<Member>() : undefined;
  } catch {
    return undefined; // Not JSON; the caller reports it.
  }
}
