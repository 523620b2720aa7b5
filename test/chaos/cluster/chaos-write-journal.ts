/**
 * Records each write of a node to the store in a file immediately, so that the record survives a `kill -9`.
 * `cluster-invariants-check.ts` reads the journals of all nodes together. Times are milliseconds of the machine's
 * clock, which all processes share.
 */
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ActorStore } from "../../../store/index.ts";

/** A row of the journal: a transaction has written to this actor. */
export interface JournalWrite {
  readonly actor: string;
  readonly shard: number;
  readonly fence: number;
}

export type JournalLine =
  /**
   * A line of the journal, written when the store has given the node a new fence for a shard. A fence is a
   * number that increases with each owner of the shard.
   */
  | { readonly what: "fence"; readonly at: number; readonly shard: number; readonly fence: number }
  /** A line of the journal, written when the node sends a transaction to the store. */
  | {
      readonly what: "try";
      readonly at: number;
      readonly n: number;
      readonly writes: readonly JournalWrite[];
    }
  /**
   * A line of the journal, written when the result of a transaction arrives. It states for each write whether
   * it succeeded. If the line is missing, the result is unknown.
   */
  | { readonly what: "outcome"; readonly at: number; readonly n: number; readonly ok: readonly boolean[] };

export type JournalEntry = JournalLine & { readonly owner: string };

/**
 * Wraps the store of a node. Every new fence, every transaction and its result are recorded in
 * `<folder>/<owner>.jsonl`.
 */
export function withJournal(store: ActorStore, folder: string, owner: string): ActorStore {
  const file = join(folder, `${owner}.jsonl`);
  const record = (line: JournalLine) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  let count = 0;
  const recorded: Pick<ActorStore, "raiseFences" | "commit"> = {
    raiseFences: async (shards) => {
      const fences = await store.raiseFences(shards);
      for (const [shard, fence] of fences) record({ what: "fence", at: Date.now(), shard, fence });
      return fences;
    },
    commit: async (units) => {
      count += 1;
      const n = count;
      const writes = units.flatMap(({ shard, fence, rows }) =>
        rows.map(({ kind, id }) => ({ actor: `${kind}/${id}`, shard, fence })),
      );
      record({ what: "try", at: Date.now(), n, writes });
      const outcomes = await store.commit(units);
      const ok = units.flatMap(({ rows }, i) => rows.map(() => outcomes[i]?.ok === true));
      record({ what: "outcome", at: Date.now(), n, ok });
      return outcomes;
    },
  };
  return new Proxy(store, {
    get: (target, name) => {
      const method: unknown = Reflect.get(name in recorded ? recorded : target, name);
      return typeof method === "function" ? method.bind(target) : method;
    },
  });
}

/** Returns all entries of all nodes in the order of time. */
export function readJournal(folder: string): readonly JournalEntry[] {
  const lines: JournalEntry[] = [];
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".jsonl")) continue;
    const owner = name.slice(0, -".jsonl".length);
    // A killed node may leave an incomplete last line, which is ignored.
    for (const line of readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1)) {
      lines.push({ owner, ...(JSON.parse(line) as JournalLine) });
    }
  }
  return lines.sort((a, b) => a.at - b.at);
}
