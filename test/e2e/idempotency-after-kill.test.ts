/** Tests that idempotency keys and the audit log are still valid after the process was killed. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { freePort } from "./cairn-test-process.ts";
import { ownCairnOfTests } from "./own-test-cairn.ts";

setDefaultTimeout(120_000);
const START = "/api/knowledge/explore/start";

const own = await ownCairnOfTests();
let { cairn } = own;

async function start(key: string, body: unknown) {
  const response = await fetch(cairn.url + START, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key, "x-request-id": `by-${key}` },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as {
    readonly job_id?: string;
    readonly error?: { readonly code: string };
  };
  return { status: response.status, replayed: response.headers.get("idempotency-replayed"), answer };
}

const jobs = async (): Promise<number> => (await cairn.get("/api/knowledge/explore/jobs")).body.jobs.length;

test("a repeated request gets its stored answer after a kill, and the audit log is complete after a stop", async () => {
  // No server listens on this port. The job fails on its only page and ends by itself.
  const site = { start_url: `http://127.0.0.1:${await freePort()}/`, max_pages: 1 };
  const first = await start("once", site);
  expect([first.status, first.replayed]).toEqual([200, null]);
  await cairn.kill();
  cairn = await own.start();
  const again = await start("once", site);
  expect(again).toEqual({ ...first, replayed: "true" });
  expect(await jobs()).toBe(1);
  const other = await start("once", { ...site, max_pages: 2 });
  expect([other.status, other.answer.error?.code]).toEqual([422, "request.key_reused"]);

  const second = await start("twice", { ...site, job_id: "second" });
  expect(second.answer.job_id).toBe("second");
  await cairn.stop();
  cairn = await own.start();
  const { body } = await cairn.get("/api/audit?subject=exploration/second");
  expect(body.entries).toMatchObject([
    { caller: "local", act: "start_knowledge_exploration", outcome: "done", request_id: "by-twice" },
  ]);
});
