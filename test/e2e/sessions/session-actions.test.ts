/** Tests browser sessions of a real Cairn over HTTP, from start to end, and after a crash of the process. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  type SessionEventMessage,
  sessionEventSchema,
} from "../../../machines/session/browser-event-schemas.ts";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { cairnThatFullTierStops } from "../support/own-test-cairn.ts";

setDefaultTimeout(120_000);

let posts = 0;

const site = siteOfTests({
  "/": html(
    "Shop",
    `<h1>Shop</h1><form action="/order" method="post"><label>Name <input name="name"></label>
       <label>Code <input type="password" value="hunter2"></label><button>Order</button></form>`,
  ),
  "/many": html(
    "Many",
    `<select>${Array.from({ length: 3_000 }, (_, at) => `<option>Option number ${at} of very many</option>`).join("")}</select>
       ${Array.from({ length: 300 }, (_, at) => `<button>Button number ${at}</button>`).join("")}`,
  ),
  "/order": async (request) => {
    posts++;
    return html("Thanks", `<p>Ordered by ${new URLSearchParams(await request.text()).get("name")}</p>`);
  },
});

const own = await cairnThatFullTierStops();
let { cairn } = own;

const start = (room_name: string) =>
  cairn.call("start_browser_session", { room_name, initial_url: site.url("/") });

/** Returns the index of the first element whose text line contains the text. */
async function indexOf(room_name: string, text: string, tool = "analyze_page"): Promise<number> {
  const { body } = await cairn.call(tool, { room_name });
  const lines: string[] = body.data.clickableElementsString.split("\n");
  return Number(/\[(\d+)\]/.exec(lines.find((line) => line.includes(text)) ?? "")?.[1]);
}

describe("a browser session over HTTP", () => {
  test("is started, analysed, used and closed", async () => {
    expect(await start("a")).toEqual({ status: 200, body: { status: "started", room_name: "a" } });
    // Starting the session again has no effect, and returns the same result as the first start.
    expect((await start("a")).body).toEqual({ status: "started", room_name: "a" });
    const context = await cairn.call("get_browser_context", { session_id: "a" });
    expect(context.body).toMatchObject({
      url: site.url("/"),
      title: "Shop",
      ready_state: "complete",
      viewport_width: 1_920,
      viewport_height: 1_080,
    });
    const { body: content } = await cairn.call("get_screen_content", { room_name: "a" });
    expect(content).toMatchObject({ title: "Shop", visible_elements_count: 3 });
    expect(content.dom_summary).toContain("# Shop");
    expect(content.dom_summary).not.toContain("hunter2");
    const typed = await cairn.call("execute_action", {
      room_name: "a",
      action_type: "type",
      params: { index: await indexOf("a", "Name"), text: "ann" },
    });
    expect(typed.body).toMatchObject({ success: true, error: null, data: { value: "ann" } });
    const highlightIndex = await indexOf("a", "Order", "WebToolkit_analyzePage");
    const clicked = await cairn.call("WebToolkit_clickElementByIndex", { room_name: "a", highlightIndex });
    expect(clicked.body).toMatchObject({
      success: true,
      data: {
        clicked: true,
        elementFound: true,
        elementInfo: { tagName: "button", textContent: "Order", attributes: {} },
        effect: "navigated",
      },
    });
    expect((await cairn.call("get_screen_content", { room_name: "a" })).body.dom_summary).toContain(
      "Ordered by ann",
    );
    const shot = await cairn.call("screenshot", { room_name: "a", format: "jpeg" });
    expect(Buffer.from(shot.body.data, "base64").subarray(0, 2).toString("hex")).toBe("ffd8");
    expect((await cairn.call("close_browser_session", { room_name: "a" })).body).toEqual({
      status: "closed",
      room_name: "a",
    });
    expect((await cairn.call("analyze_page", { room_name: "a" })).status).toBe(404);
  });

  test("runs an action once although it is sent twice with one id, and runs actions in order", async () => {
    await start("b");
    const before = posts;
    const click = {
      room_name: "b",
      action_type: "click",
      params: { index: await indexOf("b", "Order") },
      id: "order-1",
    };
    const [first, second] = await Promise.all([
      cairn.call("execute_action", click),
      cairn.call("execute_action", click),
    ]);
    expect(first.body).toMatchObject({ success: true });
    expect(second.body).toEqual(first.body);
    expect((await cairn.call("execute_action", click)).body).toEqual(first.body);
    expect(posts).toBe(before + 1);
    const wait = (seconds: number) =>
      cairn.call("execute_action", { room_name: "b", action_type: "wait", params: { seconds } });
    const back = cairn.call("execute_action", { room_name: "b", action_type: "go_back" });
    const all = await Promise.all([back, wait(0.1), wait(0)]);
    for (const { body } of all) expect(body.success).toBe(true);
    await cairn.call("close_browser_session", { room_name: "b" });
  });

  test.if(isFull)("sends its events to subscribers, with consecutive numbers", async () => {
    const socket = new WebSocket(`${cairn.url.replace("http", "ws")}/mcp/events/f`);
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const { promise: greeted, resolve: greet } = Promise.withResolvers<void>();
    const received: SessionEventMessage[] = [];
    socket.onmessage = ({ data }) => {
      const { type, cursor: _, ...event } = JSON.parse(data);
      if (type === "hello") greet();
      if (type === "hello" || type === "heartbeat") return;
      received.push(sessionEventSchema.parse({ type, ...event }));
      if (type === "action_error") resolve();
    };
    await greeted;
    await start("f");
    const act = (action_type: string, params = {}) =>
      cairn.call("execute_action", { room_name: "f", action_type, params });
    await act("type", { index: await indexOf("f", "Name"), text: "ann" });
    await act("click_element", { index: await indexOf("f", "Order") });
    await act("click", { index: 4_711 });
    await done;
    socket.close();
    expect(received.map(({ seq }) => seq)).toEqual(received.map((_, at) => at + 1));
    expect(new Set(received.map(({ event_id }) => event_id)).size).toBe(received.length);
    const types = received.map(({ type }) => type);
    for (const type of ["presentation_started", "page_navigation", "page_load_complete"] as const)
      expect(types).toContain(type);
    const acts = received.filter((event) => event.type.startsWith("action_"));
    expect(acts.map((event) => ("action" in event ? [event.type, event.action.action_type] : []))).toEqual([
      ["action_queued", "type"],
      ["action_processing", "type"],
      ["action_completed", "type"],
      ["action_queued", "click_element"],
      ["action_processing", "click_element"],
      ["action_completed", "click_element"],
      ["action_queued", "click"],
      ["action_processing", "click"],
      ["action_error", "click"],
    ]);
    expect(JSON.stringify(received)).not.toContain("hunter2");
    await cairn.call("close_browser_session", { room_name: "f" });
  });

  test.if(isFull)(
    "returns large results completely, and notifies subscribers of where they are stored",
    async () => {
      const socket = new WebSocket(`${cairn.url.replace("http", "ws")}/mcp/events/g`);
      const ready: { readonly of: string; readonly result_id: string; readonly size: number }[] = [];
      const waiting: (() => void)[] = [];
      const { promise: greeted, resolve: greet } = Promise.withResolvers<void>();
      const completed: { readonly result: { readonly data: object } }[] = [];
      socket.onmessage = ({ data }) => {
        const event = JSON.parse(data);
        if (event.type === "hello") greet();
        if (event.type === "action_completed") completed.push(event);
        if (event.type !== "result_ready") return;
        ready.push(event);
        for (const wake of waiting.splice(0)) wake();
      };
      const readyOf = async (of: string) => {
        for (;;) {
          const found = ready.find((one) => one.of === of);
          if (found) return found;
          await new Promise<void>((resolve) => waiting.push(resolve));
        }
      };
      await greeted;
      await cairn.call("start_browser_session", { room_name: "g", initial_url: site.url("/many") });
      const options = {
        room_name: "g",
        action_type: "dropdown_options",
        params: { index: await indexOf("g", "select") },
        id: "many",
      };
      const { body } = await cairn.call("execute_action", options);
      expect(body.data.options).toHaveLength(3_000);
      const event = await readyOf("dropdown_options");
      expect(event).toMatchObject({ room_name: "g", command_id: "many", size: JSON.stringify(body).length });
      expect(event.result_id).toMatch(/^result:g:\d+$/);
      expect(completed).toMatchObject([
        { result: { data: { truncated: true, result_id: event.result_id } } },
      ]);
      expect((await cairn.get(`/api/results/${event.result_id}`)).body).toEqual(body);
      // A call that is repeated with the same id returns the complete result again.
      expect((await cairn.call("execute_action", options)).body).toEqual(body);
      const analysis = await cairn.call("analyze_page", { room_name: "g" });
      const { result_id } = await readyOf("analyze_page");
      expect((await cairn.call("get_result", { result_id })).body).toEqual(analysis.body);
      expect(await cairn.get("/api/results/result:g:1")).toMatchObject({
        status: 404,
        body: { error: { code: "result.not_found" } },
      });
      socket.close();
      await cairn.call("close_browser_session", { room_name: "g" });
    },
  );

  test.if(isFull)(
    "can be recorded without secrets, and a replay finds every recorded element on the pages",
    async () => {
      await start("h");
      const act = (action_type: string, params = {}, more = {}) =>
        cairn.call("execute_action", { room_name: "h", action_type, params, ...more });
      const { body: begun } = await cairn.call("start_recording", { room_name: "h", name: "order" });
      expect((await cairn.call("start_recording", { room_name: "h" })).body).toEqual(begun);
      await act("type", { index: await indexOf("h", "Name"), text: "ann" });
      await act("type", { index: await indexOf("h", "Code"), text: "opensesame" });
      await act("click", { index: await indexOf("h", "Order") });
      expect((await cairn.call("stop_recording", { room_name: "h" })).body).toMatchObject({
        status: "stopped",
      });
      await act("go_back");
      const { recording_id } = begun;
      const { body: recording } = await cairn.get(`/api/recordings/${recording_id}`);
      expect(recording).toMatchObject({ name: "order", room_name: "h" });
      expect(recording.ended_at).not.toBeNull();
      expect(recording.steps.map((step: { action: string }) => step.action)).toEqual([
        "input",
        "input",
        "click",
      ]);
      expect(JSON.stringify(recording)).not.toContain("opensesame");
      expect((await cairn.get("/api/recordings")).body.recordings).toMatchObject([{ recording_id }]);
      const before = posts;
      await start("i");
      const replay = (args = {}) => cairn.call("replay_recording", { room_name: "i", recording_id, ...args });
      expect((await replay()).body).toMatchObject({
        success: false,
        data: { code: "value_needed", next: 1, needs: ["1.text"], done: [{ step: 0, action: "input" }] },
      });
      const rest = await replay({ from: 1, values: { "1.text": "opensesame" } });
      expect(rest.body).toMatchObject({ success: true, data: { steps: 3, next: 3 } });
      expect(posts).toBe(before + 1);
      expect((await cairn.call("get_screen_content", { room_name: "i" })).body.dom_summary).toContain(
        "Ordered by ann",
      );
      // The session shows another page than at the start of the recording. So the replay stops before its
      // first action.
      const lost = await replay({ from: 2 });
      expect(lost.body).toMatchObject({ success: false, data: { code: "element_stale", next: 2, done: [] } });
      expect(posts).toBe(before + 1);
      const gone = await fetch(`${cairn.url}/api/recordings/${recording_id}`, { method: "DELETE" });
      expect(gone.status).toBe(200);
      expect((await cairn.get(`/api/recordings/${recording_id}`)).status).toBe(404);
      // By default, an outdated index of an element is refused. With `retry`, Cairn replaces it by the
      // element's current index.
      const index = await indexOf("h", "Name");
      await act("refresh");
      expect((await act("type", { index, text: "eve" })).body.data).toMatchObject({ code: "element_stale" });
      expect((await act("type", { index, text: "eve" }, { retry: true })).body).toMatchObject({
        success: true,
        data: { value: "eve", rebound: { index: { by: "score" } } },
      });
      for (const room_name of ["h", "i"]) await cairn.call("close_browser_session", { room_name });
    },
  );

  test.if(isFull)("shares no cookies and storage with another session", async () => {
    await Promise.all([start("c"), start("d")]);
    const act = (room_name: string, action_type: string, params = {}) =>
      cairn.call("execute_action", { room_name, action_type, params });
    await act("c", "type", { index: await indexOf("c", "Name"), text: "carl" });
    const { body } = await cairn.call("analyze_page", { room_name: "d" });
    expect(JSON.stringify(body)).not.toContain("carl");
    await Promise.all(["c", "d"].map((room_name) => cairn.call("close_browser_session", { room_name })));
  });

  test.if(isFull)("returns the stored outcome for a repeated command id long after the action", async () => {
    await start("late");
    const index = await indexOf("late", "Order");
    const click = { room_name: "late", action_type: "click", params: { index }, id: "order-late" };
    const before = posts;
    const { body: first } = await cairn.call("execute_action", click);
    expect(first).toMatchObject({ success: true, data: { clicked: true } });
    // After these 140 actions, the memory of the actor no longer contains the outcome of the first one.
    const wait = { room_name: "late", action_type: "wait", params: { seconds: 0 } };
    for (let round = 0; round < 14; round++) {
      const others = await Promise.all(Array.from({ length: 10 }, () => cairn.call("execute_action", wait)));
      for (const { status } of others) expect(status).toBe(200);
    }
    expect((await cairn.call("execute_action", click)).body).toEqual(first);
    expect(posts - before).toBe(1);
    await cairn.call("close_browser_session", { room_name: "late" });
  });
});

describe("an invalid request to a browser session", () => {
  test("returns 404 for a session that was never started", async () => {
    const room_name = "nobody";
    for (const [tool, more] of [
      ["analyze_page", {}],
      ["execute_action", { action_type: "refresh" }],
      ["click_element_by_index", { index: 1 }],
      ["get_browser_context", {}],
      ["close_browser_session", {}],
    ] as const) {
      const answer = await cairn.call(tool, { room_name, ...more });
      expect([tool, answer.status, answer.body.error.code]).toEqual([tool, 404, "session.not_found"]);
    }
  });

  test("returns 422 for invalid arguments", async () => {
    expect((await cairn.call("start_browser_session", {})).status).toBe(422);
    expect((await cairn.call("analyze_page", { room_name: "x", max_tokens: 1 })).status).toBe(422);
    const act = { room_name: "x", action_type: "dance" };
    expect((await cairn.call("execute_action", act)).body.error.code).toBe("request.invalid");
    const bad = await cairn.call("execute_action", { ...act, action_type: "click", params: { index: "a" } });
    expect(bad.body.error.details).toMatchObject({ code: "invalid_params" });
  });

  test("is refused for a forbidden address, at the start and in an action", async () => {
    const metadata = "http://169.254.169.254/latest";
    const refused = await cairn.call("start_browser_session", { room_name: "e", initial_url: metadata });
    expect(refused.body.error?.code).toBe("egress.refused");
    await start("e");
    const act = await cairn.call("execute_action", {
      room_name: "e",
      action_type: "navigate",
      params: { url: metadata },
    });
    expect(act.body).toMatchObject({ success: false, data: { code: "navigation_blocked" } });
    const stale = await cairn.call("click_element_by_index", { room_name: "e", highlightIndex: 7_777 });
    expect(stale).toMatchObject({ status: 200, body: { success: false, data: { clicked: false } } });
    await cairn.call("close_browser_session", { room_name: "e" });
  });
});

test.if(isFull)(
  "after a kill of Cairn, its session is reported as failed, its action as interrupted, and the session can be restarted",
  async () => {
    await start("f");
    const waiting = cairn
      .call("execute_action", {
        room_name: "f",
        action_type: "wait",
        params: { seconds: 50 },
        id: "long",
      })
      .catch(() => undefined);
    for (;;) {
      const { body } = await cairn.get("/api/actors/session/f");
      if (body.state === "session.live.acting,streaming.on") break;
      await Bun.sleep(20);
    }
    await cairn.kill();
    await waiting;
    cairn = await own.start();
    const again = { room_name: "f", action_type: "wait", params: { seconds: 50 }, id: "long" };
    expect((await cairn.call("execute_action", again)).body).toMatchObject({
      success: false,
      data: { code: "interrupted" },
    });
    const analysis = await cairn.call("analyze_page", { room_name: "f" });
    expect(analysis.body).toMatchObject({ success: false, code: "failed" });
    expect((await start("f")).body).toEqual({ status: "started", room_name: "f" });
    expect(await indexOf("f", "Order")).toBeGreaterThanOrEqual(0);
    await cairn.call("close_browser_session", { room_name: "f" });
  },
);
