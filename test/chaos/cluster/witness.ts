/**
 * What each node did to the store, written down at once, so that it outlives a `kill -9`.
 *
 * `witnessed` stands between a node's hosts and its store; the judge reads the lines of all nodes together. Times
 * are milliseconds of the machine's clock, which all processes share.
 */
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ActorStore } from "../../../store/index.ts";

/** One write of one actor, as its node saw it. */
export interface Write {
  readonly actor: string;
  readonly shard: number;
  readonly fence: number;
}

export type Line =
  /** A fence that the node was given. */
  | { readonly what: "fence"; readonly at: number; readonly shard: number; readonly fence: number }
  /** A transaction is sent … */
  | { readonly what: "try"; readonly at: number; readonly n: number; readonly writes: readonly Write[] }
  /** … and came to this, write by write. Without it the outcome is not known. */
  | { readonly what: "outcome"; readonly at: number; readonly n: number; readonly ok: readonly boolean[] };

export type WitnessedLine = Line & { readonly owner: string };

/** The store as a host sees it; everything that could change it is told to `<folder>/<owner>.jsonl`. */
export function witnessed(store: ActorStore, folder: string, owner: string): ActorStore {
  const file = join(folder, `${owner}.jsonl`);
  const tell = (line: Line) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  let count = 0;
  const told: Pick<ActorStore, "raiseFences" | "commit"> = {
    raiseFences: async (shards) => {
      const fences = await store.raiseFences(shards);
      for (const [shard, fence] of fences) tell({ what: "fence", at: Date.now(), shard, fence });
      return fences;
    },
    commit: async (units) => {
      count += 1;
      const n = count;
      const writes = units.flatMap(({ shard, fence, rows }) =>
        rows.map(({ kind, id }) => ({ actor: `${kind}/${id}`, shard, fence })),
      );
      tell({ what: "try", at: Date.now(), n, writes });
      const outcomes = await store.commit(units);
      const ok = units.flatMap(({ rows }, i) => rows.map(() => outcomes[i]?.ok === true));
      tell({ what: "outcome", at: Date.now(), n, ok });
      return outcomes;
    },
  };
  return new Proxy(store, {
    get: (target, name) => {
      const method: unknown = Reflect.get(name in told ? told : target, name);
      return typeof method === "function" ? method.bind(target) : method;
    },
  });
}

/** All that was witnessed, in order of time. */
export function testimony(folder: string): readonly WitnessedLine[] {
  const lines: WitnessedLine[] = [];
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".jsonl")) continue;
    const owner = name.slice(0, -".jsonl".length);
    // A line that its node did not finish is the last of its life.
    for (const line of readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1)) {
      lines.push({ owner, ...(JSON.parse(line) as Line) });
    }
  }
  return lines.sort((a, b) => a.at - b.at);
}
