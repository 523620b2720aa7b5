import { expect, test } from "bun:test";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "../../store/connection/connect.ts";
import { serveStore } from "../../store/connection/served-engine.ts";
import { openStore } from "../../store/index.ts";

test("a store that is closed under statements lets them end, and refuses later ones", async () => {
  const store = await openStore({ url: "mem://" });
  const asked = Array.from({ length: 200 }, () => store.frontier.counts("nobody"));
  await pause(1);
  await store.close();
  // Freed under a statement, the database would have taken this process with it.
  for (const outcome of await Promise.allSettled(asked)) {
    if (outcome.status === "fulfilled") expect(outcome.value).toMatchObject({ queued: 0 });
    else expect(outcome.reason).toMatchObject({ code: "store.unavailable" });
  }
  await expect(store.frontier.counts("nobody")).rejects.toMatchObject({ code: "store.unavailable" });
});

test("a thread that asks while the database is closed is told that it is away", async () => {
  const connection = await connect({ url: "mem://" });
  const serve = serveStore(connection);
  const closing = connection.client.close();
  const told = new TextDecoder().decode(await serve(new Uint8Array([0xa0])));
  expect(told).toContain("store.unavailable");
  await closing;
});
