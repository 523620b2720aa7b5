/**
 * A process that owns a browser, for tests that kill the process. It renders the URL `argv[2]`, prints the
 * kind of the outcome, and then renders `argv[3]`, a page that never finishes. With `worker` as `argv[4]`, a
 * worker thread owns the browser, and the thread ends when a line arrives on standard input.
 */
import { createBrowser } from "../../../actors/browser/index.ts";

const [, , first = "", endless = "", where, folder = ""] = process.argv;
const signal = new AbortController().signal;

async function own(): Promise<void> {
  const job = createBrowser({ folder, userAgent: "Cairn/test", log: () => {} }).openJob();
  const outcome = await job.render(first, { signal });
  void job.render(endless, { signal });
  console.log(outcome.kind);
}

if (where === "worker" && Bun.isMainThread) {
  const worker = new Worker(import.meta.url, { argv: process.argv.slice(2) });
  for await (const _ of console) {
    worker.terminate();
    console.log("terminated");
  }
} else {
  await own();
  setInterval(() => {}, 1_000);
}
