/** Tests the bus for byte messages, in one process and over a real broker between two connections. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type ByteBus, MemoryByteBus } from "../../../../actors/runtime/drivers/byte-bus.ts";
import { ByteClient, serveBytes } from "../../../../actors/runtime/drivers/large-requests-over-byte-bus.ts";
import { NatsBytes } from "../../../../actors/runtime/drivers/nats/byte-bus-over-nats.ts";
import { BrokerConnection } from "../../../../actors/runtime/drivers/nats/nats-connection-of-node.ts";
import { NatsServer } from "../../../support/test-nats-server.ts";

interface Ends {
  readonly here: ByteBus;
  readonly there: ByteBus;
  close(): Promise<void>;
}

const SUBJECT = "cairn.bytes";
const nats = await NatsServer.start();
afterAll(() => nats.close());

async function eventually(done: () => Promise<boolean>): Promise<void> {
  while (!(await done())) await sleep(2);
}

async function works(client: ByteClient): Promise<boolean> {
  return await client.call(new Uint8Array([1])).then(
    () => true,
    () => false,
  );
}

async function overNats(): Promise<Ends> {
  const open = () => BrokerConnection.open({ url: nats.url, name: "bytes", log: () => {} });
  const [one, two] = [await open(), await open()];
  const close = async () => {
    await one.close();
    await two.close();
  };
  return { here: new NatsBytes(one), there: new NatsBytes(two), close };
}

async function inOneProcess(): Promise<Ends> {
  const bytes = new MemoryByteBus();
  return { here: bytes, there: bytes, close: async () => {} };
}

for (const [name, open] of Object.entries({ "in one process": inOneProcess, "over NATS": overNats })) {
  describe(`byte messages that are sent ${name}`, () => {
    let ends: Ends;
    beforeEach(async () => {
      ends = await open();
    });
    afterEach(() => ends.close());

    /**
     * Subscribes to a subject at one end of the bus, and waits until the other end knows of the subscription.
     */
    async function listening(subject = SUBJECT): Promise<{ heard: Uint8Array[]; stop: () => void }> {
      const heard: Uint8Array[] = [];
      const stop = ends.there.listen(subject, {
        receive: (bytes) => {
          if (bytes.length > 0) heard.push(bytes);
          else known = true;
        },
      });
      let known = false;
      await eventually(async () => {
        if (!known) ends.here.publish(subject, new Uint8Array());
        return known;
      });
      return { heard, stop };
    }

    test("arrive in order and unchanged", async () => {
      const { heard } = await listening();
      const mine = new Uint8Array([0, 255, 128]);
      for (let n = 0; n < 100; n++) {
        mine[0] = n;
        ends.here.publish(SUBJECT, mine.slice());
      }
      await eventually(async () => heard.length === 100);
      expect(heard.map(([n]) => n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
      expect(heard[7]).toEqual(new Uint8Array([7, 255, 128]));
    });

    test("do not reach a stopped listener, and the sender is notified that no listener is left", async () => {
      const { heard, stop } = await listening();
      stop();
      let unreceived = 0;
      const forget = ends.here.listen("cairn.answers", {
        receive: () => {},
        noReceiver: () => {
          unreceived += 1;
        },
      });
      await eventually(async () => {
        ends.here.publish(SUBJECT, new Uint8Array([1]), "cairn.answers");
        return unreceived > 0;
      });
      forget();
      expect(heard).toEqual([]);
    });

    test("carry requests and answers of any size", async () => {
      await listening();
      const stop = serveBytes(ends.there, "cairn.asked", {
        version: 1,
        realm: 1n,
        mayServe: () => "yes",
        answer: async (request) => request.toReversed(),
      });
      const client = new ByteClient(ends.here, "cairn.asked", 1);
      const big = Uint8Array.from({ length: 3_000_000 }, (_, at) => at % 251);
      await eventually(() => works(client));
      expect(await client.call(big)).toEqual(big.toReversed());
      client.close();
      stop();
    });
  });
}

test("running requests over the byte bus fail immediately when the broker is lost, and new requests succeed when it is back", async () => {
  const { here, there, close } = await overNats();
  let silent = false;
  const stop = serveBytes(there, "cairn.asked", {
    version: 1,
    realm: 1n,
    mayServe: () => "yes",
    answer: async (request) => (silent ? await new Promise<never>(() => {}) : request),
  });
  const client = new ByteClient(here, "cairn.asked", 1);
  await eventually(() => works(client));
  silent = true;
  const underWay = client.call(new Uint8Array([2])).catch((error: unknown) => error);
  await sleep(50);
  await nats.stop("SIGKILL");
  expect(await underWay).toMatchObject({ code: "bytes.away", status: 503 });
  expect(await client.call(new Uint8Array([3])).catch((error: unknown) => error)).toMatchObject({
    status: 503,
  });
  silent = false;
  await nats.start();
  await eventually(() => works(client));
  client.close();
  stop();
  await close();
}, 60_000);
