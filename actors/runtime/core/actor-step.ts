/**
 * One step of one actor, as a pure function: from the committed state and a message to the next state and its
 * rows. It does not use the store, the bus or timers. Machines run only by XState's `transition()`, so
 * nothing happens before it is committed.
 */
import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  initialTransition,
} from "xstate";
import { Defect, type ErrorBody, Refused, Unavailable } from "../../../machines/errors.ts";
import type { Cancelled, SendRefused, StoreWrite } from "../../../machines/machine-emissions.ts";
import type { Address } from "../actor-address.ts";
import { failure, type Message, type Outcome } from "../actor-messages.ts";
import { stepLimits } from "../actor-runtime-limits.ts";
import type { AnyActorDefinition, Json } from "../define-actor.ts";
import { type ActorRecord, type EffectRow, emptyRecord } from "./actor-record.ts";
import { transition } from "./fast-machine-transition.ts";
import { type Interpretation, interpret, stateName } from "./machine-actions-to-rows.ts";

/**
 * Prefixes of event types that only XState and the runtime may send. Otherwise a caller could send an event
 * that ends a running effect.
 */
const RESERVED: readonly string[] = ["xstate.", "cairn."];

/** A message that a step of an actor can process. */
export type Item =
  /** `cancelled`: the sender has cancelled the command, so it must not be processed. */
  | { readonly kind: "command"; readonly message: Message; readonly cancelled?: boolean }
  /** The sender cancelled a command that the actor had already processed. */
  | { readonly kind: "cancelled"; readonly command: string }
  | { readonly kind: "effect"; readonly id: string; readonly run: number; readonly result: EffectResult }
  | { readonly kind: "notify"; readonly id: string; readonly run: number; readonly event: AnyEventObject }
  | { readonly kind: "timer"; readonly id: string; readonly run: number }
  | { readonly kind: "sent"; readonly seq: number; readonly refused?: Refusal };

/**
 * The error with which a target refused a message of this actor, and whether the refusal is final (see
 * `SendRefused`).
 */
export type Refusal = Pick<SendRefused, "error" | "final">;

export type EffectResult =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly error: ErrorBody };

/** An actor between two steps: its record and the snapshot of its machine. */
export interface ActorState {
  readonly record: ActorRecord;
  readonly snapshot: AnyMachineSnapshot;
}

export interface StepResult {
  readonly state: ActorState;
  /**
   * True if the step has changed something that must be stored. A repeated command and an outdated result
   * change nothing.
   */
  readonly changed: boolean;
  /** The outcome of a command for its caller. It is sent only when the changes of this step are stored. */
  readonly outcome: Outcome | undefined;
  /**
   * Whether the machine or the runtime has processed the message. False for a repeated message, and for a
   * message that was refused before it reached the machine. Also false for the result of an effect or timer
   * that had already ended.
   */
  readonly applied: boolean;
  /** The event that the machine received; `undefined` if the step gave the machine no event. */
  readonly event: AnyEventObject | undefined;
  readonly writes: readonly StoreWrite[];
  readonly publishes: Interpretation["publishes"];
}

/**
 * Returns the state of an actor before its first command. Rows and events of the machine's entry actions are
 * committed with the first step.
 */
export function initialState(
  definition: AnyActorDefinition,
  target: Address,
  now: number,
): {
  readonly state: ActorState;
  readonly writes: readonly StoreWrite[];
  readonly publishes: Interpretation["publishes"];
} {
  const [snapshot, actions] = initialTransition(definition.machine, { id: target.id, at: now });
  throwIfBroken(snapshot, "its start");
  // The numbers of messages and runs start at the time in milliseconds at which the actor was created. So if
  // a deleted actor is created again, the new actor uses higher numbers than the deleted one.
  const born = { ...emptyRecord, seq: now, run: now };
  const { answer: _, writes, publishes, ...rows } = interpret(actions, born, now);
  return { state: { record: { ...emptyRecord, ...rows }, snapshot }, writes, publishes };
}

/**
 * Converts a stored record to a state. Throws when the kind's present machine cannot use the stored snapshot.
 */
export function revive(definition: AnyActorDefinition, record: ActorRecord, version: number): ActorState {
  const { machine } = definition;
  let persisted = record.snapshot as Json;
  if (version < definition.version) {
    if (!definition.migrate) {
      throw new Unavailable(
        "actor.incompatible_snapshot",
        `A stored ${definition.kind} is of version ${version}, and cannot be migrated to version ${definition.version}.`,
      );
    }
    try {
      persisted = definition.migrate(persisted, version);
    } catch (cause) {
      throw incompatible(`A stored ${definition.kind} of version ${version} could not be migrated`, cause);
    }
  }
  for (const effect of record.effects) {
    // XState silently drops a child whose `src` names no effect of this machine, and the machine would wait
    // for it forever. So such a snapshot is refused.
    if (!(effect.src in definition.effects)) {
      throw new Unavailable(
        "actor.incompatible_snapshot",
        `A stored ${definition.kind} waits for unknown effect ${effect.src}.`,
      );
    }
  }
  // The actor is created, but not started, because a started actor would run its children before a commit.
  // The cast is needed: XState has no type for a persisted snapshot from JSON.
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

/**
 * Runs one step of an actor, which processes one message. Throws the error that the actor's machine throws.
 * The given state is not changed.
 */
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
      const notified = advance(definition.machine, state, event, now);
      return notified.ignored ? { ...unchanged, applied: false } : notified;
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
      const effect = runningEffect(record, item);
      if (!effect) return { ...unchanged, applied: false };
      return advance(definition.machine, state, { ...item.event, at: now }, now, effect.askers);
    }
    case "effect": {
      const effect = runningEffect(record, item);
      if (!effect) return { ...unchanged, applied: false };
      // The effect has ended, so its row is deleted. Otherwise, the effect would start again if the machine stays
      // in its state.
      const without = { ...record, effects: record.effects.filter((row) => row.id !== item.id) };
      const event = item.result.ok
        ? { type: `xstate.done.actor.${item.id}`, output: item.result.output, actorId: item.id, at: now }
        : { type: `xstate.error.actor.${item.id}`, error: item.result.error, actorId: item.id, at: now };
      return advance(definition.machine, { ...state, record: without }, event, now, effect.askers);
    }
  }
}

/**
 * Processes the report about a sent message and removes the message's row. If the target has refused the
 * message, the machine gets an event.
 */
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
  const removed = { ...nothing, state: after, changed: row !== undefined && !stays, applied: true };
  if (!row || !refused || record.parked) return removed;
  const { to, command } = row;
  const event: SendRefused = { type: "cairn.send_refused", to, command, ...refused, at: now };
  const notified = advance(machine, after, event, now);
  return notified.ignored ? removed : notified;
}

function runningEffect(
  record: ActorRecord,
  item: { readonly id: string; readonly run: number },
): EffectRow | undefined {
  if (record.parked) return undefined;
  return record.effects.find((row) => row.id === item.id && row.run === item.run);
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
      new Refused("actor.cancelled", "The command was cancelled and not run.", { status: 409 }),
    );
    return { ...answered(outcome), changed: true, state: remember(state, message, outcome) };
  }
  // The caller's deadline has passed, so the command is not run. No outcome is stored: a command that is sent
  // again has a later deadline and must be able to run.
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
    const refusal = `Events named ${RESERVED.join("* and ")}* are reserved for the runtime; ${type} cannot be sent.`;
    return answered(failure(new Refused("actor.reserved_event", refusal)));
  }
  const event = { ...message.body, at: now, command_id: message.id };
  const result = advance(definition.machine, state, event, now, message.askers);
  const outcome = result.outcome ?? commandOutcome(state, result, message, definition.kind);
  return { ...result, outcome, state: remember(result.state, message, outcome) };
}

/**
 * Returns the outcome of a command without a reply of the machine: success, or a refusal if the machine
 * ignored the command in its current state.
 */
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

/** Records a command's outcome, so that a repeated command gets the same answer and has no effect. */
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

/** The result of an event for a machine. `ignored`: the machine has no transition for the event. */
interface Advance extends StepResult {
  readonly ignored: boolean;
}

/**
 * Runs the machine for one event, including the transitions that follow without a further event, and collects
 * the resulting rows. It is a pure function.
 */
function advance(
  machine: AnyStateMachine,
  state: ActorState,
  event: AnyEventObject,
  now: number,
  askers?: readonly string[],
): Advance {
  const [snapshot, actions] = transition(machine, state.snapshot, event);
  throwIfBroken(snapshot, event.type);
  const { answer, writes, publishes, ...rows } = interpret(actions, state.record, now, askers);
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
    // An event counts as ignored if it leaves the machine's snapshot unchanged and causes no actions. An
    // unchanged snapshot alone is not enough: a transition may run actions and keep the same snapshot object.
    ignored: snapshot === state.snapshot && actions.length === 0,
    writes,
    publishes,
  };
}

/**
 * Throws when the machine has failed. The failed state must not be stored, because the actor could never
 * leave it.
 */
function throwIfBroken({ status, error }: AnyMachineSnapshot, on: string): void {
  if (status !== "error") return;
  if (error instanceof Error) throw error;
  throw new Defect(
    "actor.step_failed",
    `The machine stopped with an error on ${on}: ${JSON.stringify(error)}`,
  );
}

/**
 * Converts the state to the record for the store. This is expensive, so it is done only once for each batch,
 * directly before the commit.
 */
export function persist({ machine }: AnyActorDefinition, { record, snapshot }: ActorState): ActorRecord {
  const { context } = snapshot;
  // XState searches the context for actors, which takes long. A context is plain JSON and contains none, so
  // XState gets an empty one.
  const persisted = machine.getPersistedSnapshot({ ...snapshot, context: {} } as AnyMachineSnapshot);
  return { ...record, snapshot: { ...persisted, context } };
}
