/**
 * The actor store in memory, for tests of the runtime and for operation without a disk. It behaves as
 * `ActorStore` demands, and gives tests access to its tables.
 */

import { Fenced } from "../../machines/errors.ts";
import type { StoreWrite } from "../../machines/machine-emissions.ts";
import type { EdgeTables, NodeTables } from "../../machines/records/record-tables.ts";
import type {
  ActorHead,
  ActorKey,
  ActorRow,
  ActorStore,
  Attempt,
  CommitOutcome,
  CommitUnit,
  DeadLetterRow,
} from "./actor-store-interface.ts";

type Row = Readonly<Record<string, unknown>>;

export class MemoryActorStore implements ActorStore {
  readonly #fences = new Map<number, { readonly fence: number; step: number }>();
  readonly #actors = new Map<string, ActorRow>();
  readonly #deadLetters = new Map<string, DeadLetterRow>();
  readonly #tables = new Map<string, Map<string, Row>>();

  async raiseFences(shards: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const raised = new Map<number, number>();
    for (const shard of new Set(shards)) {
      const fence = (this.#fences.get(shard)?.fence ?? 0) + 1;
      this.#fences.set(shard, { fence, step: 0 });
      raised.set(shard, fence);
    }
    return raised;
  }

  async load(key: ActorKey): Promise<ActorRow | undefined> {
    return this.#actors.get(nameOf(key));
  }

  async commit(units: readonly CommitUnit[]): Promise<readonly CommitOutcome[]> {
    return units.map((unit) => {
      const error = this.#stepTo(unit);
      if (error) return { ok: false, error };
      // `#stepTo` has accepted the commit, and no later line can fail. So either all rows of the commit are written
      // or none. An actor row has only texts and numbers as fields, so a shallow copy is sufficient.
      for (const row of unit.rows) this.#actors.set(nameOf(row), { ...row });
      for (const id of unit.replayed ?? []) this.#deadLetters.delete(id);
      for (const letter of unit.deadLetters) this.#deadLetters.set(letter.id, structuredClone(letter));
      for (const write of unit.writes) this.#write(write);
      return { ok: true };
    });
  }

  async landed({ row, ...attempt }: Attempt): Promise<boolean> {
    const error = this.#stepTo(attempt);
    if (error) throw error;
    return this.#actors.get(nameOf(row))?.data === row.data;
  }

  #stepTo({ shard, fence, step }: Pick<CommitUnit, "shard" | "fence" | "step">): Fenced | undefined {
    const held = this.#fences.get(shard);
    if (held?.fence !== fence || held.step >= step) {
      return new Fenced("store.fenced", "Another node owns these actors now; ask again.");
    }
    held.step = step;
    return undefined;
  }

  async due(
    shards: readonly number[],
    until: number,
    limit: number,
  ): Promise<readonly (ActorKey & { wake_at: number })[]> {
    const wanted = new Set(shards);
    return [...this.#actors.values()]
      .flatMap(({ kind, id, shard, wake_at }) =>
        wake_at !== null && wake_at < until && wanted.has(shard) ? [{ kind, id, wake_at }] : [],
      )
      .sort((a, b) => a.wake_at - b.wake_at)
      .slice(0, limit);
  }

  async list({
    kind,
    state,
    order,
    limit,
    after,
  }: Parameters<ActorStore["list"]>[0]): Promise<readonly ActorHead[]> {
    const isIn = (row: ActorRow) =>
      state === undefined || row.state === state || row.state.startsWith(`${state}.`);
    return [...this.#actors.values()]
      .filter((row) => (kind === undefined || row.kind === kind) && isIn(row))
      .filter((row) => !after || compareKeys(row, after) > 0)
      .sort(order === "updated" ? (one, other) => other.updated_at - one.updated_at : compareKeys)
      .slice(0, limit)
      .map(({ data: _, ...head }) => head);
  }

  async remove(key: ActorKey): Promise<void> {
    this.#actors.delete(nameOf(key));
  }

  async deadLetters({
    limit,
    after,
  }: Parameters<ActorStore["deadLetters"]>[0]): Promise<readonly DeadLetterRow[]> {
    return [...this.#deadLetters.values()]
      .filter(({ id }) => after === undefined || id > after)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  }

  async deadLetter(id: string): Promise<DeadLetterRow | undefined> {
    return this.#deadLetters.get(id);
  }

  async removeDeadLetter(id: string): Promise<boolean> {
    return this.#deadLetters.delete(id);
  }

  /** The rows of a node table, in no particular order. */
  rows<T extends keyof NodeTables>(table: T): readonly NodeTables[T][] {
    // The cast is safe: the type `StoreWrite` allows only rows of this table's type.
    return [...this.#table(table).values()] as unknown as NodeTables[T][];
  }

  /** The edges of an edge table, in no particular order. */
  edges<E extends keyof EdgeTables>(edge: E): readonly EdgeTables[E][] {
    return [...this.#table(edge).values()] as unknown as EdgeTables[E][];
  }

  #table(name: string): Map<string, Row> {
    let table = this.#tables.get(name);
    if (!table) {
      table = new Map();
      this.#tables.set(name, table);
    }
    return table;
  }

  #write(write: StoreWrite): void {
    switch (write.op) {
      case "put":
        for (const row of write.rows)
          this.#table(write.table).set(JSON.stringify(row.id), { ...structuredClone(row) });
        return;
      case "merge":
        for (const row of write.rows) {
          const key = JSON.stringify(row.id);
          const before = this.#table(write.table).get(key);
          if (before) this.#table(write.table).set(key, { ...before, ...structuredClone(row) });
        }
        return;
      case "remove":
        for (const id of write.ids) this.#table(write.table).delete(JSON.stringify(id));
        return;
      case "relate":
        for (const row of write.rows) {
          this.#table(write.edge).set(JSON.stringify([row.in, row.out]), { ...structuredClone(row) });
        }
        return;
      case "unrelate": {
        const from = new Set(write.from.map((id) => JSON.stringify(id)));
        const table = this.#table(write.edge);
        for (const [key, row] of table) if (from.has(JSON.stringify(row.in))) table.delete(key);
      }
    }
  }
}

function nameOf({ kind, id }: ActorKey): string {
  return `${kind}/${id}`;
}

function compareKeys(a: ActorKey, b: ActorKey): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
