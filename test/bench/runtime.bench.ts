/**
 * Measures the cost of the actor runtime with real workers on disk: durable commands, asks and queries,
 * activation, memory. Each figure is compared in the same run with its floor, the least possible work: a bare
 * group commit of the store, or a bare message to a thread and back. Runtime and floor are measured in turns,
 * and figures are medians.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { activationLimits } from "../../actors/runtime/actor-runtime-limits.ts";
import {
  ActorSystem,
  type Address,
  address,
  MemoryBus,
  MemoryLeases,
  shardOf,
  systemClock,
  WorkerPool,
} from "../../actors/runtime/index.ts";
import { addressLimits, commitLimits, leaseLimits } from "../../machines/runtime/shared-runtime-limits.ts";
import { type ActorRow, type OwnedStore, openStore } from "../../store/index.ts";
import { type Bench, median, type Report, type Row } from "./support/bench-module-interface.ts";
import { heapBytes } from "./support/measure-heap-size.ts";
import { runtimeOverNats, timed } from "./support/measure-runtime-over-nats.ts";

const ACTORS = 1_000;
const IN_FLIGHT = 1_024;
const ROUND = 3_000;
const ASKS = 500;
const QUERIES = 3_000;
const PASSIVATED = 100_000;
const SECOND = 1_000;

export const bench: Bench = {
  about:
    "durable commands/s, latency, memory of the actors [--rounds 5] [--workers 1] [--passivated 100000] [--only nats]",
  run,
};

interface Node {
  readonly store: OwnedStore;
  readonly system: ActorSystem;
  readonly pool: WorkerPool;
}

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      rounds: { type: "string", default: "5" },
      workers: { type: "string", default: "1" },
      passivated: { type: "string", default: String(PASSIVATED) },
      only: { type: "string", default: "" },
    },
  });
  const rounds = Number(values.rounds);
  const workers = Number(values.workers);
  const folder = await mkdtemp(join(tmpdir(), "cairn-bench-runtime-"));
  const store = await openStore({ url: `rocksdb://${join(folder, "db")}` });
  try {
    const broker = () => runtimeOverNats(store, rounds);
    if (values.only === "nats") return report(await broker(), { rounds, workers });
    const node = await startNode(store, workers);
    const rows = [
      ...(await throughput(node, rounds)),
      ...(await latency(node, rounds)),
      ...(await activation(node, store, workers)),
      ...(await memory(store, workers, Number(values.passivated))),
      ...(await broker()),
    ];
    return report(rows, { rounds, workers });
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function report(rows: readonly Row[], how: { readonly rounds: number; readonly workers: number }): Report {
  const date = new Date().toISOString().slice(0, 10);
  const conditions = { actors: ACTORS, "in flight": IN_FLIGHT, ...how, cores: cpus().length, date };
  return { bench: "runtime", conditions, rows };
}

async function startNode(store: OwnedStore, size: number): Promise<Node> {
  const bus = new MemoryBus();
  const pool = new WorkerPool({
    module: new URL("./support/bench-runtime-worker.ts", import.meta.url),
    size,
    node: "bench",
    bus,
    leases: new MemoryLeases(systemClock, leaseLimits.ttl),
    store: (bytes) => store.serve(bytes),
    clock: systemClock,
    leaseTtl: leaseLimits.ttl,
    settings: {},
    log: (level, message, fields) => console.error(level, message, fields),
    exhausted: () => process.exit(1),
  });
  await pool.start();
  return { store, system: new ActorSystem(bus, systemClock, "bench"), pool };
}

const account = (i: number): Address => address("account", `account-${i}`);
const put = (amount: number) => ({ type: "put", amount });

/**
 * Measures the number of commands per second when many actors receive many commands at once. It is compared
 * with bare commits of the same rows.
 */
async function throughput({ system, store }: Node, rounds: number): Promise<Row[]> {
  const durable: number[] = [];
  const bare: number[] = [];
  // The first second is not measured. During it, the contexts of the actors fill, and the JavaScript engine
  // compiles the code.
  await commandsPerSecond(system, SECOND);
  const rows = await accountRows(store);
  for (let round = 0; round < rounds; round++) {
    durable.push(await commandsPerSecond(system, ROUND));
    bare.push(await bareCommitsPerSecond(store, rows, ROUND));
  }
  const floor: Row = { name: "bare fenced group commit", figure: median(bare), unit: "rows/s", runs: bare };
  const commands = { name: "durable commands", figure: median(durable), unit: "commands/s", runs: durable };
  return [
    floor,
    { ...commands, target: { bound: "at least", value: floor.figure / 2, label: "1/2 of the bare commit" } },
    {
      ...commands,
      name: "durable commands, absolute",
      target: { bound: "at least", value: 2_000, label: "2,000/s" },
    },
  ];
}

async function commandsPerSecond(system: ActorSystem, milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds;
  const started = performance.now();
  let done = 0;
  let next = 0;
  const caller = async () => {
    while (performance.now() < end) {
      next += 1;
      await system.ask(account(next % ACTORS), put(1));
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, caller));
  return (done / (performance.now() - started)) * SECOND;
}

async function accountRows(store: OwnedStore): Promise<readonly ActorRow[]> {
  const accounts = await store.actors.list({ kind: "account", limit: ACTORS });
  const rows = await Promise.all(accounts.map((key) => store.actors.load(key)));
  return rows.flatMap((row) => (row ? [{ ...row, kind: "bare" }] : []));
}

/**
 * Commits the given rows directly to the store, without actors but in groups of the same size. Returns the
 * number of commits per second, for comparison.
 */
async function bareCommitsPerSecond(
  store: OwnedStore,
  rows: readonly ActorRow[],
  milliseconds: number,
): Promise<number> {
  // A commit is accepted only with the newest fence (owner number) of its shard. Raising the fence of a real shard
  // would make the commits of its owner fail. So these commits use shard numbers that no node owns.
  const groups = commitLimits.inFlight;
  const shards = Array.from({ length: addressLimits.shards }, (_, shard) => addressLimits.shards + shard);
  const fences = await store.actors.raiseFences(shards);
  const started = performance.now();
  const end = started + milliseconds;
  let done = 0;
  let step = 0;
  const writer = async (group: number) => {
    const mine = rows.filter((row) => shardOf(row) % groups === group);
    for (let at = 0; performance.now() < end; at += commitLimits.group) {
      const units = Array.from({ length: commitLimits.group }, (_, i) => {
        // The cast is safe: no group is empty, because the rows of 1,000 actors are divided among only a few
        // groups.
        const row = mine[(at + i) % mine.length] as ActorRow;
        const shard = addressLimits.shards + shardOf(row);
        step += 1;
        return {
          shard,
          fence: fences.get(shard) ?? 0,
          step,
          rows: [{ ...row, shard }],
          writes: [],
          deadLetters: [],
        };
      });
      for (const outcome of await store.actors.commit(units)) if (!outcome.ok) throw outcome.error;
      done += units.length;
    }
  };
  await Promise.all(Array.from({ length: groups }, (_, group) => writer(group)));
  return (done / (performance.now() - started)) * SECOND;
}

/** Measures the latency of single requests, one after another, without other load. */
async function latency({ system }: Node, rounds: number): Promise<Row[]> {
  const echo = address("echo", "one");
  const thread = new Worker(new URL("./support/bench-echo-worker.ts", import.meta.url), { type: "module" });
  const post = () =>
    new Promise((resolve) => {
      thread.onmessage = resolve;
      thread.postMessage({ n: 1 });
    });
  await timed(50, post);
  await timed(500, () => system.query(echo, "echo", { n: 1 }));
  const asks: number[] = [];
  const queries: number[] = [];
  const posts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    asks.push(median(await timed(ASKS / rounds, (i) => system.ask(account(i), put(1)))));
    queries.push(median(await timed(QUERIES / rounds, () => system.query(echo, "echo", { n: 1 }))));
    posts.push(median(await timed(QUERIES / rounds, post)));
  }
  thread.terminate();
  const micro = (values: readonly number[]) => values.map((value) => value * 1_000);
  const floor: Row = {
    name: "bare postMessage round trip, p50",
    figure: median(micro(posts)),
    unit: "µs",
    runs: micro(posts),
  };
  return [
    {
      name: "ask with a commit, p50",
      figure: median(asks),
      unit: "ms",
      runs: asks,
      target: { bound: "at most", value: 3, label: "3 ms" },
    },
    floor,
    {
      name: "ask of a kind that commits nothing, p50",
      figure: median(micro(queries)),
      unit: "µs",
      runs: micro(queries),
      target: { bound: "at most", value: floor.figure * 10, label: "10 × the bare round trip" },
    },
  ];
}

/**
 * Measures the time of the first query to each actor on a node that has just started. The query makes the runtime
 * read the actor's row and restore its state machine.
 */
async function activation(before: Node, store: OwnedStore, workers: number): Promise<Row[]> {
  await before.pool.stop();
  const { system, pool } = await startNode(store, workers);
  const first = await timed(ACTORS, (i) => system.query(account(i), "balance"));
  const second = await timed(ACTORS, (i) => system.query(account(i), "balance"));
  await pool.stop();
  return [
    { name: "activation from its snapshot, p50", figure: median(first), unit: "ms" },
    { name: "the same query of an active actor, p50", figure: median(second), unit: "ms" },
  ];
}

/**
 * Measures the heaps of the main thread and of the workers after garbage collection. The first measurement is
 * made while the given number of actors is active, and the second after all were unloaded.
 */
async function memory(store: OwnedStore, workers: number, passivated: number): Promise<Row[]> {
  const { system, pool } = await startNode(store, workers);
  const active = activationLimits.resident / 2;
  const heap = async () => {
    let bytes = heapBytes();
    // To get the heap size of each worker, several actors are queried, as many as there are workers. Several
    // queries to one actor would always reach the same worker.
    const others = new Map<number, number>();
    for (let i = 0; i < workers; i++)
      others.set(i, Number(await system.query(address("echo", `heap-${i}`), "heap")));
    for (const other of others.values()) bytes += other;
    return bytes;
  };
  const touch = async (name: string, count: number) => {
    let next = 0;
    const caller = async () => {
      while (next < count) {
        next += 1;
        await system.ask(address("account", `${name}-${next}`), put(1));
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, caller));
  };
  await touch("warm", 2_000);
  await waitUntilPassivated();
  const empty = await heap();
  const rss = process.memoryUsage.rss();
  await touch("active", active);
  const full = await heap();
  await touch("passivated", passivated);
  await waitUntilPassivated();
  const after = await heap();
  const rssAfter = process.memoryUsage.rss();
  await pool.stop();
  return [
    { name: "memory of an active actor", figure: (full - empty) / active, unit: "bytes" },
    {
      name: `memory of a passivated actor (${passivated})`,
      figure: (after - empty) / passivated,
      unit: "bytes",
      target: { bound: "at most", value: 200, label: "200 bytes" },
    },
    {
      name: "the process with its database, per passivated actor",
      figure: (rssAfter - rss) / passivated,
      unit: "bytes",
    },
  ];
}

/**
 * Waits until idle actors are unloaded. The wait is longer than `ACCOUNT_IDLE` (the idle time after which the
 * worker unloads an actor), because unloading takes time too.
 */
function waitUntilPassivated(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 10_000 + activationLimits.idle / 4);
  });
}
