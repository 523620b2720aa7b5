/**
 * The actor store in SurrealDB, with one transaction per commit. Each commit checks the shard's fence and
 * writes the shard's row, so commits of an old and a new owner conflict in the database. Commits are numbered,
 * so that a late commit of the same owner is refused.
 */
import { BoundExcluded, type RecordId, RecordIdRange, Table } from "surrealdb";
import { type CairnError, Unavailable } from "../../machines/errors.ts";
import { FENCED, storeFailure } from "../connection/convert-database-errors.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";
import { runtimeFields } from "../records/database-table-fields.ts";
import { addWrite, replacing, Script } from "../records/database-write-statements.ts";
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

type StoredActor = Omit<ActorRow, "kind" | "id"> & { readonly id: readonly [string, string] };

const FENCE = `FOR $held IN % {
  IF array::len(UPDATE $held.shard SET step = $held.last WHERE fence = $held.fence AND step < $held.first RETURN VALUE step) = 0 {
    THROW "${FENCED}"
  }
}`;

export class SurrealActorStore implements ActorStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async raiseFences(shards: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (shards.length === 0) return new Map();
    const ids = [...new Set(shards)].map((shard) => record("shard", shard));
    const raised = await this.#database.rows<{ id: number; fence: number }>(
      "UPSERT $ids SET fence += 1, step = 0 RETURN id, fence",
      { ids },
    );
    return new Map(raised.map(({ id, fence }) => [id, fence]));
  }

  async load({ kind, id }: ActorKey): Promise<ActorRow | undefined> {
    const row = await this.#database.row<StoredActor>("SELECT * FROM $id", {
      id: record("actor", [kind, id]),
    });
    return row && actorRow(row);
  }

  async commit(units: readonly CommitUnit[]): Promise<readonly CommitOutcome[]> {
    if (units.length === 0) return [];
    const failure = await this.#write(units);
    if (!failure) return units.map(() => ({ ok: true }));
    // If the store is unavailable, each commit of the group fails with this error. Any other error may come
    // from a single commit, so the commits are written one by one.
    const forAll = failure instanceof Unavailable && failure.code !== "store.conflict";
    if (units.length === 1 || forAll) {
      return units.map(() => ({ ok: false, error: failure }));
    }
    const outcomes: CommitOutcome[] = [];
    for (const unit of units) {
      const error = await this.#write([unit]);
      outcomes.push(error ? { ok: false, error } : { ok: true });
    }
    return outcomes;
  }

  async #write(units: readonly CommitUnit[]): Promise<CairnError | undefined> {
    const script = new Script();
    script.add(FENCE, fences(units));
    // If two commits of a group contain a row of the same actor, the row of the later commit is stored.
    const rows = new Map(units.flatMap((unit) => unit.rows).map((row) => [`${row.kind}/${row.id}`, row]));
    if (rows.size > 0) {
      script.add(
        `INSERT INTO actor %${replacing(runtimeFields.actor)} RETURN NONE`,
        [...rows.values()].map(({ kind, id, ...fields }) => ({ ...fields, id: record("actor", [kind, id]) })),
      );
    }
    const replayed = units.flatMap((unit) => unit.replayed ?? []);
    if (replayed.length > 0) {
      script.add(
        "DELETE % RETURN NONE",
        replayed.map((id) => record("dead_letter", id)),
      );
    }
    const letters = units.flatMap((unit) => unit.deadLetters);
    if (letters.length > 0) {
      script.add(
        `INSERT INTO dead_letter %${replacing(runtimeFields.dead_letter)} RETURN NONE`,
        letters.map((letter) => ({ ...letter, id: record("dead_letter", letter.id) })),
      );
    }
    for (const unit of units) for (const write of unit.writes) addWrite(script, write);
    try {
      await this.#database.transaction(script.statements, script.bindings);
      return undefined;
    } catch (error) {
      return storeFailure(error, this.#database.place);
    }
  }

  async landed({ row, ...attempt }: Attempt): Promise<boolean> {
    const script = new Script();
    script.add(FENCE, fences([attempt]));
    await this.#database.transaction(script.statements, script.bindings);
    const stored = await this.load(row);
    return stored?.data === row.data;
  }

  async due(
    shards: readonly number[],
    until: number,
    limit: number,
  ): Promise<readonly (ActorKey & { wake_at: number })[]> {
    // Each shard is read as a separate range of the index. In a query over several shards, the database would
    // apply LIMIT before the condition on the shard.
    const found = await this.#database.rows<{ id: readonly [string, string]; wake_at: number }>(
      `RETURN array::flatten($shards.map(|$shard|
         (SELECT id, wake_at FROM actor WHERE shard = $shard AND wake_at > -1 AND wake_at < $until ORDER BY wake_at)))`,
      { shards: [...new Set(shards)], until },
    );
    return found
      .map(({ id: [kind, id], wake_at }) => ({ kind, id, wake_at }))
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
    const from = after ? ">" : "";
    const range =
      kind === undefined
        ? `actor:[$afterKind, $afterId]${from}..`
        : `actor:[$kind, ${after ? "$afterId" : "NONE"}]${from}..=[$kind, ..]`;
    const source = kind === undefined && !after ? "actor" : range;
    const condition =
      state === undefined ? "" : "WHERE state = $state OR string::starts_with(state, $within)";
    const sorting = order === "updated" ? "ORDER BY updated_at DESC" : "";
    const rows = await this.#database.rows<Omit<StoredActor, "data">>(
      `SELECT * OMIT data FROM ${source} ${condition} ${sorting} LIMIT $limit`,
      { kind, state, within: `${state}.`, limit, afterKind: after?.kind, afterId: after?.id },
    );
    return rows.map(actorHead);
  }

  async remove({ kind, id }: ActorKey): Promise<void> {
    await this.#database.rows("DELETE $id RETURN NONE", { id: record("actor", [kind, id]) });
  }

  async deadLetters({
    limit,
    after,
  }: Parameters<ActorStore["deadLetters"]>[0]): Promise<readonly DeadLetterRow[]> {
    const source =
      after === undefined
        ? new Table("dead_letter")
        : new RecordIdRange("dead_letter", new BoundExcluded(after), undefined);
    return await this.#database.rows<DeadLetterRow>("SELECT * FROM $source LIMIT $limit", { source, limit });
  }

  async deadLetter(id: string): Promise<DeadLetterRow | undefined> {
    return await this.#database.row<DeadLetterRow>("SELECT * FROM $id", { id: record("dead_letter", id) });
  }

  async removeDeadLetter(id: string): Promise<boolean> {
    const deleted = await this.#database.rows("DELETE $id RETURN BEFORE", { id: record("dead_letter", id) });
    return deleted.length > 0;
  }
}

/**
 * Returns one row for each pair of shard and fence (owner number) in `units`, with the lowest and the highest commit
 * number of this pair. One row for all commits of a pair is enough, because they are in one transaction.
 */
function fences(
  units: readonly Pick<CommitUnit, "shard" | "fence" | "step">[],
): readonly Readonly<Record<string, unknown>>[] {
  const held = new Map<string, { shard: RecordId; fence: number; first: number; last: number }>();
  for (const { shard, fence, step } of units) {
    const name = `${shard} ${fence}`;
    const known = held.get(name);
    if (!known) held.set(name, { shard: record("shard", shard), fence, first: step, last: step });
    else {
      known.first = Math.min(known.first, step);
      known.last = Math.max(known.last, step);
    }
  }
  return [...held.values()];
}

function actorRow({ data, ...rest }: StoredActor): ActorRow {
  return { ...actorHead(rest), data };
}

function actorHead({
  id: [kind, id],
  shard,
  version,
  wake_at,
  state,
  updated_at,
}: Omit<StoredActor, "data">): ActorHead {
  return { kind, id, shard, version, wake_at, state, updated_at };
}
