/**
 * Tests a connected broker that has lost the state of a shard, or that also carries messages of other
 * programs.
 */
import { afterAll, afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { busLimits } from "../../../../../actors/runtime/actor-runtime-limits.ts";
import { joinCluster } from "../../../../../actors/runtime/drivers/nats/cluster-over-nats.ts";
import { STREAMS, streamOf } from "../../../../../actors/runtime/drivers/nats/command-streams-in-nats.ts";
import { NatsBus } from "../../../../../actors/runtime/drivers/nats/message-bus-over-nats.ts";
import { BrokerConnection } from "../../../../../actors/runtime/drivers/nats/nats-connection-of-node.ts";
import { address, shardOf } from "../../../../../actors/runtime/index.ts";
import { NatsServer } from "../../../../support/test-nats-server.ts";
import { until } from "../message-bus.contract.ts";

// Time limit in milliseconds. It is long, because the loss of a consumer is detected only after several
// missed heartbeats.
const PATIENCE = 60_000;
setDefaultTimeout(PATIENCE);

const target = address("counter", "1");
const command = (id: string) => ({ id, to: target, body: { type: "add" } });

let broker: BrokerConnection;
let bus: NatsBus;
let sender: BrokerConnection;
let senders: NatsBus;
let lost: number;
const server = await NatsServer.start();
afterAll(() => server.close());
beforeEach(async () => {
  [broker, sender] = (await Promise.all(
    ["owner", "sender"].map((name) => BrokerConnection.open({ url: server.url, name, log: () => {} })),
    // The cast is safe: one connection is opened for each of the two names in the list.
  )) as [BrokerConnection, BrokerConnection];
  for (const stream of STREAMS) await broker.manager.streams.delete(stream).catch(() => {});
  bus = await NatsBus.open(broker, { capacity: 100, replicas: 1 });
  senders = await NatsBus.open(sender, { capacity: 100, replicas: 1 });
  lost = 0;
  for (const one of [broker, sender]) {
    one.onLost(() => {
      lost += 1;
    });
  }
});
afterEach(async () => {
  for (const one of [bus, senders]) one.close();
  for (const one of [broker, sender]) await one.close();
});

/**
 * Acquires the shard and sends the first command. Returns a list of the ids of all delivered commands. Each
 * later delivery is added to this list.
 */
async function taken(): Promise<readonly string[]> {
  const given: string[] = [];
  await bus.consume(shardOf(target), 1, {
    take: ({ message, ack }) => {
      given.push(message.id);
      ack();
    },
    replaced: () => given.push("deposed"),
  });
  await senders.enqueue(command("1"));
  await until(() => given.length === 1);
  return given;
}

test("commands are delivered once and in order after the consumer of their shard was deleted at the broker", async () => {
  const given = await taken();
  await sender.manager.consumers.delete(streamOf(shardOf(target)), `shard-${shardOf(target)}-1`);
  for (const id of ["2", "3"]) await senders.enqueue(command(id));
  await until(() => given.length === 3);
  expect(given).toEqual(["1", "2", "3"]);
  expect(lost).toBe(0);
});

test("commands are delivered once and in order after the broker's streams were deleted", async () => {
  const given = await taken();
  for (const stream of STREAMS) await sender.manager.streams.delete(stream);
  for (const id of ["2", "3"]) await senders.enqueue(command(id));
  await until(() => given.length === 3);
  expect(given).toEqual(["1", "2", "3"]);
  expect(lost).toBe(0);
});

test("a shard that receives only heartbeats from the broker keeps its consumer", async () => {
  const stream = streamOf(shardOf(target));
  const given = await taken();
  const madeAt = async () => {
    const { created } = await sender.manager.consumers.info(stream, `shard-${shardOf(target)}-1`);
    return created;
  };
  const before = await madeAt();
  await sleep((busLimits.heartbeatsMissed + 2) * busLimits.heartbeatEvery);
  expect(await madeAt()).toBe(before);
  await senders.enqueue(command("2"));
  await until(() => given.length === 2);
});

test("a node ignores bytes that other programs send on its subjects, and keeps its connection", async () => {
  const given = await taken();
  const warned: string[] = [];
  const node = await joinCluster({
    url: server.url,
    name: "node",
    leaseTtl: 3_000,
    replicas: 1,
    log: (level, message) => void (level === "info" || warned.push(message)),
  });
  let freed = 0;
  node.leases.onFreed(() => {
    freed += 1;
  });
  node.connection.onLost(() => {
    lost += 1;
  });
  node.bus.respond("cairn.query.7", async (asked) => ({ ok: true, body: asked }));
  node.bus.subscribe("_inbox.node", () => {});
  const control = ["consumes", "freed", "members", "answers", "hears", "who"].map(
    (name) => `cairn.control.${name}`,
  );
  for (const subject of [...control, "cairn.query.7", "cairn.topic._inbox.node"]) {
    for (const text of ["", "none", "null", "7", "{}", "[null]", '{"by":1}', '["a"]']) {
      sender.connection.publish(subject, text);
    }
  }
  const members = await sender.jetStream.views.kv("cairn-members");
  for (const [i, text] of ["", "none", "null", "{}", '{"name":"no-4"}'].entries())
    await members.put(`no-${i}`, text);
  const about = { roles: ["compute"] as const, workers: 1, version: "1.0.0", kinds: {}, since: 0 };
  await node.join({ name: "node", ...about });
  await members.put("other", JSON.stringify({ name: "other", ...about }));
  sender.connection.publish("cairn.control.members");
  await until(() => node.members().length === 2);
  expect(node.members().map(({ name }) => name)).toEqual(["node", "other"]);
  await sender.flush();
  expect(await senders.request("cairn.query.7", { a: 1 }, 5_000)).toEqual({ ok: true, body: { a: 1 } });
  await senders.enqueue(command("2"));
  await until(() => given.length === 2);
  expect(given).toEqual(["1", "2"]);
  expect(freed).toBe(0);
  expect(warned).toContain("an unreadable message from NATS was ignored");
  expect(lost).toBe(0);
  await node.close();
});

test.each([
  [60_000, "60 s behind"],
  [-60_000, "60 s ahead of"],
])("a node logs that its clock differs from the broker's by %i ms", async (off, said) => {
  const real = Date.now;
  Date.now = () => real() + off;
  const warned: string[] = [];
  try {
    const node = await joinCluster({
      url: server.url,
      name: "astray",
      leaseTtl: 3_000,
      replicas: 1,
      log: (level, message) => void (level === "info" || warned.push(message)),
    });
    const kinds = {};
    await node.join({ name: "astray", roles: ["compute"], workers: 1, version: "1.0.0", kinds, since: 0 });
    expect(node.broker()?.detail).toContain(`, whose clock is ${said} this machine's`);
    expect(warned.filter((message) => message.startsWith("this machine's clock"))).toHaveLength(1);
    await node.close();
  } finally {
    Date.now = real;
  }
});
