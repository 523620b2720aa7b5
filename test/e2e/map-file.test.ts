/** A map as a file: exported, imported into another map, and written by hand. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../sites/scripted-site.ts";
import { Cairn, dataFolder } from "./cairn-process.ts";

const TIMEOUT = 60_000;

let site: ScriptedSite;
let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;

beforeAll(async () => {
  const page = (title: string, body: string) => html(title, `<h1>${title}</h1>${body}`);
  site = serveSite({
    "/": page("Start", '<a href="/orders">Orders</a>'),
    "/orders": page(
      "Orders",
      '<a href="/orders/1">One</a> <a href="/orders/2">Two</a><form action="/find"><label>Number <input name="n"></label><button>Find</button></form>',
    ),
    "/orders/1": page("Order 1", '<a href="/">Home</a>'),
    "/orders/2": page("Order 2", '<a href="/">Home</a>'),
  });
  data = await dataFolder();
  cairn = await Cairn.start({ data: data.path, env: { CAIRN_WORKERS: "1" } });
  await cairn.call("start_knowledge_exploration", {
    start_url: site.url("/"),
    render: "http",
    knowledge_id: "first",
    job_id: "first",
  });
  await cairn.call("wait_for_exploration", { job_id: "first" });
}, TIMEOUT);
afterAll(async () => {
  await cairn?.stop();
  await data?.remove();
  await site?.stop();
}, TIMEOUT);

interface Exported {
  readonly screens: readonly { screen_id: string }[];
  readonly actions: readonly { action_id: string }[];
  readonly transitions: readonly { from: string; to: string }[];
}

/** The map's file when nothing changes in it any more. */
async function exported(knowledgeId: string): Promise<Exported> {
  for (let before = ""; ; await Bun.sleep(100)) {
    const { status, body } = await cairn.get(`/api/knowledge/${knowledgeId}/export`);
    expect(status).toBe(200);
    const { exported_at: _, knowledge_id: __, ...rest } = body;
    if (JSON.stringify(rest) === before) return rest;
    before = JSON.stringify(rest);
  }
}

const route = async (knowledgeId: string) => {
  const { body } = await cairn.post(`/api/knowledge/${knowledgeId}/query`, {
    instruction_type: "navigate_to_screen",
    target: site.url("/orders/2"),
    context: { current_url: site.url("/") },
  });
  return body;
};

test("a map that was exported and imported elsewhere is the same map", async () => {
  const first = await exported("first");
  expect([first.screens.length, first.actions.length > 0, first.transitions.length]).toEqual([4, true, 5]);
  for (let time = 0; time < 2; time++) {
    const { status, body } = await cairn.post("/api/knowledge/second/import", { map: first });
    expect([status, body]).toMatchObject([200, { knowledge_id: "second", screens: 4, transitions: 5 }]);
    expect(await exported("second")).toEqual(first);
  }
  const [original, copy] = [await route("first"), await route("second")];
  expect(original.actions).toHaveLength(2);
  expect(copy).toEqual(original);
  const { body } = await cairn.get("/api/knowledge/second/screens");
  expect(
    body.screens.map(({ name, instances }: { name: string; instances: number }) => [name, instances]).sort(),
  ).toEqual([
    ["Order", 2],
    ["Orders", 1],
    ["Start", 1],
  ]);
});

test("a map that was written by hand is recognised and walked", async () => {
  const map = {
    format: "cairn-map",
    version: 1,
    screens: [
      {
        screen_id: "dashboard",
        name: "Dashboard",
        url_patterns: ["https://app.example/dashboard"],
        state_signature: { required_indicators: [{ type: "dom_contains", value: "Call performance" }] },
      },
      { screen_id: "login", name: "Login", url: "https://app.example/login" },
      { screen_id: "guide", name: "How to call", content_type: "documentation", is_actionable: false },
    ],
    transitions: [
      {
        from: "login",
        to: "dashboard",
        action: { name: "Sign in", target: { role: "button", name: "Sign in", selector: "#go" } },
      },
    ],
  };
  expect((await cairn.post("/api/knowledge/hand/import", { map })).status).toBe(200);
  const { body } = await cairn.post("/api/knowledge/hand/query", {
    instruction_type: "navigate_to_screen",
    target: "Dashboard",
    context: { current_url: "https://app.example/login" },
  });
  expect(body).toMatchObject({
    success: true,
    actions: [{ tool_name: "click", parameters: { selector: "#go" } }],
    expected_result: { screen_id: "dashboard" },
  });
  const bad = await cairn.post("/api/knowledge/hand/import", { map: { ...map, version: 2 } });
  expect([bad.status, bad.body.error.code]).toEqual([422, "request.invalid"]);
});
