/**
 * The store of the model test: a store in memory, where the arrival of each call and each answer is an event
 * whose time the test controls. Calls may arrive after their caller has died or given up, and answers may be
 * lost. Every committed row is reported, so that the judge (`runtime-simulation-judge.ts`) can compare what clients
 * received with what was durable.
 */
import { Refused, Unavailable } from "../../../../machines/errors.ts";
import type { ActorRow, ActorStore, CommitOutcome, CommitUnit } from "../../../../store/index.ts";
import { REFUSED_ROW } from "../support/simulated-actor-kinds.ts";

/** The state of an actor after a commit, parsed from its row. */
export interface Committed {
  readonly shard: number;
  readonly fence: number;
  readonly name: string;
  readonly record: {
    readonly snapshot: { readonly context: Readonly<Record<string, unknown>> };
    readonly effects: readonly { readonly input: unknown }[];
    readonly timers: readonly unknown[];
    readonly outbox: readonly unknown[];
    readonly parked: unknown;
    readonly turn: number;
  };
}

/**
 * How the calls to the store fail. `no`: the store is available. `before`: calls fail before they are
 * executed. `after`: calls are executed, and then fail. `late`: calls are executed only after their callers
 * have given up.
 */
export type Away = "no" | "before" | "after" | "late";

/** The faults of the simulated store: when a call arrives, whether it fails, and when its answer arrives. */
export interface StoreFaults {
  /** Resolves when the call arrives at the store. It never resolves if the call is lost. */
  arrive(): Promise<void>;
  /** How calls to the store fail at this moment, if they do. */
  away(): Away;
  /**
   * Resolves when a delayed call arrives at the store. At this time, the caller no longer waits for the call.
   */
  arriveLate(): Promise<void>;
  /** Resolves when the answer arrives at the caller. It never resolves if the caller has died. */
  answer(): Promise<void>;
  committed(rows: readonly Committed[]): void;
}

/** Returns the store with the faults that a host of the simulation experiences. */
export function storeOf(inner: ActorStore, faults: StoreFaults): ActorStore {
  async function call<T>(work: () => Promise<T>): Promise<T> {
    await faults.arrive();
    const away = faults.away();
    // `late`: the store executes the call after the caller has stopped waiting, so no caller gets the result.
    if (away === "late") void faults.arriveLate().then(() => work().catch(() => undefined));
    const outcome =
      away === "before" || away === "late"
        ? undefined
        : await work().then(
            (value) => ({ value }),
            (error: unknown) => ({ error }),
          );
    await faults.answer();
    if (away !== "no" || !outcome) throw new Unavailable("store.unavailable", "The simulated store is away.");
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }
  return {
    raiseFences: (shards) => call(() => inner.raiseFences(shards)),
    load: (key) => call(() => inner.load(key)),
    due: (shards, until, limit) => call(() => inner.due(shards, until, limit)),
    commit: (units) =>
      call(async () => {
        const outcomes: CommitOutcome[] = [];
        for (const unit of units) outcomes.push(await commitUnit(inner, unit, faults));
        return outcomes;
      }),
    landed: (attempt) => call(() => inner.landed(attempt)),
    list: (query) => inner.list(query),
    remove: (key) => inner.remove(key),
    deadLetters: (query) => inner.deadLetters(query),
    deadLetter: (id) => inner.deadLetter(id),
    removeDeadLetter: (id) => inner.removeDeadLetter(id),
  };
}

async function commitUnit(inner: ActorStore, unit: CommitUnit, faults: StoreFaults): Promise<CommitOutcome> {
  if (unit.writes.some(isRefused)) {
    return { ok: false, error: new Refused("store.refused", "This row is one that the store refuses.") };
  }
  const [outcome] = await inner.commit([unit]);
  if (!outcome) throw new Error("one unit has one outcome");
  if (outcome.ok) faults.committed(unit.rows.map((row) => read(row, unit.fence)));
  return outcome;
}

function isRefused(write: CommitUnit["writes"][number]): boolean {
  return write.op === "remove" && write.ids.some((id) => String(id) === REFUSED_ROW);
}

function read(row: ActorRow, fence: number): Committed {
  return { shard: row.shard, fence, name: `${row.kind}/${row.id}`, record: JSON.parse(row.data) };
}
