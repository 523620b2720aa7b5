/**
 * Tests a message broker that lacks a required capability. The lack is detected at the start, or reported
 * when the capability is lost later.
 */
import { describe, expect, test } from "bun:test";
import { createServer } from "node:net";
import { NatsBus } from "../../../../../actors/runtime/drivers/nats/message-bus-over-nats.ts";
import { BrokerConnection } from "../../../../../actors/runtime/drivers/nats/nats-connection-of-node.ts";
import { address, shardOf } from "../../../../../actors/runtime/index.ts";
import { NatsServer } from "../../../../support/test-nats-server.ts";
import { errorOf, until } from "../message-bus.contract.ts";

const target = address("counter", "a");

test("a broker without free space refuses commands with the reason, and accepts them once it has space", async () => {
  const full = await NatsServer.start({ room: 1_000_000 });
  const broker = await BrokerConnection.open({ url: full.url, name: "test", log: () => {} });
  const bus = await NatsBus.open(broker, { capacity: 100, replicas: 1, patience: 300 });
  const large = (id: string) => ({ id, to: target, body: { type: "add", text: "x".repeat(250_000) } });
  const refused = async () => {
    for (let n = 1; ; n++) {
      const error = await errorOf(bus.enqueue(large(String(n))));
      if (typeof error !== "string") return error;
    }
  };
  expect(await refused()).toMatchObject({
    code: "bus.unavailable",
    status: 503,
    message: expect.stringContaining("insufficient resources"),
  });
  const taken: string[] = [];
  await bus.consume(shardOf(target), 1, {
    take: ({ message, ack }) => {
      taken.push(message.id);
      ack();
    },
    replaced: () => {},
  });
  while (typeof (await errorOf(bus.enqueue({ id: "last", to: target, body: { type: "add" } }))) !== "string");
  await until(() => taken.includes("last"));
  bus.close();
  await broker.close();
  await full.close();
});

describe("the start of a node is refused, and the error names what the broker lacks:", () => {
  const opening = (url: string) => errorOf(BrokerConnection.open({ url, name: "test", log: () => {} }));

  test("JetStream", async () => {
    const plain = await NatsServer.start({ jetStream: false });
    const error = await opening(plain.url);
    expect(error).toMatchObject({ code: "bus.not_capable", message: expect.stringContaining("JetStream") });
    await plain.close();
  });

  test("permission to use JetStream", async () => {
    const closed = await NatsServer.start({
      config: `authorization { users = [{ user: u, password: p, permissions: { publish: "cairn.>", subscribe: ">" } }] }`,
    });
    const url = closed.url.replace("//", "//u:p@");
    expect(await opening(url)).toMatchObject({
      code: "bus.not_capable",
      message: expect.stringContaining("permission"),
    });
    const wrong = await opening(closed.url.replace("//", "//u:wrong@"));
    expect(wrong).toMatchObject({ code: "bus.unreachable" });
    expect(String(wrong)).not.toContain("wrong");
    await closed.close();
  });

  test("a sufficient message size", async () => {
    const small = await NatsServer.start({ config: "max_payload: 64KB" });
    expect(await opening(small.url)).toMatchObject({
      code: "bus.not_capable",
      message: expect.stringContaining("max_payload is 65536"),
    });
    await small.close();
  });

  test("a sufficient version", async () => {
    const info = {
      server_id: "x",
      version: "2.7.4",
      proto: 1,
      headers: true,
      jetstream: true,
      max_payload: 1_048_576,
    };
    const old = createServer((socket) => {
      socket.write(`INFO ${JSON.stringify(info)}\r\n`);
      socket.on("data", (data) => {
        if (String(data).includes("PING")) socket.write("PONG\r\n");
        const asked = /PUB \$JS.API.INFO (\S+) /.exec(String(data))?.[1];
        const sid = /SUB _INBOX\.\S+ (\d+)/.exec(String(data))?.[1] ?? "1";
        if (asked) socket.write(`MSG ${asked} ${sid} 2\r\n{}\r\n`);
      });
      // The client resets its connection. Without this listener, the error would end the process.
      socket.on("error", () => socket.destroy());
    });
    await new Promise<void>((resolve) => old.listen(0, "127.0.0.1", resolve));
    const bound = old.address();
    const port = typeof bound === "object" && bound ? bound.port : 0;
    expect(await opening(`nats://127.0.0.1:${port}`)).toMatchObject({
      code: "bus.not_capable",
      message: expect.stringContaining("2.7.4"),
    });
    old.close();
  });
});
