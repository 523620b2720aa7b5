/**
 * Where the runtime tells what happens inside it, and the shape of what it tells. Pure.
 *
 * A topic is `inspect.<what>.<kind>.<id>`: one actor is `inspect.*.exploration.first`, all that changes state is
 * `inspect.state.>`. `actors/runtime/inspection.ts` publishes, only while somebody listens; `/ws/inspect` forwards.
 * Names that begin with `@xstate.` are those of XState's own inspection and mean the same; `@cairn.` ones are what a
 * durable runtime has beside.
 */
import { topicToken } from "../topic.ts";

/** What is told, by the second token of its topic. */
export const INSPECTED = [
  /** An actor was loaded into memory (`@xstate.actor`), or left it (`@cairn.passivated`). */
  "actor",
  /** It took an event (`@xstate.event`). */
  "event",
  /** The transitions it took (`@xstate.microstep`). */
  "microstep",
  /** What it is now, with its context (`@xstate.snapshot`). */
  "snapshot",
  /** The same in short, at most once a second while the state stays (`@cairn.state`). */
  "state",
  /** Effects, timers and sends that began or ended (`@cairn.effect`, `@cairn.timer`, `@cairn.send`). */
  "effect",
  "timer",
  "send",
  /** How many wait for it (`@cairn.mailbox`). */
  "mailbox",
  /** Something could not be handled (`@cairn.dead_letter`). */
  "dead_letter",
  /** A shard was taken or dropped by an owner (`@cairn.lease`); its kind is `shard`, its id the shard's number. */
  "lease",
  /** A worker became ready or ended (`@cairn.worker`); its kind is `worker`, its id the worker's name. */
  "worker",
] as const;

export type Inspected = (typeof INSPECTED)[number];

export const INSPECT = "inspect.";

/** The topic of one thing; what is left out stands for all of it. */
export function inspectTopic(what?: Inspected, kind?: string, id?: string): string {
  const token = (text: string | undefined) => (text === undefined ? "*" : topicToken(text));
  return `${INSPECT}${what ?? "*"}.${token(kind)}.${token(id)}`;
}

/** A transition that was taken, as the chart of its machine names it. */
export interface TakenTransition {
  /** `ChartTransition.id`. */
  readonly id: string;
  readonly source: string;
  readonly targets: readonly string[];
  readonly event: string;
  readonly guard: string | null;
}

/** What every event has. `sessionId`, `rootId` and `createdAt` are what XState's inspectors look for. */
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
  /** The worker that tells it. */
  readonly owner: string;
  readonly shard?: number;
  readonly [field: string]: unknown;
}
