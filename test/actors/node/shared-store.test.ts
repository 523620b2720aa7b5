/** One node's store, served to the others: one at a time, refused when it is another's, waited for when it is away. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { openNodeStore } from "../../../actors/node/node-store.ts";
import {
  type Cluster,
  joinStoreOfOthers,
  StoreServingLease,
  serveStoreToOthers,
} from "../../../actors/node/shared-store.ts";
import { MemoryByteBus, MemoryLeases, systemClock } from "../../../actors/runtime/index.ts";
import { addressLimits } from "../../../machines/runtime/limits.ts";
import { actorRow, unit } from "../../store/sample-rows.ts";
import { memoryStore, reachable, temporaryFolder } from "../../store/temporary-store.ts";

const TTL = 300;
const SEAT = [addressLimits.shards];

let bytes: MemoryByteBus;
let leases: MemoryLeases;
let logged: string[];
let undo: (() => unknown)[];

beforeEach(() => {
  bytes = new MemoryByteBus();
  leases = new MemoryLeases(systemClock, TTL);
  logged = [];
  undo = [];
});
afterEach(async () => {
  for (const step of undo.reverse()) await step();
});

function cluster(node: string): Cluster {
  return { node, bytes, leases, leaseTtl: TTL, log: (_level, message) => logged.push(message) };
}

async function serving(node: string) {
  const { store, close } = await memoryStore();
  const seat = await StoreServingLease.take(cluster(node));
  const stop = await serveStoreToOthers(store, seat, cluster(node));
  undo.push(close, () => seat.close(), stop);
  return { store, seat, stop };
}

async function joined() {
  const others = await joinStoreOfOthers(cluster("other"));
  undo.push(() => others.close());
  return others.store;
}

test("a second node that would serve is refused before it makes a store, naming what to do", async () => {
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

test("the lease of a node that died without a word is waited for", async () => {
  await leases.take(SEAT, "dead-store");
  const { seat } = await serving("one");
  expect(seat.held).toBe("yes");
});

test("a lease is kept for as long as its holder lives, and free at once when it stops", async () => {
  const { seat, stop } = await serving("one");
  await Bun.sleep(2 * TTL);
  expect(seat.held).toBe("yes");
  stop();
  await seat.close();
  expect(await leases.take(SEAT, "next")).toEqual(SEAT);
});

test("without a node that serves the store is away, and with one it is there", async () => {
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

test("two nodes work with one store, and each is fenced by the other", async () => {
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

test("whoever has worked with one store is not given another in its place", async () => {
  const first = await serving("one");
  const store = await joined();
  await store.ping();
  first.stop();
  await first.seat.close();
  await serving("two");
  await expect(store.ping()).rejects.toMatchObject({
    code: "store.unavailable",
    message: expect.stringContaining("restart"),
  });
});

test("a node that stood still while another took its place serves nobody any more, and says so", async () => {
  const { seat } = await serving("one");
  const store = await joined();
  await store.ping();
  leases.releaseAll("one-store");
  await leases.take(SEAT, "two-store");
  while (seat.held !== "no") await Bun.sleep(10);
  expect(logged).toEqual([expect.stringContaining("restart this one with CAIRN_STORE=bus")]);
  const answer = await Promise.race([store.ping().catch(String), Bun.sleep(50).then(() => "silence")]);
  expect(answer).toBe("silence");
});

test("a backup is written over the bus", async () => {
  const { store: own } = await serving("one");
  await own.actors.raiseFences([1, 2, 3]);
  const store = await joined();
  const folder = await temporaryFolder();
  expect(await store.backup(folder)).toMatchObject({ records: 3 });
});
