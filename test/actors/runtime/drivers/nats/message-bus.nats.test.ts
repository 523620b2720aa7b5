/**
 * Tests the message bus over a real nats-server: it fulfils the contract of every bus, and it survives
 * failures of the broker.
 */
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Port,
  PortBus,
  servePort,
} from "../../../../../actors/runtime/drivers/message-bus-over-thread-port.ts";
import { STREAMS } from "../../../../../actors/runtime/drivers/nats/command-streams-in-nats.ts";
import { NatsBus } from "../../../../../actors/runtime/drivers/nats/message-bus-over-nats.ts";
import { BrokerConnection } from "../../../../../actors/runtime/drivers/nats/nats-connection-of-node.ts";
import { DirectBus } from "../../../../../actors/runtime/drivers/nats/nats-connection-of-worker.ts";
import {
  ActorSystem,
  address,
  type Bus,
  MemoryLeases,
  shardOf,
  systemClock,
} from "../../../../../actors/runtime/index.ts";
import { NatsServer } from "../../../../support/test-nats-server.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { errorOf, holdsTheBusContract, until } from "../message-bus.contract.ts";

const server = await NatsServer.start();
afterAll(() => server.close());

interface Client {
  readonly broker: BrokerConnection;
  readonly bus: NatsBus;
}

async function connect(capacity: number, patience?: number): Promise<Client> {
  const broker = await BrokerConnection.open({ url: server.url, name: "test", log: () => {} });
  const bus = await NatsBus.open(broker, {
    capacity,
    replicas: 1,
    ...(patience === undefined ? {} : { patience }),
  });
  return { broker, bus };
}

async function leave(...clients: readonly Client[]): Promise<void> {
  for (const { bus, broker } of clients) {
    bus.close();
    await broker.close();
  }
}

/** Deletes all queues of the broker. */
async function emptied(): Promise<void> {
  const broker = await BrokerConnection.open({ url: server.url, name: "test", log: () => {} });
  await Promise.all(STREAMS.map((stream) => broker.manager.streams.delete(stream).catch(() => {})));
  await broker.close();
}

/**
 * Waits until the number of queued messages no longer changes, so that the broker has processed all
 * acknowledgements. Without this wait, a new consumer could replace the old one first, and the broker would
 * ignore acknowledgements of the old one.
 */
function acknowledged({ broker }: Client): () => Promise<void> {
  return async () => {
    let before = -1;
    for (let same = 0; same < 3; ) {
      const infos = await Promise.all(STREAMS.map((stream) => broker.manager.streams.info(stream)));
      const messages = infos.reduce((sum, { state }) => sum + state.messages, 0);
      same = messages === before ? same + 1 : 0;
      before = messages;
      await sleep(5);
    }
  };
}

/**
 * Waits until the broker has noticed that no node is subscribed to its consumers. On a busy machine, that may be
 * some time after the last node has closed its connection.
 */
async function withoutSubscribers({ broker }: Client): Promise<void> {
  const isBound = async (stream: string): Promise<boolean> => {
    for await (const info of broker.manager.consumers.list(stream))
      if (info?.push_bound === true) return true;
    return false;
  };
  while ((await Promise.all(STREAMS.map(isBound))).includes(true)) await sleep(5);
}

/** Opens the worker's end of a bus over a real message channel. */
function overPort(bus: Bus): { readonly bus: PortBus; readonly close: () => void } {
  const { port1, port2 } = new MessageChannel();
  const portOf = (channel: MessagePort): Port => ({
    post: (frame) => channel.postMessage(frame),
    listen: (take) => channel.addEventListener("message", (event) => take(event.data)),
  });
  port1.start();
  port2.start();
  const leases = new MemoryLeases(systemClock, 1_000);
  const forget = servePort(portOf(port1), { bus, leases, store: async (bytes) => bytes });
  const close = () => {
    forget();
    port1.close();
  };
  return { bus: new PortBus(portOf(port2)), close };
}

// The fast tier tests the bus only from worker threads with connections of their own, because these tests also cover
// the bus of a node.
if (isFull) {
  holdsTheBusContract("the bus over NATS, from two nodes", async (capacity) => {
    await emptied();
    const [here, there] = [await connect(capacity), await connect(capacity)];
    return {
      here: here.bus,
      there: there.bus,
      close: () => leave(here, there),
      acknowledged: acknowledged(here),
    };
  });

  holdsTheBusContract("the bus over NATS, within one node", async (capacity) => {
    await emptied();
    const here = await connect(capacity);
    return { here: here.bus, there: here.bus, close: () => leave(here), acknowledged: acknowledged(here) };
  });

  holdsTheBusContract("the bus over NATS, from workers of two nodes", async (capacity) => {
    await emptied();
    const nodes = [await connect(capacity), await connect(capacity)] as const;
    const [here, there] = [overPort(nodes[0].bus), overPort(nodes[1].bus)];
    const close = async () => {
      here.close();
      there.close();
      await leave(...nodes);
    };
    return { here: here.bus, there: there.bus, close, acknowledged: acknowledged(nodes[0]) };
  });
}

holdsTheBusContract("the bus over NATS, from workers with connections of their own", async (capacity) => {
  await emptied();
  const nodes = [await connect(capacity), await connect(capacity)] as const;
  const ports = [overPort(nodes[0].bus), overPort(nodes[1].bus)] as const;
  const own = { url: server.url, capacity, replicas: 1, log: () => {} };
  const [here, there] = await Promise.all([
    DirectBus.open(ports[0].bus, { ...own, name: "here" }),
    DirectBus.open(ports[1].bus, { ...own, name: "there" }),
  ]);
  const close = async () => {
    await here.close();
    await there.close();
    for (const port of ports) port.close();
    await leave(...nodes);
  };
  return { here, there, close, acknowledged: acknowledged(nodes[0]) };
});

const target = address("counter", "a");
const shard = shardOf(target);
const command = (id: string) => ({ id, to: target, body: { type: "add" } });

/** Creates a consumer that records all commands that are delivered to it. */
async function consume(bus: Bus, fence: number) {
  const taken: { readonly id: string; readonly ack: () => void }[] = [];
  let deposed = 0;
  await bus.consume(shard, fence, {
    take: ({ message, ack }) => taken.push({ id: message.id, ack }),
    replaced: () => {
      deposed += 1;
    },
  });
  return { taken, ids: () => taken.map(({ id }) => id), deposed: () => deposed };
}

describe("the message bus, after its NATS broker was unavailable,", () => {
  let here: Client;
  let there: Client;
  beforeEach(async () => {
    await emptied();
    here = await connect(100);
    there = await connect(100);
  });
  afterEach(() => leave(here, there));

  const back = () => until(() => here.broker.connected && there.broker.connected);

  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    test(`delivers every command once and in order after the signal ${signal}`, async () => {
      const consumer = await consume(here.bus, 1);
      for (const id of ["1", "2", "3"]) await there.bus.enqueue(command(id));
      await until(() => consumer.taken.length === 3);
      await server.stop(signal);
      await until(() => !here.broker.connected);
      consumer.taken[1]?.ack();
      const waiting = there.bus.enqueue(command("4"));
      await server.start();
      await waiting;
      await there.bus.enqueue(command("5"));
      await until(() => consumer.taken.length === 5);
      expect(consumer.ids()).toEqual(["1", "2", "3", "4", "5"]);
      expect(consumer.deposed()).toBe(0);
      // The acknowledgement of command 2 was lost while the broker was down, so the broker delivers this command
      // again. The bus knows the command and acknowledges it once more. It does not deliver the command to the next
      // consumer.
      await acknowledged(here)();
      const next = await consume(there.bus, 2);
      await until(() => next.taken.length === 4);
      expect(next.ids()).toEqual(["1", "3", "4", "5"]);
      await until(() => consumer.deposed() === 1);
    });
  }

  test("delivers commands that were in progress before commands that were sent later", async () => {
    const consumer = await consume(here.bus, 1);
    server.pause();
    const sent = ["1", "2"].map((id) => there.bus.enqueue(command(id)));
    await server.stop("SIGKILL");
    await until(() => !there.broker.connected);
    sent.push(...["3", "4"].map((id) => there.bus.enqueue(command(id))));
    await server.start();
    await Promise.all(sent);
    await until(() => consumer.taken.length === 4);
    expect(consumer.ids()).toEqual(["1", "2", "3", "4"]);
  });

  test("recreates the streams that the broker has lost, and carries commands as before", async () => {
    const consumer = await consume(here.bus, 1);
    await there.bus.enqueue(command("1"));
    await until(() => consumer.taken.length === 1);
    await server.stop();
    await server.forget();
    await server.start();
    await back();
    for (const id of ["2", "3"]) await there.bus.enqueue(command(id));
    await until(() => consumer.taken.length === 3);
    expect(consumer.ids()).toEqual(["1", "2", "3"]);
    consumer.taken[0]?.ack();
    consumer.taken[1]?.ack();
    await acknowledged(here)();
    const next = await consume(there.bus, 2);
    await until(() => next.taken.length === 1);
    expect(next.ids()).toEqual(["3"]);
  });

  test.if(isFull)("recreates the streams that were removed from the broker", async () => {
    for (const stream of STREAMS) await here.broker.manager.streams.delete(stream);
    await there.bus.enqueue(command("1"));
    const consumer = await consume(here.bus, 1);
    await until(() => consumer.taken.length === 1);
  });

  test("fails running requests, and callers are notified that answers may be lost", async () => {
    there.bus.respond("cairn.query.1", () => new Promise(() => {}));
    let recovered = 0;
    here.bus.onRecovered(() => {
      recovered += 1;
    });
    await there.broker.flush();
    const asked = errorOf(here.bus.request("cairn.query.1", null, 60_000));
    await here.broker.flush();
    await server.stop();
    expect(await asked).toMatchObject({ code: "bus.unavailable", status: 503 });
    expect(recovered).toBe(0);
    await server.start();
    await until(() => recovered === 1);
  });

  test.each(["the asker's node", "a third node"])(
    "fails an unanswered request as soon as %s becomes the responder",
    async (who) => {
      there.bus.respond("cairn.query.2", () => new Promise(() => {}));
      const third = await connect(100);
      await Promise.all([there.broker.flush(), third.broker.flush()]);
      const asked = errorOf(here.bus.request("cairn.query.2", null, 60_000));
      await here.broker.flush();
      const next = who === "a third node" ? third.bus : here.bus;
      next.respond("cairn.query.2", async () => ({ ok: true, body: "next" }));
      expect(await asked).toMatchObject({ code: "bus.unavailable", status: 503 });
      await leave(third);
    },
  );

  test("delivers answers to a node that was disconnected, when it is back", async () => {
    const heard: unknown[] = [];
    there.bus.subscribe("_inbox.asker", (event) => heard.push(event));
    await there.broker.flush();
    await here.broker.connection.reconnect();
    await until(() => !here.broker.connected);
    here.bus.publish("_inbox.asker", { id: "1" });
    await until(() => heard.length === 1);
    expect(heard).toEqual([{ id: "1" }]);
  });

  test("makes callers repeat a command whose answer was lost, and each caller gets one answer", async () => {
    const system = new ActorSystem(there.bus, systemClock, "asker");
    const consumer = await consume(here.bus, 1);
    const asked = system.ask(target, { type: "add" }, { id: "1" });
    await until(() => consumer.taken.length === 1);
    // The broker is restarted after the command was acknowledged, but before the actor's answer has arrived.
    // The answer is lost.
    consumer.taken[0]?.ack();
    await here.broker.flush();
    await server.stop();
    await server.start();
    await until(() => consumer.taken.length === 2);
    // The broker may deliver the command again by itself, before the asker is connected. An answer would then
    // be lost again.
    await back();
    here.bus.publish("_inbox.asker", { id: "1", from: "counter/a", outcome: { ok: true, body: 7 } });
    expect(await asked).toBe(7);
    system.close();
  });

  test.if(isFull)(
    "makes a command wait, and fails it with an error when the sender's time limit has passed",
    async () => {
      const hasty = await connect(100, 200);
      await server.stop();
      expect(await errorOf(hasty.bus.enqueue(command("1")))).toMatchObject({
        code: "bus.unavailable",
        status: 503,
      });
      await server.start();
      await leave(hasty);
      await back();
    },
  );

  test.if(isFull)(
    "delivers commands that were sent while the broker was paused, once and in order",
    async () => {
      const consumer = await consume(here.bus, 1);
      server.pause();
      const sent = ["1", "2", "3"].map((id) => there.bus.enqueue(command(id)));
      await sleep(500);
      server.resume();
      await Promise.all(sent);
      await until(() => consumer.taken.length === 3);
      expect(consumer.ids()).toEqual(["1", "2", "3"]);
    },
  );
});

describe("a command that is too large for the message broker", () => {
  test("is refused with a typed error", async () => {
    await emptied();
    const here = await connect(100);
    const large = { ...command("1"), body: { type: "add", text: "ä".repeat(600_000) } };
    expect(await errorOf(here.bus.enqueue(large))).toMatchObject({
      code: "bus.message_too_large",
      status: 413,
    });
    expect(await errorOf(here.bus.request("cairn.query.9", large, 1_000))).toMatchObject({
      code: "bus.message_too_large",
      status: 413,
    });
    await leave(here);
  });
});

test("the owner of a new store receives commands, although the broker still has the consumer of nodes that have stopped", async () => {
  await emptied();
  const [here, there] = [await connect(100), await connect(100)];
  await consume(here.bus, 12);
  await here.bus.enqueue(command("1"));
  await leave(here);
  await withoutSubscribers(there);
  const consumer = await consume(there.bus, 1);
  await until(() => consumer.taken.length === 1);
  await leave(there);
});
