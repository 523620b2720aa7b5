/**
 * Tests routes that Cairn walks itself in a session. It handles unexpected screens, and does not repeat a
 * walk whose id is sent again.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { html, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { exploreIntoMap } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

const TIMEOUT = 60_000;
setDefaultTimeout(TIMEOUT);

const page = (title: string, links: Readonly<Record<string, string>>, more = "") =>
  html(
    title,
    `<h1>${title}</h1>${Object.entries(links)
      .map(([path, text]) => `<p><a href="${path}">${text}</a></p>`)
      .join("")}${more}`,
  );
/** A layer that covers the page until the Escape key is pressed. */
const overlay = `<div id="cover" style="position:fixed;inset:0;background:#fff">Our news</div><script>addEventListener("keydown", ({ key }) => key === "Escape" && document.getElementById("cover").remove());</script>`;

/** A layer that covers the page until its button is pressed. The Escape key does not remove it. */
const stubborn = `<div id="cover" role="dialog" style="position:fixed;inset:0;background:#fff">Our news <button onclick="document.getElementById('cover').remove()">Close</button></div>`;

/** HTML of two layers, one above the other. Each covers the page until its button is pressed. */
const nested = stubborn + stubborn.replaceAll("cover", "upper");

/**
 * HTML of a menu that is closed when the page opens. A crawl finds the link in the menu, because it is in the
 * HTML.
 */
const CLOSED_MENU = `<button onclick="this.nextElementSibling.style.display = ''">More</button>
  <nav style="display:none"><a href="/manual">Manual</a></nav>`;

const site = siteOfTests({
  "/": page("Start", { "/short": "Short way", "/long": "Long way", "/side": "Side way" }),
  "/side": page("Side way", { "/": "Home" }, CLOSED_MENU),
  "/manual": page("Manual", { "/": "Home" }),
  "/short": page("Short way", { "/goal": "To the goal" }),
  "/long": page("Long way", { "/longer": "Further" }),
  "/longer": page("Longer way", { "/goal": "At last the goal" }),
  "/goal": page("Goal", { "/": "Home" }),
});

const cairn = await cairnOfTests();

beforeAll(() => exploreIntoMap(cairn, "ways", { start_url: site.url("/"), render: "http" }));

async function walk(room: string, more: Readonly<Record<string, unknown>> = {}) {
  const { body } = await cairn.post("/api/knowledge/ways/query", {
    instruction_type: "navigate_to_screen",
    target: "Goal",
    execute: true,
    context: { room_name: room },
    ...more,
  });
  return body;
}
const open = (room: string) =>
  cairn.call("start_browser_session", { room_name: room, initial_url: site.url("/") });
const descriptions = (body: {
  metadata: { execution: { steps: { description: string; outcome: string }[] } };
}) => body.metadata.execution.steps.map(({ description, outcome }) => `${description}: ${outcome}`);

test("a walk (a session that follows a route of the map) takes the shortest route, and does not run again for the same id", async () => {
  await open("first");
  const body = await walk("first", { id: "walk-1" });
  expect([body.success, body.error]).toEqual([true, null]);
  expect(descriptions(body)).toEqual([
    'Click "Short way" to go to Short way: done',
    'Click "To the goal" to go to Goal: done',
  ]);
  expect(body.metadata.execution).toMatchObject({ status: "arrived", reroutes: 0, url: site.url("/goal") });
  const before = site.requests.length;
  expect(await walk("first", { id: "walk-1" })).toEqual(body);
  expect(site.requests.length).toBe(before);
});

test("a walk along a route to the shown screen has no steps, and a walk to an unknown screen or in an unknown session is refused", async () => {
  expect((await walk("first")).metadata.execution).toMatchObject({ status: "arrived", steps: [] });
  const { body } = await cairn.post("/api/knowledge/ways/query", {
    instruction_type: "navigate_to_screen",
    target: "Nowhere at all",
    execute: true,
    context: { room_name: "first" },
  });
  expect(body).toMatchObject({ success: false, metadata: { code: "screen.not_found" } });
  const { status } = await cairn.post("/api/knowledge/ways/query", {
    instruction_type: "navigate_to_screen",
    target: "Goal",
    execute: true,
    context: {},
  });
  expect(status).toBe(422);
});

test("a click in any session is counted on the map as a success or a failure of its transition", async () => {
  const click = async (room: string) => {
    await open(room);
    const params = { role: "link", name: "Side way" };
    const { body } = await cairn.call("execute_action", { room_name: room, action_type: "click", params });
    expect(body.error).toBeNull();
  };
  const counts = async () => {
    const { body } = await cairn.get("/api/knowledge/ways/export");
    const row = body.transitions.find(
      ({ action }: { action: { name: string } }) => action.name === "Side way",
    );
    return [row.successes, row.failures];
  };
  await click("clicking");
  while ((await counts())[0] === 0) await Bun.sleep(50);
  expect(await counts()).toEqual([1, 0]);
  site.routes.set("/side", new Response(null, { status: 302, headers: { location: "/goal" } }));
  await click("surprised");
  while ((await counts())[1] === 0) await Bun.sleep(50);
  expect(await counts()).toEqual([1, 1]);
});

for (const [kind, cover] of [
  ["closes by Escape", overlay],
  ...(isFull
    ? ([
        ["closes only by its button", stubborn],
        ["has opened another dialog above itself", nested],
      ] as const)
    : []),
] as const) {
  test(`a walk along a route closes a dialog that covers the page and ${kind}`, async () => {
    site.routes.set("/short", page("Short way", { "/goal": "To the goal" }, cover));
    const room = `covered-${kind.length}`;
    await open(room);
    const body = await walk(room);
    expect(body.error).toBeNull();
    expect(body.metadata.execution).toMatchObject({
      status: "arrived",
      reroutes: 0,
      steps: [{ tool_name: "click" }, { tool_name: "click" }],
    });
  });
}

test.if(isFull)(
  "a walk along a route waits for a notice that covers its link, instead of pressing a control of the page that cancels something",
  async () => {
    const notice = `<div style="position:fixed;inset:0 0 40%;background:#fff" id="notice">Saving</div>
      <script>setTimeout(() => notice.remove(), 7_000)</script>
      <form style="position:fixed;bottom:0" action="/cancelled"><button>Cancel</button></form>`;
    site.routes.set("/short", page("Short way", { "/goal": "To the goal" }, notice));
    await open("noticed");
    const { metadata } = await walk("noticed", { id: "walk-noticed" });
    expect(metadata.execution).toMatchObject({
      status: "arrived",
      reroutes: 0,
      steps: [{ tool_name: "click" }, { tool_name: "click" }],
    });
    expect(site.requests.filter((path) => path === "/cancelled")).toEqual([]);
    site.routes.set("/short", page("Short way", { "/goal": "To the goal" }));
  },
);

test.if(isFull)(
  "a walk along a route that reaches an unexpected screen takes another route, and later walks avoid the failed transition",
  async () => {
    site.routes.set("/short", new Response(null, { status: 302, headers: { location: "/" } }));
    await open("broken");
    const body = await walk("broken");
    expect(body.metadata.execution).toMatchObject({ status: "arrived", reroutes: 1, url: site.url("/goal") });
    expect(descriptions(body)).toEqual([
      'Click "Short way" to go to Short way: surprise',
      'Click "Long way" to go to Long way: done',
      'Click "Further" to go to Longer way: done',
      'Click "At last the goal" to go to Goal: done',
    ]);
    await open("warned");
    const again = await walk("warned");
    expect(again.metadata.execution).toMatchObject({ status: "arrived", reroutes: 0 });
    expect(descriptions(again)).toHaveLength(3);
  },
);

/** Expects that a walk has opened the address of the page "Manual" instead of clicking a link to it. */
function expectOpenedByAddress(body: Awaited<ReturnType<typeof walk>>) {
  expect(body.error).toBeNull();
  expect(body.metadata.execution).toMatchObject({
    status: "arrived",
    reroutes: 0,
    url: site.url("/manual"),
    steps: [{ tool_name: "navigate", outcome: "done" }],
  });
}

test.if(isFull)(
  "a walk along a route whose next link is in a closed menu opens the link's address instead, and counts the click as failed",
  async () => {
    site.routes.set("/side", page("Side way", { "/": "Home" }, CLOSED_MENU));
    await cairn.call("start_browser_session", { room_name: "menu", initial_url: site.url("/side") });
    const body = await walk("menu", { target: "Manual" });
    expectOpenedByAddress(body);
    const { body: map } = await cairn.get("/api/knowledge/ways/export");
    const row = map.transitions.find(({ action }: { action: { name: string } }) => action.name === "Manual");
    expect([row.successes, row.failures]).toEqual([0, 1]);
  },
);

for (const [way, opener] of [
  ["the pointer over the menu's entry", '<a href="/">Home</a>'],
  [
    "a click on the menu's button",
    `<button aria-expanded="false" onclick="this.nextElementSibling.style.display = 'block'">More</button>`,
  ],
] as const) {
  test(`a walk along a route whose next link is in a closed menu opens the menu by ${way}, and clicks the link`, async () => {
    const menu = `<ul><li class="entry">${opener}<nav><a href="/manual">Manual</a></nav></li></ul>
        <style>nav { display: none } .entry:hover a + nav { display: block }</style>`;
    site.routes.set("/side", page("Side way", {}, menu));
    const room = `menu-${opener.length}`;
    await cairn.call("start_browser_session", { room_name: room, initial_url: site.url("/side") });
    const body = await walk(room, { target: "Manual" });
    expect(body.error).toBeNull();
    expect(body.metadata.execution).toMatchObject({
      status: "arrived",
      url: site.url("/manual"),
      steps: [{ tool_name: "click", outcome: "done" }],
    });
  });
}

test.if(isFull)(
  "a walk along a route whose next link shows a dialog instead of its page opens the link's address",
  async () => {
    const link = `<a href="/manual" onclick="event.preventDefault(); quick.showModal()">Manual</a>
      <dialog id="quick"><h2>Manual</h2><button>Close</button></dialog>`;
    site.routes.set("/side", page("Side way", { "/": "Home" }, link));
    await cairn.call("start_browser_session", { room_name: "quick", initial_url: site.url("/side") });
    const body = await walk("quick", { target: "Manual" });
    expectOpenedByAddress(body);
  },
);

const FILMS = ["1", "2", "3", "4", "5", "6"];
const TABS = `<div role="tablist"><button type="button" role="tab" id="tab-films" aria-selected="true">Films</button><button type="button" role="tab" id="tab-about" aria-selected="false">About</button></div>
  <section id="films"><h2>All films</h2>${FILMS.map((film) => `<p><a href="/films/${film}">Film ${film}</a></p>`).join("")}</section>
  <section id="about" hidden><h2>About the library</h2><p>Open from nine to five.</p></section>
  <script>for (const name of ["films", "about"]) document.getElementById("tab-" + name).addEventListener("click", () => {
    for (const other of ["films", "about"]) {
      document.getElementById(other).hidden = other !== name;
      document.getElementById("tab-" + other).setAttribute("aria-selected", String(other === name));
    }
  });</script>`;

test.if(isFull)(
  "after a link of the page has failed in a tab, routes from this tab first return to the page instead of trying a similar link",
  async () => {
    const library = serveSite({
      "/": page("Library", {}, TABS),
      ...Object.fromEntries(
        FILMS.map((film) => [`/films/${film}`, page(`Film ${film}`, { "/": "Library" }, "<p>Director</p>")]),
      ),
    });
    try {
      const start_url = library.url("/");
      await exploreIntoMap(cairn, "library", { start_url, mode: "interactive" });
      const { body: map } = await cairn.get("/api/knowledge/library/screens");
      const films = map.screens.find(({ url }: { url: string }) => url.includes("/films/"));
      const fromAbout = async (room: string) => {
        await cairn.call("start_browser_session", { room_name: room, initial_url: start_url });
        const params = { role: "tab", name: "About" };
        await cairn.call("execute_action", { room_name: room, action_type: "click", params });
        const { body } = await cairn.post("/api/knowledge/library/query", {
          instruction_type: "navigate_to_screen",
          target: films.screen_id,
          execute: true,
          context: { room_name: room },
        });
        expect([body.error, body.metadata.execution.status]).toEqual([null, "arrived"]);
        return body.metadata.execution.steps.map(({ tool_name }: { tool_name: string }) => tool_name);
      };
      expect(await fromAbout("about-first")).toEqual(["navigate"]);
      expect(await fromAbout("about-second")).toEqual(["click", "click"]);
    } finally {
      await library.stop();
    }
  },
  2 * TIMEOUT,
);

test.if(isFull)(
  "a walk along a route waits for the content of a dialog that a request fills",
  async () => {
    const dialog = `<button type="button" id="open">Delivery terms</button><dialog id="terms"><h2>Terms</h2></dialog>
      <script>document.getElementById("open").onclick = async () => {
        terms.showModal();
        terms.innerHTML = await (await fetch("/terms")).text();
      };</script>`;
    const filled =
      '<h2>Terms of delivery</h2><p>Parcels leave on Mondays.</p><a href="/returns">Returns</a><button>Understood</button>';
    let delay = 0;
    const shop = serveSite({
      "/": page("Shop", {}, dialog),
      "/returns": page("Returns", { "/": "Shop" }),
      "/terms": async () => {
        await Bun.sleep(delay);
        return new Response(filled, { headers: { "content-type": "text/html" } });
      },
    });
    try {
      const start_url = shop.url("/");
      await exploreIntoMap(cairn, "shop", { start_url, mode: "interactive" });
      const { body: map } = await cairn.get("/api/knowledge/shop/screens");
      const terms = map.screens.find(({ screen_id }: { screen_id: string }) => screen_id.includes("~"));
      delay = 4_500;
      await cairn.call("start_browser_session", { room_name: "shop", initial_url: start_url });
      const { body } = await cairn.post("/api/knowledge/shop/query", {
        instruction_type: "navigate_to_screen",
        target: terms.screen_id,
        execute: true,
        context: { room_name: "shop" },
      });
      expect(body.error).toBeNull();
      expect(body.metadata.execution).toMatchObject({ status: "arrived", reroutes: 0 });
      expect(descriptions(body)).toEqual([expect.stringMatching(/Delivery terms.*: done$/)]);
    } finally {
      await shop.stop();
    }
  },
  2 * TIMEOUT,
);
