/** Tests what the answer of an action reports when the page changes only after responses of the server. */
import { expect, test } from "bun:test";
import { readyLimits } from "../../../../machines/session/session-limits.ts";
import { html, type Route } from "../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { testInOwnSession, testInOwnSessionIfFull } from "./concurrent-tests-in-own-sessions.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";
import { called } from "./session-in-shared-test-browser.ts";

/**
 * Delay in milliseconds of the test server's answers. The delay is longer than it takes to read the page, and
 * shorter than the time for which an action waits for answers.
 */
const ANSWERS_AFTER = 400;
const later =
  (content: string, type: string, wait = ANSWERS_AFTER) =>
  async () => {
    await new Promise((resolve) => setTimeout(resolve, wait));
    return new Response(content, { headers: { "content-type": type } });
  };

const ROUTES: Readonly<Record<string, Route>> = {
  "/save": later("That address is taken.", "text/plain"),
  "/route.js": later(
    `fetch("/rows").then((answer) => answer.text()).then((rows) => {
          history.pushState(0, "", "/app/rows"); document.title = "Rows"; main.innerHTML = rows })`,
    "text/javascript",
  ),
  "/rows": later("<h1>All rows</h1><button>Add row</button>", "text/html"),
  "/quick": async ({ url }) => {
    const { searchParams } = new URL(url);
    return await later(`Row ${searchParams.get("n")}`, "text/plain", Number(searchParams.get("ms")))();
  },
  "/stream": later("", "text/plain", 20_000),
  "/graphql": async (request) =>
    await later("Saved.", "text/plain", (await request.text()) === "save" ? 4 * ANSWERS_AFTER : 20_000)(),
};

const stage = await stageOfTests({ routes: ROUTES });

/** Parts of pages that never stop changing. The fast tier tests two of them. */
const RESTLESS: Readonly<Record<string, string>> = {
  "a page that is otherwise still": "",
  "a page with a clock": `<output id="clock"></output><script>
    setInterval(() => { clock.textContent = performance.now() }, 20)</script>`,
  "a page with a canvas that draws each frame": `<canvas id="canvas" width="400" height="300"></canvas><script>
    const draw = () => { const pen = canvas.getContext("2d"); canvas.dataset.at = performance.now();
      for (let i = 0; i < 50; i++) pen.fillRect(Math.random() * 400, Math.random() * 300, 9, 9);
      requestAnimationFrame(draw) }; draw()</script>`,
  "a page with a long poll": `<script>
    const poll = (n) => { fetch("/stream?n=" + n) }; poll(0); addEventListener("click", () => poll(1))</script>`,
};

for (const [kind, restless] of Object.entries(RESTLESS).slice(0, isFull ? undefined : 1)) {
  test(`the answer to a click that saves by a script contains the message after saving, on ${kind}`, async () => {
    const page = await stage.show(`<button onclick="this.className = 'busy';
      fetch('/save', { method: 'POST' }).then((answer) => answer.text()).then((text) => {
        toast.textContent = text; this.className = '' })">Save</button><p id="toast"></p>${restless}`);
    const { data } = await stage.act("click", { index: called(page, "Save").highlight_index });
    expect(data).toMatchObject({ effect: "changed" });
    expect((data.page as { said: string[] }).said).toContain("That address is taken.");
  });

  test(`the answer to a click contains address, title and content of the view that the click loads, on ${kind}`, async () => {
    const page = await stage.show(`<nav id="menu"><a href="#rows" id="go">Rows</a></nav>
      <main id="main"><h1>Start</h1></main>${restless}<script>go.onclick = (event) => {
        event.preventDefault(); menu.className = "chosen";
        Promise.resolve().then(() => { const part = document.createElement("script"); part.src = "/route.js"; document.head.append(part) }) }</script>`);
    const { data } = await stage.act("click", { index: called(page, "Rows").highlight_index });
    expect(data).toMatchObject({
      effect: "address_changed",
      url: stage.site.url("/app/rows"),
      title: "Rows",
      page: { lines: expect.stringContaining("Add row") },
    });
    expect((data.page as { said: string[] }).said).toContain("All rows");
  });
}

test("the answer to a click is delayed for a moment if the page has not visibly reacted", async () => {
  const page = await stage.show(
    `<nav id="menu"><button onclick="menu.className = 'chosen'; setTimeout(() => fetch('/save').then((answer) => answer.text())
      .then((text) => { out.textContent = text }))">Load</button></nav><p id="out"></p>`,
  );
  const { data } = await stage.act("click", { index: called(page, "Load").highlight_index });
  expect(data).toMatchObject({ effect: "changed", page: { said: ["That address is taken."] } });
});

if (isFull)
  testInOwnSession(
    "the answer of an action waits for a request, although a long poll has used the same address",
    async (stage) => {
      const page =
        await stage.show(`<button onclick="call('save').then((text) => { out.textContent = text })">Save</button>
    <p id="out"></p><script>const call = async (query) => (await fetch("/graphql", { method: "POST", body: query })).text();
    call("subscribe")</script>`);
      await Bun.sleep(readyLimits.patience.withControls + ANSWERS_AFTER);
      const { data } = await stage.act("click", { index: called(page, "Save").highlight_index });
      expect(data).toMatchObject({ effect: "changed", page: { said: ["Saved."] } });
    },
    { routes: ROUTES },
  );

/**
 * The function `load` of a page, which a button calls. It requests the paths one after another, and then
 * shows the last response in `#out`.
 */
const LOADS = `<p id="out"></p><script>
  const load = async (...paths) => {
    let text = "";
    for (const path of paths) text = await (await fetch(path)).text();
    out.textContent = text;
  }</script>`;

if (isFull)
  testInOwnSession(
    "the answer to a click contains a list whose server takes long to answer, requested after another response",
    async (stage) => {
      const page = await stage.show(
        `${LOADS}<button onclick="this.className = 'busy'; load('/quick?n=1&ms=1500', '/quick?n=2&ms=4000')">List</button>`,
      );
      const { data } = await stage.act("click", { index: called(page, "List").highlight_index });
      expect(data.page).toMatchObject({ said: ["Row 2"] });
      expect(data).not.toHaveProperty("pending");
    },
    { routes: ROUTES },
  );

testInOwnSessionIfFull(
  "the answer to a click contains a list that comes from another port of the page's host",
  async (stage) => {
    const server = Bun.serve({
      port: 0,
      idleTimeout: 20,
      fetch: async () => {
        await Bun.sleep(4_000);
        return new Response("From the other port", { headers: { "access-control-allow-origin": "*" } });
      },
    });
    try {
      const { hostname } = new URL(stage.site.url("/"));
      const address = `http://${hostname}:${server.port}/list`;
      const page = await stage.show(`${LOADS}<button onclick="load('${address}')">List</button>`);
      const { data } = await stage.act("click", { index: called(page, "List").highlight_index });
      expect(data.page).toMatchObject({ said: ["From the other port"] });
    } finally {
      await server.stop(true);
    }
  },
  { routes: ROUTES },
);

if (isFull)
  testInOwnSession(
    "the answer to a click contains a list for which the load of the page did not wait",
    async (stage) => {
      const slow = "/quick?n=1&ms=2500";
      stage.site.routes.set(
        "/slow-list",
        html(
          "List",
          `<button onclick="load('${slow}')">Refresh</button>${LOADS}<script>load("${slow}")</script>`,
        ),
      );
      await stage.act("navigate", { url: stage.site.url("/slow-list") });
      await stage.act("wait", { text: "Row 1", seconds: 10 });
      await stage.run("out.textContent = 'old'");
      const page = await stage.analyze();
      const { data } = await stage.act("click", { index: called(page, "Refresh").highlight_index });
      expect(data.page).toMatchObject({ said: ["Row 1"] });
    },
    { routes: ROUTES },
  );

if (isFull)
  testInOwnSession(
    "the answer to a click does not wait for the end of a stream that has begun, and names it as pending",
    async (stage) => {
      let hasEnded = false;
      stage.site.routes.set("/lines", () => {
        const body = new ReadableStream({
          async start(controller) {
            controller.enqueue(new TextEncoder().encode("first line"));
            await Bun.sleep(7_000);
            hasEnded = true;
            controller.close();
          },
        });
        return new Response(body, { headers: { "content-type": "text/plain" } });
      });
      const page = await stage.show(`${LOADS}<button onclick="load('/lines')">Follow</button>`);
      const { data } = await stage.act("click", { index: called(page, "Follow").highlight_index });
      expect(data).toMatchObject({ pending: 1, pending_requests: [`GET ${stage.site.url("/lines")}`] });
      expect(hasEnded).toBe(false);
    },
    { routes: ROUTES },
  );

testInOwnSessionIfFull(
  "a request that takes too long ends the wait, and the answer names it as pending",
  async (stage) => {
    const page = await stage.show(
      `<button onclick="this.textContent = 'Reporting'; fetch('/stream', { method: 'POST' })">Report</button>`,
    );
    const { data } = await stage.act("click", { index: called(page, "Report").highlight_index });
    expect(data).toMatchObject({
      effect: "changed",
      pending: 1,
      pending_requests: [`POST ${stage.site.url("/stream")}`],
    });
  },
  { routes: ROUTES },
);

testInOwnSessionIfFull(
  "only the first action that starts a long poll waits for it",
  async (stage) => {
    let answered = 0;
    stage.site.routes.set("/poll", async () => {
      await Bun.sleep(19_000);
      answered++;
      return new Response("nothing new");
    });
    const body = `<button onclick="fetch('/poll'); this.textContent = 'On'">Follow</button>`;
    for (let visit = 0; visit < 2; visit++) {
      stage.site.routes.set(`/visit-${visit}`, html("Chat", body));
      await stage.act("navigate", { url: stage.site.url(`/visit-${visit}`) });
      const { data } = await stage.act("click", { name: "Follow" });
      expect(data).toMatchObject({ effect: "changed" });
      expect("pending" in data).toBe(visit === 0);
    }
    expect(answered).toBe(0);
  },
  { routes: ROUTES },
);

testInOwnSessionIfFull(
  "the answers to a key press, a selection and a scripted submission contain the text that follows the response",
  async (stage) => {
    const page = await stage.show(`<p id="out"></p><script>
    const ask = (kind) => fetch("/save?" + kind).then((answer) => answer.text()).then((text) => {
      out.textContent = kind + ": " + text }) </script>
    <input aria-label="Search" onkeydown="if (event.key === 'Enter') ask('keys')">
    <select aria-label="Size" onchange="ask('chosen')"><option>Small<option>Large</select>
    <form onsubmit="event.preventDefault(); ask('sent')"><input aria-label="Name" name="name"><button>Send</button></form>`);
    const index = (name: string) => called(page, name).highlight_index;
    const said = (data: Readonly<Record<string, unknown>>) => (data.page as { said?: string[] })?.said;
    await stage.act("click", { index: index("Search") });
    const keys = await stage.act("send_keys", { keys: "Enter" });
    expect(keys.data.effect).toBe("changed");
    expect(said(keys.data)).toEqual(["keys: That address is taken."]);
    const chosen = await stage.act("select_dropdown", { index: index("Size"), text: "Large" });
    expect(chosen.data).toMatchObject({ selected: ["Large"], effect: "state_changed" });
    expect(said(chosen.data)).toEqual(["chosen: That address is taken."]);
    const sent = await stage.act("submit_form", { index: index("Name") });
    expect(said(sent.data)).toEqual(["sent: That address is taken."]);
  },
  { routes: ROUTES },
);

test.if(isFull)(
  "the answer to a click without effect does not count a long-polling request as pending",
  async () => {
    const page = await stage.show(`<button>Rest</button>${RESTLESS["a page with a long poll"]}`);
    const { data } = await stage.act("click", { index: called(page, "Rest").highlight_index });
    expect(data).toMatchObject({ effect: "focused", changes: 0 });
    expect(data).not.toHaveProperty("pending");
  },
);

test("the first action on a page that was never analysed returns the changes since the state before this action", async () => {
  stage.site.routes.set(
    "/unseen",
    html(
      "Unseen",
      `<button onclick="box.showModal()">Invite</button><button onclick="out.textContent = 'Sent to Ann.'">Send</button>
      <dialog id="box"><p>Who is invited?</p><button onclick="box.close()">Nobody</button></dialog><p id="out"></p>`,
    ),
  );
  await stage.session.open(stage.site.url("/unseen"));
  const click = async (name: string) => (await stage.act("click", { name })).data;
  expect(await click("Invite")).toMatchObject({
    page: { lines: expect.stringContaining("Nobody"), said: ["Who is invited?"] },
  });
  await click("Nobody");
  expect(await click("Send")).toMatchObject({ page: { said: ["Sent to Ann."] } });
});

test("a selection is reported as effective although the page saves it and draws the control again", async () => {
  const page = await stage.show(`<div id="row"></div><script>
    const draw = (size) => { row.innerHTML = '<select aria-label="Size"><option>Small<option>Large</select>';
      row.firstChild.value = size; row.firstChild.onchange = (event) => draw(event.target.value) }; draw("Small")</script>`);
  const { data } = await stage.act("select_dropdown", {
    index: called(page, "Size").highlight_index,
    text: "Large",
  });
  expect(data).toMatchObject({ selected: ["Large"], effect: "state_changed" });
});

test.if(isFull)(
  "the answer to a click contains the content of a response that arrives while the page is read",
  async () => {
    const page =
      await stage.show(`<input aria-label="Month"><button id="sort">Sort</button><ul id="rows"></ul>
    ${Array.from({ length: 700 }, (_, n) => `<p class="c"><a href="/p/${n}">Page ${n}</a>`).join("")}<script>
    // The page draws the response in a task of its own, as frameworks do.
    onkeydown = async ({ key, target }) => { if (key !== "Enter") return;
      sort.disabled = true; rows.innerHTML = ""; document.body.className = target.value;
      const text = await (await fetch("/quick?n=" + target.value + "&ms=" + target.value.split("-")[1])).text();
      setTimeout(() => { sort.disabled = false; rows.innerHTML = "<li><button>" + text + "</button></li>" }) }</script>`);
    const { highlight_index: index } = called(page, "Month");
    const missed: string[] = [];
    for (let delay = 8; delay <= 32; delay += 2) {
      const text = `at-${delay}`;
      await stage.act("input", { index, text });
      const { data } = await stage.act("send_keys", { keys: "Enter" });
      if (!(data.page as { lines?: string } | undefined)?.lines?.includes(`Row ${text}`)) missed.push(text);
    }
    expect(missed).toEqual([]);
  },
);
