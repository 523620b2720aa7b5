/**
 * Everything that a step of a state machine may `emit()`. The runtime commits the writes in one transaction
 * with the step. After the commit it delivers the messages to other actors, the events and the reply.
 */
import type { ErrorBody } from "./errors.ts";
import type { EdgeTables, NodeTables } from "./records/record-tables.ts";

type NodePut = {
  [T in keyof NodeTables]: {
    op: "put";
    table: T;
    rows: readonly NodeTables[T][];
    /** If true, the stored action keeps its account roles, and the roles of the new row are added to them. */
    adds_roles?: T extends "action" ? true : never;
  };
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
/** Increases the counts of successes and failures of transitions that the map already has. */
interface Tally {
  readonly op: "tally";
  readonly edge: "transition";
  /**
   * In each row, `out` is the map's id and the transition's `edgeId`. `at` is the time at which the
   * transition was used, in milliseconds since the epoch.
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
 * A typed write to the store. `put`: inserts or replaces rows. `merge`: changes fields of existing rows.
 * `remove`: deletes rows. `relate`: stores edges. `unrelate`: deletes all edges that start at the given rows.
 * `tally`: increments counters of edges.
 */
export type StoreWrite = NodePut | NodeMerge | NodeRemove | Relate | Unrelate | Tally;

export interface Reply {
  readonly type: "reply";
  readonly body: unknown;
}

/** Refuses the current command with a typed error. The machine usually stays in its state. */
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
 * A command for another actor, addressed as `kind/id`. It is delivered at least once and applied exactly
 * once. If the target refuses it, the sender's machine receives `SendRefused`, and may ignore that event.
 */
export interface Send {
  readonly type: "send";
  readonly to: string;
  readonly command: { readonly type: string; readonly [field: string]: unknown };
}

/** An event for subscribers. It may be lost, so a subscriber must not depend on each event. */
export interface Publish {
  readonly type: "publish";
  readonly topic: string;
  readonly event: { readonly type: string; readonly [field: string]: unknown };
}

export type Emitted = Reply | Refuse | Write | Send | Publish;

/** Fields that the runtime adds to each event of a machine. Machines are pure and have no clock. */
export interface Occasion {
  /** Time at which the step was taken, in milliseconds since the epoch. */
  readonly at: number;
  /**
   * The id of the command that caused the event. It is absent when no command caused the event, for example
   * when a timer did.
   */
  readonly command_id?: string;
}

/** The runtime sends this event to a machine when the target has refused the machine's command. */
export interface SendRefused extends Occasion {
  readonly type: "cairn.send_refused";
  readonly to: string;
  readonly command: { readonly type: string; readonly [field: string]: unknown };
  readonly error: ErrorBody;
  /**
   * `true`: the target has refused the command for good. `false`: the target is out of service, and will
   * apply the command after an operator has put it back in service.
   */
  readonly final: boolean;
}

/**
 * The runtime sends this event to a machine when the sender of a command cancels the command while the machine
 * runs it.
 */
export interface Cancelled extends Occasion {
  readonly type: "cairn.cancelled";
  readonly command_id: string;
}
