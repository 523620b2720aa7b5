/**
 * The topics and the shape of inspection events, by which operators see what actors do. A topic is
 * `inspect.<what>.<kind>.<id>`, so `inspect.state.>` matches every change of state. Names that start with
 * `@xstate.` are those of XState's inspection, and `@cairn.` names are those of Cairn's runtime.
 */
import { topicToken } from "../encode-id-for-message-topic.ts";

/** The types of inspection events. The type is the second token of an event's topic. */
export const INSPECTED = [
  /** The actor was loaded into memory (`@xstate.actor`) or unloaded (`@cairn.passivated`). */
  "actor",
  /** The actor received an event (`@xstate.event`). */
  "event",
  /** The transitions that the actor took (`@xstate.microstep`). */
  "microstep",
  /** The new snapshot of the actor, with its context (`@xstate.snapshot`). */
  "snapshot",
  /**
   * A summary of the actor's state (`@cairn.state`). A change of the state is reported at once, and an
   * unchanged state at most once a second.
   */
  "state",
  /**
   * An effect, a timer, or a message to another actor has started or ended (`@cairn.effect`, `@cairn.timer`,
   * `@cairn.send`).
   */
  "effect",
  "timer",
  "send",
  /** The number of commands that wait for the actor has changed (`@cairn.mailbox`). */
  "mailbox",
  /** A command could not be handled (`@cairn.dead_letter`). */
  "dead_letter",
  /**
   * A process acquired or released a shard (`@cairn.lease`). The kind is `shard`, and the id is the number of
   * the shard.
   */
  "lease",
  /** A worker became ready or ended (`@cairn.worker`). The kind is `worker`, and the id is its name. */
  "worker",
] as const;

export type Inspected = (typeof INSPECTED)[number];

const INSPECT = "inspect.";

/** Returns the topic of inspection events. Omitted parts become wildcards that match every value. */
export function inspectTopic(what?: Inspected, kind?: string, id?: string): string {
  const token = (text: string | undefined) => (text === undefined ? "*" : topicToken(text));
  return `${INSPECT}${what ?? "*"}.${token(kind)}.${token(id)}`;
}

/** A transition that the actor took, with the names from the state chart. */
export interface TakenTransition {
  /** The `id` of the transition in the state chart (`ChartTransition`). */
  readonly id: string;
  readonly source: string;
  readonly targets: readonly string[];
  readonly event: string;
  readonly guard: string | null;
}

/** Fields that every inspection event has. XState's inspectors need `sessionId`, `rootId` and `createdAt`. */
export interface InspectionEvent {
  readonly type: string;
  readonly what: Inspected;
  readonly kind: string;
  readonly id: string;
  readonly sessionId: string;
  readonly rootId: string;
  /** Time of the event, in milliseconds since the epoch. */
  readonly at: number;
  readonly createdAt: string;
  /** Name of the worker in which the actor runs and which sends the event. */
  readonly owner: string;
  readonly shard?: number;
  readonly [field: string]: unknown;
}
