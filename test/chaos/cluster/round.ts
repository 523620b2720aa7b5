/**
 * One round: a fresh cluster, a load, a schedule of faults, and the judgement of what is left.
 *
 * Neighbours: `main.ts` plays many and prints them, `cluster.test.ts` plays a small one.
 */
import { parseAddress, shardOf } from "../../../actors/runtime/index.ts";
import { addressLimits } from "../../../machines/runtime/limits.ts";
import { openServedStore } from "../../../store/index.ts";
import { randomFrom } from "../random.ts";
import { type Asked, Client } from "./client.ts";
import { Cluster } from "./cluster.ts";
import { judge, type Verdict } from "./judge.ts";
import { type LoadSize, playLoad } from "./load.ts";
import { drawSchedule, inWords, type Strike, strike } from "./schedule.ts";
import { storeAt } from "./store-client.ts";
import { testimony } from "./witness.ts";

export interface RoundOptions {
  readonly seed: number;
  readonly size: LoadSize;
  readonly nodes: number;
  readonly clients: number;
  readonly leaseTtl: number;
}

export interface Round {
  readonly seed: number;
  readonly strikes: readonly Strike[];
  /** Milliseconds from the last fault until every shard did a command again. */
  readonly recovery: number;
  readonly seconds: number;
  readonly verdict: Verdict;
  /** How often asks ended with which typed error. */
  readonly errors: ReadonlyMap<string, number>;
  readonly repeated: number;
  /** Where the processes' logs and notes are, when there were faults. */
  readonly evidence: string | undefined;
}

/** The whole round may take so long, in milliseconds, for each command; and at least this. */
const PATIENCE_EACH = 20;
const PATIENCE = 120_000;

export async function playRound({
  seed,
  size,
  nodes,
  clients: count,
  leaseTtl,
}: RoundOptions): Promise<Round> {
  const random = randomFrom(seed);
  const strikes = drawSchedule(random, nodes, leaseTtl);
  const began = performance.now();
  const cluster = await Cluster.start({ nodes, leaseTtl });
  let keep = true;
  try {
    const clients = Array.from({ length: count }, (_, i) => new Client(cluster, `c${i + 1}`, i));
    const until = Date.now() + PATIENCE + size.commands * PATIENCE_EACH;
    const progress = new Progress(size.commands + size.timers + size.acts);
    const load = playLoad(clients, random, size, until, () => progress.add());
    const faults = (async () => {
      const brought: ReturnType<typeof strike>[] = [];
      for (const { at, fault } of strikes) {
        await progress.reached(at);
        brought.push(strike(cluster, fault));
      }
      await Promise.all(brought.map(({ struck }) => struck));
      const recovered = await recovery(cluster, until);
      await Promise.all(brought.map(({ over }) => over));
      return recovered;
    })();
    const [recovered] = await Promise.all([faults, load]);
    const verdict = await conclude(cluster, clients, until);
    const faultsFound = [...verdict.faults, ...cluster.nodes.flatMap(({ deaths }) => deaths)];
    if (recovered > 2 * leaseTtl) {
      faultsFound.push(`some shard did nothing for ${Math.round(recovered)} ms after the last fault`);
    }
    keep = faultsFound.length > 0;
    const errors = new Map<string, number>();
    for (const client of clients) {
      for (const [code, times] of client.errors) errors.set(code, (errors.get(code) ?? 0) + times);
    }
    return {
      seed,
      strikes,
      recovery: recovered,
      seconds: (performance.now() - began) / 1_000,
      verdict: { ...verdict, faults: faultsFound },
      errors,
      repeated: clients.flatMap(({ asked }) => asked).filter(({ sent }) => sent > 1).length,
      evidence: keep ? cluster.folder : undefined,
    };
  } catch (error) {
    throw new Error(
      `the round with seed ${seed} (${strikes.map(inWords).join(", ")}) broke: ${String(error)}; see ${cluster.folder}`,
      { cause: error },
    );
  } finally {
    await cluster.stop({ keep });
  }
}

/** Waits until no actor has anything left to do by itself, and judges what is left. */
export async function conclude(
  cluster: Cluster,
  clients: readonly Client[],
  until: number,
): Promise<Verdict> {
  const { actors: store } = await openServedStore({ call: storeAt(cluster.storeUrl) });
  await atRest(store, until);
  for (const client of clients) client.close();
  return await judge({ clients, store, testimony: testimony(cluster.folder), acts: cluster.world.counts });
}

/** How much of the load is done. */
class Progress {
  readonly #all: number;
  #done = 0;
  readonly #waiting: { readonly count: number; readonly go: () => void }[] = [];

  constructor(all: number) {
    this.#all = all;
  }

  add(): void {
    this.#done += 1;
    for (const waiting of this.#waiting.splice(0)) {
      if (waiting.count <= this.#done) waiting.go();
      else this.#waiting.push(waiting);
    }
  }

  reached(share: number): Promise<void> {
    return new Promise((resolve) => {
      const count = Math.floor(this.#all * share);
      if (count <= this.#done) resolve();
      else this.#waiting.push({ count, go: resolve });
    });
  }
}

/** Milliseconds until a command was done in every shard; asked for at once, if there is anybody, and insisted on. */
async function recovery(cluster: Cluster, until: number): Promise<number> {
  while (!cluster.nodes.some(({ up }) => up)) await Bun.sleep(10);
  const began = performance.now();
  const client = new Client(cluster, "probe", 0);
  const probes: Asked[] = oneInEachShard("tally").map((to) => {
    return { id: `probe/${to}`, to, body: { type: "add" }, k: 1, sent: 0, answer: undefined };
  });
  await Promise.all(probes.map((probe) => client.insist(probe, until)));
  client.close();
  return performance.now() - began;
}

/** Names of actors, one for each shard in which its kind lives. */
function oneInEachShard(kind: string): readonly string[] {
  const [{ shards }] = addressLimits.groups;
  const names = new Map<number, string>();
  for (let i = 0; names.size < shards; i++) {
    const name = `${kind}/probe-${i}`;
    const shard = shardOf(parseAddress(name));
    if (!names.has(shard)) names.set(shard, name);
  }
  return [...names.values()];
}

async function atRest(
  store: { due(shards: readonly number[], until: number, limit: number): Promise<readonly unknown[]> },
  until: number,
): Promise<void> {
  const shards = Array.from({ length: addressLimits.shards }, (_, shard) => shard);
  while ((await store.due(shards, Number.MAX_SAFE_INTEGER, 1)).length > 0) {
    if (Date.now() > until) throw new Error("some actor has never come to rest");
    await Bun.sleep(100);
  }
}
