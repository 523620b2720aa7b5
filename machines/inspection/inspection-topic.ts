/**
 * The topics of inspection events, and their shape.
 * A topic is `inspect.<what>.<kind>.<id>`: `inspect.*.exploration.first` is one actor, `inspect.state.>`
 * every state change. Names that begin with `@xstate.` are those of XState's inspection; `@cairn.` names are
 * those of the durable runtime.
 */
import { topicToken } from "../topic-token.ts";

/** The event types, the second token of a topic. */
export const INSPECTED = [
  /** An actor was loaded into memory (`@xstate.actor`), or left it (`@cairn.passivated`). */
  "actor",
  /** It received an event (`@xstate.event`). */
  "event",
  /** The transitions it took (`@xstate.microstep`). */
  "microstep",
  /** Its new snapshot with context (`@xstate.snapshot`). */
  "snapshot",
  /** Its state in short, at most once a second while the state stays (`@cairn.state`). */
  "state",
  /** Effects, timers and sends that started or ended (`@cairn.effect`, `@cairn.timer`, `@cairn.send`). */
  "effect",
  "timer",
  "send",
  /** The number of waiting commands (`@cairn.mailbox`). */
  "mailbox",
  /** A command could not be handled (`@cairn.dead_letter`). */
  "dead_letter",
  /** A shard was taken or dropped by an owner (`@cairn.lease`); its kind is `shard`, its id the number. */
  "lease",
  /** A worker became ready or ended (`@cairn.worker`); its kind is `worker`, its id the name. */
  "worker",
] as const;

export type Inspected = (typeof INSPECTED)[number];

export const INSPECT = "inspect.";

/** The topic of an event; omitted parts match everything. */
export function inspectTopic(what?: Inspected, kind?: string, id?: string): string {
  const token = (text: string | undefined) => (text === undefined ? "*" : topicToken(text));
  return `${INSPECT}${what ?? "*"}.${token(kind)}.${token(id)}`;
}

/** A transition that was taken, as the chart names it. */
export interface TakenTransition {
  /** `ChartTransition.id`. */
  readonly id: string;
  readonly source: string;
  readonly targets: readonly string[];
  readonly event: string;
  readonly guard: string | null;
}

/** Fields of every event. XState's inspectors need `sessionId`, `rootId` and `createdAt`. */
export interface InspectionEvent {
  readonly type: string;
  readonly what: Inspected;
  readonly kind: string;
  readonly id: string;
  readonly sessionId: string;
  readonly rootId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly createdAt: string;
  /** The worker that sends it. */
  readonly owner: string;
  readonly shard?: number;
  readonly [field: string]: unknown;
}
