/**
 * Publishes the work of the runtime on the topics `inspect.*`, as plain data and only while a subscriber
 * exists. It reports steps after they are committed. Inspection events may be lost, and inspection changes
 * nothing.
 */

import { inspectionLimits } from "../../../machines/inspection/actor-inspection-limits.ts";
import {
  type Inspected,
  type InspectionEvent,
  inspectTopic,
} from "../../../machines/inspection/actor-inspection-topics.ts";
import { masked } from "../../../machines/inspection/mask-secrets-for-inspection.ts";
import {
  activeStates,
  type Chart,
  chartOf,
} from "../../../machines/inspection/statechart-of-state-machine.ts";
import type { DeadLetterRow } from "../../../store/index.ts";
import { type Address, formatAddress } from "../actor-address.ts";
import type { Batch } from "../core/actor-message-batch.ts";
import type { ActorRecord } from "../core/actor-record.ts";
import type { ActorState, Item, StepResult } from "../core/actor-step.ts";
import { stateName } from "../core/machine-actions-to-rows.ts";
import type { AnyActorDefinition } from "../define-actor.ts";
import { type Bus, topicMatches } from "../drivers/message-bus.ts";
import type { Clock } from "../runtime-clock.ts";
import { traceStep } from "./transitions-taken-by-actor-step.ts";

export type InspectionLog = (
  level: "warn",
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void;

type Fields = Readonly<Record<string, unknown>> & { readonly type: string };

export class Inspector {
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #log: InspectionLog;
  readonly #stop: () => void;
  /** The patterns of subscribers that can match an inspection event. */
  #patterns: readonly string[] = [];

  constructor(bus: Bus, clock: Clock, owner: string, log: InspectionLog) {
    this.#bus = bus;
    this.#clock = clock;
    this.#owner = owner;
    this.#log = log;
    this.#stop = bus.onPatterns((patterns) => {
      this.#patterns = patterns.filter((pattern) => /^(inspect\.|\*\.|>$)/.test(pattern));
    });
  }

  /** Whether any subscriber exists. This check is the only cost of inspection without subscribers. */
  get isActive(): boolean {
    return this.#patterns.length > 0;
  }

  hasSubscriber(topic: string): boolean {
    return this.#patterns.some((pattern) => topicMatches(pattern, topic));
  }

  /**
   * Calls `work` if there is a subscriber. An error is only logged, because inspection must not affect the
   * actor.
   */
  inspect(work: () => void): void {
    if (!this.isActive) return;
    try {
      work();
    } catch (error) {
      this.#log("warn", "inspection failed", { owner: this.#owner, error: String(error) });
    }
  }

  /**
   * Publishes an event when a subscriber's pattern matches.
   * @param make creates the fields of the event; it is called only when the event is published
   */
  emit(what: Inspected, target: Address, make: () => Fields): void {
    this.inspect(() => this.#publish(what, target, make));
  }

  #publish(what: Inspected, { kind, id }: Address, make: () => Fields): void {
    const topic = inspectTopic(what, kind, id);
    if (!this.hasSubscriber(topic)) return;
    const name = formatAddress({ kind, id });
    const at = this.#clock.now();
    const event: InspectionEvent = {
      what,
      kind,
      id,
      sessionId: name,
      rootId: name,
      at,
      createdAt: String(at),
      owner: this.#owner,
      ...make(),
    };
    this.#bus.publish(topic, event);
  }

  /** Reports that this owner has taken or dropped a shard (`phase`), and why. */
  lease(shard: number, phase: "taken" | "dropped", why?: string): void {
    this.emit("lease", { kind: "shard", id: String(shard) }, () => ({
      type: "@cairn.lease",
      shard,
      phase,
      ...(why === undefined ? {} : { why }),
    }));
  }

  close(): void {
    this.#stop();
  }
}

const charts = new WeakMap<object, Chart>();

function chartFor({ machine }: AnyActorDefinition): Chart {
  const known = charts.get(machine);
  if (known) return known;
  const chart = chartOf(machine);
  charts.set(machine, chart);
  return chart;
}

/** Returns an actor's context without the secret parts, so that the inspector may show it. */
export function shownContext(definition: AnyActorDefinition, context: unknown): unknown {
  // The cast is safe: a machine of this kind created the context. The list of actor kinds does not keep this
  // type.
  return masked(definition.redact ? definition.redact(context as never) : context);
}

/**
 * Returns the event as inspection shows it: without the fields that the actor hides, and with masked secrets.
 */
function shownEvent({ redactEvent }: AnyActorDefinition, event: { readonly type: string }): unknown {
  return masked(redactEvent ? redactEvent({ ...event }) : event, inspectionLimits.event);
}

/** Returns the source of an item: `caller`, the address of an actor, or an effect or timer. */
export function sourceOf(item: Item): string {
  switch (item.kind) {
    case "command":
      return item.message.from?.actor ?? "caller";
    case "effect":
    case "notify":
      return `effect ${item.id}`;
    case "timer":
      return `timer ${item.id}`;
    case "cancelled":
      return "caller";
    case "sent":
      return "outbox";
  }
}

export class ActorInspector {
  readonly #inspection: Inspector;
  readonly #definition: AnyActorDefinition;
  readonly #address: Address;
  readonly #shard: number;
  #publishedState = "";
  #publishedAt = 0;

  constructor(inspection: Inspector, definition: AnyActorDefinition, address: Address, shard: number) {
    this.#inspection = inspection;
    this.#definition = definition;
    this.#address = address;
    this.#shard = shard;
  }

  /** Reports that the actor was loaded. `state` is its committed state, if it has one. */
  loaded(state: ActorState | undefined): void {
    this.#emit("actor", () => ({
      type: "@xstate.actor",
      name: formatAddress(this.#address),
      snapshot: state ? this.#snapshot(state) : null,
    }));
  }

  /** Reports that the actor left memory, or that this owner lost its shard. */
  passivated(): void {
    this.#emit("actor", () => ({ type: "@cairn.passivated" }));
  }

  /** Reports how many messages wait for the actor. */
  waiting(count: number): void {
    if (!this.#inspection.isActive) return;
    this.#emit("mailbox", () => ({ type: "@cairn.mailbox", waiting: count }));
  }

  /**
   * Reports the steps of a batch that the actor has committed.
   *
   * @param waiting number of messages that still wait for the actor
   */
  stepped(before: ActorState, batch: Batch, now: number, waiting: number): void {
    if (!this.#inspection.isActive) return;
    this.#inspection.inspect(() => this.#stepped(before, batch, now));
    this.waiting(waiting);
  }

  #stepped(before: ActorState, { done, state }: Batch, now: number): void {
    let from = before;
    for (const { waiting, result } of done) {
      this.#step(from, waiting.item, result, now);
      from = result.state;
    }
    if (done.length === 0) return;
    this.#emit("snapshot", () => ({
      type: "@xstate.snapshot",
      event: { type: done.findLast(({ result }) => result.event)?.result.event?.type ?? "" },
      snapshot: this.#snapshot(state),
    }));
    const name = state.record.parked ? "parked" : stateName(state.snapshot);
    if (name === this.#publishedState && now - this.#publishedAt < inspectionLimits.stateEvery) return;
    this.#publishedState = name;
    this.#publishedAt = now;
    this.#emit("state", () => ({ type: "@cairn.state", state: name }));
  }

  /** Reports a message that became a dead letter, and whether the actor was parked. */
  deadLettered(letter: DeadLetterRow, parked: boolean): void {
    this.#emit("dead_letter", () => ({
      type: "@cairn.dead_letter",
      dead_letter: letter.id,
      code: letter.error_code,
      message: letter.error_message,
      attempts: letter.attempts,
      parked,
    }));
    if (parked) this.#emit("state", () => ({ type: "@cairn.state", state: "parked" }));
  }

  #emit(what: Inspected, make: () => Fields): void {
    this.#inspection.emit(what, this.#address, () => ({ shard: this.#shard, ...make() }));
  }

  #step(before: ActorState, item: Item, result: StepResult, now: number): void {
    const { event, outcome, applied, state } = result;
    if (item.kind !== "sent") {
      const given = event ?? (item.kind === "command" ? item.message.body : undefined);
      this.#emit("event", () => ({
        type: "@xstate.event",
        // The actor's list of recent events contains the same time, by which a reader finds this event there.
        at: now,
        createdAt: String(now),
        event: shownEvent(this.#definition, given ?? { type: sourceOf(item) }),
        source: sourceOf(item),
        applied,
        ...(item.kind === "command" ? { command_id: item.message.id } : {}),
        ...(outcome && !outcome.ok ? { refused: outcome.error.code } : {}),
      }));
    }
    if (event) this.#microsteps(before, event);
    this.#rows(before.record, state.record, item);
  }

  #microsteps(before: ActorState, event: NonNullable<StepResult["event"]>): void {
    if (!this.#inspection.hasSubscriber(inspectTopic("microstep", this.#address.kind, this.#address.id)))
      return;
    for (const step of traceStep(this.#definition.machine, before.snapshot, event)) {
      this.#emit("microstep", () => ({
        type: "@xstate.microstep",
        event: { type: step.event.type },
        transitions: step.transitions,
        snapshot: { value: step.value, active: activeStates(chartFor(this.#definition), step.value) },
      }));
    }
  }

  /** Reports the work that a step started and ended, by comparing the rows before and after it. */
  #rows(before: ActorRecord, after: ActorRecord, item: Item): void {
    for (const { id, run, src } of began(before.effects, after.effects)) {
      this.#emit("effect", () => ({ type: "@cairn.effect", phase: "started", effect: id, run, src }));
    }
    for (const { id, run, src } of began(after.effects, before.effects)) {
      const own = item.kind === "effect" && item.id === id && item.run === run ? item.result : undefined;
      const phase = !own ? "aborted" : own.ok ? "finished" : "failed";
      const failure = own && !own.ok ? { code: own.error.code, message: own.error.message } : {};
      this.#emit("effect", () => ({ type: "@cairn.effect", phase, effect: id, run, src, ...failure }));
    }
    for (const { id, run, at } of began(before.timers, after.timers)) {
      this.#emit("timer", () => ({ type: "@cairn.timer", phase: "set", timer: id, run, due: at }));
    }
    for (const { id, run } of began(after.timers, before.timers)) {
      const phase = item.kind === "timer" && item.run === run ? "rang" : "cancelled";
      this.#emit("timer", () => ({ type: "@cairn.timer", phase, timer: id, run }));
    }
    const sent = (seq: number) => before.outbox.some((row) => row.seq === seq);
    for (const { seq, to, command } of after.outbox.filter((row) => !sent(row.seq))) {
      this.#emit("send", () => ({
        type: "@cairn.send",
        phase: "sent",
        seq,
        to,
        event: { type: command.type },
      }));
    }
    if (item.kind === "sent") {
      this.#emit("send", () => ({ type: "@cairn.send", phase: "delivered", seq: item.seq }));
    }
  }

  #snapshot(state: ActorState): unknown {
    const { snapshot, record } = state;
    return {
      value: snapshot.value,
      status: snapshot.status,
      active: activeStates(chartFor(this.#definition), snapshot.value),
      context: shownContext(this.#definition, snapshot.context),
      parked: record.parked,
      timers: record.timers.map(({ id, run, at, event }) => ({ id, run, at, event: event.type })),
      effects: record.effects.map(({ id, run, src }) => ({ id, run, src })),
      outbox: record.outbox.map(({ seq, to, command }) => ({ seq, to, event: command.type })),
    };
  }
}

/**
 * Returns the rows of `after` that are not in `before`. A row that was deleted and created again is returned
 * too, because it has another run number.
 */
function began<Row extends { readonly run: number }>(before: readonly Row[], after: readonly Row[]): Row[] {
  if (before === after) return [];
  const known = new Set(before.map(({ run }) => run));
  return after.filter(({ run }) => !known.has(run));
}
