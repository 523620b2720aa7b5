/**
 * Tests the answers of a map for a live session. The session executes each action unchanged, and the route
 * ends on its target.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { BrowserUseAction } from "../../../machines/knowledge/knowledge-protocol.ts";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(120_000);

let knowledge: string;

const menu = `<nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>`;

const site = siteOfTests({
  "/": html("Home", `${menu}<h1>Home</h1>`),
  "/shop": html("Shop", `${menu}<h1>Shop</h1><a href="/orders">Orders</a>`),
  "/orders": html(
    "Orders",
    `${menu}<h1>Orders</h1><table>
        <tr><td>Anna</td><td><a href="/orders/anna">Open</a></td></tr>
        <tr><td>Bert</td><td><a href="/orders/bert">Open</a></td></tr></table>`,
  ),
  "/orders/anna": html("Order of Anna", `${menu}<h1>Order of Anna</h1>`),
  "/orders/bert": html(
    "Order of Bert",
    `${menu}<h1>Order of Bert</h1><form><label>Remark <input name="remark_1"></label><button>Save</button></form>`,
  ),
});

const cairn = await cairnOfTests();

beforeAll(async () => {
  const started = await cairn.post("/api/knowledge/explore/start", {
    start_url: site.url("/"),
    job_id: "shop-routes",
    max_depth: 5,
  });
  knowledge = started.body.knowledge_id;
  const isReady = async (): Promise<boolean> => {
    const { body } = await cairn.get("/api/knowledge/explore/status/shop-routes");
    return body.status === "completed" && body.progress.searchable >= 5;
  };
  while (!(await isReady())) await Bun.sleep(50);
});

const ask = async (instruction_type: string, target: string, context: Record<string, unknown>) =>
  (await cairn.post(`/api/knowledge/${knowledge}/query`, { instruction_type, target, context })).body;

const start = (room_name: string, path: string) =>
  cairn.call("start_browser_session", { room_name, initial_url: site.url(path) });

const shown = async (room_name: string): Promise<string> =>
  new URL((await cairn.call("get_browser_context", { room_name })).body.url).pathname;

describe("a route of three steps for a live session", () => {
  for (const dialect of ["cairn", "browser-use"] as const) {
    test(`can be executed unchanged if it is requested with the action names of ${dialect}`, async () => {
      const room_name = `route-${dialect}`;
      await start(room_name, "/");
      const answer = await ask("navigate_to_screen", site.url("/orders/bert"), { room_name, dialect });
      expect(answer).toMatchObject({ success: true, metadata: { room_name, located: 1 } });
      const [first, ...later] = answer.actions as readonly BrowserUseAction[];
      expect(first?.parameters).toEqual({ index: expect.any(Number) });
      expect(later).toHaveLength(2);
      for (const { parameters } of later) expect(parameters).toHaveProperty("fingerprint.role", "link");
      for (const action of answer.actions) {
        const { body } = await cairn.call("execute_action", { room_name, ...action });
        expect(body).toMatchObject({ success: true });
      }
      expect(await shown(room_name)).toBe("/orders/bert");
    });
  }

  test.if(isFull)(
    "can be executed as complete actions, and a step whose element was removed is refused",
    async () => {
      const room_name = "whole";
      await start(room_name, "/shop");
      const answer = await ask("navigate_to_screen", site.url("/orders/bert"), { room_name });
      const [first, second] = answer.actions as readonly BrowserUseAction[];
      await cairn.call("execute_action", { room_name, action: first });
      expect(await shown(room_name)).toBe("/orders");
      site.routes.set("/orders", html("Orders", `${menu}<h1>Orders</h1><a href="/orders/anna">Open</a>`));
      await cairn.call("execute_action", { room_name, action_type: "refresh", params: {} });
      const { body } = await cairn.call("execute_action", { room_name, action: second });
      expect(body).toMatchObject({ success: false, data: { code: "element_ambiguous" } });
      expect(body.data.candidates).toHaveLength(1);
      expect(await shown(room_name)).toBe("/orders");
    },
  );
});

describe("the actions of a screen", () => {
  test("contain current element indices if the request names a live session, and forms have their visible names", async () => {
    const room_name = "actions";
    await start(room_name, "/orders/bert");
    const { actions } = await ask("get_actions", "", { room_name });
    const remark = actions.find(({ tool_name }: BrowserUseAction) => tool_name === "input");
    expect(remark.parameters).toEqual({ index: expect.any(Number) });
    expect(remark.description).toContain("Remark");
    const typed = { ...remark.parameters, text: "urgent" };
    const { body } = await cairn.call("execute_action", { room_name, action_type: "input", params: typed });
    expect(body).toMatchObject({ success: true, data: { value: "urgent" } });
  });

  test("contain a fingerprint with the accessible name if no session is given", async () => {
    const { actions } = await ask("get_actions", site.url("/orders/bert"), {});
    const remark = actions.find(({ tool_name }: BrowserUseAction) => tool_name === "input");
    expect(remark.parameters.fingerprint).toMatchObject({
      role: "textbox",
      name: "Remark",
      attributes: { name: "remark_1" },
    });
  });

  test("are included when find_screen recognises the screen", async () => {
    const { metadata } = await ask("find_screen", "", { current_url: site.url("/orders") });
    expect(metadata).toMatchObject({ screen_name: expect.stringContaining("Orders") });
    expect(metadata.available_actions.length).toBeGreaterThanOrEqual(4);
  });
});

describe("the screens of a map", () => {
  test("are listed with their actions and counted", async () => {
    const { body } = await cairn.get(
      `/api/knowledge/${knowledge}/screens?content_type=web_ui&actionable_only=true`,
    );
    expect(body.screens).toHaveLength(5);
    expect(body.statistics).toEqual({
      web_ui_screens: 5,
      documentation_screens: 0,
      actionable_screens: 5,
      non_actionable_screens: 0,
    });
    expect(body.screens[0].available_browser_use_actions.length).toBeGreaterThan(0);
    const slice = await cairn.get(`/api/knowledge/${knowledge}/screens?limit=2`);
    expect(slice.body.screens).toHaveLength(2);
    expect(slice.body.next_cursor).toBeString();
    const unknown = await cairn.get(`/api/knowledge/${knowledge}/screens?content_type=nonsense`);
    expect(unknown.status).toBe(422);
  });

  test("are returned for the query agent_query in the same shape as for an instruction", async () => {
    const { body } = await cairn.post("/api/knowledge/query", {
      query_type: "agent_query",
      params: { instruction_type: "find_screen", target: site.url("/shop") },
      knowledge_id: knowledge,
    });
    expect(body).toMatchObject({ success: true, data: { metadata: { screen_name: expect.any(String) } } });
  });
});
