/** Tests the file of a map: it is exported, imported into another map, and written by hand. */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { exploreIntoMap } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";
import { untilMapIsIdle } from "../support/wait-for-idle-map.ts";

setDefaultTimeout(60_000);
const orders =
  '<a href="/orders/1">One</a> <a href="/orders/2">Two</a><form action="/find"><label>Number <input name="n" type="number" min="1" max="99" step="2" required></label><fieldset><legend>Text</legend><input name="t" title="English" pattern="[A-Z]+" minlength="2" maxlength="8"></fieldset><label>State <select name="s" multiple><option>Open</option><option>Paid</option></select></label><button>Find</button></form><form action="/upload" method="post"><input type="file" accept=".csv"><button>Upload</button></form>';

const page = (title: string, body: string) => html(title, `<h1>${title}</h1>${body}`);
const site = siteOfTests({
  "/": page("Start", '<a href="/orders">Orders</a>'),
  "/orders": page("Orders", orders),
  "/orders/1": page("Order 1", '<a href="/">Home</a>'),
  "/orders/2": page("Order 2", '<a href="/">Home</a>'),
});
const cairn = await cairnOfTests();

const explore = (name: string) => exploreIntoMap(cairn, name, { start_url: site.url("/"), render: "http" });

beforeAll(() => explore("first"));

interface Exported {
  readonly screens: readonly { screen_id: string }[];
  readonly actions: readonly {
    action_id: string;
    target: { constraints?: Readonly<Record<string, unknown>> } | null;
  }[];
  readonly transitions: readonly { from: string; to: string }[];
}

/**
 * Waits until the map no longer changes, and returns its exported file without the fields that differ between
 * exports.
 */
async function exported(knowledgeId: string): Promise<Exported> {
  await untilMapIsIdle(cairn, knowledgeId);
  const { status, body } = await cairn.get(`/api/knowledge/${knowledgeId}/export`);
  expect(status).toBe(200);
  const { exported_at: _, knowledge_id: __, ...rest } = body;
  return rest;
}

/** Waits until the map has grouped the pages of the orders into the screen "Order". */
async function grouped(knowledgeId: string): Promise<void> {
  for (let screens: readonly { name: string }[] = []; !screens.some(({ name }) => name === "Order"); ) {
    screens = (await cairn.get(`/api/knowledge/${knowledgeId}/screens`)).body.screens;
    await Bun.sleep(50);
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

test("a map that is exported and imported under another id is unchanged", async () => {
  const first = await exported("first");
  expect([first.screens.length, first.actions.length > 0, first.transitions.length]).toEqual([4, true, 5]);
  const constraints = first.actions.flatMap(({ target }) => Object.keys(target?.constraints ?? {}));
  expect([...new Set(constraints)].sort()).toEqual(
    "accept form group max max_length min min_length multiple options pattern position required step".split(
      " ",
    ),
  );
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

const MEBIBYTE = 1_024 * 1_024;

test.if(isFull)(
  "a map of several megabytes is imported in one request, and one above the limit is refused",
  async () => {
    const screens = Array.from({ length: 40 }, (_, at) => ({
      screen_id: `screen-${at}`,
      name: `Screen ${at}`,
      url: `https://wide.example/part-${at}`,
    }));
    const transitions = screens.flatMap(({ screen_id: from }) =>
      screens
        .filter(({ screen_id: to }) => to !== from)
        .map(({ screen_id: to }) => ({
          from,
          to,
          action: {
            action_type: "hover",
            name: `From ${from} to ${to}`,
            url: `https://wide.example/${to}?${"x".repeat(1_000)}`,
          },
        })),
    );
    const map = { format: "cairn-map", version: 1, screens, transitions };
    expect(JSON.stringify(map).length).toBeGreaterThan(1.5 * MEBIBYTE);
    const { status, body } = await cairn.post("/api/knowledge/wide/import", { map });
    expect([status, body]).toMatchObject([200, { screens: 40, transitions: 40 * 39 }]);
    const stored = await exported("wide");
    expect([stored.screens.length, stored.transitions.length]).toEqual([40, 40 * 39]);
    const padded = { map: { ...map, knowledge_id: "x".repeat(32 * MEBIBYTE) } };
    const refused = await cairn.post("/api/knowledge/wider/import", padded);
    expect([refused.status, refused.body.error.code]).toEqual([413, "request.too_large"]);
  },
);

test.if(isFull)(
  "screens in the older formats of the protocol specification are read, returned and exported",
  async () => {
    const before = {
      screen_id: "1_core_goalbr_br_your_primary_5545122a",
      name: `1. Core Goal<br />${"Your primary goal is to conduct a profile. ".repeat(6)}`,
      state_signature: {
        required_indicators: [
          { value: `Your primary goal is ${"to conduct a baseline profile ".repeat(3)}` },
        ],
      },
      url_patterns: [".*/div.*"],
    };
    const after = {
      screen_id: "dashboard_call_analytics_abc123",
      name: "Dashboard - Call Analytics",
      content_type: "web_ui",
      is_actionable: true,
      url_patterns: ["^https://app\\.example/dashboard$", "^https://app\\.example/dashboard/.*"],
      state_signature: {
        required_indicators: [
          { type: "dom_contains", value: "Call Performance", selector: "h1, h2", reason: "Dashboard title" },
          { type: "url_matches", pattern: ".*/dashboard.*", reason: "Dashboard URL pattern" },
        ],
      },
      available_browser_use_actions: [
        { tool: "click", params: { selector: "#nav" }, description: "Click Dashboard navigation link" },
        {
          tool_name: "scroll",
          parameters: { direction: "down" },
          description: "Scroll to view call metrics",
        },
      ],
    };
    expect((await cairn.post("/api/knowledge/old/import", { map: before })).body).toMatchObject({
      screens: 1,
    });
    const both = await cairn.post("/api/knowledge/old/import", { map: { screens: [after] } });
    expect(both.body).toMatchObject({ screens: 1, actions: 2 });
    const { body: list } = await cairn.get("/api/knowledge/old/screens");
    expect(list.statistics).toMatchObject({ web_ui_screens: 1, documentation_screens: 1 });
    const { body: found } = await cairn.post("/api/knowledge/old/query", {
      instruction_type: "find_screen",
      target: "",
      context: { current_url: "https://app.example/dashboard/today", dom_summary: "# Call Performance" },
    });
    expect(found).toMatchObject({ success: true, expected_result: { screen_id: after.screen_id } });
    const { available_browser_use_actions: actions } = list.screens.find(
      ({ screen_id }: { screen_id: string }) => screen_id === after.screen_id,
    );
    expect(actions).toContainEqual(
      expect.objectContaining({ tool_name: "scroll", parameters: { direction: "down" } }),
    );
    const map = await exported("old");
    expect((await cairn.post("/api/knowledge/older/import", { map })).status).toBe(200);
    expect(await exported("older")).toEqual(map);
  },
);

test("the maps of two explorations of a site can be compared", async () => {
  const { body: same } = await cairn.get("/api/knowledge/second/diff?against=first");
  expect(same).toMatchObject({ knowledge_id: "second", against: "first", equal: true });
  site.routes.set("/orders", html("Orders", `<h1>Orders</h1>${orders} <a href="/help">Help</a>`));
  site.routes.set("/help", html("Help", "<h1>Help</h1>"));
  await explore("third");
  await grouped("third");
  const { body: diff } = await cairn.get("/api/knowledge/third/diff?against=first");
  expect(diff.screens.came.map(({ name }: { name: string }) => name)).toEqual(["Help"]);
  expect(diff.transitions.came).toContainEqual({ from: "Orders", to: "Help" });
  const missing = await cairn.get("/api/knowledge/third/diff?against=nothing");
  expect([missing.status, missing.body.error.code]).toEqual([404, "knowledge.not_found"]);
});

test("screens of a map that was written by hand are recognised, and sessions can follow its routes", async () => {
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
