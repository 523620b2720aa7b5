import { expect, test } from "bun:test";
import { setTimeout as pause } from "node:timers/promises";
import { serveStore } from "../../../store/connection/database-engine-for-threads.ts";
import { connect } from "../../../store/connection/open-database.ts";
import { openStore } from "../../../store/index.ts";

test("a closed store completes pending statements, and refuses later ones", async () => {
  const store = await openStore({ url: "mem://" });
  const pending = Array.from({ length: 200 }, () => store.frontier.counts("nobody"));
  await pause(1);
  await store.close();
  // Every call must end with an answer or an error. If the database were freed during a statement, the
  // process would have crashed.
  for (const outcome of await Promise.allSettled(pending)) {
    if (outcome.status === "fulfilled") expect(outcome.value).toMatchObject({ queued: 0 });
    else expect(outcome.reason).toMatchObject({ code: "store.unavailable" });
  }
  await expect(store.frontier.counts("nobody")).rejects.toMatchObject({ code: "store.unavailable" });
});

test("a thread that sends a request while the store closes receives `store.unavailable`", async () => {
  const connection = await connect({ url: "mem://" });
  const serve = serveStore(connection);
  const closing = connection.client.close();
  const answer = new TextDecoder().decode(await serve(new Uint8Array([0xa0])));
  expect(answer).toContain("store.unavailable");
  await closing;
});
