/**
 * Tests a broker that has lost the streams of commands. The streams can be created again only one after
 * another.
 */
import { afterAll, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { STREAMS } from "../../../../../actors/runtime/drivers/nats/command-streams-in-nats.ts";
import { NatsBus } from "../../../../../actors/runtime/drivers/nats/message-bus-over-nats.ts";
import { BrokerConnection } from "../../../../../actors/runtime/drivers/nats/nats-connection-of-node.ts";
import { address, shardOf } from "../../../../../actors/runtime/index.ts";
import { NatsServer } from "../../../../support/test-nats-server.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { until } from "../message-bus.contract.ts";

const server = await NatsServer.start();
afterAll(() => server.close());

const target = address("counter", "1");
const command = (id: string) => ({ id, to: target, body: { type: "add" } });

test("a recreated NATS stream delivers its commands, although its sequence numbers start again and other streams are still missing", async () => {
  const broker = await BrokerConnection.open({ url: server.url, name: "test", log: () => {} });
  const bus = await NatsBus.open(broker, { capacity: 100, replicas: 1 });
  const { manager } = broker;
  const taken: string[] = [];
  await bus.consume(shardOf(target), 1, {
    take: ({ message, ack }) => {
      taken.push(message.id);
      ack();
    },
    replaced: () => {},
  });
  for (const id of ["1", "2", "3"]) await bus.enqueue(command(id));
  await until(() => taken.length === 3);
  for (const stream of STREAMS) await manager.streams.delete(stream);
  // This stream claims the subjects of one shard's stream. NATS allows no overlapping subjects. So the
  // shard's stream cannot be created until this stream is deleted.
  const later = (shardOf(target) + 1) % STREAMS.length;
  await manager.streams.add({ name: "OTHER", subjects: [`cairn.cmd.${later}.>`] });
  await server.stop();
  await server.start();
  await until(() => broker.connected);
  const made = (stream: string) => manager.streams.info(stream).catch(() => undefined);
  for (const stream of STREAMS.filter((_, i) => i !== later)) while (!(await made(stream))) await sleep(5);
  await manager.streams.delete("OTHER");
  await bus.enqueue(command("4"));
  await until(() => taken.length === 4);
  expect(taken).toEqual(["1", "2", "3", "4"]);
  bus.close();
  await broker.close();
});

test.if(isFull)(
  "a starting node waits while a foreign stream blocks its own, and finally reports the conflict",
  async () => {
    const broker = await BrokerConnection.open({ url: server.url, name: "test", log: () => {} });
    const { manager } = broker;
    for (const stream of STREAMS) await manager.streams.delete(stream);
    // While the stream `OTHER` exists, the streams of the bus cannot be created. The broker then behaves as if
    // another node were creating these streams.
    await manager.streams.add({ name: "OTHER", subjects: ["cairn.cmd.>"] });
    const opening = NatsBus.open(broker, { capacity: 100, replicas: 1 });
    await sleep(300);
    await manager.streams.delete("OTHER");
    (await opening).close();
    expect((await manager.streams.info(STREAMS[0] ?? "")).config.name).toBe(STREAMS[0] ?? "");

    for (const stream of STREAMS) await manager.streams.delete(stream);
    await manager.streams.add({ name: "OTHER", subjects: ["cairn.cmd.>"] });
    await expect(NatsBus.open(broker, { capacity: 100, replicas: 1 })).rejects.toThrow("subjects overlap");
    await manager.streams.delete("OTHER");
    await broker.close();
  },
);
