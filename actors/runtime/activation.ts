/**
 * One actor in memory: takes items one after another, commits, and only then lets anything be seen.
 *
 * The order is the heart of the runtime: step (pure) → commit → publish → reply → acknowledge → effects and
 * timers from the committed rows. Items that came meanwhile go into the next batch, hence into one commit.
 * Neighbours: `batch.ts` and `step.ts` are the pure part, `committer.ts` makes it durable, `shard-host.ts` owns activations.
 */

import { asCairnError, type CairnError, Fenced } from "../../machines/errors.ts";
import { limits } from "../../machines/limits.ts";
import type { ActivationHost } from "./activation-host.ts";
import { type Address, formatAddress } from "./address.ts";
import { type Batch, deadLetter, stepAll, type Waiting } from "./batch.ts";
import type { Delivery } from "./bus.ts";
import { pause } from "./clock.ts";
import type { AnyActorDefinition } from "./definition.ts";
import { Effects } from "./effects.ts";
import { Look } from "./inspection.ts";
import { stateName } from "./interpret.ts";
import { type CommandBody, failure, type Outcome } from "./message.ts";
import { checkVersion, fromRow, toRow, wakeAt } from "./record.ts";
import { Sends } from "./sends.ts";
import { type ActorState, birth, persist, remember, revive, type StepResult } from "./step.ts";
import { isStoreAway, storePause } from "./store-away.ts";
import { CrashWindow } from "./supervise.ts";
import { Timers } from "./timers.ts";

export class Activation {
  readonly address: Address;
  readonly shard: number;
  readonly #name: string;
  readonly #fence: number;
  readonly #definition: AnyActorDefinition;
  readonly #host: ActivationHost;
  readonly #effects: Effects;
  readonly #mailbox: Waiting[] = [];
  readonly #timers: Timers;
  readonly #sends: Sends;
  readonly #look: Look;
  readonly #crashes = new CrashWindow(limits.activation.maxCrashes, limits.activation.crashWindow);
  /** The committed state. */
  #state: ActorState | undefined;
  /** The store was asked and has no such actor. */
  #absent = false;
  /** Rows of a birth that is not committed yet ride with the first step. */
  #birth: Pick<StepResult, "writes" | "publishes"> = { writes: [], publishes: [] };
  #failures = 0;
  #working = false;
  #closed = false;
  #lastBusy: number;

  constructor(
    definition: AnyActorDefinition,
    address: Address,
    shard: number,
    fence: number,
    host: ActivationHost,
  ) {
    this.#definition = definition;
    this.address = address;
    this.#name = formatAddress(address);
    this.shard = shard;
    this.#fence = fence;
    this.#host = host;
    this.#lastBusy = host.clock.monotonic();
    this.#look = new Look(host.inspection, definition, address, shard);
    this.#effects = new Effects(definition, address, host.services, {
      clock: host.clock,
      again: (effect, error) => this.#storeAway(`effect ${effect.src}`, error),
      finished: (effect, result) =>
        this.#offer({ item: { kind: "effect", id: effect.id, run: effect.run, result } }),
      notify: (effect, event) => this.#notify(effect, event),
      publish: (topic, event) => host.bus.publish(topic, event),
    });
    this.#timers = new Timers(host.clock, ({ id, run }) => this.#offer({ item: { kind: "timer", id, run } }));
    this.#sends = new Sends(this.#name, {
      bus: host.bus,
      clock: host.clock,
      inbox: host.inbox,
      settled: ({ seq, to }, refusal) => {
        if (refusal) host.log("warn", "send was refused", { actor: this.#name, to, seq, code: refusal.code });
        this.#offer({ item: { kind: "sent", seq } });
      },
    });
  }

  /** Takes a command from the queue; acknowledged once its outcome is durable. */
  take(delivery: Delivery): void {
    this.#offer({ item: { kind: "command", message: delivery.message }, delivery });
  }

  /** Loads the actor so that its pending effects, sends and timers go on. */
  wake(): void {
    if (!this.#working && !this.#closed) void this.#work();
  }

  /** The outcome of one of this actor's sends. */
  sent(seq: number, outcome: Outcome): void {
    this.#sends.answered(seq, outcome);
  }

  /** The committed state, loaded if need be; that of a birth when nothing was ever committed. */
  async committed(): Promise<{ readonly state: ActorState; readonly exists: boolean }> {
    await this.#load();
    if (this.#state) return { state: this.#state, exists: true };
    return { state: birth(this.#definition, this.address, this.#host.clock.now()).state, exists: false };
  }

  /** Can it leave memory? Nothing waits, nothing runs, and its next timer is beyond the horizon. */
  mayPassivate(idle: number): boolean {
    if (this.#working || this.#mailbox.length > 0) return false;
    if (this.#host.clock.monotonic() - this.#lastBusy < idle) return false;
    if (!this.#state) return true;
    const wake = wakeAt(this.#state.record, this.#host.clock.now());
    return wake === null || wake > this.#host.clock.now() + limits.timers.horizon;
  }

  get lastBusy(): number {
    return this.#lastBusy;
  }

  get busy(): boolean {
    return this.#working || this.#mailbox.length > 0;
  }

  /** Forgets everything at once: nothing that is not committed will be. */
  close(): void {
    this.#closed = true;
    this.#effects.abortAll();
    this.#timers.clear();
    this.#sends.clear();
    for (const waiting of this.#mailbox.splice(0)) waiting.settle?.(this.#gone());
    this.#look.left();
  }

  #gone(): Error {
    return new Fenced("lease.lost", `${this.#name} is no longer hosted here.`);
  }

  #offer(waiting: Waiting): void {
    if (this.#closed) {
      waiting.settle?.(this.#gone());
      return;
    }
    this.#mailbox.push(waiting);
    this.#look.waiting(this.#mailbox.length);
    if (!this.#working) void this.#work();
  }

  #notify(effect: { readonly id: string; readonly run: number }, event: CommandBody): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#offer({
        item: { kind: "notify", id: effect.id, run: effect.run, event },
        settle: (error) => (error ? reject(error) : resolve()),
      });
    });
  }

  async #load(): Promise<void> {
    if (this.#state || this.#absent) return;
    const row = await this.#host.store.load(this.address);
    if (this.#state || this.#absent) return; // A query and the work loop may load at the same time.
    if (row) {
      checkVersion(row, this.#definition.version);
      this.#state = revive(this.#definition, fromRow(row), row.version);
    } else {
      this.#absent = true;
    }
    this.#look.loaded(this.#state);
  }

  /** What a batch starts from. A birth takes place at its first step, not when somebody asked about it. */
  #current(): ActorState {
    if (this.#state) return this.#state;
    const { state, writes, publishes } = birth(this.#definition, this.address, this.#host.clock.now());
    this.#birth = { writes, publishes };
    return state;
  }

  async #work(): Promise<void> {
    this.#working = true;
    try {
      await this.#onceThereIsAStore("load", () => this.#load());
      if (!this.#closed) this.#resume();
      while (this.#mailbox.length > 0 && !this.#closed) {
        // Before any item leaves the mailbox: a birth that throws is told to all who wait.
        const state = this.#current();
        await this.#batch(state, this.#mailbox.splice(0, this.#failures > 0 ? 1 : limits.mailbox.batch));
      }
    } catch (error) {
      if (!this.#closed) await this.#cannotLoad(error);
    } finally {
      this.#working = false;
      this.#lastBusy = this.#host.clock.monotonic();
      if (this.#mailbox.length > 0 && !this.#closed) void this.#work();
    }
  }

  /** Without a store nothing is lost: the messages stay unacknowledged, and the same is tried until it is back. */
  async #onceThereIsAStore(what: string, work: () => Promise<void>): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        await work();
        return;
      } catch (error) {
        if (!isStoreAway(error) || this.#closed) throw error;
        if (tries === 0) this.#storeAway(what, error);
        await pause(this.#host.clock, storePause(tries));
        if (this.#closed) throw this.#gone();
      }
    }
  }

  #storeAway(what: string, { code, message }: CairnError): void {
    this.#host.log("warn", `store unavailable, ${what} will be tried again`, {
      actor: this.#name,
      code,
      error: message,
    });
  }

  /** The stored state cannot be had: callers are told, the messages are taken, the state stays untouched. */
  async #cannotLoad(thrown: unknown): Promise<void> {
    const error = asCairnError(thrown);
    this.#host.log("error", "actor cannot be loaded", {
      actor: this.#name,
      code: error.code,
      error: error.message,
    });
    for (const waiting of this.#mailbox.splice(0)) {
      this.#reply(waiting, failure(error));
      waiting.delivery?.ack();
      waiting.settle?.(error);
    }
    await pause(this.#host.clock, limits.commit.backoff);
  }

  async #batch(state: ActorState, batch: readonly Waiting[]): Promise<void> {
    const now = this.#host.clock.now();
    const outcome = stepAll(this.#definition, state, batch, now);
    if (outcome.changed) {
      try {
        await this.#commit(outcome);
      } catch (error) {
        await this.#commitFailed(batch, asCairnError(error));
        return;
      }
      if (this.#closed) {
        // Durable, but the shard is somebody else's now: who waits on the bus hears it from there.
        for (const { waiting } of outcome.done) waiting.settle?.(this.#gone());
        return;
      }
    }
    this.#settle(outcome);
    this.#look.stepped(state, outcome, now);
    if (outcome.poison) {
      const at = batch.indexOf(outcome.poison.waiting);
      this.#mailbox.unshift(...batch.slice(at + 1));
      await this.#stepThrew(outcome.poison.waiting, outcome.poison.error);
    }
  }

  async #commit(batch: Batch): Promise<void> {
    const record = persist(this.#definition, batch.state);
    const now = this.#host.clock.now();
    const state = record.parked ? "parked" : stateName(batch.state.snapshot);
    const row = toRow(this.address, this.shard, this.#definition.version, record, state, now);
    const writes = [...this.#birth.writes, ...batch.writes];
    await this.#onceThereIsAStore("commit", () =>
      this.#host.committer.commit({
        shard: this.shard,
        fence: this.#fence,
        row,
        writes,
        deadLetters: batch.deadLetters,
      }),
    );
    for (const event of this.#birth.publishes) this.#host.bus.publish(event.topic, event.event);
    this.#birth = { writes: [], publishes: [] };
    this.#state = batch.state;
  }

  /** Everything that may be seen once a batch is durable. */
  #settle(batch: Batch): void {
    for (const event of batch.publishes) this.#host.bus.publish(event.topic, event.event);
    for (const { waiting, result } of batch.done) {
      if (result.outcome) this.#reply(waiting, result.outcome);
      waiting.delivery?.ack();
      waiting.settle?.(
        result.applied ? undefined : new Fenced("effect.superseded", "The effect's state was left."),
      );
    }
    if (batch.done.length > 0) this.#failures = 0;
    if (batch.changed) this.#resume();
  }

  /** Makes effects, timers and sends equal to the committed rows. */
  #resume(): void {
    if (!this.#state) return;
    const { effects, timers, outbox, parked } = this.#state.record;
    this.#effects.reconcile(parked ? [] : effects);
    this.#timers.reconcile(parked ? [] : timers);
    this.#sends.reconcile(outbox);
  }

  #reply(waiting: Waiting, outcome: Outcome): void {
    if (waiting.item.kind !== "command") return;
    const { id, replyTo } = waiting.item.message;
    if (replyTo) this.#host.bus.publish(replyTo, { id, from: this.#name, outcome });
  }

  async #commitFailed(batch: readonly Waiting[], error: Error): Promise<void> {
    if (error instanceof Fenced) {
      for (const waiting of batch) waiting.settle?.(error);
      this.#host.lost(this.shard);
      return;
    }
    if (this.#closed) {
      for (const waiting of batch) waiting.settle?.(this.#gone());
      return;
    }
    const [first, ...rest] = batch;
    if (!first) return;
    // One item's writes were refused: find out whose by going on one at a time.
    this.#mailbox.unshift(...rest);
    await this.#stepThrew(first, error);
  }

  /** A step threw, or what it wrote was refused: again from the last commit, then to the dead letters. */
  async #stepThrew(waiting: Waiting, thrown: Error): Promise<void> {
    this.#failures += 1;
    const error = asCairnError(thrown, "actor.step_failed");
    this.#host.log("error", "step failed", {
      actor: this.#name,
      item: waiting.item.kind,
      attempt: this.#failures,
      code: error.code,
      error: error.stack ?? error.message,
    });
    if (this.#failures < limits.step.attempts) {
      this.#mailbox.unshift(waiting);
      return;
    }
    const attempts = this.#failures;
    this.#failures = 0;
    await this.#bury(waiting, error, attempts);
  }

  /** To the dead letters; an actor that keeps crashing, or cannot take what it waits for, is parked. */
  async #bury(waiting: Waiting, error: CairnError, attempts: number): Promise<void> {
    const now = this.#host.clock.now();
    const { item } = waiting;
    const { letter, told } = deadLetter(this.address, item, error, attempts, now);
    // Remembered like any other outcome: a repetition, or a second delivery after a crash, is told the same.
    const before = this.#current();
    const state = item.kind === "command" ? remember(before, item.message, failure(told)) : before;
    const parks = this.#crashes.add(this.#host.clock.monotonic()) || item.kind !== "command";
    const parked = parks ? { code: error.code, message: error.message, at: now } : state.record.parked;
    try {
      await this.#commit({
        state: { ...state, record: { ...state.record, parked } },
        changed: true,
        done: [],
        writes: [],
        publishes: [],
        poison: undefined,
        deadLetters: [letter],
      });
    } catch (failed) {
      if (failed instanceof Fenced) this.#host.lost(this.shard);
      if (this.#closed) {
        waiting.settle?.(this.#gone());
        return;
      }
      this.#host.log("error", "dead letter could not be kept", { ...letter, reason: String(failed) });
    }
    if (this.#closed) return;
    this.#look.buried(letter, parks);
    if (parks) {
      this.#host.log("error", "actor parked", { actor: this.#name, code: error.code, error: error.message });
    }
    this.#resume();
    this.#reply(waiting, failure(told));
    waiting.delivery?.ack();
    waiting.settle?.(told);
  }
}
