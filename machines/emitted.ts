/**
 * Everything that a step of a state machine may `emit()`. The runtime commits the writes with the step. After
 * the commit it delivers the messages to other actors, the events and the reply.
 */
import type { ErrorBody } from "./errors.ts";
import type { EdgeTables, NodeTables } from "./records.ts";

type NodePut = {
  [T in keyof NodeTables]: { op: "put"; table: T; rows: readonly NodeTables[T][] };
}[keyof NodeTables];
type NodeRemove = {
  [T in keyof NodeTables]: { op: "remove"; table: T; ids: readonly NodeTables[T]["id"][] };
}[keyof NodeTables];
type NodeMerge = {
  [T in keyof NodeTables]: {
    op: "merge";
    table: T;
    rows: readonly (Pick<NodeTables[T], "id"> & Partial<NodeTables[T]>)[];
  };
}[keyof NodeTables];
/** Increments the counters of existing transitions. */
interface Tally {
  readonly op: "tally";
  readonly edge: "transition";
  /**
   * `out` contains the `edgeId` of the transition. `at` is the time when it was taken, in milliseconds since
   * the epoch.
   */
  readonly rows: readonly (Pick<EdgeTables["transition"], "in" | "out" | "successes" | "failures"> & {
    readonly at: number;
  })[];
}
type Relate = {
  [E in keyof EdgeTables]: { op: "relate"; edge: E; rows: readonly EdgeTables[E][] };
}[keyof EdgeTables];
type Unrelate = {
  [E in keyof EdgeTables]: { op: "unrelate"; edge: E; from: readonly EdgeTables[E]["in"][] };
}[keyof EdgeTables];

/**
 * A typed write to the store. `put` inserts or replaces rows, `merge` changes fields of existing rows, and
 * `remove` deletes rows. `relate` stores edges, identified by their two ends. `unrelate` deletes all edges
 * that start at the given rows. `tally` increments counters.
 */
export type StoreWrite = NodePut | NodeMerge | NodeRemove | Relate | Unrelate | Tally;

export interface Reply {
  readonly type: "reply";
  readonly body: unknown;
}

/** Refuses the current command with a typed error. The machine may stay in the same state. */
export interface Refuse {
  readonly type: "refuse";
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface Write {
  readonly type: "write";
  readonly writes: readonly StoreWrite[];
}

/**
 * A command for another actor (`kind/id`). It is delivered at least once and applied once. If the target
 * refuses it, the sender's machine receives `SendRefused`, which a machine may ignore.
 */
export interface Send {
  readonly type: "send";
  readonly to: string;
  readonly command: { readonly type: string; readonly [field: string]: unknown };
}

/** An event for subscribers. Events may be lost by design. */
export interface Publish {
  readonly type: "publish";
  readonly topic: string;
  readonly event: { readonly type: string; readonly [field: string]: unknown };
}

export type Emitted = Reply | Refuse | Write | Send | Publish;

/** Fields that the runtime adds to every event of a machine, because machines have no clock. */
export interface Occasion {
  /** Milliseconds since the epoch when the step was taken. */
  readonly at: number;
  /** The id of the command; only events from commands have it. */
  readonly command_id?: string;
}

/** The target refused a command that this machine sent. Only the runtime creates this event. */
export interface SendRefused extends Occasion {
  readonly type: "cairn.send_refused";
  readonly to: string;
  readonly command: { readonly type: string; readonly [field: string]: unknown };
  readonly error: ErrorBody;
  /**
   * `true`: the command was refused permanently and is never applied. `false`: the target is out of service,
   * and applies the command after an operator has repaired it.
   */
  readonly final: boolean;
}

/** The sender of a running command has cancelled it. Only the runtime creates this event. */
export interface Cancelled extends Occasion {
  readonly type: "cairn.cancelled";
  readonly command_id: string;
}
