/**
 * Tells what happens inside the runtime, as plain data, to whoever listens on `inspect.*`; nothing when nobody does.
 *
 * An owner of shards has one `Inspection`, an activation one `Look` at itself. What they tell has been committed;
 * it is lossy and changes nothing. Names and shapes are in `machines/inspection/topic.ts`, what of a context may be
 * seen in `machines/inspection/masking.ts`. Neighbours: `trace.ts` finds the transitions that a step took.
 */

import {
  type Inspected,
  type InspectionEvent,
  inspectTopic,
} from "../../../machines/inspection/inspection-topic.ts";
import { inspectionLimits } from "../../../machines/inspection/limits.ts";
import { masked } from "../../../machines/inspection/masking.ts";
import { activeStates, type Chart, chartOf } from "../../../machines/inspection/statechart.ts";
import type { DeadLetterRow } from "../../../store/index.ts";
import { type Address, formatAddress } from "../address.ts";
import type { Clock } from "../clock.ts";
import type { ActorRecord } from "../core/actor-record.ts";
import { stateName } from "../core/interpret.ts";
import type { ActorState, Item, StepResult } from "../core/step.ts";
import type { Batch } from "../core/step-batch.ts";
import type { AnyActorDefinition } from "../definition.ts";
import { type Bus, topicMatches } from "../drivers/bus.ts";
import { traceStep } from "./taken-transitions.ts";

export type InspectionLog = (
  level: "warn",
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void;

type Fields = Readonly<Record<string, unknown>> & { readonly type: string };

export class Inspection {
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #log: InspectionLog;
  readonly #stop: () => void;
  /** Patterns that somebody listens to and that could mean an inspection event. */
  #patterns: readonly string[] = [];

  constructor(bus: Bus, clock: Clock, owner: string, log: InspectionLog) {
    this.#bus = bus;
    this.#clock = clock;
    this.#owner = owner;
    this.#log = log;
    this.#stop = bus.interest((patterns) => {
      this.#patterns = patterns.filter((pattern) => /^(inspect\.|\*\.|>$)/.test(pattern));
    });
  }

  /** Is there anybody at all? The one question that work pays for while nobody looks. */
  get on(): boolean {
    return this.#patterns.length > 0;
  }

  hears(topic: string): boolean {
    return this.#patterns.some((pattern) => topicMatches(pattern, topic));
  }

  /** Does something for those who look, if anybody does. That it fails must not be the matter of what is looked at. */
  look(work: () => void): void {
    if (!this.on) return;
    try {
      work();
    } catch (error) {
      this.#log("warn", "inspection failed", { owner: this.#owner, error: String(error) });
    }
  }

  /** Publishes if somebody hears it; `make` is called only then. */
  tell(what: Inspected, target: Address, make: () => Fields): void {
    this.look(() => this.#publish(what, target, make));
  }

  #publish(what: Inspected, { kind, id }: Address, make: () => Fields): void {
    const topic = inspectTopic(what, kind, id);
    if (!this.hears(topic)) return;
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

  /** A shard was taken or dropped by this owner. */
  lease(shard: number, phase: "taken" | "dropped", why?: string): void {
    this.tell("lease", { kind: "shard", id: String(shard) }, () => ({
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

/** What of a kind's context may be seen. */
export function shownContext(definition: AnyActorDefinition, context: unknown): unknown {
  // The registry erases the context's type; it is the one that the kind's own machine made.
  return masked(definition.redact ? definition.redact(context as never) : context);
}

/** What of an event may be seen. */
function shownEvent({ redactEvent }: AnyActorDefinition, event: { readonly type: string }): unknown {
  return masked(redactEvent ? redactEvent({ ...event }) : event, inspectionLimits.event);
}

/** Who gave an actor this item. */
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

export class Look {
  readonly #inspection: Inspection;
  readonly #definition: AnyActorDefinition;
  readonly #address: Address;
  readonly #shard: number;
  #toldState = "";
  #toldAt = 0;

  constructor(inspection: Inspection, definition: AnyActorDefinition, address: Address, shard: number) {
    this.#inspection = inspection;
    this.#definition = definition;
    this.#address = address;
    this.#shard = shard;
  }

  /** It is in memory now. `state`: the committed one, if there is any. */
  loaded(state: ActorState | undefined): void {
    this.#tell("actor", () => ({
      type: "@xstate.actor",
      name: formatAddress(this.#address),
      snapshot: state ? this.#snapshot(state) : null,
    }));
  }

  /** It has left memory, or its shard this owner. */
  left(): void {
    this.#tell("actor", () => ({ type: "@cairn.passivated" }));
  }

  /** So many items wait for it. */
  waiting(count: number): void {
    if (!this.#inspection.on) return;
    this.#tell("mailbox", () => ({ type: "@cairn.mailbox", waiting: count }));
  }

  /** A batch was committed; so many items wait now. */
  stepped(before: ActorState, batch: Batch, now: number, waiting: number): void {
    if (!this.#inspection.on) return;
    this.#inspection.look(() => this.#stepped(before, batch, now));
    this.waiting(waiting);
  }

  #stepped(before: ActorState, { done, state }: Batch, now: number): void {
    let from = before;
    for (const { waiting, result } of done) {
      this.#step(from, waiting.item, result);
      from = result.state;
    }
    if (done.length === 0) return;
    this.#tell("snapshot", () => ({
      type: "@xstate.snapshot",
      event: { type: done.findLast(({ result }) => result.event)?.result.event?.type ?? "" },
      snapshot: this.#snapshot(state),
    }));
    const name = state.record.parked ? "parked" : stateName(state.snapshot);
    if (name === this.#toldState && now - this.#toldAt < inspectionLimits.stateEvery) return;
    this.#toldState = name;
    this.#toldAt = now;
    this.#tell("state", () => ({ type: "@cairn.state", state: name }));
  }

  /** An item went to the dead letters, and the actor perhaps out of service. */
  buried(letter: DeadLetterRow, parked: boolean): void {
    this.#tell("dead_letter", () => ({
      type: "@cairn.dead_letter",
      dead_letter: letter.id,
      code: letter.error_code,
      message: letter.error_message,
      attempts: letter.attempts,
      parked,
    }));
    if (parked) this.#tell("state", () => ({ type: "@cairn.state", state: "parked" }));
  }

  #tell(what: Inspected, make: () => Fields): void {
    this.#inspection.tell(what, this.#address, () => ({ shard: this.#shard, ...make() }));
  }

  #step(before: ActorState, item: Item, result: StepResult): void {
    const { event, outcome, applied, state } = result;
    if (item.kind !== "sent") {
      const given = event ?? (item.kind === "command" ? item.message.body : undefined);
      this.#tell("event", () => ({
        type: "@xstate.event",
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
    if (!this.#inspection.hears(inspectTopic("microstep", this.#address.kind, this.#address.id))) return;
    for (const step of traceStep(this.#definition.machine, before.snapshot, event)) {
      this.#tell("microstep", () => ({
        type: "@xstate.microstep",
        event: { type: step.event.type },
        transitions: step.transitions,
        snapshot: { value: step.value, active: activeStates(chartFor(this.#definition), step.value) },
      }));
    }
  }

  /** What a step began and ended, read from the rows before and after. */
  #rows(before: ActorRecord, after: ActorRecord, item: Item): void {
    for (const { id, run, src } of began(before.effects, after.effects)) {
      this.#tell("effect", () => ({ type: "@cairn.effect", phase: "started", effect: id, run, src }));
    }
    for (const { id, run, src } of began(after.effects, before.effects)) {
      const own = item.kind === "effect" && item.id === id && item.run === run ? item.result : undefined;
      const phase = !own ? "aborted" : own.ok ? "finished" : "failed";
      const failure = own && !own.ok ? { code: own.error.code, message: own.error.message } : {};
      this.#tell("effect", () => ({ type: "@cairn.effect", phase, effect: id, run, src, ...failure }));
    }
    for (const { id, run, at } of began(before.timers, after.timers)) {
      this.#tell("timer", () => ({ type: "@cairn.timer", phase: "set", timer: id, run, due: at }));
    }
    for (const { id, run } of began(after.timers, before.timers)) {
      const phase = item.kind === "timer" && item.run === run ? "rang" : "cancelled";
      this.#tell("timer", () => ({ type: "@cairn.timer", phase, timer: id, run }));
    }
    const sent = (seq: number) => before.outbox.some((row) => row.seq === seq);
    for (const { seq, to, command } of after.outbox.filter((row) => !sent(row.seq))) {
      this.#tell("send", () => ({
        type: "@cairn.send",
        phase: "sent",
        seq,
        to,
        event: { type: command.type },
      }));
    }
    if (item.kind === "sent") {
      this.#tell("send", () => ({ type: "@cairn.send", phase: "delivered", seq: item.seq }));
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

/** Rows of `after` that are not among `before`; a row that was made again has another run. */
function began<Row extends { readonly run: number }>(before: readonly Row[], after: readonly Row[]): Row[] {
  if (before === after) return [];
  const known = new Set(before.map(({ run }) => run));
  return after.filter(({ run }) => !known.has(run));
}
