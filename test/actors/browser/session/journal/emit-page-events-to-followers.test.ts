/**
 * Tests the events about a session's pages. Navigations are always sent, but changes of a page only while
 * there is a subscriber.
 */
import { beforeEach, describe, expect, test } from "bun:test";
import type { ContextSession } from "../../../../../actors/browser/session/browser-session.ts";
import type { PageEvent } from "../../../../../machines/session/build-session-events.ts";
import { sessionLimits } from "../../../../../machines/session/session-limits.ts";
import { html } from "../../../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../../../support/site-for-one-test-file.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { called } from "../session-in-shared-test-browser.ts";

const LISTENS = { changes: true, content: false };
const SEES = { changes: true, content: true };
const DEAF = { changes: false, content: false };
let reported: PageEvent[] = [];
const waiting: (() => void)[] = [];

const other = siteOfTests({ "/": html("Inner", "<ul id='inner'></ul>") }, { hostname: "127.0.0.2" });

const stage = await stageOfTests({
  tell: (event) => {
    reported.push(event);
    for (const wake of waiting.splice(0)) wake();
  },
  routes: { "/b": html("B", "<p>B</p>") },
});

beforeEach(() => {
  stage.session.follow(DEAF);
  reported = [];
});

/** Resolves with the first event that matches. The event may have arrived before the call. */
async function heard<Type extends PageEvent["type"]>(
  type: Type,
  is: (event: Extract<PageEvent, { type: Type }>) => boolean = () => true,
): Promise<Extract<PageEvent, { type: Type }>> {
  const wanted = (event: PageEvent): event is Extract<PageEvent, { type: Type }> =>
    // The cast is safe: the type of the event has just been compared with `type`.
    event.type === type && is(event as Extract<PageEvent, { type: Type }>);
  for (;;) {
    const found = reported.find(wanted);
    if (found) return found;
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
}

describe("navigation events", () => {
  test("report each navigation and the end of its loading, even without a subscriber", async () => {
    await stage.show(`<a href="/b">B</a>`);
    reported = [];
    const link = called(await stage.analyze(), "B");
    await stage.act("click", { index: link.highlight_index });
    const url = stage.site.url("/b");
    expect(await heard("page_load_complete")).toEqual({ type: "page_load_complete", url, tab: 0 });
    expect(reported[0]).toEqual({ type: "page_navigation", url, within_document: false, tab: 0 });
    await stage.run("history.pushState({}, '', '/c')");
    expect(await heard("page_navigation", ({ within_document }) => within_document)).toMatchObject({
      url: stage.site.url("/c"),
    });
  });

  test("contain the number of the tab if there are several tabs", async () => {
    await stage.show(`<button onclick="window.open('/b')">Open</button>`);
    reported = [];
    await stage.act("click", { index: called(await stage.analyze(), "Open").highlight_index });
    expect(await heard("page_load_complete")).toMatchObject({ url: stage.site.url("/b"), tab: 1 });
    await stage.act("close", { tab: 1 });
  });
});

describe("change events", () => {
  test("summarise many changes within a short time as one event, with their kind, place and text", async () => {
    await stage.show(`<ul id="list"></ul><p id="p">one</p>`);
    stage.session.follow(LISTENS);
    await followed();
    await stage.run(`for (let i = 0; i < 40; i++) {
      const item = document.createElement('li'); item.textContent = 'Item ' + i; list.append(item);
    }`);
    expect(await heard("dom_change")).toMatchObject({
      change_type: "nodes",
      added: 40,
      removed: 0,
      targets: ["ul#list"],
      said: ["Item 0", "Item 1", "Item 2", "Item 3", "Item 4"],
      url: await stage.run("location.href"),
    });
    await stage.run(`p.firstChild.data = 'two'`);
    expect(await heard("dom_change", ({ change_type }) => change_type === "text")).toMatchObject({
      texts: 1,
      said: ["two"],
      added: 0,
    });
    await stage.run(`p.className = 'late'; p.firstChild.data = 'three'`);
    expect(await heard("dom_change", ({ change_type }) => change_type === "mixed")).toMatchObject({
      attributes: ["class"],
    });
    expect(reported.filter(({ type }) => type === "dom_change")).toHaveLength(3);
  });

  test.if(isFull)("are sent even for a page that never stops changing", async () => {
    await stage.show(`<p id="p"></p>`);
    stage.session.follow(LISTENS);
    await followed();
    await stage.run("var ticking = setInterval(() => p.textContent = Math.random(), 20); undefined");
    expect((await heard("dom_change")).added).toBeGreaterThan(1);
    await stage.run("clearInterval(ticking)");
  });

  test.if(isFull)("are not sent for equal values, animations or invisible content", async () => {
    await stage.show(`<p id="p" class="a">x</p>`);
    stage.session.follow(LISTENS);
    await followed();
    await stage.run(`p.className = 'a'; p.style.left = '3px'; p.firstChild.data = 'x';
      document.head.append(document.createElement('style')); p.append('  ')`);
    await stage.run(`setTimeout(() => p.textContent = 'seen', 300); undefined`);
    expect(await heard("dom_change")).toMatchObject({ said: ["seen"] });
  });

  test.if(isFull)(
    "cover open and closed shadow roots, frames of other sites, and new documents",
    async () => {
      await stage.show(`<x-open></x-open><x-closed></x-closed><iframe src="${other.url("/")}"></iframe><script>
      var roots = {};
      for (const mode of ['open', 'closed']) customElements.define('x-' + mode, class extends HTMLElement {
        constructor() { super(); roots[mode] = this.attachShadow({ mode }); roots[mode].innerHTML = '<b>' + mode + '</b>'; }
      });</script>`);
      stage.session.follow(LISTENS);
      await followed();
      await stage.run("roots.open.append('into the open')");
      await heard("dom_change", ({ said }) => said.includes("into the open"));
      await stage.run("roots.closed.append('behind the door')");
      await heard("dom_change", ({ said }) => said.includes("behind the door"));
      const { tab } = stage.session as ContextSession;
      const frame = tab.frames.all().find(({ parent }) => parent !== undefined);
      if (!frame) throw new Error("no frame");
      await tab.frames.evaluate(frame, "document.querySelector('#inner').append('from afar')");
      expect(await heard("dom_change", ({ said }) => said.includes("from afar"))).toMatchObject({
        url: other.url("/"),
      });
      await stage.show(`<p id="p">next</p>`);
      await followed();
      await stage.run("p.textContent = 'after'");
      await heard("dom_change", ({ said }) => said.includes("after"));
    },
  );

  test.if(isFull)(
    "stop when the last subscriber leaves, and the page is then no longer observed",
    async () => {
      await stage.show(`<p id="p">next</p>`);
      stage.session.follow(LISTENS);
      await followed();
      await stage.run("p.textContent = 'one'");
      await heard("dom_change");
      stage.session.follow(DEAF);
      reported = [];
      await stage.run("new Promise((done) => { p.textContent = 'two'; setTimeout(done, 300); })");
      expect(reported).toEqual([]);
      stage.session.follow(LISTENS);
      await followed();
      await stage.run("p.textContent = 'three'");
      expect(await heard("dom_change")).toMatchObject({ said: ["three"] });
    },
  );
});

describe("content events", () => {
  test("are sent on subscription and after changes, at most twice a second, without password values", async () => {
    await stage.show(`<h1 id="h">Start</h1><input type="password" value="hunter2">`);
    stage.session.follow(SEES);
    expect(await heard("screen_content_update")).toMatchObject({
      tab: 0,
      screen_content: { title: "Page", visible_elements_count: 1, viewport_width: 1_280 },
    });
    await followed();
    const began = performance.now();
    for (const name of ["a", "b", "c"]) {
      await stage.run(`h.textContent = '${name}'`);
      await heard("dom_change", ({ said }) => said.includes(name));
    }
    const last = await heard("screen_content_update", ({ screen_content }) =>
      screen_content.dom_summary.includes("# c"),
    );
    const updates = reported.filter(({ type }) => type === "screen_content_update").length;
    expect(updates).toBeLessThanOrEqual(
      2 + (performance.now() - began) / sessionLimits.watching.contentEvery,
    );
    expect(JSON.stringify(last)).not.toContain("hunter2");
  });

  test.if(isFull)("contain a change that the page makes before changes are waited for", async () => {
    await stage.show(`<p id="p">one</p>`);
    const { frames } = (stage.session as ContextSession).tab;
    const waiting = Promise.withResolvers<void>();
    const { callAsync } = frames;
    frames.callAsync = new Proxy(callAsync, {
      apply: async (call, self, request) => {
        if (request[2] === "next") await waiting.promise;
        return await Reflect.apply(call, self, request);
      },
    });
    stage.session.follow(SEES);
    await heard("screen_content_update");
    await stage.run("p.textContent = 'two'");
    waiting.resolve();
    await heard("screen_content_update", ({ screen_content }) => screen_content.dom_summary.includes("two"));
    frames.callAsync = callAsync;
  });

  test.if(isFull)(
    "do not affect element indices, nor the snapshot with which an action compares the page",
    async () => {
      const before = await stage.show(`<button id="a">Buy</button><button>Sell</button>`);
      stage.session.follow(SEES);
      await heard("screen_content_update");
      await stage.run("a.textContent = 'Delete'");
      await heard("screen_content_update", ({ screen_content }) =>
        screen_content.dom_summary.includes("Delete"),
      );
      // The click is refused, because the button has changed since the caller's last analysis. An event has
      // reported the change to a subscriber, but the caller has not seen it.
      const index = called(before, "Buy").highlight_index;
      expect((await stage.act("click", { index })).data).toMatchObject({ code: "element_stale" });
      const delta = await stage.analyze({ since_revision: before.revision });
      expect(delta.delta?.since_revision).toBe(before.revision);
      expect(delta.revision).toBe(before.revision + 1);
      expect((await stage.act("click", { index })).data).toMatchObject({ clicked: true });
    },
  );
});

/** Waits until every frame of the page reports that its changes are observed. */
async function followed(): Promise<void> {
  const { tab } = stage.session as ContextSession;
  for (const frame of tab.frames.all()) {
    for (;;) {
      const ready = await tab.frames.evaluate(
        frame,
        "globalThis.cairn?.documentChanges?.isObserving() === true",
      );
      if (ready) break;
      await Bun.sleep(5);
    }
  }
}
