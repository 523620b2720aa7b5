/**
 * One node of the test cluster as a process (`bun chaos-cluster-node-process.ts <settings as JSON>`): the real runtime with
 * one worker over real NATS. Clients send frames over a WebSocket, and the node processes them in order.
 */
import type { ServerWebSocket } from "bun";
import { Membership } from "../../../actors/node/node-as-cluster-member.ts";
import { joinCluster } from "../../../actors/runtime/drivers/nats/cluster-over-nats.ts";
import {
  ActorSystem,
  type CommandBody,
  type Log,
  parseAddress,
  systemClock,
  WorkerPool,
} from "../../../actors/runtime/index.ts";
import { asCairnError } from "../../../machines/errors.ts";
import { roles } from "../../../machines/runtime/cluster-node-roles.ts";
import { storeAt } from "./calls-to-chaos-store.ts";
import type { ChaosWorkerSettings } from "./chaos-actor-worker-with-journal.ts";

export interface NodeSettings {
  readonly name: string;
  /** Name of the node as owner of shards. It differs after each start. */
  readonly owner: string;
  readonly nats: string;
  readonly store: string;
  readonly actionUrl: string;
  readonly leaseTtl: number;
  /** Folder for the journals of the nodes' writes. */
  readonly folder: string;
}

/** A frame that a client sends to a node. `AnswerFrame` is the node's answer to it. */
export interface AskFrame {
  readonly n: number;
  readonly to: string;
  /** A command for the actor (an object), or the name of a query (a text). */
  readonly body: CommandBody | string;
  readonly id: string;
  readonly timeout: number;
}
export type AnswerFrame =
  | { readonly n: number; readonly ok: true; readonly body: unknown }
  | { readonly n: number; readonly ok: false; readonly code: string; readonly status: number };

// The cast is safe: `chaos-test-cluster.ts` writes these settings.
const settings = JSON.parse(process.argv[2] ?? "{}") as NodeSettings;
const { owner, leaseTtl } = settings;
const log: Log = (level, message, fields) =>
  console.error(`${new Date().toISOString()} ${owner} ${level} ${message} ${JSON.stringify(fields)}`);

const cluster = await joinCluster({ url: settings.nats, name: owner, leaseTtl, replicas: 1, log });
const self = { name: owner, roles, workers: 1, version: "0.0.0", kinds: {}, since: Date.now() };
const membership = new Membership(cluster, self, log);
const pool = new WorkerPool({
  module: new URL("./chaos-actor-worker-with-journal.ts", import.meta.url),
  size: self.workers,
  node: owner,
  bus: cluster.bus,
  leases: cluster.leases,
  direct: cluster.direct,
  wanted: (worker) => membership.wanted(worker),
  store: storeAt(settings.store),
  clock: systemClock,
  leaseTtl,
  settings: { folder: settings.folder, actionUrl: settings.actionUrl } satisfies ChaosWorkerSettings,
  log,
  exhausted: () => process.exit(3),
});
await pool.start();
await membership.join(
  () => pool.reconsider(),
  () => pool.reports(),
);
const system = new ActorSystem(cluster.bus, systemClock, `${owner}-clients`);

function ask(socket: ServerWebSocket<undefined>, { n, to, body, id, timeout }: AskFrame): void {
  const answered =
    typeof body === "string"
      ? system.query(parseAddress(to), body, null, timeout)
      : system.ask(parseAddress(to), body, { id, timeout });
  answered.then(
    (answer) => socket.send(JSON.stringify({ n, ok: true, body: answer ?? null } satisfies AnswerFrame)),
    (thrown) => {
      const { code, status, message } = asCairnError(thrown);
      if (status === 500) log("error", "a command failed", { to, id, code, message });
      socket.send(JSON.stringify({ n, ok: false, code, status } satisfies AnswerFrame));
    },
  );
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request, self) {
    if (self.upgrade(request, { data: undefined })) return undefined;
    const shards = (await pool.reports()).flatMap(({ host }) => [...(host?.shards ?? [])]);
    return Response.json({ shards, rss: process.memoryUsage.rss() });
  },
  websocket: {
    idleTimeout: 0,
    message: (socket, frame) => ask(socket, JSON.parse(String(frame)) as AskFrame),
  },
});

process.on("SIGTERM", () => {
  (async () => {
    await membership.leave();
    await pool.stop();
    system.close();
    await cluster.close();
  })().then(
    () => process.exit(0),
    (error) => {
      log("error", "drain failed", { error: String(error) });
      process.exit(1);
    },
  );
});
console.log(`http://127.0.0.1:${server.port}/`);
