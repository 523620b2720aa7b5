/**
 * The nodes of a cluster, as each tells the others: a bucket in which a node's entry expires when it is not renewed.
 *
 * The broker forgets a node that is silent for as long as a lease lasts; who comes and who leaves says so, and the
 * others look at once. Neighbours: `placement.ts` says who of the members should host what, `cluster.nats.ts` joins.
 */
import type { KV, KvEntry } from "nats";
import { leaseLimits } from "../../../../machines/runtime/limits.ts";
import type { Member } from "../../host/placement.ts";
import { askLimits, busLimits } from "../../limits.ts";
import type { Broker } from "./connection.nats.ts";
import { makeTogether } from "./ensure-streams.nats.ts";
import { apiCodes, apiError } from "./nats-errors.ts";

const BUCKET = "cairn-members";
const CHANGED = "cairn.control.members";

export class Members {
  readonly #broker: Broker;
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

  private constructor(broker: Broker, ttl: number, replicas: number) {
    this.#broker = broker;
    this.#ttl = ttl;
    this.#replicas = replicas;
    broker.hear(CHANGED, () => this.#soon());
    broker.onBack(() => this.#soon());
  }

  /** Looks who is there. Nobody hears of this node before it joins. */
  static async open(
    broker: Broker,
    { ttl, replicas }: { readonly ttl: number; readonly replicas: number },
  ): Promise<Members> {
    const members = new Members(broker, ttl, replicas);
    await members.#look();
    return members;
  }

  /** All that live, this node among them once it has joined; by name. */
  get all(): readonly Member[] {
    const all = this.#self ? [...this.#others, this.#self] : [...this.#others];
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Milliseconds by which this machine's clock is ahead of the broker's; 0 as long as they may be alike. */
  get ahead(): number {
    return this.#ahead;
  }

  /** Calls `tell` whenever somebody came, went, or changed. The answer ends it. */
  onChange(tell: () => void): () => void {
    this.#told.add(tell);
    return () => {
      this.#told.delete(tell);
    };
  }

  /** Has the others know of this node, for as long as it lives. */
  async join(self: Member): Promise<void> {
    this.#self = self;
    const until = performance.now() + busLimits.joinPatience;
    for (;;) {
      try {
        await this.#look();
        break;
      } catch (error) {
        // A broker that goes away at this moment is waited for as at any other.
        if (performance.now() >= until) throw error;
        await new Promise((resolve) => setTimeout(resolve, leaseLimits.pollExpiryEvery));
      }
    }
    this.#broker.publish(CHANGED);
  }

  /** Has the others know that this node will soon host nothing. */
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

  /** One look at a time; what changed while one was under way is seen by the next. */
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

  /** Renews this node's entry and reads the others'. */
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
        // One that is not renewed is seen to be gone as soon as the broker forgets it.
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

  /**
   * One answer of the broker for each. (The client's own listing waits for as many entries as there were when it
   * began, for ever when one of them expires meanwhile.)
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
    this.#bucket ??= await makeTogether(() => this.#broker.jetStream.views.kv(BUCKET, shape));
    return this.#bucket;
  }

  /** The broker wrote between these two moments of ours. Who asks with another clock is taken to have given up, or not. */
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

/** What another node's `#look` wrote; `undefined` for anything else, which is in nobody's way. */
function readMember(entry: KvEntry): Member | undefined {
  try {
    const { name, roles, workers, kinds } = Object(entry.json()) as Partial<Member>;
    const told = name === entry.key && Array.isArray(roles) && Number.isInteger(workers);
    return told && typeof kinds === "object" && kinds !== null ? entry.json<Member>() : undefined;
  } catch {
    return undefined; // No JSON; told by who asked.
  }
}
