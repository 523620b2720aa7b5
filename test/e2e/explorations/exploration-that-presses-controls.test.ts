/**
 * Tests an exploration that presses controls. It finds the states of an application and changes no data, and
 * a session can walk the routes of its map.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { html, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { exploreIntoMap } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";
import { coveredSite } from "./overlay-layers-test-site.ts";
import { interactiveSite } from "./tabs-and-dialogs-test-site.ts";

setDefaultTimeout(120_000);

const site = interactiveSite();
const cairn = await cairnOfTests();
/**
 * The names of the map's screens. A screen without a name is listed by the part of its id that does not
 * differ between runs.
 */
let names: readonly string[];

beforeAll(async () => {
  const start_url = site.url("/");
  await exploreIntoMap(cairn, "app", {
    start_url,
    mode: "interactive",
    exclude: ["/logout"],
    job_id: "press",
  });
  names = await namesOfScreens();
});
afterAll(() => site.stop());

async function namesOfScreens(map = "app"): Promise<readonly string[]> {
  const { body } = await cairn.get(`/api/knowledge/${map}/screens`);
  return body.screens.map(({ name }: { name: string }) => name).sort();
}

test("an exploration that presses controls finds tabs, dialogs and the steps of a wizard", async () => {
  const { body } = await cairn.get("/api/knowledge/explore/status/press");
  expect(body).toMatchObject({
    status: "completed",
    error: null,
    interactive: { states: 5, stopped_by: "nothing_left" },
  });
  expect(names).toEqual([
    "Home",
    "Home: Load the data",
    "Reports",
    "Settings",
    "Settings: Billing",
    "Settings: Billing, Show address",
    "Settings: Next step",
    "Settings: Team",
  ]);
});

test("an exploration that presses controls sends no request that changes data on the server", async () => {
  const arrived = site.log.map(({ method, path }) => `${method} ${path}`);
  // Of all requests, only `POST /graphql` is not a GET request, and it reads data.
  expect(new Set(arrived.filter((request) => !request.startsWith("GET ")))).toEqual(
    new Set(["POST /graphql"]),
  );
  expect(arrived.filter((request) => /logout|confirmed|notes/.test(request))).toEqual([]);
  const { body } = await cairn.get("/api/knowledge/explore/status/press");
  expect(body.interactive.held).toBeGreaterThanOrEqual(1);
  expect(body.interactive.unsafe).toBeGreaterThanOrEqual(2);
});

test.if(isFull)(
  "an exploration blocks requests of a web worker that would change data on the server",
  async () => {
    const calculator = serveSite({
      "/": html(
        "Sheet",
        `<h1>Sheet</h1><button type="button" id="sum">Sum up</button><button type="button" id="more">Show units</button><h2 id="units" hidden>Units</h2>
         <script>const worker = new Worker("/worker.js"); sum.onclick = () => worker.postMessage("/api/sums"); more.onclick = () => { units.hidden = false; };</script>`,
      ),
      "/worker.js": () =>
        new Response("onmessage = ({ data }) => fetch(data, { method: 'POST', body: '{}' });", {
          headers: { "content-type": "text/javascript" },
        }),
      "*": () => Response.json({}),
    });
    try {
      const job = { start_url: calculator.url("/"), mode: "interactive" };
      const { interactive } = await exploreIntoMap(cairn, "sheet", job);
      expect(interactive).toMatchObject({ states: 1, unsafe: 1, held: 1 });
      expect(calculator.log.filter(({ method }) => method !== "GET")).toEqual([]);
    } finally {
      await calculator.stop();
    }
  },
);

test("an exploration that presses controls takes a picture of each screen, and other callers can read it", async () => {
  const { body: graph } = await cairn.get("/api/knowledge/app/graph");
  const pictures: Record<string, string | undefined> = Object.fromEntries(
    graph.screens.map(({ name, picture }: { name: string; picture?: string }) => [name, picture]),
  );
  expect(Object.entries(pictures).flatMap(([name, picture]) => (picture ? [] : [name]))).toEqual([]);
  const dataOf = async (screenId: string) => {
    const response = await fetch(`${cairn.url}/api/knowledge/app/screens/${screenId}/picture`);
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      body: await response.bytes(),
    };
  };
  const general = await dataOf(pictures.Settings ?? "");
  expect(general).toMatchObject({ status: 200, type: "image/jpeg" });
  expect([...general.body.slice(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
  // The picture of the open tab "Billing" differs from the picture of its page.
  expect((await dataOf(pictures["Settings: Billing"] ?? "")).body).not.toEqual(general.body);
  const { status, body } = await cairn.get("/api/knowledge/app/screens/none/picture");
  expect([status, body.error.code]).toEqual([404, "knowledge.no_picture"]);
});

test("a map contains the links in an open tab, although the exploration does not press them", async () => {
  const { body: map } = await cairn.get("/api/knowledge/app/export");
  const [screens, transitions]: [{ screen_id: string; name: string }[], Record<string, unknown>[]] = [
    map.screens,
    map.transitions,
  ];
  const idOf = (name: string) => screens.find((screen) => screen.name === name)?.screen_id;
  const ofBilling = transitions.filter(({ from }) => from === idOf("Settings: Billing"));
  const home = ofBilling.find(({ to }) => to === idOf("Home"));
  expect(home).toMatchObject({ source: "rendered", inferred: false, successes: 0 });
  // The map contains no link that signs the user out.
  expect(JSON.stringify(ofBilling)).not.toContain("logout");
});

test("a route of the map leads a live session by two clicks to an open dialog", async () => {
  await cairn.call("start_browser_session", { room_name: "walk", initial_url: site.url("/") });
  const { body: route } = await cairn.post("/api/knowledge/app/query", {
    instruction_type: "navigate_to_screen",
    target: "Settings: Billing, Show address",
    context: { room_name: "walk" },
  });
  expect(route.actions.map(({ description }: { description: string }) => description)).toEqual([
    'Click "Settings" to go to Settings',
    'Click "Billing" to go to Settings: Billing',
    'Click "Show address" to go to Settings: Billing, Show address',
  ]);
  for (const action of route.actions) {
    const { body } = await cairn.call("execute_action", { room_name: "walk", action });
    expect([action.description, body.error]).toEqual([action.description, null]);
  }
  const { body: seen } = await cairn.call("analyze_page", { room_name: "walk" });
  expect(JSON.stringify(seen)).toContain("Close");
  const { body: content } = await cairn.call("get_screen_content", { room_name: "walk" });
  const { body: found } = await cairn.post("/api/knowledge/app/query", {
    instruction_type: "find_screen",
    target: "",
    context: { current_url: site.url("/settings"), dom_summary: content.dom_summary },
  });
  expect(found.metadata.screen_name).toBe("Settings: Billing, Show address");
});

test.if(isFull)(
  "a map keeps its page states (open tabs, dialogs) when the site is explored again without pressing controls",
  async () => {
    const job = { start_url: site.url("/"), exclude: ["/logout"], job_id: "links" };
    await exploreIntoMap(cairn, "app", job);
    expect(await namesOfScreens()).toEqual(names);
    const { body } = await cairn.post("/api/knowledge/app/query", {
      instruction_type: "navigate_to_screen",
      target: "Settings: Team",
      context: { current_url: site.url("/settings") },
    });
    expect(body.actions).toHaveLength(1);
  },
);

test.if(isFull)(
  "an exploration closes layers that cover the first page, and ignores URL fragments that are no routes",
  async () => {
    const editor = coveredSite();
    try {
      const job = { start_url: editor.url("/"), mode: "interactive" };
      const { interactive } = await exploreIntoMap(cairn, "editor", job);
      expect(interactive).toMatchObject({ lost: 0, stopped_by: "nothing_left" });
      expect(await namesOfScreens("editor")).toEqual(["Editor", "Editor: History", "Editor: Show layout"]);
      expect(editor.log.filter(({ method }) => method !== "GET")).toEqual([]);
      // The two layers over the page appear again on each opened page. The exploration must still press
      // Escape only twice: once per layer.
      expect(editor.log.filter(({ path }) => path.startsWith("/escape/")).map(({ path }) => path)).toEqual([
        "/escape/greeting",
        "/escape/tour",
      ]);
    } finally {
      await editor.stop();
    }
  },
);
