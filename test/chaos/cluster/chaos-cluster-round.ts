/**
 * Runs one round of faults: starts a new cluster, sends the load, injects the scheduled faults, and checks
 * all invariants.
 */
import { allShards, parseAddress, shardOf } from "../../../actors/runtime/index.ts";
import { addressLimits } from "../../../machines/runtime/shared-runtime-limits.ts";
import { openServedStore } from "../../../store/index.ts";
import { randomFrom } from "../../support/seeded-random.ts";
import { storeAt } from "./calls-to-chaos-store.ts";
import { type ClientCommand, ClusterClient } from "./chaos-cluster-client.ts";
import { type LoadSize, playLoad } from "./chaos-command-load.ts";
import { describeFault, drawSchedule, injectFault, type ScheduledFault } from "./chaos-fault-schedule.ts";
import { TestCluster } from "./chaos-test-cluster.ts";
import { readJournal } from "./chaos-write-journal.ts";
import { checkInvariants, type Verdict } from "./cluster-invariants-check.ts";

export interface ClusterRoundOptions {
  readonly seed: number;
  readonly size: LoadSize;
  readonly nodes: number;
  readonly clients: number;
  readonly leaseTtl: number;
  /**
   * Maximum number of milliseconds from the last injected fault until every shard answers a command. It is left out
   * on a busy machine, where nodes may renew their leases too late. Every shard then only has to answer in the end.
   */
  readonly recoveryWithin?: number;
}

export interface ClusterRound {
  readonly seed: number;
  readonly schedule: readonly ScheduledFault[];
  /** Time in milliseconds from the end of the last fault until every shard has answered a command. */
  readonly recovery: number;
  readonly seconds: number;
  readonly verdict: Verdict;
  /** For each error code, the number of times that nodes have answered with it. */
  readonly errors: ReadonlyMap<string, number>;
  readonly resent: number;
  /** Folder of the logs and journals. It exists only after a failure. */
  readonly evidence: string | undefined;
}

/**
 * Milliseconds by which each command extends the time limit of a round. Without commands, the limit is
 * `MIN_TIMEOUT`.
 */
const TIMEOUT_PER_COMMAND = 20;
const MIN_TIMEOUT = 120_000;

export async function playClusterRound({
  seed,
  size,
  nodes,
  clients: count,
  leaseTtl,
  recoveryWithin = Number.POSITIVE_INFINITY,
}: ClusterRoundOptions): Promise<ClusterRound> {
  const random = randomFrom(seed);
  const schedule = drawSchedule(random, nodes, leaseTtl);
  const began = performance.now();
  const cluster = await TestCluster.start({ nodes, leaseTtl });
  let keep = true;
  try {
    const clients = Array.from({ length: count }, (_, i) => new ClusterClient(cluster, `c${i + 1}`, i));
    const until = Date.now() + MIN_TIMEOUT + size.commands * TIMEOUT_PER_COMMAND;
    const progress = new Progress(size.commands + size.timers + size.actions);
    const load = playLoad(clients, random, size, until, () => progress.add());
    const faults = (async () => {
      const injections: ReturnType<typeof injectFault>[] = [];
      for (const { at, fault } of schedule) {
        await progress.reached(at);
        injections.push(injectFault(cluster, fault));
      }
      await Promise.all(injections.map(({ injected }) => injected));
      const recovered = await recovery(cluster, until);
      await Promise.all(injections.map(({ recovered }) => recovered));
      return recovered;
    })();
    const [recovered] = await Promise.all([faults, load]);
    const verdict = await checkWhenIdle(cluster, clients, until);
    const faultsFound = [
      ...verdict.faults,
      ...cluster.nodes.flatMap(({ unexpectedExits: deaths }) => deaths),
    ];
    if (recovered > recoveryWithin) {
      faultsFound.push(`some shard answered nothing for ${Math.round(recovered)} ms after the last fault`);
    }
    keep = faultsFound.length > 0;
    const errors = new Map<string, number>();
    for (const client of clients) {
      for (const [code, times] of client.errors) errors.set(code, (errors.get(code) ?? 0) + times);
    }
    return {
      seed,
      schedule,
      recovery: recovered,
      seconds: (performance.now() - began) / 1_000,
      verdict: { ...verdict, faults: faultsFound },
      errors,
      resent: clients.flatMap(({ commands }) => commands).filter(({ attempts }) => attempts > 1).length,
      evidence: keep ? cluster.folder : undefined,
    };
  } catch (error) {
    throw new Error(
      `the round with seed ${seed} (${schedule.map(describeFault).join(", ")}) failed: ${String(error)}; see ${cluster.folder}`,
      { cause: error },
    );
  } finally {
    await cluster.stop({ keep });
  }
}

/** Waits until all actors have processed their messages, and then checks the invariants. */
export async function checkWhenIdle(
  cluster: TestCluster,
  clients: readonly ClusterClient[],
  until: number,
): Promise<Verdict> {
  const { actors: store } = await openServedStore({ call: storeAt(cluster.storeUrl) });
  await waitUntilIdle(store, until);
  for (const client of clients) client.close();
  return await checkInvariants({
    clients,
    store,
    journal: readJournal(cluster.folder),
    actions: cluster.actionServer.counts,
  });
}

/** Counts answered commands, and resolves promises as soon as a given share of all commands is answered. */
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

/**
 * Returns the time in milliseconds that a cluster needs until every shard answers a command. The measurement
 * starts when at least one node runs.
 */
async function recovery(cluster: TestCluster, until: number): Promise<number> {
  while (!cluster.nodes.some(({ up }) => up)) await Bun.sleep(10);
  const began = performance.now();
  const client = new ClusterClient(cluster, "probe", 0);
  const probes: ClientCommand[] = addressInEachShard("tally").map((to) => {
    return { id: `probe/${to}`, to, body: { type: "add" }, position: 1, attempts: 0, answer: undefined };
  });
  await Promise.all(probes.map((probe) => client.recordAndSend(probe, until)));
  client.close();
  return performance.now() - began;
}

/** Returns addresses of actors, one in each shard of their kind. */
function addressInEachShard(kind: string): readonly string[] {
  const [{ shards }] = addressLimits.groups;
  const names = new Map<number, string>();
  for (let i = 0; names.size < shards; i++) {
    const name = `${kind}/probe-${i}`;
    const shard = shardOf(parseAddress(name));
    if (!names.has(shard)) names.set(shard, name);
  }
  return [...names.values()];
}

async function waitUntilIdle(
  store: { due(shards: readonly number[], until: number, limit: number): Promise<readonly unknown[]> },
  until: number,
): Promise<void> {
  while ((await store.due(allShards, Number.MAX_SAFE_INTEGER, 1)).length > 0) {
    if (Date.now() > until) throw new Error("some actor never became idle");
    await Bun.sleep(100);
  }
}
