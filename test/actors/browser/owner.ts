/**
 * An owner of a browser that comes to a bad end: run as a process or as a worker, it renders `argv[2]`, says that it
 * has, goes on rendering `argv[3]`, a page that never ends, and waits to be killed.
 *
 * With `worker` as `argv[4]` the owner is a worker thread, which is terminated when a line comes in.
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
