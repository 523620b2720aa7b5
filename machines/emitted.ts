/**
 * What a machine can say to the world: the only things a step may `emit()`.
 *
 * The runtime interprets them (`actors/runtime/interpret.ts`): writes are committed in the step's own
 * transaction, sends and publishes go out after it, a reply is given only once it is durable.
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
type Relate = {
  [E in keyof EdgeTables]: { op: "relate"; edge: E; rows: readonly EdgeTables[E][] };
}[keyof EdgeTables];
type Unrelate = {
  [E in keyof EdgeTables]: { op: "unrelate"; edge: E; from: readonly EdgeTables[E]["in"][] };
}[keyof EdgeTables];

/**
 * A typed write: `put` stores whole rows (insert or replace), `merge` changes fields of rows that exist,
 * `remove` deletes rows, `relate` stores edges (identity: the pair), `unrelate` deletes all edges leaving some rows.
 */
export type StoreWrite = NodePut | NodeMerge | NodeRemove | Relate | Unrelate;

export interface Reply {
  readonly type: "reply";
  readonly body: unknown;
}

/** The typed refusal of the command being handled; the machine's state may stay as it is. */
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
 * A command for another actor (`kind/id`), delivered at least once and applied once. What becomes of one that is not
 * taken is told to the sender's machine as `SendRefused`, which one that does not care leaves out.
 */
export interface Send {
  readonly type: "send";
  readonly to: string;
  readonly command: { readonly type: string; readonly [field: string]: unknown };
}

/** An event for whoever watches; lossy on purpose. */
export interface Publish {
  readonly type: "publish";
  readonly topic: string;
  readonly event: { readonly type: string; readonly [field: string]: unknown };
}

export type Emitted = Reply | Refuse | Write | Send | Publish;

/** What the runtime adds to every event it hands to a machine: machines have no clock of their own. */
export interface Occasion {
  /** Milliseconds since the epoch when the step was taken. */
  readonly at: number;
  /** The command's id, for commands. */
  readonly command_id?: string;
}

/** A command that this machine sent was not taken by its target. An event of the runtime's own: nobody can send it. */
export interface SendRefused extends Occasion {
  readonly type: "cairn.send_refused";
  readonly to: string;
  readonly command: { readonly type: string; readonly [field: string]: unknown };
  readonly error: ErrorBody;
  /**
   * Refused for good: it will never be applied. False: the target is out of service (`actor.parked`, a state that this
   * Cairn cannot read) and takes it as soon as somebody has seen to that.
   */
  readonly final: boolean;
}

/** A command that was run is wanted no more by whoever sent it. An event of the runtime's own, as above. */
export interface Cancelled extends Occasion {
  readonly type: "cairn.cancelled";
  readonly command_id: string;
}
