/**
 * One actor in memory, which processes its messages in batches. A batch is first computed and committed. Only
 * then its events are published, its callers get replies, its messages are acknowledged, and its effects and
 * timers start; nothing is visible before it is durable.
 */
import { asCairnError, type CairnError, Fenced } from "../../../machines/errors.ts";
import { commitLimits } from "../../../machines/runtime/shared-runtime-limits.ts";
import { type Address, formatAddress } from "../actor-address.ts";
import { failure, type Outcome } from "../actor-messages.ts";
import { activationLimits, mailboxLimits, stepLimits, timerLimits } from "../actor-runtime-limits.ts";
import type { AnyActorDefinition } from "../define-actor.ts";
import type { Delivery } from "../drivers/message-bus.ts";
import { count, type KindMeter } from "../inspection/metrics-of-actor-kinds.ts";
import { ActorInspector } from "../inspection/runtime-inspector.ts";
import { pause } from "../runtime-clock.ts";
import type { ActivationHost } from "./actor-host-interface.ts";
import { Mailbox } from "./actor-mailbox.ts";
import { type Batch, deadLetterBatch, stepAll, type WaitingItem } from "./actor-message-batch.ts";
import { checkVersion, fromRow, toRow, wakeAt } from "./actor-record.ts";
import { type ActorState, initialState, persist, revive, type StepResult } from "./actor-step.ts";
import { CrashWindow } from "./crash-restart-policy.ts";
import { stateName } from "./machine-actions-to-rows.ts";
import { publishEvents } from "./publish-events-of-actor-steps.ts";
import { type RecentEvent, RecentEvents } from "./recent-actor-events.ts";
import { RunningWork } from "./running-effects-and-timers.ts";
import { logStoreAway, retryWhileStoreAway } from "./store-backoff.ts";

export class Activation {
  readonly address: Address;
  readonly shard: number;
  readonly #name: string;
  readonly #fence: number;
  readonly #definition: AnyActorDefinition;
  readonly #host: ActivationHost;
  readonly #mailbox = new Mailbox();
  readonly running: RunningWork;
  readonly #recent = new RecentEvents();
  readonly #inspector: ActorInspector;
  readonly #meter: KindMeter;
  readonly #crashes = new CrashWindow(activationLimits.maxCrashes, activationLimits.crashWindow);
  /** The committed state of the actor; `undefined` before the actor is loaded. */
  #state: ActorState | undefined;
  /** Whether the store has no row for this actor. False until the actor is first loaded. */
  #absent = false;
  /**
   * The initial state of an actor without a stored state. Queries are answered from it until the first
   * commit.
   */
  #initialState: ActorState | undefined;
  /** Rows of the actor's initial state. The commit of its first step stores them too. */
  #initialRows: Pick<StepResult, "writes" | "publishes"> = { writes: [], publishes: [] };
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
    this.#meter = host.meter.kind(address.kind);
    this.#meter.activated += 1;
    this.#inspector = new ActorInspector(host.inspection, definition, address, shard);
    this.running = new RunningWork(definition, address, host, (waiting) => this.#offer(waiting));
  }

  /** Takes a command from the queue. The command is acknowledged when its outcome is durable. */
  take(delivery: Delivery): void {
    this.#offer({ item: { kind: "command", message: delivery.message }, delivery });
  }

  /**
   * Loads the actor so that its pending effects and timers continue, and its undelivered messages to other
   * actors are sent.
   */
  wake(): void {
    if (!this.#working && !this.#closed) void this.#work();
  }

  /**
   * Loads the actor if necessary, and returns its committed state. For an actor without a commit, returns the
   * initial state.
   */
  async committed(): Promise<{ readonly state: ActorState; readonly exists: boolean }> {
    await this.#load();
    if (this.#state) return { state: this.#state, exists: true };
    this.#initialState ??= initialState(this.#definition, this.address, this.#host.clock.now()).state;
    return { state: this.#initialState, exists: false };
  }

  /**
   * Whether the actor can be unloaded from memory. It must have been idle for `idle` milliseconds, and no
   * timer may be due within `timerLimits.horizon`. Actors with later timers are loaded again in time.
   */
  mayPassivate(idle: number): boolean {
    if (this.busy || this.#host.clock.monotonic() - this.#lastBusy < idle) return false;
    if (!this.#state) return true;
    const wake = wakeAt(this.#state.record, this.#host.clock.now());
    return wake === null || wake > this.#host.clock.now() + timerLimits.horizon;
  }

  get lastBusy(): number {
    return this.#lastBusy;
  }

  get busy(): boolean {
    return this.#working || this.waiting > 0;
  }

  /** Number of messages and tasks that wait for this actor. */
  get waiting(): number {
    return this.#mailbox.length;
  }

  /**
   * Cancels a command. A command that is still waiting is not run. If it has already run, its machine gets an
   * event.
   */
  async cancel(id: string): Promise<"not_run" | "told"> {
    await this.#load();
    const known = this.#state?.record.remembered.find(id);
    if (!known && this.#mailbox.cancel(id) !== "taken") return "not_run";
    this.#offer({ item: { kind: "cancelled", command: id } });
    return "told";
  }

  /** The last events of this actor, oldest first. */
  get recent(): readonly RecentEvent[] {
    return this.#recent.shown();
  }

  /**
   * Calls `task` with the committed state. The actor processes nothing else until `task` ends. Through
   * `apply`, the task commits and publishes a change of the actor.
   */
  runExclusively<T>(
    task: (state: ActorState, apply: (batch: Batch) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    return new Promise((resolve, refuse) => {
      const run = () => task(this.#current(), (batch) => this.#apply(batch)).then(resolve, refuse);
      if (this.#closed) refuse(this.#lostError());
      else {
        this.#mailbox.addTask({ run, refuse });
        this.wake();
      }
    });
  }

  /** Drops all work of the actor at once, including work that is not committed. */
  close(): void {
    this.#closed = true;
    this.running.clear();
    for (const waiting of this.#mailbox.empty(this.#lostError())) waiting.settle?.(this.#lostError());
    this.#inspector.passivated();
  }

  #lostError(): Error {
    return new Fenced("lease.lost", `${this.#name} is no longer hosted here.`);
  }

  #offer(waiting: WaitingItem): void {
    if (!this.#closed) {
      this.#mailbox.add(waiting);
      this.#inspector.waiting(this.#mailbox.length);
      if (!this.#working) void this.#work();
    } else waiting.settle?.(this.#lostError());
  }

  async #load(): Promise<void> {
    if (this.#state || this.#absent) return;
    const [row] = await Promise.all([this.#host.store.load(this.address), this.#definition.load?.()]);
    // If another load of this actor has ended while this load waited for the store, the state from the other load
    // is kept.
    if (this.#state || this.#absent) return;
    if (row) {
      checkVersion(row, this.#definition.version);
      this.#state = revive(this.#definition, fromRow(row), row.version);
      this.running.loaded(this.#state.record);
    } else {
      this.#absent = true;
    }
    this.#inspector.loaded(this.#state);
  }

  /**
   * Returns the state from which a batch starts: the committed state, or for a new actor the initial state.
   * The first batch stores the initial state.
   */
  #current(): ActorState {
    if (this.#state) return this.#state;
    const { state, writes, publishes } = initialState(this.#definition, this.address, this.#host.clock.now());
    this.#initialRows = { writes, publishes };
    return state;
  }

  async #work(): Promise<void> {
    this.#working = true;
    try {
      // Even if the state is loaded, `await` waits one turn of the event loop. So messages that arrive
      // together form one batch.
      await (this.#state ? undefined : this.#retryUntilStored("load", () => this.#load()));
      if (!this.#closed) this.#resume();
      while (this.waiting > 0 && !this.#closed) {
        const task = this.#mailbox.nextTask();
        if (task) {
          await task.run();
          continue;
        }
        // The state is loaded before messages are taken from the mailbox. So if loading fails, the callers of
        // all waiting messages get the error.
        const state = this.#current();
        await this.#batch(state, this.#mailbox.take(this.#failures > 0 ? 1 : mailboxLimits.batch));
      }
    } catch (error) {
      if (!this.#closed) await this.#loadFailed(error);
    } finally {
      this.#working = false;
      this.#lastBusy = this.#host.clock.monotonic();
      if (this.waiting > 0 && !this.#closed) void this.#work();
    }
  }

  /** Repeats `work` while the store is unreachable. The actor's messages are not acknowledged meanwhile. */
  #retryUntilStored(what: string, work: () => Promise<void>): Promise<void> {
    return retryWhileStoreAway(work, {
      clock: this.#host.clock,
      reasonToStop: () => (this.#closed ? this.#lostError() : undefined),
      onFirstFailure: (error) => logStoreAway(this.#host.log, this.#name, what, error),
    });
  }

  /**
   * Handles a stored state that cannot be loaded. Callers get an error, messages are acknowledged, and the
   * stored state is not changed.
   */
  async #loadFailed(thrown: unknown): Promise<void> {
    const error = asCairnError(thrown);
    const { code, message } = error;
    this.#host.log("error", "actor cannot be loaded", { actor: this.#name, code, error: message });
    if (code === "actor.newer_version" && this.#host.leaves(this.shard)) {
      // The stored state needs a newer version of Cairn. The messages stay in the queue until an owner with
      // this version takes the shard.
      await pause(this.#host.clock, commitLimits.maxBackoff);
      return;
    }
    for (const waiting of this.#mailbox.empty(error)) {
      this.#reply(waiting, failure(error));
      waiting.delivery?.ack();
      waiting.settle?.(error);
    }
    await pause(this.#host.clock, commitLimits.backoff);
  }

  async #batch(state: ActorState, batch: readonly WaitingItem[]): Promise<void> {
    const now = this.#host.clock.now();
    const began = this.#host.clock.monotonic();
    const outcome = stepAll(this.#definition, state, batch, now);
    this.#meter.steps.add(this.#host.clock.monotonic() - began);
    if (outcome.changed) {
      try {
        await this.#commit(outcome);
      } catch (error) {
        await this.#commitFailed(batch, asCairnError(error));
        return;
      }
      if (this.#closed) {
        // The batch is durable, but the shard has another owner now. The new owner answers the callers.
        for (const { waiting } of outcome.done) waiting.settle?.(this.#lostError());
        return;
      }
    }
    this.#settle(outcome, state, now);
    this.#meter.turns.add(this.#host.clock.monotonic() - began);
    if (outcome.poison) {
      const at = batch.indexOf(outcome.poison.waiting);
      this.#mailbox.putBack(...batch.slice(at + 1));
      await this.#stepThrew(outcome.poison.waiting, outcome.poison.error);
    }
  }

  async #commit(batch: Batch): Promise<void> {
    const turn = (this.#state?.record.turn ?? 0) + 1;
    const next = { ...batch.state, record: { ...batch.state.record, turn } };
    const record = persist(this.#definition, next);
    const now = this.#host.clock.now();
    const state = record.parked ? "parked" : stateName(batch.state.snapshot);
    const row = toRow(this.address, this.shard, this.#definition.version, record, state, now);
    const writes = [...this.#initialRows.writes, ...batch.writes];
    const { deadLetters, replayed } = batch;
    const commit = { shard: this.shard, fence: this.#fence, row, writes, deadLetters };
    let repeated = false;
    await this.#retryUntilStored("commit", () => {
      const attempt = { ...commit, repeated, ...(replayed ? { replayed } : {}) };
      repeated = true;
      return this.#host.committer.commit(attempt);
    });
    if (this.#state?.record.parked && !record.parked) this.#crashes.clear();
    publishEvents(this.#initialRows.publishes, this.#definition, this.address, this.#host);
    this.#initialRows = { writes: [], publishes: [] };
    if (this.#definition.tally) count(this.#meter, this.#definition, this.#state, next);
    this.#state = next;
    this.#initialState = undefined;
  }

  async #apply(batch: Batch): Promise<void> {
    const before = this.#current();
    try {
      await this.#commit(batch);
    } catch (error) {
      if (error instanceof Fenced) this.#host.lost(this.shard);
      throw error;
    }
    if (!this.#closed) this.#settle(batch, before, this.#host.clock.now());
  }

  /**
   * Finishes a durable batch: publishes its events, replies to the callers of its commands, and acknowledges
   * its messages.
   */
  #settle(batch: Batch, before: ActorState, now: number): void {
    publishEvents(batch.publishes, this.#definition, this.address, this.#host);
    for (const { waiting, result } of batch.done) {
      this.#recent.note(now, waiting.item, result);
      this.#meter.countStep(waiting.item, result);
      if (result.outcome) this.#reply(waiting, result.outcome);
      waiting.delivery?.ack();
      waiting.settle?.(
        result.applied ? undefined : new Fenced("effect.superseded", "The effect's state was left."),
      );
    }
    if (batch.done.length > 0) this.#failures = 0;
    if (batch.changed) this.#resume();
    this.#inspector.stepped(before, batch, now, this.#mailbox.length);
  }

  #resume(): void {
    if (this.#state) this.running.reconcile(this.#state.record);
  }

  #reply(waiting: WaitingItem, outcome: Outcome): void {
    if (waiting.item.kind !== "command") return;
    const { id, replyTo } = waiting.item.message;
    if (replyTo) this.#host.bus.publish(replyTo, { id, from: this.#name, outcome });
  }

  async #commitFailed(batch: readonly WaitingItem[], error: Error): Promise<void> {
    if (error instanceof Fenced) {
      for (const waiting of batch) waiting.settle?.(error);
      this.#host.lost(this.shard);
      return;
    }
    if (this.#closed) {
      for (const waiting of batch) waiting.settle?.(this.#lostError());
      return;
    }
    const [first, ...rest] = batch;
    if (!first) return;
    // The store refused the rows of one message in the batch, but it does not say which. So from now on, each
    // message is processed and committed alone.
    this.#mailbox.putBack(...rest);
    await this.#stepThrew(first, error);
  }

  /**
   * Handles a message whose processing threw, or whose rows the store refused. The message is processed again
   * from the last committed state. After several attempts it becomes a dead letter.
   */
  async #stepThrew(waiting: WaitingItem, thrown: Error): Promise<void> {
    this.#failures += 1;
    const error = asCairnError(thrown, "actor.step_failed");
    this.#host.log("error", "step failed", {
      actor: this.#name,
      item: waiting.item.kind,
      attempt: this.#failures,
      code: error.code,
      error: error.stack ?? error.message,
    });
    if (this.#failures < stepLimits.attempts) {
      this.#mailbox.putBack(waiting);
      return;
    }
    const attempts = this.#failures;
    this.#failures = 0;
    await this.#deadLetter(waiting, error, attempts);
  }

  /**
   * Makes a message a dead letter. The actor is parked (taken out of service) when it crashes repeatedly. It
   * is also parked when the message comes from the runtime, such as the result of an effect, and is not a
   * command.
   */
  async #deadLetter(waiting: WaitingItem, error: CairnError, attempts: number): Promise<void> {
    const now = this.#host.clock.now();
    const { item } = waiting;
    const before = this.#current();
    const parks = this.#crashes.add(this.#host.clock.monotonic()) || item.kind !== "command";
    const made = deadLetterBatch(this.address, before, item, { error, attempts, parks, now });
    const { letter, callerError } = made;
    try {
      await this.#commit(made.batch);
    } catch (failed) {
      if (failed instanceof Fenced) this.#host.lost(this.shard);
      if (this.#closed) {
        waiting.settle?.(this.#lostError());
        return;
      }
      this.#host.log("error", "dead letter could not be stored", { ...letter, reason: String(failed) });
    }
    if (this.#closed) return;
    this.#recent.failed(now, item, error.code, before.snapshot.value);
    this.#meter.countDeadLetter(item, parks);
    this.#inspector.deadLettered(letter, parks);
    if (parks) {
      this.#host.log("error", "actor parked", { actor: this.#name, code: error.code, error: error.message });
    }
    this.#resume();
    this.#reply(waiting, failure(callerError));
    waiting.delivery?.ack();
    waiting.settle?.(callerError);
  }
}
