/**
 * Tests what is kept after a kill of Cairn: every action is in the audit log, no secret is in any file, and idempotency
 * keys are still valid.
 */

import { expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { filesWith } from "../../support/search-files-for-text.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { freePort } from "../support/cairn-test-process.ts";
import { ownCairnOfTests } from "../support/own-test-cairn.ts";

setDefaultTimeout(120_000);
/** Each action types a different text, so that a leaked text shows which action leaked it. */
const TYPED = ["typed-Horse-1", "filled-Battery-2", "slowly-Staple-3", "userinfo-Correct-4"] as const;

let reached: () => void = () => {};

const site = siteOfTests({
  "/": html(
    "Sign in",
    `<form><label>Name <input name=n></label><label>Password <input type=password name=p oninput="document.title=this.value.length"></label></form>`,
  ),
  "/never": () => {
    reached();
    return new Promise<Response>(() => {});
  },
});

const own = await ownCairnOfTests({ env: { CAIRN_WORKERS: "1" } });
let { cairn } = own;

const room_name = "traces";
const act = (action_type: string, params: Readonly<Record<string, unknown>>) =>
  cairn.call("execute_action", { room_name, action_type, params });

async function start(key: string, body: unknown) {
  const response = await fetch(`${cairn.url}/api/knowledge/explore/start`, {
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

// No server listens on this port. The job fails on its only page and ends by itself.
const job = { start_url: `http://127.0.0.1:${await freePort()}/`, max_pages: 1 };
const first = await start("once", job);

test("after a kill of Cairn, the audit log lists finished and interrupted actions, and no file contains typed text", async () => {
  await cairn.call("start_browser_session", { room_name, initial_url: site.url("/") });
  const { body } = await cairn.call("analyze_page", { room_name });
  const index = (name: string) =>
    Number(new RegExp(`\\[(\\d+)\\][^\\n]*${name}`).exec(body.data.clickableElementsString)?.[1]);
  const done = [
    await act("type", { index: index("Password"), text: TYPED[0] }),
    await act("fill_form", { fields: [{ label: "Password", value: TYPED[1] }] }),
    await act("type_slowly", { index: index("Password"), text: TYPED[2], delay_ms: 1 }),
  ];
  expect(done.map(({ body }) => body.success)).toEqual([true, true, true]);
  // When the page receives typed text, it sets its title to the length of the text. So the title shows that the
  // text has arrived.
  const { body: context } = await cairn.call("get_browser_context", { room_name });
  expect(context.title).toBe(String(TYPED[2].length));
  const under_way = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const address = new URL(site.url("/never"));
  Object.assign(address, { username: "ann", password: TYPED[3] });
  const lost = act("navigate", { url: address.href }).catch(() => "lost");
  await under_way;
  await cairn.kill();
  expect(await lost).toBe("lost");
  for (const secret of TYPED) {
    expect([secret, await filesWith(own.data, secret)]).toEqual([secret, []]);
    const { stdout, stderr } = cairn.output;
    expect(stdout + stderr).not.toContain(secret);
  }

  cairn = await own.start();
  const { body: audit } = await cairn.get(`/api/audit?subject=session/${room_name}`);
  const logged = audit.entries.map(({ act, detail, outcome }: Readonly<Record<string, string>>) => [
    act,
    detail?.split(" ")[0],
    outcome,
  ]);
  expect(logged.toReversed()).toEqual([
    ["start_browser_session", site.url("").replace(/\/$/, ""), "done"],
    ["execute_action", "type", "done"],
    ["execute_action", "fill_form", "done"],
    ["execute_action", "type_slowly", "done"],
    ["execute_action", "navigate", "interrupted"],
  ]);
});

test("after a kill of Cairn, a repeated request gets its stored answer, and the audit log is complete after the next stop", async () => {
  expect([first.status, first.replayed]).toEqual([200, null]);
  const again = await start("once", job);
  expect(again).toEqual({ ...first, replayed: "true" });
  expect(await jobs()).toBe(1);
  const other = await start("once", { ...job, max_pages: 2 });
  expect([other.status, other.answer.error?.code]).toEqual([422, "request.key_reused"]);

  const second = await start("twice", { ...job, job_id: "second" });
  expect(second.answer.job_id).toBe("second");
  await cairn.stop();
  cairn = await own.start();
  const { body } = await cairn.get("/api/audit?subject=exploration/second");
  expect(body.entries).toMatchObject([
    { caller: "local", act: "start_knowledge_exploration", outcome: "done", request_id: "by-twice" },
  ]);
});
