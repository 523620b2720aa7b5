/**
 * Hosts the actors of shards in a worker: takes leases, and loads actors that are due. A shard is written
 * only while its lease is certainly valid, which is 2/3 of the lease time on a monotonic clock. Taking a
 * shard raises its fence (owner number) in the store, which then refuses writes with a lower fence.
 */
import { Unavailable } from "../../../machines/errors.ts";
import type { MetricFamily } from "../../../machines/runtime/metric-counters.ts";
import { leaseLimits } from "../../../machines/runtime/shared-runtime-limits.ts";
import type { ActorStore } from "../../../store/index.ts";
import { type Address, formatAddress, shardOf } from "../actor-address.ts";
import { failure, type Message, type Reply, readMessage, unreadable } from "../actor-messages.ts";
import { activationLimits, timerLimits, workerLimits } from "../actor-runtime-limits.ts";
import { ActorSystem } from "../calls-to-actors.ts";
import type { ActivationHost } from "../core/actor-host-interface.ts";
import { Committer } from "../core/actor-step-committer.ts";
import { Activation } from "../core/process-messages-of-one-actor.ts";
import { isStoreAway } from "../core/store-backoff.ts";
import type { AnyActorDefinition } from "../define-actor.ts";
import { type Bus, type Delivery, INBOX } from "../drivers/message-bus.ts";
import type { LeaseTable } from "../drivers/shard-leases.ts";
import { Meter } from "../inspection/metrics-of-actor-kinds.ts";
import { Inspector } from "../inspection/runtime-inspector.ts";
import type { Log } from "../log-function-of-runtime.ts";
import { type OperationRequest, type QueryRequest, querySubject } from "../requests-to-shard-owner-types.ts";
import { type Clock, pause } from "../runtime-clock.ts";
import { type AnsweringOwner, answerRequest, movingAway } from "./answer-requests-to-shard-owner.ts";
import { LeaseKeeper } from "./shard-lease-keeper.ts";
import { storeUnhandled } from "./unhandled-messages-to-dead-letters.ts";

export interface ShardHostOptions {
  /**
   * Name of this owner of shards. It is unique for each start of the worker, so a restarted worker is a
   * different owner.
   */
  readonly owner: string;
  readonly bus: Bus;
  readonly leases: LeaseTable;
  readonly store: ActorStore;
  readonly clock: Clock;
  readonly definitions: readonly AnyActorDefinition[];
  /** The services that the effects and queries of actors use. */
  readonly services: unknown;
  readonly leaseTtl: number;
  /** Whether the lease table is in this process; see `LeaseKeeperOptions.localTable`. */
  readonly localTable?: boolean | undefined;
  readonly log: Log;
}

/** The report of a shard host about its state, for operators. */
export interface HostReport {
  readonly shards: readonly number[];
  readonly actors: number;
  readonly metrics: readonly MetricFamily[];
}

interface OwnedShard {
  readonly fence: number;
  readonly stop: (() => void)[];
}

/** Whether an error means that the broker cannot be reached. */
function isBrokerAway(error: unknown): error is Unavailable {
  return error instanceof Unavailable && error.code === "bus.unavailable";
}

export class ShardHost {
  readonly #options: ShardHostOptions;
  readonly #clock: Clock;
  readonly #definitions: ReadonlyMap<string, AnyActorDefinition>;
  readonly #committer: Committer;
  readonly #inspection: Inspector;
  readonly #meter = new Meter();
  readonly #answering: AnsweringOwner;
  readonly #activationHost: ActivationHost;
  /** Sends the commands and queries of this host's effects to other actors. */
  readonly #system: ActorSystem;
  readonly #owned = new Map<number, OwnedShard>();
  readonly #activations = new Map<string, Activation>();
  readonly #cancels: (() => void)[] = [];
  readonly #leaseKeeper: LeaseKeeper;
  /**
   * When more actors than this number are in memory, the actors that are idle longest are removed from
   * memory.
   */
  #passivateAbove: number = activationLimits.resident;
  #draining = false;
  #closed = false;

  constructor(options: ShardHostOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#definitions = new Map(options.definitions.map((definition) => [definition.kind, definition]));
    this.#committer = new Committer(
      options.store,
      (shard, fence) => this.#mayWrite(shard, fence),
      this.#meter.commits,
      () => this.#leasesDecided(),
    );
    this.#inspection = new Inspector(options.bus, options.clock, options.owner, options.log);
    const inbox = `${INBOX}${options.owner}`;
    this.#system = new ActorSystem(options.bus, options.clock, `${options.owner}-effects`);
    this.#activationHost = {
      bus: options.bus,
      clock: options.clock,
      store: options.store,
      committer: this.#committer,
      services: options.services,
      system: this.#system,
      inspection: this.#inspection,
      meter: this.#meter,
      log: options.log,
      inbox,
      leaseCertainFor: () => this.#leaseKeeper.certainFor,
      leaves: (shard) => !this.#leaseKeeper.wants(shard),
      lost: (shard) => this.#drop(shard, "fenced"),
    };
    this.#answering = {
      owner: options.owner,
      definitions: this.#definitions,
      services: options.services,
      meter: this.#meter,
      activation: (target) => this.#activation(target),
      fence: (shard) => this.#owned.get(shard)?.fence ?? 0,
      now: () => this.#clock.now(),
      deadLetter: (id) => options.store.deadLetter(id),
    };
    this.#leaseKeeper = new LeaseKeeper({
      ...options,
      held: () => this.shards,
      hostShards: (shards, still) => this.#hostShards(shards, still),
      retire: (shard) => this.#retire(shard),
      drop: (shard, why) => this.#drop(shard, why),
      failed: (error) => this.#failed(error),
    });
    this.#cancels.push(options.bus.subscribe(inbox, (event) => this.#sendAnswered(event)));
  }

  get owner(): string {
    return this.#options.owner;
  }

  get shards(): readonly number[] {
    return [...this.#owned.keys()];
  }

  get resident(): number {
    return this.#activations.size;
  }

  report(): HostReport {
    const { definitions } = this.#options;
    const metrics = this.#meter.families(this.#owned.size, this.#activations.values(), definitions);
    return { shards: this.shards, actors: this.resident, metrics };
  }

  /**
   * Starts to host the given shards. Resolves when this host has all those shards that no other owner holds,
   * and has loaded their actors that have work to do. If the store or the broker is unreachable, it resolves
   * earlier, and the shards are taken later.
   */
  async start(desired: readonly number[]): Promise<void> {
    const begun = this.#leaseKeeper.begin(desired).catch((error) => {
      if (!isStoreAway(error) && !isBrokerAway(error)) throw error;
      const { code, message } = error;
      this.#options.log("warn", "store or broker unavailable, shards will be taken later", {
        owner: this.owner,
        code,
        error: message,
      });
    });
    const { leaseTtl } = this.#options;
    this.#every(leaseTtl * leaseLimits.renewEvery, () => this.#leaseKeeper.tend());
    this.#every(timerLimits.horizon / 2, () => this.#wakeDue(this.shards));
    this.#every(activationLimits.idle / 4, async () => this.#passivate());
    await begun;
  }

  /** Sets which shards this host runs. It gives up its other shards when their running work is finished. */
  desire(shards: readonly number[]): void {
    this.#leaseKeeper.desire(shards);
  }

  /**
   * Finishes running work for at most `grace` milliseconds, then returns the leases, so that other owners can
   * take the shards at once.
   */
  async drain(grace: number): Promise<void> {
    this.#draining = true;
    this.#leaseKeeper.drain();
    for (const shard of this.#owned.values()) for (const stop of shard.stop) stop();
    await this.#finishWork(() => true, grace);
    const shards = this.shards;
    this.close();
    await this.#options.leases.release(shards, this.owner);
  }

  /** Stops at once, as in a crash. Work that is not committed is lost. */
  close(): void {
    this.#closed = true;
    this.#leaseKeeper.close();
    for (const cancel of this.#cancels.splice(0)) cancel();
    for (const shard of this.shards) this.#drop(shard);
    this.#system.close();
    this.#inspection.close();
  }

  #every(period: number, work: () => Promise<void>): void {
    const tick = async () => {
      try {
        await work();
      } catch (error) {
        this.#failed(error);
      }
      if (!this.#closed) cancel = this.#clock.after(period, tick);
    };
    let cancel = this.#clock.after(period, tick);
    this.#cancels.push(() => cancel());
  }

  #mayWrite(shard: number, fence: number): boolean {
    return this.#owned.get(shard)?.fence === fence && this.#leaseKeeper.isCertain;
  }

  /**
   * If the leases of the shards may have expired, returns a promise. It resolves when the leases are valid
   * again, or when the shards are given up.
   */
  #leasesDecided(): Promise<void> | undefined {
    if (this.#owned.size === 0 || this.#leaseKeeper.isCertain) return undefined;
    return this.#leaseKeeper.whenDecided().then(() => this.#leasesDecided());
  }

  #failed(error: unknown): void {
    // If the store is unreachable, this is only a warning: the next renewal of leases tries again.
    this.#options.log(isStoreAway(error) ? "warn" : "error", "housekeeping of a shard host failed", {
      owner: this.owner,
      error: String(error),
    });
  }

  /**
   * Waits until the actors that `concerns` selects have no running work, but at most `grace` milliseconds.
   */
  async #finishWork(concerns: (activation: Activation) => boolean, grace: number): Promise<void> {
    const until = this.#clock.monotonic() + grace;
    const concerned = () => [...this.#activations.values()].filter(concerns);
    let leaving = true;
    void Promise.all(concerned().map(({ running }) => running.leave())).finally(() => {
      leaving = false;
    });
    const busy = () => leaving || concerned().some((activation) => activation.busy);
    while (busy() && this.#clock.monotonic() < until) await pause(this.#clock, workerLimits.drainPoll);
  }

  /** Gives up a shard: takes no more commands, finishes running work, then releases the lease. */
  async #retire(shard: number): Promise<void> {
    const owned = this.#owned.get(shard);
    for (const stop of owned?.stop ?? []) stop();
    await this.#finishWork((activation) => activation.shard === shard, workerLimits.grace);
    if (owned && this.#owned.get(shard) === owned) this.#drop(shard, "another owner should host it", "info");
  }

  async #hostShards(shards: readonly number[], still: (shard: number) => boolean): Promise<void> {
    const fences = await this.#options.store.raiseFences(shards);
    await Promise.all(
      shards.filter(still).map((shard) => {
        const fence = fences.get(shard);
        if (fence === undefined)
          throw new Unavailable("store.no_fence", `The store gave no fence for shard ${shard}.`);
        return this.#open(shard, fence);
      }),
    );
    await this.#wakeDue(shards.filter((shard) => this.#owned.has(shard)));
  }

  /**
   * Starts to answer queries and to consume commands of a shard. If another owner takes the shard meanwhile,
   * the consumer is stopped again.
   */
  async #open(shard: number, fence: number): Promise<void> {
    if (this.#closed || this.#draining) return;
    const { bus } = this.#options;
    const owned: OwnedShard = { fence, stop: [] };
    const isStill = () => this.#owned.get(shard) === owned;
    this.#owned.set(shard, owned);
    owned.stop.push(
      bus.respond(querySubject(shard), (payload) =>
        answerRequest(payload as QueryRequest | OperationRequest, this.#answering),
      ),
    );
    try {
      const stop = await bus.consume(shard, fence, {
        take: (delivery) => {
          if (isStill()) this.#take(shard, delivery);
        },
        // The shard's queue has a consumer with a higher fence (owner number). An earlier owner may have
        // raised the fence late, before it noticed that it had lost its lease. This worker drops the shard.
        replaced: () => {
          if (isStill()) this.#drop(shard, "its queue has a newer consumer");
        },
      });
      owned.stop.push(stop);
      if (!isStill() || this.#draining) stop();
      else this.#inspection.lease(shard, "taken");
    } catch (error) {
      // Without a consumer, nothing processes the commands of this shard. So the node gives the shard up, and
      // tries to take it again when it next renews its leases.
      if (isStill()) this.#drop(shard, "its queue cannot be consumed");
      throw error;
    }
  }

  #take(shard: number, delivery: Delivery): void {
    const message = readMessage(delivery.message) ?? unreadable(delivery.message, shard);
    if (this.#definitions.has(message.to.kind)) this.#activation(message.to)?.take(delivery);
    else void this.#storeUnhandled(shard, message, delivery.ack);
  }

  async #storeUnhandled(shard: number, message: Message, acknowledge: () => void): Promise<void> {
    const { id, to, replyTo } = message;
    const from = formatAddress(to);
    const { clock, log, bus } = this.#options;
    const fence = this.#owned.get(shard)?.fence ?? 0;
    const gone = () => (this.#owned.get(shard)?.fence === fence ? undefined : movingAway(from));
    const error = await storeUnhandled(message, {
      shard,
      fence,
      committer: this.#committer,
      clock,
      log,
      gone,
    });
    if (!error) return;
    if (replyTo) bus.publish(replyTo, { id, from, outcome: failure(error) } satisfies Reply);
    acknowledge();
  }

  #drop(shard: number, why?: string, level: "info" | "warn" = "warn"): void {
    const owned = this.#owned.get(shard);
    if (!owned) return;
    this.#owned.delete(shard);
    for (const stop of owned.stop) stop();
    for (const [name, activation] of this.#activations) {
      if (activation.shard !== shard) continue;
      this.#activations.delete(name);
      activation.close();
    }
    this.#inspection.lease(shard, "dropped", why);
    if (why) this.#options.log(level, "shard dropped", { owner: this.owner, shard, why });
  }

  /**
   * Loads the actors whose next timer is due within `timerLimits.horizon`. An actor in memory runs its own
   * timers.
   */
  async #wakeDue(shards: readonly number[]): Promise<void> {
    if (shards.length === 0) return;
    const until = this.#clock.now() + timerLimits.horizon;
    const due = await this.#options.store.due(shards, until, activationLimits.resident);
    for (const { kind, id } of due) this.#activation({ kind, id })?.wake();
  }

  #activation(target: Address): Activation | undefined {
    const name = formatAddress(target);
    const active = this.#activations.get(name);
    if (active) return active;
    const shard = shardOf(target);
    const owned = this.#owned.get(shard);
    const definition = this.#definitions.get(target.kind);
    if (!owned || !definition) return undefined;
    const activation = new Activation(definition, target, shard, owned.fence, this.#activationHost);
    this.#activations.set(name, activation);
    if (this.#activations.size > this.#passivateAbove) this.#passivate();
    return activation;
  }

  /**
   * Removes idle actors from memory. If too many actors are in memory, it also removes actors that have been
   * idle for a shorter time, beginning with the longest idle ones.
   */
  #passivate(): void {
    const { resident, evictedAtOnce, idle } = activationLimits;
    const all = [...this.#activations];
    const crowded = new Set<string>();
    if (all.length > resident) {
      const surplus = all.length - resident * (1 - evictedAtOnce);
      const longestIdle = all.sort(([, a], [, b]) => a.lastBusy - b.lastBusy);
      for (const [name] of longestIdle.slice(0, surplus)) crowded.add(name);
    }
    for (const [name, activation] of all) {
      const patience = this.#definitions.get(activation.address.kind)?.limits?.idle ?? idle;
      if (!activation.mayPassivate(crowded.has(name) ? 0 : patience)) continue;
      this.#activations.delete(name);
      activation.close();
    }
    // If nearly all actors are busy, only a few can leave memory. The limit is then set above the present
    // number of actors, because otherwise each new actor would start another search for idle actors.
    this.#passivateAbove = Math.max(resident, this.#activations.size + resident * evictedAtOnce);
  }

  #sendAnswered(event: unknown): void {
    const { id, outcome } = event as Reply;
    const colon = id.lastIndexOf(":");
    this.#activations.get(id.slice(0, colon))?.running.sendAnswered(Number(id.slice(colon + 1)), outcome);
  }
}
