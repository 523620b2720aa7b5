/**
 * Tests that a page belongs to the same screen in three cases: read over HTTP, rendered by a browser, and
 * shown in a live session.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { exploreIntoMap } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(120_000);
const KINDS = ["http", "browser"] as const;
const cairn = await cairnOfTests();

const header = `<header class="top"><nav><a href="/">Home</a> <a href="/orders">Orders</a> <a href="/help">Help</a></nav></header>`;
const page = (title: string, body: string) => html(title, `${header}<main class="page">${body}</main>`);
const order = (number: number) =>
  page(
    `Order ${number}`,
    `<h1>Order ${number}</h1><section class="parts"><table class="rows"><tr><th>Part</th><th>Price</th></tr>
      ${"<tr><td>Bolt</td><td>2</td></tr>".repeat(number)}</table></section>
      <form class="remark"><label>Remark <input name="remark"></label><button>Save</button></form>`,
  );

const numbers = [1, 2, 3, 4];
const rows = numbers.map((number) => `<li class="row"><a href="/orders/${number}">Order ${number}</a></li>`);
const site = siteOfTests({
  "/": page("Home", `<h1>Home</h1><div class="tiles"><a class="tile" href="/orders">All orders</a></div>`),
  "/orders": page(
    "Orders",
    `<h1>Orders</h1><ul class="list">${rows.join("")}</ul><button>New order</button>`,
  ),
  "/help": page(
    "Help",
    `<h1>Help</h1><article class="text"><p>How to.</p></article><form class="ask"><label>Question <textarea name="question"></textarea></label><button>Send</button></form>`,
  ),
  ...Object.fromEntries(numbers.map((number) => [`/orders/${number}`, order(number)])),
});

beforeAll(async () => {
  for (const render of KINDS) await exploreIntoMap(cairn, render, { start_url: site.url("/"), render });
});

/** Returns for each page the data by which its screen is identified. */
async function evidence(knowledge: string): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await cairn.get(`/api/knowledge/${knowledge}/export`);
  return Object.fromEntries(
    body.screens.map((screen: Readonly<Record<string, string>>) => [
      screen.url,
      { id: screen.screen_id, structure: screen.structure, signature: screen.state_signature },
    ]),
  );
}

const screenOf = async (knowledge: string, context: Readonly<Record<string, unknown>>) =>
  (
    await cairn.post(`/api/knowledge/${knowledge}/query`, {
      instruction_type: "find_screen",
      target: "",
      context,
    })
  ).body.expected_result.screen_id;

test("a page has the same signature and screen id whether it is read over HTTP or rendered", async () => {
  const read = await evidence("http");
  expect(Object.keys(read)).toHaveLength(7);
  expect(await evidence("browser")).toEqual(read);
  const ids = async (knowledge: string) =>
    (await cairn.get(`/api/knowledge/${knowledge}/screens`)).body.screens.map(
      ({ screen_id, instances }: { screen_id: string; instances: number }) => [screen_id, instances],
    );
  expect((await ids("http")).map(([, instances]: [string, number]) => instances).sort()).toEqual([
    1, 1, 1, 4,
  ]);
  expect(await ids("browser")).toEqual(await ids("http"));
});

test("a live session finds the same screen in the map of an HTTP exploration and of a rendered one", async () => {
  const seen = new Map<string, string>();
  for (const path of ["/", "/orders", "/help", "/orders/2", "/orders/4"]) {
    const room_name = `live-${seen.size}`;
    await cairn.call("start_browser_session", { room_name, initial_url: site.url(path) });
    const [http, rendered] = [
      await screenOf("http", { room_name }),
      await screenOf("browser", { room_name }),
    ];
    expect([path, http]).toEqual([path, rendered]);
    seen.set(path, http);
  }
  expect(seen.get("/orders/4")).toBe(seen.get("/orders/2") ?? "");
  expect(new Set(seen.values()).size).toBe(4);
  const { body } = await cairn.post("/api/knowledge/http/query", {
    instruction_type: "find_screen",
    target: site.url("/orders/999999"),
    context: {},
  });
  expect(body.expected_result.screen_id).toBe(seen.get("/orders/2") ?? "");
  expect(body.metadata).toMatchObject({ parameters: { order: "999999" }, instance: null });
});
