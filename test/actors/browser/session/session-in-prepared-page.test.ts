/**
 * Tests that a session that was given the prepared page behaves like a session that opens its own page. Each
 * test runs the same steps in both kinds of session, and compares what they return.
 */
import { afterEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionOptions } from "../../../../actors/browser/index.ts";
import type { ContextSession } from "../../../../actors/browser/session/browser-session.ts";
import type { Action } from "../../../../machines/session/actions/browser-action-parameters.ts";
import { parseAction } from "../../../../machines/session/actions/parse-action.ts";
import { analyzeOptionsSchema } from "../../../../machines/session/page/page-snapshot.ts";
import { html, type ScriptedSite, serveSite } from "../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { startedBrowser } from "../chromium/test-browser-with-prepared-page.ts";
import { called } from "./session-in-shared-test-browser.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A script that returns as JSON what a page can find out about its window and its browser. */
const FACTS = `(async () => {
  const permission = async (name) => (await navigator.permissions.query({ name })).state;
  const inWorker = await new Promise((resolve) => {
    const code = "postMessage([navigator.userAgent, navigator.language])";
    new Worker(URL.createObjectURL(new Blob([code]))).onmessage = ({ data }) => resolve(data);
  });
  return JSON.stringify({
    inner: [innerWidth, innerHeight], outer: [outerWidth, outerHeight], at: [screenX, screenY],
    screen: [screen.width, screen.height, screen.orientation.type], ratio: devicePixelRatio,
    agent: navigator.userAgent, languages: navigator.languages, touch: navigator.maxTouchPoints, inWorker,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone, number: (1234.5).toLocaleString(),
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
    visible: [document.visibilityState, document.hasFocus()],
    from: [history.length, document.referrer, window.opener, window.name, performance.getEntriesByType("navigation")[0].type],
    stored: [localStorage.length, sessionStorage.length, document.cookie, (await indexedDB.databases()).length],
    permissions: await Promise.all(["geolocation", "notifications", "clipboard-read", "camera"].map(permission)),
    automation: navigator.webdriver,
  });
})()`;

function shop(): ScriptedSite {
  const site = serveSite({
    "/": html(
      "Shop",
      `<h1>Shop</h1>
       <button onclick="answer.textContent = confirm('Delete?') ? 'deleted' : 'kept'">Delete</button>
       <button onclick="window.open('/popup')">Popup</button>
       <a href="/report" download="report.txt">Report</a>
       <input aria-label="Name"><p id="answer"></p>
       <script>
         facts = ${FACTS};
         console.warn("low stock");
         fetch("/call");
         facts.then(() => { localStorage.basket = "1"; document.cookie = "sid=1"; });
         setTimeout(() => { throw new Error("broken"); });
       </script>`,
    ),
    "/popup": html("Popup", "<p>popup</p>"),
    "/call": new Response("called", { headers: { "content-type": "text/plain" } }),
    "/report": new Response("42", { headers: { "content-type": "application/octet-stream" } }),
  });
  closing.push(() => site.stop());
  return site;
}

/**
 * Runs the same steps twice: in a session that opens its own page, and in a session that gets a page which the
 * browser has prepared. Returns both results.
 */
async function inBoth<Result>(
  steps: (session: ContextSession) => Promise<Result>,
  options: () => Promise<Partial<SessionOptions>> = async () => ({}),
): Promise<{ readonly own: Result; readonly prepared: Result }> {
  const { open, prepared: prepare } = await startedBrowser(closing);
  const first = await open(await options());
  const own = await steps(first);
  const page = await prepare([first]);
  const next = await open(await options());
  expect(next.tab.targetId).toBe(page);
  return { own, prepared: await steps(next) };
}

const perform = (session: ContextSession, action: Action) => session.perform(action, async () => {});

async function click(session: ContextSession, name: string) {
  const index = called(await session.analyze(analyzeOptionsSchema.parse({})), name).highlight_index;
  return await perform(session, parseAction("click", { index }));
}

async function evaluate(session: ContextSession, expression: string): Promise<unknown> {
  const parameters = { expression, awaitPromise: true, returnByValue: true };
  return (await session.tab.session.send("Runtime.evaluate", parameters)).result.value;
}

async function facts(session: ContextSession) {
  return JSON.parse(String(await evaluate(session, "facts")));
}

test.if(isFull)(
  "a prepared page and a new page have the same window, identity and permissions, and empty storage",
  async () => {
    const site = shop();
    const { own, prepared } = await inBoth(async (session) => {
      expect((await session.open(site.url("/"))).success).toBe(true);
      return await facts(session);
    });
    expect(prepared).toEqual(own);
    expect(prepared).toMatchObject({
      inner: [1_280, 800],
      visible: ["visible", true],
      stored: [0, 0, "", 0],
      inWorker: [own.agent, own.languages[0]],
    });
  },
  60_000,
);

test.if(isFull)(
  "a session without an address shows an empty document that contains nothing of the page script",
  async () => {
    const { own, prepared } = await inBoth(async (session) => ({
      html: await evaluate(session, "document.documentElement.outerHTML"),
      globals: await evaluate(session, "Object.getOwnPropertyNames(window).sort()"),
      frames: [await evaluate(session, "window.length"), session.tab.frames.all().length],
      history: await evaluate(session, "[history.length, location.href, document.referrer]"),
      resources: await evaluate(session, "performance.getEntriesByType('resource').length"),
      snapshot: await session.analyze(analyzeOptionsSchema.parse({})),
      saved: { ...(await session.save(true)).session, saved_at: 0 },
    }));
    expect(prepared).toEqual(own);
    expect(prepared.html).toBe("<html><head></head><body></body></html>");
    expect(prepared.frames).toEqual([0, 1]);
  },
  60_000,
);

test.if(isFull)(
  "in a prepared page, every setting of the environment that the caller requested is in effect",
  async () => {
    const site = shop();
    const environment = {
      user_agent: "Mozilla/5.0 (Test) Cairn",
      locale: "de-AT",
      timezone: "Pacific/Auckland",
      color_scheme: "dark",
      has_touch: true,
      is_mobile: true,
      device_scale_factor: 2,
      geolocation: { latitude: 48.2, longitude: 16.4, accuracy: 5 },
      credentials: [],
      headers: [{ hosts: [new URL(site.url("/")).host], headers: { "x-team": "blue" } }],
    } as const;
    const { own, prepared } = await inBoth(
      async (session) => {
        const before = site.log.length;
        expect((await session.open(site.url("/"))).success).toBe(true);
        const sent = site.log.slice(before).find(({ path }) => path === "/")?.headers;
        return {
          ...(await facts(session)),
          sent: ["user-agent", "accept-language", "x-team"].map((name) => sent?.get(name)),
        };
      },
      async () => ({ environment, viewport: { width: 400, height: 700 } }),
    );
    expect(prepared).toEqual(own);
    expect(prepared).toMatchObject({
      outer: [400, 700],
      ratio: 2,
      agent: environment.user_agent,
      zone: "Pacific/Auckland",
      dark: true,
      touch: 5,
      sent: [environment.user_agent, "de-AT,de;q=0.9", "blue"],
    });
    expect(prepared.permissions[0]).toBe("granted");
  },
  60_000,
);

test.if(isFull)(
  "in a prepared page and in a new page, dialogs, popups, typed text, console and network are handled and recorded alike",
  async () => {
    const site = shop();
    const { own, prepared } = await inBoth(async (session) => {
      await session.open(site.url("/"));
      const dialog = await click(session, "Delete");
      const handled = await perform(session, parseAction("handle_dialog", { accept: true }));
      const answer = await evaluate(session, "document.getElementById('answer').textContent");
      const name = called(await session.analyze(analyzeOptionsSchema.parse({})), "Name").highlight_index;
      const typed = await perform(session, parseAction("type", { index: name, text: "Ada" }));
      const popup = await click(session, "Popup");
      const { tabs } = await session.context();
      const { messages } = session.resources.console({ since: 0, limit: 100, level: "debug" });
      const { requests } = session.resources.network({
        since: 0,
        limit: 100,
        failed: false,
        include_headers: false,
      });
      return {
        dialog: [dialog.success, dialog.data.dialog],
        handled: [handled.success, handled.data.dialog],
        answer,
        typed: typed.success,
        popup: [popup.success, popup.data.opened_tabs],
        tabs: tabs.map(({ url }) => url),
        console: messages.map(({ level, source, text }) => [level, source, text]),
        // Two of the page's requests are left out, because they may differ between two runs. The address of the
        // worker's script is random. The request of the popup may be sent before Cairn watches the popup.
        network: requests
          .filter(({ url }) => !url.startsWith("blob:") && url !== site.url("/popup"))
          .map(({ method, url, type, status }) => [method, url, type, status]),
      };
    });
    expect(prepared).toEqual(own);
    expect(prepared.dialog[1]).toMatchObject({ type: "confirm", message: "Delete?" });
    expect(prepared.answer).toBe("deleted");
    expect(prepared.popup).toEqual([true, [1]]);
    expect(prepared.tabs).toHaveLength(2);
    const texts = prepared.console.map(([, , text]) => text).join(" ");
    for (const text of ["low stock", "broken"]) expect(texts).toContain(text);
    expect(prepared.network).toContainEqual(["GET", site.url("/call"), "fetch", 200]);
  },
  60_000,
);

test.if(isFull)(
  "downloads of a prepared page are stored in the folder of the session",
  async () => {
    const site = shop();
    const folders: string[] = [];
    const { own, prepared } = await inBoth(
      async (session) => {
        await session.open(site.url("/"));
        const { success } = await click(session, "Report");
        const { downloads } = session.resources;
        while (downloads?.busy || downloads?.all().length === 0) await Bun.sleep(5);
        return [success, downloads?.all().map(({ state, bytes, name }) => [state, bytes, name])];
      },
      async () => {
        const downloads = await mkdtemp(join(tmpdir(), "cairn-downloads-"));
        folders.push(downloads);
        closing.push(() => rm(downloads, { recursive: true }));
        return { downloads };
      },
    );
    expect(prepared).toEqual(own);
    expect(prepared[1]).toEqual([["completed", 2, "report.txt"]]);
    const [, folder = ""] = folders;
    expect(await readdir(folder)).not.toEqual([]);
  },
  60_000,
);

test.if(isFull)(
  "a session in a prepared page is saved and restored like a session in a new page",
  async () => {
    const site = shop();
    const { open, prepared: prepare } = await startedBrowser(closing);
    const first = await open();
    await first.open(site.url("/"));
    await facts(first);
    await click(first, "Popup");
    const { session: saved } = await first.save(true);
    expect(saved.tabs).toHaveLength(2);
    const restoreFrom = { saved, from: "hibernation" as const };
    await first.close();
    const own = await open({ restoreFrom });
    const page = await prepare([own]);
    const prepared = await open({ restoreFrom });
    expect(prepared.ownsFrame(page)).toBe(true);
    const [left, right] = await Promise.all([own, prepared].map((session) => session.save(true)));
    expect({ ...right?.session, saved_at: 0 }).toEqual({ ...left?.session, saved_at: 0 });
    expect(right?.session.tabs.map(({ url }) => url)).toEqual([site.url("/"), site.url("/popup")]);
    expect(right?.session.origins[0]?.local).toEqual([["basket", "1"]]);
  },
  60_000,
);
