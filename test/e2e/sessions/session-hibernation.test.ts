/**
 * Tests that browser sessions of a real Cairn hibernate and are restored. They hibernate because of the limit
 * of live sessions, and are also restored after crashes.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { ownCairnOfTests } from "../support/own-test-cairn.ts";
import { processTree } from "../support/process-tree.ts";

setDefaultTimeout(120_000);
/** The limit permits only one live session, so starting a second session hibernates the first. */
const env = { CAIRN_WORKERS: "1", CAIRN_LIVE_SESSIONS: "1" };

const site = siteOfTests({
  "/": html(
    "Shop",
    `<h1>Shop</h1><button id="b">Order</button><form><label>Name <input name="name"></label><button>Send</button></form>
       <script>b.onclick = () => { document.cookie = "cart=7"; localStorage.setItem("cart", "seven"); }</script>`,
  ),
  "/asks": html("Asks", `<button onclick="confirm('Sure?')">Ask</button>`),
  "/cart": (request) => html("Cart", `<p>Cookie ${request.headers.get("cookie") ?? "none"}</p>`),
});

const own = await ownCairnOfTests({ env });
let { cairn } = own;

const start = (room_name: string) =>
  cairn.call("start_browser_session", { room_name, initial_url: site.url("/") });
const close = (room_name: string) => cairn.call("close_browser_session", { room_name });
const act = (room_name: string, action_type: string, params = {}) =>
  cairn.call("execute_action", { room_name, action_type, params });

async function indexOf(room_name: string, text: string): Promise<number> {
  const { body } = await cairn.call("analyze_page", { room_name });
  const lines: string[] = body.data.clickableElementsString.split("\n");
  return Number(/\[(\d+)\]/.exec(lines.find((line) => line.includes(text)) ?? "")?.[1]);
}

async function reaches(room: string, state: string): Promise<void> {
  for (;;) {
    const { body } = await cairn.get(`/api/actors/session/${room}`);
    if (String(body.state).startsWith(`session.${state}`)) return;
    await Bun.sleep(20);
  }
}

test.if(isFull)(
  "starting a session over the limit hibernates the longest idle session, and any call restores that session",
  async () => {
    await start("a");
    const index = await indexOf("a", "Order");
    expect((await act("a", "click", { index })).body.success).toBe(true);
    expect((await start("b")).body).toEqual({ status: "started", room_name: "b" });
    await reaches("a", "hibernated");
    // A request to start the hibernated session only returns the session's name, and does not restore the
    // session.
    expect((await start("a")).body).toEqual({ status: "started", room_name: "a" });

    const looked = await cairn.call("get_browser_context", { room_name: "a" });
    expect(looked.body).toMatchObject({
      url: site.url("/"),
      restored: { from: "hibernation", lost: [] },
    });
    await reaches("b", "hibernated");
    const stale = await act("a", "click", { index });
    expect(stale.body.data).toMatchObject({ code: "element_stale" });
    expect(stale.body.data.candidates[0].line).toContain("Order");

    const opened = await act("b", "navigate", { url: site.url("/cart") });
    expect(opened.body).toMatchObject({ success: true, data: { restored: { from: "hibernation" } } });
    expect((await cairn.call("get_screen_content", { room_name: "b" })).body.dom_summary).toContain(
      "Cookie none",
    );
    await act("a", "navigate", { url: site.url("/cart") });
    expect((await cairn.call("get_screen_content", { room_name: "a" })).body.dom_summary).toContain(
      "Cookie cart=7",
    );
    const key = join(own.data, "key");
    expect((await stat(key)).mode & 0o777).toBe(0o600);
    expect((await readFile(key, "utf8")).length).toBeGreaterThan(40);
    await Promise.all(["a", "b"].map(close));
    expect((await cairn.call("analyze_page", { room_name: "a" })).status).toBe(404);
  },
);

test.if(isFull)(
  "the list of sessions has live and hibernated ones with their address, and leaves closed ones out",
  async () => {
    await start("list a");
    await start("list b");
    await reaches("list a", "hibernated");
    await start("list c");
    await reaches("list b", "hibernated");
    await close("list b");
    const entry = { url: site.url("/"), last_used_at: expect.stringMatching(/^\d{4}-/) };
    const first = await cairn.get("/api/sessions?limit=1");
    expect(first.body).toEqual({
      sessions: [{ room_name: "list a", state: "hibernated", ...entry }],
      next_cursor: "list a",
    });
    const next = await cairn.call("list_sessions", { cursor: "list a" });
    expect(next.body).toEqual({
      sessions: [{ room_name: "list c", state: "live", ...entry }],
      next_cursor: null,
    });
    expect((await cairn.get("/api/actors/session/list%20a")).body.state).toStartWith("session.hibernated");
    expect((await cairn.get("/api/sessions?limit=0")).status).toBe(422);
    await Promise.all(["list a", "list c"].map(close));
  },
);

test.if(isFull)(
  "a new session over the limit waits while a live session has an unsent form, and starts when that session closes",
  async () => {
    await start("c");
    const index = await indexOf("c", "Name");
    expect((await act("c", "type", { index, text: "ann" })).body.success).toBe(true);
    const coming = start("d");
    await reaches("d", "live.starting");
    await Bun.sleep(300);
    expect((await cairn.get("/api/actors/session/d")).body.state).toStartWith("session.live.starting");
    expect((await cairn.get("/api/actors/session/c")).body.state).toStartWith("session.live.ready");
    await close("c");
    expect((await coming).body).toEqual({ status: "started", room_name: "d" });
    await close("d");
  },
);

test.if(isFull)(
  "a session whose browser was killed fails and can be recovered from its saved state",
  async () => {
    await start("e");
    await act("e", "click", { index: await indexOf("e", "Order") });
    // The start of session `f` hibernates session `e`. The next calls restore `e` from the store.
    await start("f");
    await reaches("e", "hibernated");
    await close("f");
    expect((await cairn.call("get_browser_context", { room_name: "e" })).body.restored.from).toBe(
      "hibernation",
    );
    for (const pid of processTree(cairn.pid)) {
      const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
      if (/chrom|headless/.test(name)) process.kill(pid, "SIGKILL");
    }
    await reaches("e", "failed");
    expect((await cairn.call("analyze_page", { room_name: "e" })).body).toMatchObject({
      success: false,
      code: "failed",
    });
    const { body } = await cairn.call("recover_browser_session", { room_name: "e" });
    expect(body).toMatchObject({
      status: "recovered",
      room_name: "e",
      restored: { from: "crash", lost: [] },
    });
    await act("e", "navigate", { url: site.url("/cart") });
    expect((await cairn.call("get_screen_content", { room_name: "e" })).body.dom_summary).toContain(
      "Cookie cart=7",
    );
    expect((await cairn.call("recover_browser_session", { room_name: "e" })).body.status).toBe("recovered");
    await close("e");
    expect((await cairn.call("recover_browser_session", { room_name: "nobody" })).status).toBe(404);
  },
);

test.if(isFull)(
  "after a kill of Cairn, a live session is recovered and a hibernated one is unaffected",
  async () => {
    await start("g");
    await act("g", "click", { index: await indexOf("g", "Order") });
    await start("h");
    await reaches("g", "hibernated");
    await act("h", "navigate", { url: site.url("/cart") });
    await cairn.kill();
    cairn = await own.start();
    await reaches("h", "failed");
    const { body } = await cairn.call("recover_browser_session", { room_name: "h" });
    expect(body).toMatchObject({ status: "recovered" });
    await act("g", "navigate", { url: site.url("/cart") });
    expect((await cairn.call("get_screen_content", { room_name: "g" })).body.dom_summary).toContain(
      "Cookie cart=7",
    );
    await Promise.all(["g", "h"].map(close));
  },
);

test("the sessions of a stopped Cairn are restored with their open pages at the next start", async () => {
  await start("i");
  await act("i", "click", { index: await indexOf("i", "Order") });
  await act("i", "type", { index: await indexOf("i", "Name"), text: "ann" });
  expect(await cairn.stop()).toMatchObject({ code: 0, signal: null });
  cairn = await own.start();
  expect((await cairn.get("/api/actors/session/i")).body.state).toBe("session.hibernated,streaming.on");
  const looked = await cairn.call("analyze_page", { room_name: "i" });
  expect(looked.body.data.restored).toMatchObject({ from: "hibernation", lost: [] });
  expect(looked.body.data.clickableElementsString).toContain("ann");
  await act("i", "navigate", { url: site.url("/cart") });
  expect((await cairn.call("get_screen_content", { room_name: "i" })).body.dom_summary).toContain(
    "Cookie cart=7",
  );
  await close("i");
});

test.if(isFull)(
  "a session whose page shows a dialog is restored after a stop of Cairn, and reports the dialog",
  async () => {
    await start("i");
    await act("i", "click", { index: await indexOf("i", "Order") });
    // In this session a dialog is open. One action is running, and others wait for it.
    await act("i", "navigate", { url: site.url("/asks") });
    await act("i", "click", { index: await indexOf("i", "Ask") });
    expect((await cairn.call("get_browser_context", { room_name: "i" })).status).not.toBe(500);
    await cairn.stop();
    cairn = await own.start();
    const { body } = await act("i", "navigate", { url: site.url("/cart") });
    expect(body).toMatchObject({
      success: true,
      data: { restored: { from: "hibernation", lost: ['the confirm "Sure?", which was dismissed'] } },
    });
    expect((await cairn.call("get_screen_content", { room_name: "i" })).body.dom_summary).toContain(
      "Cookie cart=7",
    );
    await close("i");
  },
);

test.if(isFull)(
  "actions that were accepted before a stop run before the stop or after the next start",
  async () => {
    await start("j");
    const id = crypto.randomUUID();
    const under = act("j", "wait", { seconds: 3 });
    await reaches("j", "live.acting");
    const waits = cairn
      .post("/mcp/tools/call", {
        tool: "execute_action",
        arguments: { id, room_name: "j", action_type: "navigate", params: { url: site.url("/cart") } },
      })
      .catch(String);
    // A stopping Cairn refuses new requests. The test therefore waits until its requests have arrived.
    await Bun.sleep(500);
    const stopped = cairn.stop();
    await Promise.allSettled([under, waits, stopped]);
    cairn = await own.start();
    expect((await cairn.call("get_browser_context", { room_name: "j" })).body.url).toBe(site.url("/cart"));
    await close("j");
  },
);
