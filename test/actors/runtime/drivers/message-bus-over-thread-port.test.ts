/**
 * Tests the message bus over message ports: it fulfils the contract of every bus, and it notices the end of a
 * worker.
 */
import { describe, expect, test } from "bun:test";
import {
  type Port,
  PortBus,
  servePort,
} from "../../../../actors/runtime/drivers/message-bus-over-thread-port.ts";
import { address, MemoryBus, MemoryLeases, shardOf, systemClock } from "../../../../actors/runtime/index.ts";
import { errorOf, holdsTheBusContract, until } from "./message-bus.contract.ts";

function portOf(channel: MessagePort): Port {
  return {
    post: (frame) => channel.postMessage(frame),
    listen: (take) => channel.addEventListener("message", (event) => take(event.data)),
  };
}

/** Opens the worker's end of a bus over a real message channel. */
function connect(bus: MemoryBus, leases = new MemoryLeases(systemClock, 1_000)) {
  const channel = new MessageChannel();
  channel.port1.start();
  channel.port2.start();
  const store = async (bytes: Uint8Array) => bytes.map((byte) => byte + 1);
  const forget = servePort(portOf(channel.port1), { bus, leases, store });
  const close = () => {
    forget();
    channel.port1.close();
  };
  return { client: new PortBus(portOf(channel.port2)), forget, close };
}

holdsTheBusContract("the memory bus over two ports", async (capacity) => {
  const bus = new MemoryBus({ mailboxCapacity: () => capacity });
  const [here, there] = [connect(bus), connect(bus)];
  return {
    here: here.client,
    there: there.client,
    close: async () => {
      here.close();
      there.close();
    },
  };
});

holdsTheBusContract("the memory bus from a worker and from its own thread", async (capacity) => {
  const bus = new MemoryBus({ mailboxCapacity: () => capacity });
  const here = connect(bus);
  return { here: here.client, there: bus, close: async () => here.close() };
});

describe("a worker that has ended", () => {
  test("leaves its unacknowledged commands to the next consumer, and requests to it fail", async () => {
    const bus = new MemoryBus();
    const { client, forget, close } = connect(bus);
    const target = address("counter", "a");
    let taken = 0;
    await client.consume(shardOf(target), 1, {
      take: () => {
        taken += 1;
      },
      replaced: () => {},
    });
    client.respond("subject", () => new Promise(() => {}));
    await bus.enqueue({ id: "1", to: target, body: { type: "add" } });
    await until(() => taken === 1);
    const asked = bus.request("subject", null, 5_000);
    forget();
    expect(await asked).toMatchObject({ ok: false });
    expect(await errorOf(bus.request("subject", null, 5_000))).toMatchObject({ code: "bus.no_responder" });
    const again: string[] = [];
    await bus.consume(shardOf(target), 2, {
      take: ({ message }) => again.push(message.id),
      replaced: () => {},
    });
    expect(again).toEqual(["1"]);
    close();
  });
});

test("a worker sends all events of one event-loop turn in order in one message, and only those with a subscriber", async () => {
  const bus = new MemoryBus();
  const channel = new MessageChannel();
  channel.port1.start();
  channel.port2.start();
  servePort(portOf(channel.port1), {
    bus,
    leases: new MemoryLeases(systemClock, 1_000),
    store: async (bytes) => bytes,
  });
  const sent: unknown[] = [];
  const { post, listen } = portOf(channel.port2);
  const client = new PortBus({
    listen,
    post: (frame) => {
      sent.push(frame);
      post(frame);
    },
  });
  const heard: unknown[] = [];
  bus.subscribe("job.*.page", (event) => heard.push(event));
  let interested = false;
  client.onPatterns((patterns) => {
    interested = patterns.includes("job.*.page");
  });
  await until(() => interested);
  for (const page of [1, 2, 3]) {
    client.publish("job.7.page", page);
    client.publish("job.7.link", page);
  }
  const asked = client.request("cairn.nobody", null, 1_000);
  await errorOf(asked);
  expect(heard).toEqual([1, 2, 3]);
  // The client sent a single message over the thread port. The message contains two frames: first the events,
  // and then the request.
  const [only, ...others] = sent as readonly (readonly ["many", readonly (readonly unknown[])[]])[];
  expect(others).toEqual([]);
  expect(only?.[1].map(([operation]) => operation)).toEqual(["publish", "call"]);
  channel.port1.close();
});

test("a worker can use leases and the store over its message port", async () => {
  const { client, close } = connect(new MemoryBus());
  expect(await client.take([1, 2], "me")).toEqual([1, 2]);
  expect(await client.renew([1, 2, 3], "me")).toEqual([1, 2]);
  await client.release([1], "me");
  expect(await client.take([1, 2], "you")).toEqual([1]);
  expect(await client.store(new Uint8Array([1, 2]))).toEqual(new Uint8Array([2, 3]));
  close();
});

test("a message port to a worker passes on errors of the store", async () => {
  const channel = new MessageChannel();
  channel.port1.start();
  channel.port2.start();
  const leases = new MemoryLeases(systemClock, 1_000);
  const store = () => Promise.reject(new RangeError("broken"));
  servePort(portOf(channel.port1), { bus: new MemoryBus(), leases, store });
  const client = new PortBus(portOf(channel.port2));
  expect(await errorOf(client.store(new Uint8Array()))).toMatchObject({
    code: "internal.defect",
    message: "broken",
  });
  channel.port1.close();
});
