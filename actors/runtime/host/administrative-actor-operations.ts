/**
 * Administrative operations on one actor at its owner: show it, put it back in service, replay a dead letter, cancel a
 * command. During a replay, the actor processes no other message. The commit that stores the result also
 * removes the dead letter, so a dead letter is replayed at most once.
 */
import { asCairnError, Defect, Refused } from "../../../machines/errors.ts";
import type { DeadLetterRow } from "../../../store/index.ts";
import { formatAddress } from "../actor-address.ts";
import { type Message, readMessage } from "../actor-messages.ts";
import { batchOf } from "../core/actor-message-batch.ts";
import type { ActorState } from "../core/actor-step.ts";
import { step } from "../core/actor-step.ts";
import { stateName } from "../core/machine-actions-to-rows.ts";
import type { Activation } from "../core/process-messages-of-one-actor.ts";
import type { AnyActorDefinition } from "../define-actor.ts";
import { shownContext } from "../inspection/runtime-inspector.ts";
import type { Operation } from "../requests-to-shard-owner-types.ts";

/** What an operation on an actor needs from the actor's owner. */
export interface OperationScope {
  readonly definition: AnyActorDefinition;
  readonly owner: string;
  readonly fence: number;
  readonly capacity: number;
  readonly now: () => number;
  readonly deadLetter: (id: string) => Promise<DeadLetterRow | undefined>;
}

/** Runs an operation and returns its answer. `machines/runtime/runtime-administration-schemas.ts` defines the answer's type. */
export async function operate(
  activation: Activation,
  operation: Operation,
  scope: OperationScope,
): Promise<unknown> {
  switch (operation.type) {
    case "inspect":
      return await inspect(activation, scope);
    case "unpark":
      return await unpark(activation, scope);
    case "replay":
      return await replay(activation, operation.letter, scope);
    case "cancel":
      return await activation.cancel(operation.command);
  }
}

const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString();

function nameOf({ record, snapshot }: ActorState): string {
  return record.parked ? "parked" : stateName(snapshot);
}

async function inspect(
  activation: Activation,
  { definition, owner, fence, capacity }: OperationScope,
): Promise<unknown> {
  const { state, exists } = await activation.committed();
  const { address, shard } = activation;
  if (!exists) throw notFound(formatAddress(address));
  const { record, snapshot } = state;
  return {
    kind: address.kind,
    id: address.id,
    machine: { id: definition.machine.id, version: definition.version },
    state: nameOf(state),
    value: snapshot.value,
    status: snapshot.status,
    context: shownContext(definition, snapshot.context),
    parked: record.parked && { ...record.parked, at: isoTime(record.parked.at) },
    shard,
    owner,
    fence,
    mailbox: { waiting: activation.waiting, capacity },
    timers: record.timers.map(({ id, at, event }) => ({ id, event: event.type, due: isoTime(at) })),
    effects: record.effects.map(({ id, src, run }) => ({ id, src, run })),
    outbox: record.outbox.map(({ seq, to, command }) => ({ seq, to, event: command.type })),
    last_events: activation.recent.map((event) => ({ ...event, at: isoTime(event.at) })),
  };
}

export function notFound(name: string): Refused {
  return new Refused(
    "actor.not_found",
    `There is no actor ${name}: nothing was ever asked of it. list_actors lists those there are.`,
    { status: 404 },
  );
}

/** Returns the state of the actor without the mark `parked` (out of service). */
function inService(state: ActorState): ActorState {
  return state.record.parked ? { ...state, record: { ...state.record, parked: null } } : state;
}

async function unpark(activation: Activation, _scope: OperationScope): Promise<unknown> {
  const { exists } = await activation.committed();
  if (!exists) throw notFound(formatAddress(activation.address));
  return await activation.runExclusively(async (state, apply) => {
    const { address } = activation;
    const unparked = state.record.parked !== null;
    const after = inService(state);
    if (unparked) await apply(batchOf(after));
    return { kind: address.kind, id: address.id, state: nameOf(after), unparked };
  });
}

async function replay(activation: Activation, letterId: string, scope: OperationScope): Promise<unknown> {
  const { address } = activation;
  return await activation.runExclusively(async (before, apply) => {
    const letter = await scope.deadLetter(letterId);
    if (!letter || letter.kind !== address.kind || letter.actor_id !== address.id) {
      throw letterNotFound(letterId);
    }
    const unparked = before.record.parked !== null;
    const answer = { id: letterId, kind: address.kind, actor_id: address.id, unparked };
    const message = commandOf(letter);
    if (!message) {
      // The dead letter contains no command to replay. It is enough to put the actor back in service: its
      // effects and timers continue from their rows.
      const after = inService(before);
      await apply(batchOf(after, { replayed: [letterId] }));
      return { ...answer, state: nameOf(after), outcome: null };
    }
    const item = { kind: "command", message } as const;
    let result: ReturnType<typeof step>;
    try {
      result = step(
        scope.definition,
        withoutFailure(inService(before), message.id, letterId),
        item,
        scope.now(),
      );
    } catch (thrown) {
      throw stillFails(letterId, thrown);
    }
    try {
      await apply(
        batchOf(result.state, {
          done: [{ waiting: { item }, result }],
          writes: result.writes,
          publishes: result.publishes,
          replayed: [letterId],
        }),
      );
    } catch (thrown) {
      const error = asCairnError(thrown);
      throw error.status === 503 ? error : stillFails(letterId, thrown);
    }
    const { outcome } = result;
    return {
      ...answer,
      state: nameOf(result.state),
      outcome: !outcome || outcome.ok ? { ok: true, result: outcome?.body ?? null } : failed(outcome.error),
    };
  });
}

function failed({ code, message }: { readonly code: string; readonly message: string }) {
  return { ok: false, error: { code, message } };
}

export function letterNotFound(id: string): Refused {
  return new Refused(
    "dead_letter.not_found",
    `There is no dead letter ${id}: it was replayed or discarded, or is past its retention.`,
    { status: 404 },
  );
}

function stillFails(id: string, thrown: unknown): Defect {
  const { code, message } = asCairnError(thrown);
  return new Defect("actor.step_failed", `Dead letter ${id} fails again and stays: ${message}`, {
    cause: thrown,
    details: { dead_letter: id, code },
  });
}

/**
 * Returns the command that a dead letter contains, with its id. The sender's number and the topic for the
 * answer are left out. Returns `undefined` when the dead letter contains no command.
 */
function commandOf({ message }: DeadLetterRow): Message | undefined {
  const read = readMessage(JSON.parse(message));
  return read && { id: read.id, to: read.to, body: read.body };
}

/**
 * Removes the failure of a command from the actor's state, so that the command can run again in a replay of its
 * dead letter. A success stays, and so does a failure that another dead letter records.
 */
function withoutFailure(state: ActorState, commandId: string, letter: string): ActorState {
  const { record } = state;
  const known = record.remembered.find(commandId);
  if (!known || known.ok || known.error.details?.dead_letter !== letter) return state;
  const remembered = record.remembered.without(commandId);
  return { ...state, record: { ...record, remembered } };
}
