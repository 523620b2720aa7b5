/**
 * The store of the simulation: the memory twin, with its calls and its answers as moments of the schedule.
 *
 * A call may arrive after its caller has died or given it up, its answer may get lost, and it may find no store at
 * all. Every row that was ever committed is kept, so that the judge can hold what was seen against what was durable.
 */
import { Refused, Unavailable } from "../../../../machines/errors.ts";
import type { ActorRow, ActorStore, CommitOutcome, CommitUnit } from "../../../../store/index.ts";
import { REFUSED_ROW } from "../support/test-kinds.ts";

/** One committed row, read. */
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

/** A store that is away fails calls before they were done, after they were, or does them later than anybody waits. */
export type Away = "no" | "before" | "after" | "late";

/** What the schedule decides about each call: `moment` resolves when its turn comes. */
export interface StoreFaults {
  /** Waits for the call's turn to arrive at the store; never resolves when it does not. */
  arrive(): Promise<void>;
  /** Is the store away right now? */
  away(): Away;
  /** Waits for the moment at which a call arrives that its caller has given up. */
  tooLate(): Promise<void>;
  /** Waits for the answer's turn to arrive at the caller; never resolves when the caller is dead. */
  answer(): Promise<void>;
  committed(rows: readonly Committed[]): void;
}

/** The store as one host sees it. */
export function storeOf(inner: ActorStore, faults: StoreFaults): ActorStore {
  async function call<T>(work: () => Promise<T>): Promise<T> {
    await faults.arrive();
    const away = faults.away();
    // Whatever becomes of it, nobody hears of it.
    if (away === "late") void faults.tooLate().then(() => work().catch(() => undefined));
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
