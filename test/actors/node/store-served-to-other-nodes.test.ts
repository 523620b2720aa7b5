/**
 * Tests that only one node at a time serves its store to the other nodes, and that callers wait while no node
 * serves it.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { openNodeStore } from "../../../actors/node/open-node-store.ts";
import {
  type Cluster,
  joinStoreOfOthers,
  StoreServingLease,
  serveStoreToOthers,
} from "../../../actors/node/store-served-to-other-nodes.ts";
import { MemoryByteBus, MemoryLeases, systemClock } from "../../../actors/runtime/index.ts";
import { addressLimits } from "../../../machines/runtime/shared-runtime-limits.ts";
import { actorRow, unit } from "../../store/sample-store-rows.ts";
import { memoryStore, reachable, temporaryFolder } from "../../store/temporary-store.ts";

/** Lifetime of a lease in milliseconds, in tests that wait until a lease expires or is renewed. */
const SHORT_TTL = 300;
/**
 * Lifetime of a lease in tests that wait for no expiry and no renewal. It is long, so that a busy machine does not lose
 * the lease.
 */
const LONG_TTL = 10_000;
const SERVING_LEASE = [addressLimits.shards];

let bytes: MemoryByteBus;
let leases: MemoryLeases;
let leaseTtl: number;
let logged: string[];
let cleanups: (() => unknown)[];

beforeEach(() => {
  bytes = new MemoryByteBus();
  setLifetime(LONG_TTL);
  logged = [];
  cleanups = [];
});
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

function setLifetime(ttl: number): void {
  leaseTtl = ttl;
  leases = new MemoryLeases(systemClock, ttl);
}

function cluster(node: string): Cluster {
  return { node, bytes, leases, leaseTtl, log: (_level, message) => logged.push(message) };
}

async function serving(node: string) {
  const { store, close } = await memoryStore();
  const lease = await StoreServingLease.take(cluster(node));
  const stop = await serveStoreToOthers(store, lease, cluster(node));
  cleanups.push(close, () => lease.close(), stop);
  return { store, lease, stop };
}

async function joined() {
  const others = await joinStoreOfOthers(cluster("other"));
  cleanups.push(() => others.close());
  return others.store;
}

test("a second node that wants to serve a store is refused with advice before it creates a store", async () => {
  await serving("one");
  const folder = await temporaryFolder();
  const second = openNodeStore({ kind: "folder" }, folder, cluster("two"));
  await expect(second).rejects.toMatchObject({
    code: "store.already_served",
    status: 409,
    message: expect.stringContaining("CAIRN_STORE=bus"),
  });
  expect(await Array.fromAsync(new Bun.Glob("**").scan(folder))).toEqual([]);
});

test("a starting node serves a store as soon as the lease of the dead node has expired", async () => {
  setLifetime(SHORT_TTL);
  await leases.take(SERVING_LEASE, "dead-store");
  const { lease } = await serving("one");
  expect(lease.held).toBe("yes");
});

test("a node holds the lease of a store while it runs, and releases the lease when it stops", async () => {
  setLifetime(SHORT_TTL);
  const { lease, stop } = await serving("one");
  await Bun.sleep(2 * SHORT_TTL);
  expect(lease.held).toBe("yes");
  stop();
  await lease.close();
  expect(await leases.take(SERVING_LEASE, "next")).toEqual(SERVING_LEASE);
});

test("a store is unavailable until a node serves it", async () => {
  const store = await joined();
  await expect(store.ping()).rejects.toMatchObject({ code: "store.unavailable", status: 503 });
  const { stop } = await serving("one");
  await reachable(store);
  const fence = (await store.actors.raiseFences([1])).get(1) ?? 0;
  const big = actorRow("big", 1, { data: JSON.stringify("x".repeat(3_000_000)) });
  expect(await store.actors.commit([unit(1, fence, { rows: [big] })])).toEqual([{ ok: true }]);
  expect(await store.actors.load(big)).toEqual(big);
  stop();
  const [outcome] = await store.actors.commit([unit(1, fence)]);
  expect(outcome).toMatchObject({ ok: false, error: { code: "store.unavailable", status: 503 } });
});

test("a shard that moves between two nodes with one store can no longer be written by the old node", async () => {
  const { store: own } = await serving("one");
  const store = await joined();
  const before = (await own.actors.raiseFences([1])).get(1) ?? 0;
  const after = (await store.actors.raiseFences([1])).get(1) ?? 0;
  expect(after).toBe(before + 1);
  const [late] = await own.actors.commit([unit(1, before)]);
  expect(late).toMatchObject({ ok: false, error: { code: "store.fenced" } });
  expect(await store.actors.commit([unit(1, after, { rows: [actorRow("one", 1)] })])).toEqual([{ ok: true }]);
  expect(await own.actors.load(actorRow("one", 1))).toEqual(actorRow("one", 1));
});

test("a client of one store is never connected to another store instead", async () => {
  const first = await serving("one");
  const store = await joined();
  await store.ping();
  first.stop();
  await first.lease.close();
  await serving("two");
  await expect(store.ping()).rejects.toMatchObject({
    code: "store.unavailable",
    message: expect.stringContaining("restart"),
  });
});

test("a paused node that lost its lease stops serving the store, and logs what to do", async () => {
  setLifetime(SHORT_TTL);
  const { lease } = await serving("one");
  const store = await joined();
  await store.ping();
  leases.releaseAll("one-store");
  await leases.take(SERVING_LEASE, "two-store");
  while (lease.held !== "no") await Bun.sleep(10);
  expect(logged).toEqual([expect.stringContaining("restart this one with CAIRN_STORE=bus")]);
  const answer = await Promise.race([store.ping().catch(String), Bun.sleep(50).then(() => "silence")]);
  expect(answer).toBe("silence");
});

test("a backup of a shared store is written over the message bus", async () => {
  const { store: own } = await serving("one");
  await own.actors.raiseFences([1, 2, 3]);
  const store = await joined();
  const folder = await temporaryFolder();
  expect(await store.backup(folder)).toMatchObject({ records: 3 });
});
