/** Tests that another thread can use the database through a message channel, with the same results and errors. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type OwnedStore, openServedStore } from "../../../store/index.ts";
import { frontierRow, JOB } from "../sample-store-rows.ts";
import { memoryStore } from "../temporary-store.ts";

let store: OwnedStore;
let worker: Worker;
let settle: (message: unknown) => void = () => {};

beforeAll(async () => {
  store = (await memoryStore()).store;
  worker = new Worker(new URL("../database-engine-test-worker.ts", import.meta.url).href, { type: "module" });
  worker.onmessage = async ({ data }: MessageEvent) => {
    if (!("request" in data)) return settle(data);
    const answer = await store.serve(data.request);
    worker.postMessage({ id: data.id, answer });
  };
});
afterAll(() => worker.terminate());

function inWorker(run: string, fence = 0): Promise<unknown> {
  return new Promise((resolve) => {
    settle = resolve;
    worker.postMessage({ run, fence });
  });
}

test("another thread reads and writes through the message channel as if it had the database", async () => {
  const row = frontierRow("ü", 7, { error: "x".repeat(200_000) });
  expect(await inWorker("write and read")).toEqual({ result: [row] });
  expect((await store.frontier.known(JOB, ["ü"])).get("ü")?.state).toBe("queued");
});

test("a database error keeps its class, code and status in another thread", async () => {
  const fence = (await store.actors.raiseFences([1])).get(1) ?? 0;
  expect(await inWorker("fenced commit", fence)).toEqual({ result: { ok: true } });
  await store.actors.raiseFences([1]);
  expect(await inWorker("fenced commit", fence)).toEqual({
    failure: { name: "Fenced", code: "store.fenced", status: 503 },
  });
  expect(await inWorker("broken statement")).toMatchObject({
    failure: { name: "Defect", code: "store.query_failed", status: 500 },
  });
});

test("concurrent requests from another thread to the database each get their own answer", async () => {
  expect(await inWorker("many at once")).toEqual({ result: 50 });
});

test("a closed database is reported as unavailable to another thread, and a broken channel by its error", async () => {
  const closing = (await memoryStore()).store;
  const served = await openServedStore({ call: (bytes) => closing.serve(bytes) });
  await served.ping();
  await closing.close();
  await expect(served.ping()).rejects.toMatchObject({
    name: "Unavailable",
    code: "store.unavailable",
    status: 503,
  });

  let broken = false;
  const fragile = await openServedStore({
    call: (bytes) => (broken ? Promise.reject(new Error("the worker's port is closed")) : store.serve(bytes)),
  });
  broken = true;
  await expect(fragile.ping()).rejects.toMatchObject({ message: expect.stringContaining("port is closed") });
});
