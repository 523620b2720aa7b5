/**
 * A worker thread that uses the store only over a channel, for `database-engine-for-threads.test.ts`. It executes the
 * statements that it receives.
 */
import { CairnError } from "../../machines/errors.ts";
import { openServedStore } from "../../store/index.ts";
import { frontierRow, JOB, unit } from "./sample-store-rows.ts";

declare const self: Worker;

const waiting = new Map<number, (answer: Uint8Array) => void>();
let last = 0;

self.onmessage = async ({
  data,
}: MessageEvent<{ id: number; answer: Uint8Array } | { run: string; fence: number }>) => {
  if ("answer" in data) {
    waiting.get(data.id)?.(data.answer);
    waiting.delete(data.id);
    return;
  }
  try {
    self.postMessage({ result: await run(data.run, data.fence) });
  } catch (error) {
    const known = error instanceof CairnError;
    self.postMessage({
      failure: known ? { name: error.name, code: error.code, status: error.status } : { name: String(error) },
    });
  }
};

async function run(what: string, fence: number): Promise<unknown> {
  const store = await openServedStore({
    call: (request) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        self.postMessage({ id: last, request });
      }),
  });
  switch (what) {
    case "write and read": {
      await store.write([
        { op: "put", table: "frontier", rows: [frontierRow("ü", 7, { error: "x".repeat(200_000) })] },
      ]);
      return await store.frontier.next(JOB, { strategy: "BFS", limit: 5, now: 1 });
    }
    case "fenced commit": {
      const [outcome] = await store.actors.commit([unit(1, fence)]);
      if (outcome && !outcome.ok) throw outcome.error;
      return outcome;
    }
    case "broken statement":
      return await store.write([{ op: "put", table: "frontier", rows: [frontierRow("half", 0.5)] }]);
    case "many at once":
      return (await Promise.all(Array.from({ length: 50 }, () => store.frontier.counts(JOB)))).length;
    default:
      return await store.ping();
  }
}
