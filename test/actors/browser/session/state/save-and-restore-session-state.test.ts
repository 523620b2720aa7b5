/**
 * Tests that the state of a session is saved from one browser context and restored in another, in a real
 * Chromium.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";
import type { Browser, BrowserSession } from "../../../../../actors/browser/index.ts";
import type { ContextSession } from "../../../../../actors/browser/session/browser-session.ts";
import { parseAction } from "../../../../../machines/session/actions/parse-action.ts";
import { analyzeOptionsSchema } from "../../../../../machines/session/page/page-snapshot.ts";
import { taken, transferred } from "../../../../../machines/session/state/indexeddb-codec.ts";
import { databaseSchema } from "../../../../../machines/session/state/indexeddb-schema.ts";
import type { SavedDatabase, SavedSession } from "../../../../../machines/session/state/saved-session.ts";
import { html, serveSite } from "../../../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../../../support/site-for-one-test-file.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { unstartedTestBrowser } from "../../test-browser.ts";
import { called } from "../session-in-shared-test-browser.ts";

const PATIENCE = 60_000;
setDefaultTimeout(PATIENCE);
const viewport = { width: 1_280, height: 800 };
let browser: Browser;
let folder: string;

const tall = `<div style="height: 4000px"></div>`;
const site = siteOfTests({
  "/": html(
    "Home",
    `<h1>Home</h1><a href="/form">Form</a><a href="/list">List</a><button>Buy</button>${tall}`,
  ),
  "/list": html("List", `<h1>List</h1><div id="box" style="height: 100px; overflow: auto">${tall}</div>`),
  "/form": html(
    "Form",
    `<form id="f"><label>Name <input name="name"></label>
       <label>Pass <input type="password" name="pass"></label>
       <label>Terms <input type="checkbox" name="terms"></label>
       <label>Red <input type="radio" name="colour" value="red" checked></label>
       <label>Blue <input type="radio" name="colour" value="blue"></label>
       <select name="size" aria-label="Size"><option value="s">Small</option><option value="l">Large</option></select>
       <label>Note <textarea name="note"></textarea></label><button>Send</button></form>
       <label>Filter <input name="filter"></label><div contenteditable="true" aria-label="Body"></div>`,
  ),
  "/dialog": html(
    "Dialog",
    `<div role="dialog" id="d"><label>Title <input></label><button onclick="d.hidden = true">Close</button></div>`,
  ),
  "/worker.js": new Response("", { headers: { "content-type": "text/javascript" } }),
  "/cookie": () =>
    new Response("<h1>Set</h1>", {
      headers: [
        ["content-type", "text/html"],
        ["set-cookie", "sid=abc; HttpOnly; Path=/"],
        ["set-cookie", "kept=yes; Max-Age=3600; Path=/; SameSite=Lax"],
      ],
    }),
  "/private": (request) =>
    request.headers.get("authorization")?.startsWith("Basic ")
      ? html("Private", "<h1>Private</h1>")
      : new Response("No", { status: 401, headers: { "www-authenticate": 'Basic realm="Private"' } }),
  "/who": (request) => html("Who", `<p>Cookies: ${request.headers.get("cookie") ?? "none"}</p>`),
});

const other = siteOfTests({
  "/": html("Other", "<h1>Other</h1>"),
  "/refused": new Response("No", { status: 401, headers: { "www-authenticate": 'Basic realm="Refused"' } }),
});

beforeAll(async () => {
  ({ browser, folder } = await unstartedTestBrowser());
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

const open = async (): Promise<ContextSession> => (await browser.openSession({ viewport })) as ContextSession;
const act = (session: BrowserSession, name: string, params = {}) =>
  session.perform(parseAction(name, params), async () => {});
const analyze = (session: BrowserSession) => session.analyze(analyzeOptionsSchema.parse({}));
const run = async (session: ContextSession, expression: string): Promise<unknown> => {
  const { result, exceptionDetails } = await session.tab.session.send("Runtime.evaluate", {
    expression,
    returnByValue: true,
    awaitPromise: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
};

/**
 * Closes the session and opens a new session from its saved state. Before that, the state is converted to
 * JSON and back.
 */
async function rest(session: ContextSession): Promise<ContextSession> {
  const { session: saved } = await session.save(true);
  await session.close();
  return await wake(saved);
}

async function wake(saved: SavedSession): Promise<ContextSession> {
  const former = { saved: JSON.parse(JSON.stringify(saved)), from: "hibernation" as const };
  return (await browser.openSession({ viewport, restoreFrom: former })) as ContextSession;
}

test("a session whose first page did not load is saved, and can be restored at its address", async () => {
  const session = await open();
  const url = "http://127.0.0.1:1/";
  expect((await act(session, "navigate", { url })).success).toBeFalse();
  const { session: saved } = await session.save(true);
  expect(saved.tabs).toHaveLength(1);
  await session.close();
});

describe("a session that hibernates", () => {
  test.if(isFull)(
    "reports the host whose user name and password for HTTP authentication were lost",
    async () => {
      const first = await open();
      const url = new URL(site.url("/private"));
      [url.username, url.password] = ["ann", "topsecret"];
      await act(first, "navigate", { url: url.href });
      expect(await run(first, "document.title")).toBe("Private");
      expect((await first.save(true)).session.lost).toEqual([]);
      await act(first, "navigate", { url: site.url("/private?page=2") });
      expect(await run(first, "document.title")).toBe("Private");
      const restored = (await rest(first)).restored;
      expect(restored?.lost).toContainEqual(expect.stringContaining(`HTTP authentication of ${url.host}:`));
      expect(JSON.stringify(restored)).not.toContain("topsecret");
    },
  );

  test.if(isFull)(
    "does not report HTTP authentication as lost if a script used it, the password was refused, or the start options contain it",
    async () => {
      const environment = {
        credentials: [{ hosts: [new URL(site.url("/")).host], username: "ann", password: "topsecret" }],
        headers: [],
      };
      const withPassword = (await browser.openSession({ viewport, environment })) as ContextSession;
      await act(withPassword, "navigate", { url: site.url("/private") });
      expect(await run(withPassword, "document.title")).toBe("Private");
      expect((await withPassword.save(true)).session.lost).toEqual([]);
      await withPassword.close();

      const session = await open();
      await act(session, "navigate", { url: site.url("/list") });
      const status = `fetch("/private", { headers: { authorization: "Basic YTpi" } }).then(({ status }) => status)`;
      expect(await run(session, status)).toBe(200);
      const refused = new URL(other.url("/refused"));
      [refused.username, refused.password] = ["ann", "wrong"];
      await act(session, "navigate", { url: refused.href });
      expect((await session.save(true)).session.lost).toEqual([]);
      await session.close();
    },
  );

  test.if(isFull)("is restored with its clipboard, and reports the script state that was lost", async () => {
    const first = await open();
    await act(first, "navigate", { url: site.url("/form") });
    const { highlight_index: index } = called(await analyze(first), "Name");
    await act(first, "input", { index, text: "ann" });
    await act(first, "copy", { index });
    await run(
      first,
      `Promise.all([
           navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready),
           caches.open("pages"),
           navigator.storage.getDirectory().then((folder) => folder.getFileHandle("draft.txt", { create: true })),
         ]).then(() => 1)`,
    );
    const second = await rest(first);
    expect(second.restored?.lost).toEqual([
      `service workers of ${site.origin}: ${site.url("/")}`,
      `caches of ${site.origin}: pages`,
      `files of ${site.origin}: draft.txt`,
    ]);
    const field = called(await analyze(second), "Note");
    await act(second, "paste", { index: field.highlight_index });
    expect(called(await analyze(second), "Note").value).toBe("ann");
    await second.close();
  });

  test("is restored with its cookies, its storage and its databases", async () => {
    const first = await open();
    await act(first, "navigate", { url: site.url("/cookie") });
    await run(
      first,
      `localStorage.setItem("a", "1"); sessionStorage.setItem("b", "2");
         new Promise((done, failed) => {
           const request = indexedDB.open("shop", 3);
           request.onupgradeneeded = () => {
             const keyed = request.result.createObjectStore("carts", { keyPath: "id" });
             keyed.createIndex("by", "owner", { unique: false });
             const shared = { n: 1n };
             keyed.put({ id: 1, owner: "ann", at: new Date(5), tags: new Set(["x"]), map: new Map([[1, shared]]),
               shared, none: undefined, bytes: new Uint8Array([1, 2, 3]), file: new Blob(["hi"], { type: "text/plain" }) });
             request.result.createObjectStore("log", { autoIncrement: true }).add("first");
           };
           request.onerror = () => failed(request.error);
           request.onsuccess = () => { request.result.close(); done(1); };
         })`,
    );
    // The session visits another origin and leaves it again. The origin's local storage must be saved too,
    // although no tab shows a page of this origin when the session is saved.
    await act(first, "navigate", { url: other.url("/") });
    await run(first, `localStorage.setItem("far", "away")`);
    await act(first, "navigate", { url: site.url("/who") });

    const second = await rest(first);
    expect(second.restored).toMatchObject({ from: "hibernation", lost: [] });
    const pageText = String(await run(second, "document.body.innerText"));
    expect([pageText.includes("kept=yes"), pageText.includes("sid=abc")]).toEqual([true, true]);
    expect(await run(second, `[localStorage.getItem("a"), sessionStorage.getItem("b")]`)).toEqual(["1", "2"]);
    const cart = (session: ContextSession) =>
      run(
        session,
        `new Promise((done, failed) => {
           const request = indexedDB.open("shop");
           request.onerror = () => failed(request.error);
           request.onsuccess = () => {
             const { result } = request;
             const transaction = result.transaction(["carts", "log"], "readwrite");
             const get = transaction.objectStore("carts").index("by").get("ann");
             const add = transaction.objectStore("log").add("second");
             transaction.oncomplete = async () => {
               const cart = get.result;
               done([result.version, cart.at.getTime(), [...cart.tags], cart.map.get(1) === cart.shared,
                 String(cart.shared.n), "none" in cart, [...cart.bytes], await cart.file.text(), cart.file.type, add.result]);
             };
           };
         })`,
      );
    expect(await cart(second)).toEqual([3, 5, ["x"], true, "1", true, [1, 2, 3], "hi", "text/plain", 2]);
    await act(second, "navigate", { url: other.url("/") });
    expect(await run(second, `localStorage.getItem("far")`)).toBe("away");
    // The restored session is saved again, to test that restored state is not lost in a second save.
    const { session: again } = await second.save(true);
    await second.close();
    // Before the third session is opened, the saved databases are converted to the format for export, and back.
    const form = (database: SavedDatabase) =>
      taken(databaseSchema.parse(JSON.parse(JSON.stringify(transferred(database)))));
    const origins = again.origins.map((one) => ({ ...one, databases: one.databases.map(form) }));
    const third = await wake({ ...again, origins });
    await act(third, "navigate", { url: site.url("/who") });
    expect(await run(third, `localStorage.getItem("a")`)).toBe("1");
    expect(await cart(third)).toEqual([3, 5, ["x"], true, "1", true, [1, 2, 3], "hi", "text/plain", 3]);
    await third.close();
  });

  test.if(isFull)("is restored with its tabs, scroll positions and history", async () => {
    const first = await open();
    await act(first, "navigate", { url: site.url("/") });
    await act(first, "navigate", { url: site.url("/form") });
    await act(first, "navigate", { url: site.url("/list") });
    await run(first, `document.querySelector("#box").scrollTop = 300; void open("/#second")`);
    while ((await first.context()).tabs.length < 2) await Bun.sleep(10);
    await act(first, "switch", { tab: 1 });
    await first.tab.waitForLoad();
    await run(first, "scrollTo(0, 1234)");

    const second = await rest(first);
    const { tabs, tab, scroll_y } = await second.context();
    expect(tabs.map(({ url }) => url)).toEqual([site.url("/list"), site.url("/#second")]);
    expect([tab, scroll_y]).toEqual([1, 1_234]);
    await act(second, "switch", { tab: 0 });
    expect(await run(second, `document.querySelector("#box").scrollTop`)).toBe(300);
    expect(await act(second, "go_back")).toMatchObject({ success: true, data: { reopened: true } });
    expect(second.url).toBe(site.url("/form"));
    expect((await act(second, "go_back")).success).toBe(true);
    expect(second.url).toBe(site.url("/"));
    expect((await act(second, "go_back")).data.code).toBe("navigation_failed");
    // The session hibernates in the middle of its tab's history. The pages before and after the shown page
    // must be restored too.
    const third = await rest(second);
    await act(third, "switch", { tab: 0 });
    expect((await act(third, "go_forward")).success).toBe(true);
    expect(third.url).toBe(site.url("/form"));
    expect((await act(third, "go_forward")).success).toBe(true);
    expect(third.url).toBe(site.url("/list"));
    await act(third, "go_back");
    await act(third, "navigate", { url: site.url("/who") });
    // After `go_back`, a navigation to a new page removes the later pages from the history, as in any
    // browser. So `go_forward` fails.
    expect((await act(third, "go_forward")).data.code).toBe("navigation_failed");
    expect((await act(third, "go_back")).success).toBe(true);
    expect(third.url).toBe(site.url("/form"));
    await third.close();
  });

  test("is restored with field values except passwords, and names what cannot be restored", async () => {
    const first = await open();
    await act(first, "navigate", { url: site.url("/form") });
    const data = await analyze(first);
    const at = (name: string) => called(data, name).highlight_index;
    await act(first, "input", { index: at("Name"), text: "ann" });
    await act(first, "input", { index: at("Pass"), text: "hunter2" });
    await act(first, "click", { index: at("Terms") });
    await act(first, "click", { index: at("Blue") });
    await act(first, "select_dropdown", { index: at("Size"), text: "Large" });
    await act(first, "input", { index: at("Note"), text: "two\nlines" });
    await act(first, "input", { index: at("Filter"), text: "blue" });
    await run(
      first,
      `document.body.insertAdjacentHTML("beforeend", '<input name="extra" aria-label="Extra">');
        document.querySelector("[name=extra]").value = "gone"`,
    );
    const { session: saved, holdReason: held } = await first.save(true);
    expect(held).toBe("a form that is not sent");
    expect(JSON.stringify(saved)).not.toContain("hunter2");
    await first.close();

    const second = await wake(saved);
    expect(second.restored?.lost).toEqual(["the value of Extra"]);
    expect(
      await run(
        second,
        `[...document.querySelectorAll("input, textarea, select")].map((field) =>
             /checkbox|radio/.test(field.type) ? field.checked : field.value)`,
      ),
    ).toEqual(["ann", "", true, false, true, "l", "two\nlines", "blue"]);
    expect((await second.save(true)).holdReason).toBe("a form that is not sent");
    await second.close();
  });
});

describe("a session does not hibernate", () => {
  test.if(isFull)("while a dialog of its page, which has no form, contains typed text", async () => {
    const session = await open();
    await act(session, "navigate", { url: site.url("/dialog") });
    const data = await analyze(session);
    await act(session, "input", { index: called(data, "Title").highlight_index, text: "Autumn" });
    expect((await session.save(true)).holdReason).toBe("a form that is not sent");
    await act(session, "click", { index: called(data, "Close").highlight_index });
    expect((await session.save(true)).holdReason).toBeUndefined();
    await session.close();
  });

  test("while it has a form that is filled in and not sent, an open browser dialog, or a running download", async () => {
    const session = await open();
    await act(session, "navigate", { url: site.url("/form") });
    const data = await analyze(session);
    // Text that was typed and not sent prevents hibernation only in a form. The field "Filter" is outside
    // of a form.
    await act(session, "input", { index: called(data, "Filter").highlight_index, text: "blue" });
    expect((await session.save(true)).holdReason).toBeUndefined();
    const release = session.hold("a download");
    expect((await session.save(true)).holdReason).toBe("a download");
    release();
    await act(session, "input", { index: called(data, "Name").highlight_index, text: "ann" });
    expect((await session.save(true)).holdReason).toBe("a form that is not sent");
    await run(
      session,
      `document.querySelector("form").addEventListener("submit", (event) => event.preventDefault())`,
    );
    await act(session, "click", { index: called(data, "Send").highlight_index });
    expect((await session.save(true)).holdReason).toBeUndefined();
    await run(session, `void setTimeout(() => alert("Hi"), 0)`);
    while (!session.tab.dialog) await Bun.sleep(5);
    await expect(session.save(true)).rejects.toThrow("alert");
    // An open dialog prevents hibernation, but it does not prevent saving the state when the session is
    // closed.
    const { session: last, holdReason: held } = await session.closeAndSave();
    expect(held).toBeUndefined();
    expect(last.lost).toEqual(['the alert "Hi", which was dismissed']);
    expect(last.tabs.map(({ url }) => url)).toEqual([site.url("/form")]);
    await session.close();
  });
});

describe("a session that has hibernated", () => {
  test.if(isFull)("reports what was restored in the first answer only", async () => {
    const first = await open();
    await act(first, "navigate", { url: site.url("/") });
    const second = await rest(first);
    const contexts = [await second.context(), await second.context()];
    expect(contexts.map(({ restored }) => restored?.from)).toEqual(["hibernation", undefined]);
    const third = await rest(second);
    const contents = [await third.content(), await third.content()];
    expect(contents.map(({ restored }) => restored?.from)).toEqual(["hibernation", undefined]);
    expect((await analyze(third)).restored).toBeUndefined();
    await third.close();
  });

  test.if(isFull)(
    "refuses an element index from before the hibernation as stale, with candidates",
    async () => {
      const first = await open();
      await act(first, "navigate", { url: site.url("/") });
      const before = await analyze(first);
      const { highlight_index: index } = called(before, "Buy");
      const second = await rest(first);
      const click = await act(second, "click", { index });
      expect(click.data).toMatchObject({
        code: "element_stale",
        restored: { from: "hibernation", lost: [] },
      });
      const [candidate] = click.data.candidates as { highlight_index: number; line: string }[];
      expect(candidate?.line).toContain("Buy");
      const after = await analyze(second);
      expect(after.revision).toBeGreaterThan(before.revision);
      expect(after.restored).toBeUndefined();
      const old = new Set(before.highlightedElements.map((element) => element.highlight_index));
      expect(after.highlightedElements.some((element) => old.has(element.highlight_index))).toBe(false);
      expect((await act(second, "click", { index: candidate?.highlight_index ?? -1 })).success).toBe(true);
      await second.close();
    },
  );

  test.if(isFull)("is restored without an unreachable site, and reports that", async () => {
    const gone = serveSite({ "/": html("Gone", "<h1>Gone</h1>") });
    const first = await open();
    await act(first, "navigate", { url: gone.url("/") });
    const { session: saved } = await first.save(true);
    await first.close();
    gone.stop();
    const second = await wake(saved);
    expect(second.restored?.lost.join()).toContain(gone.url("/"));
    expect((await act(second, "navigate", { url: site.url("/") })).success).toBe(true);
    await second.close();
  });
});
