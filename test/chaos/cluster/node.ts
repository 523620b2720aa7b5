/**
 * One node of the cluster under chaos, a process of its own: the real runtime over real NATS with the test's kinds.
 *
 * `bun node.ts <settings as JSON>`. Clients reach it over a WebSocket, whose frames it takes in their order.
 * Neighbours: `cluster.ts` starts and strikes it, `client.ts` is at the other end of the socket.
 */
import type { ServerWebSocket } from "bun";
import { Broker } from "../../../actors/runtime/broker.nats.ts";
import { NatsBus } from "../../../actors/runtime/bus.nats.ts";
import {
  ActorSystem,
  type CommandBody,
  type Log,
  parseAddress,
  ShardHost,
  systemClock,
} from "../../../actors/runtime/index.ts";
import { NatsLeases } from "../../../actors/runtime/lease.nats.ts";
import { asCairnError } from "../../../machines/errors.ts";
import { limits } from "../../../machines/limits.ts";
import { definitions } from "./kinds.ts";
import { openStoreAt } from "./store-client.ts";
import { witnessed } from "./witness.ts";

export interface NodeSettings {
  readonly name: string;
  /** Unique for each start. */
  readonly owner: string;
  readonly nats: string;
  readonly store: string;
  readonly world: string;
  readonly leaseTtl: number;
  readonly mailbox: number;
  /** Where it writes what it does to the store. */
  readonly folder: string;
}

/** A client's frame, and what it is answered. */
export interface AskFrame {
  readonly n: number;
  readonly to: string;
  /** A command, or the name of a query. */
  readonly body: CommandBody | string;
  readonly id: string;
  readonly timeout: number;
}
export type AnswerFrame =
  | { readonly n: number; readonly ok: true; readonly body: unknown }
  | { readonly n: number; readonly ok: false; readonly code: string; readonly status: number };

const settings = JSON.parse(process.argv[2] ?? "{}") as NodeSettings; // Written by `cluster.ts`.
const { owner, leaseTtl } = settings;
const log: Log = (level, message, fields) =>
  console.error(`${new Date().toISOString()} ${owner} ${level} ${message} ${JSON.stringify(fields)}`);

const broker = await Broker.open({ url: settings.nats, name: owner, log });
const bus = await NatsBus.open(broker, { capacity: settings.mailbox, replicas: 1 });
const leases = await NatsLeases.open(broker, { ttl: leaseTtl, replicas: 1 });
const store = await openStoreAt(settings.store);
const host = new ShardHost({
  owner,
  bus,
  leases,
  store: witnessed(store.actors, settings.folder, owner),
  clock: systemClock,
  definitions,
  services: { world: settings.world },
  leaseTtl,
  log,
});
await host.start(Array.from({ length: limits.address.shards }, (_, shard) => shard));
const system = new ActorSystem(bus, systemClock, `${owner}-clients`);

function ask(socket: ServerWebSocket<undefined>, { n, to, body, id, timeout }: AskFrame): void {
  const asked =
    typeof body === "string"
      ? system.query(parseAddress(to), body, null, timeout)
      : system.ask(parseAddress(to), body, { id, timeout });
  asked.then(
    (answer) => socket.send(JSON.stringify({ n, ok: true, body: answer ?? null } satisfies AnswerFrame)),
    (thrown) => {
      const { code, status, message } = asCairnError(thrown);
      if (status === 500) log("error", "an ask failed", { to, id, code, message });
      socket.send(JSON.stringify({ n, ok: false, code, status } satisfies AnswerFrame));
    },
  );
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request, self) {
    if (self.upgrade(request, { data: undefined })) return undefined;
    return Response.json({ shards: host.shards, resident: host.resident, rss: process.memoryUsage.rss() });
  },
  websocket: {
    idleTimeout: 0,
    message: (socket, frame) => ask(socket, JSON.parse(String(frame)) as AskFrame),
  },
});

process.on("SIGTERM", () => {
  (async () => {
    await host.drain(limits.worker.grace);
    system.close();
    leases.close();
    bus.close();
    await broker.close();
  })().then(
    () => process.exit(0),
    (error) => {
      log("error", "drain failed", { error: String(error) });
      process.exit(1);
    },
  );
});
console.log(`http://127.0.0.1:${server.port}/`);
