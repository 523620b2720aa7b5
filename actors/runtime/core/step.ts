/**
 * One step of one actor, pure: committed state and an item in, next state and everything it caused out.
 *
 * Nothing here touches the store, the bus or a timer, and nothing live exists: a machine is only ever stepped
 * with `transition()`, so nothing happens before it is committed. Neighbours: `interpret.ts` reads the
 * actions, `activation.ts` commits what comes out of here.
 */
import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  initialTransition,
} from "xstate";
import type { Cancelled, SendRefused, StoreWrite } from "../../../machines/emitted.ts";
import { Defect, type ErrorBody, Refused, Unavailable } from "../../../machines/errors.ts";
import type { Address } from "../address.ts";
import type { AnyActorDefinition, Json } from "../definition.ts";
import { stepLimits } from "../limits.ts";
import { failure, type Message, type Outcome } from "../message.ts";
import { type ActorRecord, emptyRecord } from "./actor-record.ts";
import { type Interpretation, interpret, stateName } from "./interpret.ts";
import { transition } from "./transition.ts";

/** Events of XState and of the runtime: a caller who could send them could end an effect that still runs. */
const RESERVED: readonly string[] = ["xstate.", "cairn."];

/** What a step can be given. */
export type Item =
  /** `cancelled`: whoever sent it wants it no more, and it is not to be run. */
  | { readonly kind: "command"; readonly message: Message; readonly cancelled?: boolean }
  /** Whoever sent this command wants it no more, and it was run already. */
  | { readonly kind: "cancelled"; readonly command: string }
  | { readonly kind: "effect"; readonly id: string; readonly run: number; readonly result: EffectResult }
  | { readonly kind: "notify"; readonly id: string; readonly run: number; readonly event: AnyEventObject }
  | { readonly kind: "timer"; readonly id: string; readonly run: number }
  | { readonly kind: "sent"; readonly seq: number; readonly refused?: Refusal };

/** What became of a send that was not taken: see `SendRefused`. */
export type Refusal = Pick<SendRefused, "error" | "final">;

export type EffectResult =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly error: ErrorBody };

/** An actor between two steps: the record and the snapshot it stands for. */
export interface ActorState {
  readonly record: ActorRecord;
  readonly snapshot: AnyMachineSnapshot;
}

export interface StepResult {
  readonly state: ActorState;
  /** False when nothing changed that must be committed (a repeated command, a stale result). */
  readonly changed: boolean;
  /** For commands: what the caller is told once the step is durable. */
  readonly outcome: Outcome | undefined;
  /** False when the item belonged to a run that is over; it had no effect. */
  readonly applied: boolean;
  /** What the machine was given; `undefined` when it was given nothing. */
  readonly event: AnyEventObject | undefined;
  readonly writes: readonly StoreWrite[];
  readonly publishes: Interpretation["publishes"];
}

/** The state before the first command. Its entry actions are part of the first step. */
export function birth(
  definition: AnyActorDefinition,
  target: Address,
  now: number,
): {
  readonly state: ActorState;
  readonly writes: readonly StoreWrite[];
  readonly publishes: Interpretation["publishes"];
} {
  const [snapshot, actions] = initialTransition(definition.machine, { id: target.id, at: now });
  throwIfBroken(snapshot, "its birth");
  // Sends are numbered from the time of birth, so that a removed actor that is born again is not taken for itself.
  const { answer: _, writes, publishes, ...rows } = interpret(actions, { ...emptyRecord, seq: now }, now);
  return { state: { record: { ...emptyRecord, ...rows }, snapshot }, writes, publishes };
}

/** The state of a stored record. Refuses a snapshot that this machine cannot continue. */
export function revive(definition: AnyActorDefinition, record: ActorRecord, version: number): ActorState {
  const { machine } = definition;
  let persisted = record.snapshot as Json;
  if (version < definition.version) {
    if (!definition.migrate) {
      throw new Unavailable(
        "actor.incompatible_snapshot",
        `A stored ${definition.kind} is of version ${version}, and there is no way to version ${definition.version}.`,
      );
    }
    try {
      persisted = definition.migrate(persisted, version);
    } catch (cause) {
      throw incompatible(`A stored ${definition.kind} of version ${version} could not be migrated`, cause);
    }
  }
  for (const effect of record.effects) {
    // XState drops a child whose source is gone without a word, and the machine would wait for ever.
    if (!(effect.src in definition.effects)) {
      throw new Unavailable(
        "actor.incompatible_snapshot",
        `A stored ${definition.kind} waits for unknown effect ${effect.src}.`,
      );
    }
  }
  // Only read: a started actor would run its children before anything could be committed.
  // The snapshot is one that getPersistedSnapshot() made; XState has no type for it once it was JSON.
  const snapshot = createActor(machine, { snapshot: persisted as never }).getSnapshot() as AnyMachineSnapshot;
  if (snapshot.status === "error") {
    throw incompatible(
      `A stored ${definition.kind} is in a state that its machine does not have`,
      snapshot.error,
    );
  }
  return { record, snapshot };
}

function incompatible(what: string, cause: unknown): Unavailable {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Unavailable("actor.incompatible_snapshot", `${what}: ${why}.`, { cause });
}

/** Steps an actor by one item. Throws what the machine throws; the given state is never changed. */
export function step(definition: AnyActorDefinition, state: ActorState, item: Item, now: number): StepResult {
  const unchanged = {
    state,
    changed: false,
    outcome: undefined,
    applied: true,
    event: undefined,
    writes: [],
    publishes: [],
  } as const;
  const { record } = state;
  switch (item.kind) {
    case "command":
      return stepCommand(definition, state, item, now);
    case "cancelled": {
      if (record.parked) return { ...unchanged, applied: false };
      const event: Cancelled = { type: "cairn.cancelled", command_id: item.command, at: now };
      const told = advance(definition.machine, state, event, now);
      return told.ignored ? { ...unchanged, applied: false } : told;
    }
    case "sent":
      return stepSent(definition, state, item, now);
    case "timer": {
      if (record.parked) return { ...unchanged, applied: false };
      const timer = record.timers.find((row) => row.id === item.id && row.run === item.run);
      if (!timer) return { ...unchanged, applied: false };
      const without = { ...record, timers: record.timers.filter((row) => row !== timer) };
      return advance(definition.machine, { ...state, record: without }, { ...timer.event, at: now }, now);
    }
    case "notify": {
      if (!isRunning(record, item)) return { ...unchanged, applied: false };
      return advance(definition.machine, state, { ...item.event, at: now }, now);
    }
    case "effect": {
      if (!isRunning(record, item)) return { ...unchanged, applied: false };
      // Deleted even if its state is not left: effects come from rows, and this one is over.
      const without = { ...record, effects: record.effects.filter((row) => row.id !== item.id) };
      const event = item.result.ok
        ? { type: `xstate.done.actor.${item.id}`, output: item.result.output, actorId: item.id, at: now }
        : { type: `xstate.error.actor.${item.id}`, error: item.result.error, actorId: item.id, at: now };
      return advance(definition.machine, { ...state, record: without }, event, now);
    }
  }
}

/** A send is done with, or its machine is told that it is not taken. */
function stepSent(
  { machine }: AnyActorDefinition,
  state: ActorState,
  { seq, refused }: Extract<Item, { kind: "sent" }>,
  now: number,
): StepResult {
  const { record } = state;
  const row = record.outbox.find((other) => other.seq === seq);
  const stays = refused !== undefined && !refused.final;
  const outbox = stays ? record.outbox : record.outbox.filter((other) => other !== row);
  const after = { ...state, record: { ...record, outbox } };
  const nothing = { outcome: undefined, event: undefined, writes: [], publishes: [] } as const;
  const unheard = { ...nothing, state: after, changed: row !== undefined && !stays, applied: true };
  if (!row || !refused || record.parked) return unheard;
  const { to, command } = row;
  const event: SendRefused = { type: "cairn.send_refused", to, command, ...refused, at: now };
  const told = advance(machine, after, event, now);
  return told.ignored ? unheard : told;
}

function isRunning(record: ActorRecord, item: { readonly id: string; readonly run: number }): boolean {
  return !record.parked && record.effects.some((row) => row.id === item.id && row.run === item.run);
}

function stepCommand(
  definition: AnyActorDefinition,
  state: ActorState,
  { message, cancelled = false }: Extract<Item, { kind: "command" }>,
  now: number,
): StepResult {
  const { record } = state;
  const answered = (outcome: Outcome | undefined): StepResult => ({
    state,
    changed: false,
    outcome,
    applied: false,
    event: undefined,
    writes: [],
    publishes: [],
  });
  const known = record.remembered.find(message.id);
  if (known) return answered(known);
  if (message.from && message.from.seq <= (record.heard[message.from.actor] ?? 0)) {
    return answered({ ok: true, body: null });
  }
  if (cancelled) {
    const outcome = failure(
      new Refused("actor.cancelled", "It was cancelled, and not run.", { status: 409 }),
    );
    return { ...answered(outcome), changed: true, state: remember(state, message, outcome) };
  }
  // Nobody waits for it any more, and who asks again asks with another deadline: so there is nobody to tell.
  if (message.expires !== undefined && now > message.expires) return answered(undefined);
  if (record.parked) {
    return answered(
      failure(
        new Unavailable("actor.parked", `This actor was taken out of service: ${record.parked.message}`, {
          details: { code: record.parked.code },
        }),
      ),
    );
  }
  const { type } = message.body;
  if (RESERVED.some((prefix) => type.startsWith(prefix))) {
    const refusal = `Events called ${RESERVED.join("* and ")}* are the runtime's own; ${type} cannot be sent.`;
    return answered(failure(new Refused("actor.reserved_event", refusal)));
  }
  const event = { ...message.body, at: now, command_id: message.id };
  const result = advance(definition.machine, state, event, now);
  const outcome = result.outcome ?? commandOutcome(state, result, message, definition.kind);
  return { ...result, outcome, state: remember(result.state, message, outcome) };
}

/** What a command without an explicit reply is told: done, or that this state does not take it. */
function commandOutcome(before: ActorState, result: Advance, message: Message, kind: string): Outcome {
  if (!result.ignored) return { ok: true, body: null };
  return failure(
    new Refused(
      "actor.not_accepted",
      `This ${kind} is ${stateName(before.snapshot)} and does not take ${message.body.type}.`,
      {
        status: 409,
        details: { state: stateName(before.snapshot) },
      },
    ),
  );
}

/** Notes a command's outcome: a repetition is answered the same and does nothing. */
export function remember(state: ActorState, message: Message, outcome: Outcome): ActorState {
  const { record } = state;
  if (message.from) {
    const { [message.from.actor]: _, ...others } = record.heard;
    const recent = Object.entries(others).slice(-(stepLimits.rememberedSenders - 1));
    const heard = { ...Object.fromEntries(recent), [message.from.actor]: message.from.seq };
    return { ...state, record: { ...record, heard } };
  }
  const remembered = record.remembered.with(message.id, outcome);
  return { ...state, record: { ...record, remembered } };
}

/** A step that the machine was asked for; `ignored` when it has no transition for the event. */
interface Advance extends StepResult {
  readonly ignored: boolean;
}

/** One pure macrostep and the rows it makes. */
function advance(machine: AnyStateMachine, state: ActorState, event: AnyEventObject, now: number): Advance {
  const [snapshot, actions] = transition(machine, state.snapshot, event);
  throwIfBroken(snapshot, event.type);
  const { answer, writes, publishes, ...rows } = interpret(actions, state.record, now);
  const outcome: Outcome | undefined =
    answer === undefined
      ? undefined
      : answer.type === "reply"
        ? { ok: true, body: answer.body }
        : failure(
            new Refused(answer.code, answer.message, {
              status: answer.status ?? 409,
              ...(answer.details ? { details: answer.details } : {}),
            }),
          );
  return {
    state: { snapshot, record: { ...state.record, ...rows } },
    changed: true,
    outcome,
    applied: true,
    event,
    // A transition that only emits leaves the very same snapshot behind.
    ignored: snapshot === state.snapshot && actions.length === 0,
    writes,
    publishes,
  };
}

/** A machine that broke answers a snapshot that says so, which must never be stored: nothing leads out of it. */
function throwIfBroken({ status, error }: AnyMachineSnapshot, on: string): void {
  if (status !== "error") return;
  if (error instanceof Error) throw error;
  throw new Defect(
    "actor.step_failed",
    `The machine stopped with an error on ${on}: ${JSON.stringify(error)}`,
  );
}

/** The record as it is stored: the snapshot is persisted only once a batch, just before its commit. */
export function persist({ machine }: AnyActorDefinition, { record, snapshot }: ActorState): ActorRecord {
  const { context } = snapshot;
  // XState would look for actors in the whole context, where there are none: it is plain JSON.
  const persisted = machine.getPersistedSnapshot({ ...snapshot, context: {} } as AnyMachineSnapshot);
  return { ...record, snapshot: { ...persisted, context } };
}
