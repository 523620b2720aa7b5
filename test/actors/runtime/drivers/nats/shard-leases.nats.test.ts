/**
 * Tests the lease table in a key-value bucket of a real nats-server. It fulfils the contract of every lease
 * table, and survives failures of the broker.
 */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { BrokerConnection } from "../../../../../actors/runtime/drivers/nats/nats-connection-of-node.ts";
import { NatsLeases } from "../../../../../actors/runtime/drivers/nats/shard-leases-in-nats.ts";
import { NatsServer } from "../../../../support/test-nats-server.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { errorOf, until } from "../message-bus.contract.ts";
import { holdsTheLeaseContract } from "../shard-leases.contract.ts";

const TTL = 1_000;
/** Lifetime of leases in milliseconds. It is longer than a restart of the broker takes. */
const LONG = 9_000;
const opened: { readonly broker: BrokerConnection; readonly leases: NatsLeases }[] = [];

const server = await NatsServer.start();
afterEach(async () => {
  for (const { broker, leases } of opened.splice(0)) {
    leases.close();
    await broker.close();
  }
});
afterAll(() => server.close());

async function open(ttl = TTL): Promise<NatsLeases> {
  const broker = await BrokerConnection.open({ url: server.url, name: "test", log: () => {} });
  const leases = await NatsLeases.open(broker, { ttl, replicas: 1 });
  opened.push({ broker, leases });
  return leases;
}

/** Deletes all leases of the broker. */
async function emptied(): Promise<void> {
  const broker = await BrokerConnection.open({ url: server.url, name: "test", log: () => {} });
  await broker.manager.streams.delete("KV_cairn-leases").catch(() => {});
  await broker.close();
}

holdsTheLeaseContract("leases at a broker", async () => {
  await emptied();
  return {
    leases: await open(),
    ttl: TTL,
    now: () => performance.now(),
    pass: (milliseconds) => sleep(milliseconds),
  };
});

describe("leases of two nodes that use one NATS server", () => {
  test("have one owner each, and a released lease is reported as free", async () => {
    await emptied();
    const [here, there] = [await open(), await open()];
    const freed: number[] = [];
    there.onFreed((shards) => freed.push(...shards));
    expect(await here.take([1, 2, 3], "a")).toEqual([1, 2, 3]);
    expect(await there.take([2, 3, 4], "b")).toEqual([4]);
    await here.release([3], "a");
    await until(() => freed.includes(3));
    expect(await there.take([2, 3], "b")).toEqual([3]);
    expect(await here.renew([1, 2, 3], "a")).toEqual([1, 2]);
  });

  test.if(isFull)(
    "are reported as free after they have expired, to a node whose request for them was refused",
    async () => {
      await emptied();
      const [here, there] = [await open(), await open()];
      await here.take([1], "a");
      const free = new Promise<readonly number[]>((resolve) => there.onFreed(resolve));
      expect(await there.take([1], "b")).toEqual([]);
      expect(await free).toEqual([1]);
      while ((await there.take([1], "b")).length === 0) await sleep(20);
      expect(await here.renew([1], "a")).toEqual([]);
    },
  );

  test("can all be released for a dead owner", async () => {
    await emptied();
    const [here, there] = [await open(), await open()];
    await here.take([1, 2], "dead");
    await here.take([3], "alive");
    await here.releaseAll("dead");
    expect(await there.take([1, 2, 3], "b")).toEqual([1, 2]);
  });

  test.if(isFull)("must have the same lifetime", async () => {
    await emptied();
    await (await open()).take([1], "a");
    expect(await errorOf(open(2 * TTL))).toMatchObject({ code: "config.lease_ttl_differs" });
    await sleep(TTL * 1.3);
    const changed = await open(2 * TTL);
    await changed.take([1], "a");
    await sleep(TTL * 1.3);
    expect(await changed.renew([1], "a")).toEqual([1]);
  });
});

describe("leases of a NATS server that was unavailable", () => {
  test.if(isFull)("are still held after its restart, even against other owners", async () => {
    await emptied();
    const leases = await open(LONG);
    await leases.take([1], "a");
    await server.stop();
    expect(await errorOf(leases.renew([1], "a"))).toMatchObject({ code: "bus.unavailable" });
    await server.start();
    await until(() => opened[0]?.broker.connected === true);
    expect(await leases.take([1], "b")).toEqual([]);
  });

  test("are all free when the server has lost its state", async () => {
    await emptied();
    const leases = await open(LONG);
    await leases.take([1], "a");
    await server.stop();
    await server.forget();
    await server.start();
    await until(() => opened[0]?.broker.connected === true);
    const renewed = async () => leases.renew([1], "a").catch(() => undefined);
    let answer = await renewed();
    while (answer === undefined) answer = await renewed();
    expect(answer).toEqual([]);
    expect(await leases.take([1], "b")).toEqual([1]);
  });
});

test.if(isFull)(
  "while the NATS server is unavailable, only a lease owner that no longer requests leases counts as silent",
  async () => {
    await emptied();
    const leases = await open();
    await leases.take([1], "stuck");
    await leases.take([2], "alive");
    const taken = performance.now();
    await server.stop();
    const asking = new AbortController();
    const asked = (async () => {
      while (!asking.signal.aborted) {
        await errorOf(leases.renew([2], "alive"));
        await sleep(TTL / 3);
      }
    })();
    await sleep(TTL);
    expect(leases.isSilentSince("stuck", taken)).toBe(true);
    asking.abort();
    await asked;
    expect(leases.isSilentSince("alive", taken)).toBe(false);
    expect(leases.isSilentSince("alive", performance.now())).toBe(true);
    await server.start();
  },
);
