/**
 * Measures how much more the runtime costs over NATS than bare NATS: queries, commands, and the loss of a
 * node. The caller and the actors are on two nodes, each on its own thread of this process. Sender and
 * receiver of bare NATS also have a thread each.
 */
import { AckPolicy, createInbox, headers, type NatsConnection } from "nats";
import { busLimits } from "../../../actors/runtime/actor-runtime-limits.ts";
import { joinCluster } from "../../../actors/runtime/drivers/nats/cluster-over-nats.ts";
import {
  ActorSystem,
  type Address,
  address,
  systemClock,
  WorkerPool,
} from "../../../actors/runtime/index.ts";
import { addressLimits, leaseLimits } from "../../../machines/runtime/shared-runtime-limits.ts";
import type { OwnedStore } from "../../../store/index.ts";
import { Cairn, dataFolder } from "../../e2e/support/cairn-test-process.ts";
import { NatsServer } from "../../support/test-nats-server.ts";
import type { BareConsumer } from "./bare-nats-consumer.ts";
import { median, type Row } from "./bench-module-interface.ts";

const QUERIES = 3_000;
const ASKS = 1_000;
const ROUND = 2_000;
const IN_FLIGHT = 256;
const ACTORS = 1_000;
const LEASE_TTL = 4_000;
/**
 * Number of requests of each kind before the measurement starts. They give the compiler time to optimise the
 * code.
 */
const WARM = 2_000;

const account = (i: number): Address => address("account", `account-${i}`);
const put = { type: "put", amount: 1 };
const id = crypto.randomUUID();
const micro = (milliseconds: readonly number[]) => milliseconds.map((value) => value * 1_000);
const join = (server: NatsServer, name: string) =>
  joinCluster({
    url: server.url,
    name,
    leaseTtl: leaseLimits.ttl,
    replicas: 1,
    log: (level, message, fields) => {
      if (level !== "info") console.error(level, message, fields);
    },
  });

/**
 * @param store the store on disk for the measurement of durable commands; the other measurements use a store
 * in memory
 */
export async function runtimeOverNats(store: OwnedStore, rounds: number): Promise<readonly Row[]> {
  return [
    ...(await exchanges({ memory: true }, store, rounds)),
    ...(await exchanges({ memory: false }, store, rounds)),
    ...(await measureRecovery()),
  ];
}

async function exchanges(
  settings: { readonly memory: boolean },
  store: OwnedStore,
  rounds: number,
): Promise<readonly Row[]> {
  const server = await NatsServer.start();
  const [near, far] = [await join(server, "near"), await join(server, "far")];
  const pool = new WorkerPool({
    module: new URL("./bench-runtime-worker.ts", import.meta.url),
    size: 1,
    node: "far",
    bus: far.bus,
    leases: far.leases,
    direct: far.direct,
    store: (bytes) => store.serve(bytes),
    clock: systemClock,
    leaseTtl: leaseLimits.ttl,
    settings,
    log: (level, message, fields) => console.error(level, message, fields),
    exhausted: () => process.exit(1),
  });
  await pool.start();
  const system = new ActorSystem(near.bus, systemClock, "caller");
  const bare = await BareExchange.open(near.connection.connection, far.connection.connection, server.url);
  const echo = address("echo", "one");
  const figures = { asked: [] as number[], raw: [] as number[], put: [] as number[], stream: [] as number[] };
  const rates = { put: [] as number[], stream: [] as number[] };
  await timed(WARM, () => bare.request());
  await timed(WARM, () => bare.command());
  await timed(WARM, () => system.query(echo, "echo", { n: 1 }));
  await timed(settings.memory ? WARM : ASKS / rounds, (i) => system.ask(account(i % ACTORS), put));
  for (let round = 0; round < rounds; round++) {
    figures.raw.push(median(await timed(QUERIES / rounds, () => bare.request())));
    figures.asked.push(median(await timed(QUERIES / rounds, () => system.query(echo, "echo", { n: 1 }))));
    figures.stream.push(median(await timed(ASKS / rounds, () => bare.command())));
    figures.put.push(median(await timed(ASKS / rounds, (i) => system.ask(account(i), put))));
    rates.stream.push(await perSecond(() => bare.command()));
    rates.put.push(await perSecond((i) => system.ask(account(i % ACTORS), put)));
  }
  await pool.stop();
  bare.close();
  system.close();
  await near.close();
  await far.close();
  await server.close();
  const raw = median(micro(figures.raw));
  const stream = median(micro(figures.stream));
  const rate = median(rates.stream);
  const commands = { figure: median(micro(figures.put)), unit: "µs", runs: micro(figures.put) };
  const throughput = { figure: median(rates.put), unit: "commands/s", runs: rates.put };
  if (!settings.memory) {
    return [
      { name: "NATS: command of a node to another, store on disk, p50", ...commands },
      { name: "NATS: commands between nodes, store on disk", ...throughput },
    ];
  }
  return [
    { name: "NATS: bare request and reply, p50", figure: raw, unit: "µs", runs: micro(figures.raw) },
    {
      name: "NATS: question to an actor of another node, p50",
      figure: median(micro(figures.asked)),
      unit: "µs",
      runs: micro(figures.asked),
      target: { bound: "at most", value: raw * 3, label: "3 × the bare request" },
    },
    {
      name: "NATS: bare JetStream publish, consume and reply, p50",
      figure: stream,
      unit: "µs",
      runs: micro(figures.stream),
    },
    {
      name: "NATS: command of a node to another, store in memory, p50",
      ...commands,
      target: { bound: "at most", value: stream * 2, label: "2 × the bare exchange" },
    },
    {
      name: "NATS: bare JetStream exchanges",
      figure: rate,
      unit: "exchanges/s",
      runs: rates.stream,
    },
    {
      name: "NATS: commands between nodes, store in memory",
      ...throughput,
      target: { bound: "at least", value: rate / 2, label: "1/2 of the bare exchanges" },
    },
  ];
}

/**
 * Exchanges messages over NATS without Cairn's runtime, for comparison: a stream with the same configuration,
 * one consumer, messages of the same size.
 */
class BareExchange {
  readonly #near: NatsConnection;
  readonly #far: Worker;
  readonly #waiting = new Map<string, () => void>();
  readonly #body = new TextEncoder().encode(
    JSON.stringify({ id, to: account(1), body: put, replyTo: "_inbox.caller", expires: Date.now() }),
  );
  #sent = 0;

  private constructor(near: NatsConnection, far: Worker) {
    this.#near = near;
    this.#far = far;
  }

  static async open(near: NatsConnection, far: NatsConnection, url: string): Promise<BareExchange> {
    const thread = new Worker(new URL("./bare-nats-consumer.ts", import.meta.url), { type: "module" });
    const exchange = new BareExchange(near, thread);
    const manager = await near.jetstreamManager();
    const { config } = await manager.streams.info("CAIRN_COMMANDS_0");
    await manager.streams.add({ ...config, name: "BARE", subjects: ["bare.cmd.>"] });
    const inbox = createInbox();
    far.subscribe("bare.echo", { callback: (_, msg) => msg.respond(msg.data) });
    await far.flush();
    const answer = JSON.stringify({
      id,
      from: "account/account-1",
      outcome: { ok: true, body: { balance: 1 } },
    });
    const ready = new Promise((resolve) => {
      thread.onmessage = resolve;
    });
    thread.postMessage({ url, inbox, answer } satisfies BareConsumer);
    await ready;
    near.subscribe("bare.reply.*", {
      callback: (_, { subject }) => {
        const n = subject.slice("bare.reply.".length);
        exchange.#waiting.get(n)?.();
        exchange.#waiting.delete(n);
      },
    });
    await manager.consumers.add("BARE", {
      durable_name: "bare",
      filter_subject: "bare.cmd.>",
      deliver_subject: inbox,
      ack_policy: AckPolicy.Explicit,
      max_ack_pending: busLimits.unacknowledged,
      mem_storage: true,
    });
    return exchange;
  }

  close(): void {
    this.#far.terminate();
  }

  async request(): Promise<void> {
    await this.#near.request("bare.echo", this.#body, { timeout: 5_000 });
  }

  async command(): Promise<void> {
    this.#sent += 1;
    const n = String(this.#sent);
    const answered = new Promise<void>((resolve) => this.#waiting.set(n, resolve));
    const header = headers();
    header.set("n", n);
    const subject = `bare.cmd.account-${this.#sent % ACTORS}`;
    await this.#near
      .jetstream()
      .publish(subject, this.#body, { headers: header, msgID: `account/${n}#${id}#_inbox.caller#0` });
    await answered;
  }
}

/** Kills one of two Cairn processes, and measures the time until the other process owns every shard. */
async function measureRecovery(): Promise<readonly Row[]> {
  const server = await NatsServer.start();
  const folders = [await dataFolder(), await dataFolder()] as const;
  const env = { NATS_URL: server.url, CAIRN_LEASE_TTL_MS: String(LEASE_TTL), CAIRN_WORKERS: "1" };
  const survivor = await Cairn.start({ data: folders[0].path, env });
  const runs: number[] = [];
  for (let round = 0; round < 3; round++) {
    const victim = await Cairn.start({ data: folders[1].path, env: { ...env, CAIRN_STORE: "bus" } });
    while ((await ownedShards(survivor)) === addressLimits.shards) await Bun.sleep(20);
    await Bun.sleep(LEASE_TTL);
    await victim.kill();
    const killed = performance.now();
    while ((await ownedShards(survivor)) < addressLimits.shards) await Bun.sleep(20);
    runs.push(performance.now() - killed);
  }
  await survivor.stop();
  await server.close();
  for (const folder of folders) await folder.remove();
  return [
    {
      name: `NATS: all shards owned again after a node is killed, lease ${LEASE_TTL} ms`,
      figure: median(runs),
      unit: "ms",
      runs,
      target: { bound: "at most", value: LEASE_TTL + 1_000, label: "lease ttl + 1 s" },
    },
  ];
}

/** Returns the number of shards that the queried node owns. */
async function ownedShards(cairn: Cairn): Promise<number> {
  const { body } = await cairn.get("/api/nodes");
  return (body.nodes as { self: boolean; shards: number }[]).find(({ self }) => self)?.shards ?? 0;
}

async function perSecond(call: (i: number) => Promise<unknown>): Promise<number> {
  const started = performance.now();
  const end = started + ROUND;
  let done = 0;
  let next = 0;
  const caller = async () => {
    while (performance.now() < end) {
      next += 1;
      await call(next);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, caller));
  return (done / (performance.now() - started)) * 1_000;
}

/** Performs calls one after another, and returns the duration of each in milliseconds. */
export async function timed(count: number, call: (i: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const started = performance.now();
    await call(i);
    times.push(performance.now() - started);
  }
  return times;
}
