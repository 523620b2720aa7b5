/**
 * Everything that a step may `emit()`.
 * The runtime interprets it: writes are committed with the step; sends, publishes and replies leave after the
 * commit.
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
/** Adds to the counts of existing transitions. */
interface Tally {
  readonly op: "tally";
  readonly edge: "transition";
  /** `out` has the `edgeId`; `at` is when it was taken, in milliseconds since the epoch. */
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
 * A typed write. `put` inserts or replaces rows, `merge` changes fields of existing rows, `remove` deletes
 * rows, `relate` stores edges (identity: the pair), `unrelate` deletes all edges that leave some rows, `tally` counts.
 */
export type StoreWrite = NodePut | NodeMerge | NodeRemove | Relate | Unrelate | Tally;

export interface Reply {
  readonly type: "reply";
  readonly body: unknown;
}

/** Refuses the current command with a typed error. The machine's state may stay as it is. */
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
 * A command for another actor (`kind/id`), delivered at least once and applied once. The sender's machine
 * receives `SendRefused` when the target does not take it; a machine may ignore that event.
 */
export interface Send {
  readonly type: "send";
  readonly to: string;
  readonly command: { readonly type: string; readonly [field: string]: unknown };
}

/** An event for subscribers. Lossy by design. */
export interface Publish {
  readonly type: "publish";
  readonly topic: string;
  readonly event: { readonly type: string; readonly [field: string]: unknown };
}

export type Emitted = Reply | Refuse | Write | Send | Publish;

/** What the runtime adds to every event of a machine, since machines have no clock. */
export interface Occasion {
  /** Milliseconds since the epoch when the step was taken. */
  readonly at: number;
  /** The id of the command, for commands. */
  readonly command_id?: string;
}

/** The target did not take a command that this machine sent. Only the runtime creates this event. */
export interface SendRefused extends Occasion {
  readonly type: "cairn.send_refused";
  readonly to: string;
  readonly command: { readonly type: string; readonly [field: string]: unknown };
  readonly error: ErrorBody;
  /**
   * `true`: refused for good, never applied. `false`: the target is out of service (`actor.parked`, or a
   * state this Cairn cannot read) and applies the command when an operator has repaired it.
   */
  readonly final: boolean;
}

/** The sender of a running command no longer wants it. Only the runtime creates this event. */
export interface Cancelled extends Occasion {
  readonly type: "cairn.cancelled";
  readonly command_id: string;
}
