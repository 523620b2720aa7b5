/** Tests publishing commands to a real nats-server: its refusals, and deduplication by id. */
import { expect, test } from "bun:test";
import type { Delivery } from "../../../../../actors/runtime/drivers/message-bus.ts";
import { NatsBus } from "../../../../../actors/runtime/drivers/nats/message-bus-over-nats.ts";
import { BrokerConnection } from "../../../../../actors/runtime/drivers/nats/nats-connection-of-node.ts";
import { address, shardOf } from "../../../../../actors/runtime/index.ts";
import { NatsServer } from "../../../../support/test-nats-server.ts";
import { errorOf, until } from "../message-bus.contract.ts";

const target = address("counter", "a");
const command = (id: string) => ({ id, to: target, body: { type: "add" } });

test("commands that the NATS user may not publish are refused immediately", async () => {
  const config = `authorization { users = [{ user: u, password: p, permissions: { publish: { deny: "cairn.cmd.>" } } }] }`;
  const closed = await NatsServer.start({ config });
  const url = closed.url.replace("//", "//u:p@");
  const broker = await BrokerConnection.open({ url, name: "test", log: () => {} });
  const bus = await NatsBus.open(broker, { capacity: 100, replicas: 1 });
  const errors = await Promise.all(["1", "2"].map((id) => errorOf(bus.enqueue(command(id)))));
  for (const error of errors)
    expect(error).toMatchObject({ message: expect.stringContaining("permissions") });
  bus.close();
  await broker.close();
  await closed.close();
});

test("commands whose ids do not fit into a NATS header are deduplicated", async () => {
  const server = await NatsServer.start();
  const broker = await BrokerConnection.open({ url: server.url, name: "test", log: () => {} });
  const bus = await NatsBus.open(broker, { capacity: 100, replicas: 1 });
  const taken: string[] = [];
  const take = ({ message }: Delivery) => {
    taken.push(message.id);
  };
  await bus.consume(shardOf(target), 1, { take, replaced: () => {} });
  const ids = ["ä", "two\nlines", "a#b", "x".repeat(300)];
  for (const id of [...ids, ...ids, "last"]) await bus.enqueue(command(id));
  await until(() => taken.includes("last"));
  expect(taken).toEqual([...ids, "last"]);
  bus.close();
  await broker.close();
  await server.close();
});
