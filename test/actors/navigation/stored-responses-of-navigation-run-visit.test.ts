/** Tests what a visit of a navigation run stores, and what the same visit finds after its process was killed. */
import { afterAll, expect, test } from "bun:test";
import { VisitJournal } from "../../../actors/navigation/stored-responses-of-navigation-run-visit.ts";
import { openStore } from "../../../store/index.ts";

const store = await openStore({ url: "mem://" });
afterAll(() => store.close());

const open = (run: string, visit: string, resumed = true, signal = new AbortController().signal) =>
  VisitJournal.open(store.results, run, { visit, resumed, signal });
const never = async (): Promise<never> => {
  throw new Error("This request was sent again.");
};

/** A response whose bytes are not valid UTF-8, and whose markup compresses well. */
const response = {
  kind: "document",
  text: {
    bytes: new Uint8Array([0, 0xff, 0xe9, ...new TextEncoder().encode("<p>ü</p>".repeat(500))]),
    charset: "x",
  },
};

test("a visit of a page that is resumed after a crash finds each stored response, byte for byte", async () => {
  const first = await open("run-a", "https://a.test/1", false);
  await first.once("get 1", async () => response);
  await first.once("get 2", async () => ({ kind: "failed", code: "reading.http_404" }));
  const resumed = await open("run-a", "https://a.test/1");
  expect(await resumed.once<unknown>("get 1", never)).toEqual(response);
  expect(await resumed.once<unknown>("get 2", never)).toEqual({ kind: "failed", code: "reading.http_404" });
  expect(await resumed.once("get 3", async () => "new")).toBe("new");
  const again = await open("run-a", "https://a.test/1");
  expect(await again.once<unknown>("get 3", never)).toBe("new");
});

test("the visit of a page stores each response compressed, before it returns the response", async () => {
  const journal = await open("run-b", "https://a.test/1", false);
  await journal.once("get 1", async () => response);
  const row = await store.results.get("navigation:run-b:0");
  expect(row?.length).toBeGreaterThan(0);
  expect(row?.length).toBeLessThan(response.text.bytes.byteLength / 10);
});

test("the next visit of a navigation run sends its own requests, and replaces the stored responses of the previous visit", async () => {
  const first = await open("run-c", "https://a.test/1", false);
  for (const key of ["1", "2", "3"]) await first.once(key, async () => `first ${key}`);
  const second = await open("run-c", "https://a.test/2", false);
  expect(await second.once("1", async () => "second 1")).toBe("second 1");
  const resumed = await open("run-c", "https://a.test/2");
  expect(await resumed.once<string>("1", never)).toBe("second 1");
  expect(await resumed.once("2", async () => "second 2")).toBe("second 2");
});

test("the visit of a page does not store a request that fails with an error", async () => {
  const journal = await open("run-d", "https://a.test/1", false);
  const aborted = journal.once("get 1", () => Promise.reject(new Error("aborted")));
  await expect(aborted).rejects.toThrow("aborted");
  const resumed = await open("run-d", "https://a.test/1");
  expect(await resumed.once("get 1", async () => "sent")).toBe("sent");
});

test("the visit of a page that moves to another node finishes its running request, and starts no further one", async () => {
  const moved = new AbortController();
  const journal = await open("run-e", "https://a.test/1", false, moved.signal);
  const response = Promise.withResolvers<string>();
  const running = journal.once("get 1", () => response.promise);
  const left = journal.leave();
  const later = journal.once("get 2", never);
  response.resolve("complete");
  await left;
  expect(await running).toBe("complete");
  moved.abort(new Error("moved"));
  await expect(later).rejects.toThrow("moved");
  const resumed = await open("run-e", "https://a.test/1");
  expect(await resumed.once<string>("get 1", never)).toBe("complete");
});
