/**
 * Tests when a browser prepares a page for the next session, which session takes it, and when it is closed.
 * Time advances only when a test advances it.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { browserLimits } from "../../../../actors/browser/browser-limits.ts";
import type { Connection } from "../../../../actors/browser/chromium/devtools-connection.ts";
import { type EgressProxy, startEgressProxy } from "../../../../actors/egress/index.ts";
import type { Action } from "../../../../machines/session/actions/browser-action-parameters.ts";
import { analyzeOptionsSchema } from "../../../../machines/session/page/page-snapshot.ts";
import { destinations } from "../../../sites/egress-policy-for-tests.ts";
import { html, serveSite } from "../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { type StartedBrowser, startedBrowser } from "./test-browser-with-prepared-page.ts";

const { preparePageAfter, preparedPageFor } = browserLimits;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Kills the process of a page. The command has no answer, because the process that would give it has ended. */
async function crash({ chromium }: StartedBrowser, targetId: string): Promise<void> {
  const { root } = chromium.connection;
  const { sessionId } = await root.send("Target.attachToTarget", { targetId, flatten: true });
  const page = chromium.connection.session(sessionId);
  page.send("Page.crash").catch(() => {});
}

/** Runs an endless script in a page. The process of the page then answers no other command. */
function hang(send: Connection["send"], sessionId: string): void {
  send(sessionId, "Runtime.evaluate", { expression: "for (;;);" }).catch(() => {});
}

function openSite() {
  const site = serveSite({ "/": html("Shop", "<h1>Shop</h1>") });
  closing.push(() => site.stop());
  return site;
}

describe("a browser prepares an empty page for the next session", () => {
  test("only after a session has started; the page has its own browser context, and the next session uses it", async () => {
    const started = await startedBrowser(closing);
    const { open, contexts, pages, prepared, timers } = started;
    await timers.advance(preparedPageFor);
    expect(await contexts()).toEqual([]);
    const first = await open();
    expect(await contexts()).toHaveLength(1);
    const page = await prepared([first]);
    expect(await contexts()).toHaveLength(2);
    const second = await open();
    expect(second.tab.targetId).toBe(page);
    expect(await contexts()).toHaveLength(2);
    const replacement = await prepared([first, second]);
    expect(await pages()).toEqual(expect.arrayContaining([page, replacement, first.tab.targetId]));
    await first.close();
    await second.close();
    expect(await pages()).toEqual([replacement]);
    const third = await open();
    expect(third.tab.targetId).toBe(replacement);
    expect((await third.open(openSite().url("/"))).success).toBe(true);
  }, 60_000);

  test.if(isFull)(
    "again at the end of a session, if the page prepared earlier was closed after its time limit",
    async () => {
      const { open, contexts, prepared, timers, until } = await startedBrowser(closing);
      const first = await open();
      await prepared([first]);
      await timers.advance(preparedPageFor);
      await until(async () => (await contexts()).length === 1);
      await first.close();
      const page = await prepared([]);
      expect((await open()).tab.targetId).toBe(page);
    },
    60_000,
  );

  test.if(isFull)(
    "not while a session has a running request",
    async () => {
      const { open, contexts, prepared, timers } = await startedBrowser(closing);
      const site = openSite();
      let respond = (): void => {};
      const response = new Promise<Response>((resolve) => {
        respond = () => resolve(new Response("late", { headers: { "content-type": "text/plain" } }));
      });
      site.routes.set("/late", () => response);
      const session = await open();
      const opening = session.open(site.url("/late"));
      await timers.advance(10 * preparePageAfter);
      expect(await contexts()).toHaveLength(1);
      respond();
      expect((await opening).success).toBe(true);
      await prepared([session]);
    },
    60_000,
  );

  test.if(isFull)(
    "not for sessions of jobs, and not with CAIRN_PREPARED_PAGE=no",
    async () => {
      const job = await startedBrowser(closing);
      await job.open({ guard: () => true });
      await job.timers.advance(preparedPageFor);
      expect(await job.contexts()).toHaveLength(1);
      const off = await startedBrowser(closing, { preparesPage: false });
      await off.open();
      await off.timers.advance(preparedPageFor);
      expect(await off.contexts()).toHaveLength(1);
    },
    60_000,
  );
});

describe("the empty page prepared for the next session", () => {
  test.if(isFull)(
    "is not used by a session with its own proxy or by a session of a job",
    async () => {
      const { open, prepared } = await startedBrowser(closing);
      const first = await open();
      const page = await prepared([first]);
      const proxy: EgressProxy = await startEgressProxy({ destinations });
      closing.push(() => proxy.close());
      const url = openSite().url("/");
      for (const options of [{ proxy }, { guard: () => true }]) {
        const other = await open(options);
        expect(other.tab.targetId).not.toBe(page);
        expect((await other.open(url)).success).toBe(true);
      }
      expect((await open()).tab.targetId).toBe(page);
    },
    60_000,
  );

  test.if(isFull)(
    "is used by only one of two sessions that start at the same time",
    async () => {
      const { open, contexts, prepared } = await startedBrowser(closing);
      const page = await prepared([await open()]);
      const [left, right] = await Promise.all([open(), open()]);
      const taken = [left, right].filter(({ tab }) => tab.targetId === page);
      expect(taken).toHaveLength(1);
      expect(await contexts()).toHaveLength(3);
      const url = openSite().url("/");
      const outcomes = await Promise.all([left.open(url), right.open(url)]);
      expect(outcomes.map(({ success }) => success)).toEqual([true, true]);
    },
    60_000,
  );

  test.if(isFull)(
    "is used by a session that starts while the page is being prepared",
    async () => {
      const { open, contexts, timers, pages } = await startedBrowser(closing);
      const first = await open();
      await timers.advance(preparePageAfter);
      const second = await open();
      expect(await contexts()).toHaveLength(2);
      expect([...(await pages())].sort()).toEqual([first.tab.targetId, second.tab.targetId].sort());
    },
    60_000,
  );

  test.if(isFull)(
    "is closed when no session has started or ended for some minutes",
    async () => {
      const { open, contexts, prepared, timers, until } = await startedBrowser(closing);
      await prepared([await open()]);
      await timers.advance(preparedPageFor - 1);
      await open({ guard: () => true });
      expect(await contexts()).toHaveLength(3);
      await timers.advance(1);
      await until(async () => (await contexts()).length === 2);
      // The prepared page was closed. A new one is prepared only after the next session has started, so advancing the
      // time creates no page.
      await timers.advance(preparedPageFor);
      expect(await contexts()).toHaveLength(2);
      const next = await open();
      expect((await next.open(openSite().url("/"))).success).toBe(true);
    },
    60_000,
  );

  test("is closed with its browser context if its process crashes, and the next session opens another page", async () => {
    const started = await startedBrowser(closing);
    const { open, contexts, prepared, until } = started;
    const first = await open();
    const page = await prepared([first]);
    await crash(started, page);
    await until(async () => (await contexts()).length === 1);
    const next = await open();
    expect(next.tab.targetId).not.toBe(page);
    expect((await next.open(openSite().url("/"))).success).toBe(true);
  }, 60_000);

  test.if(isFull)(
    "is replaced for a session that starts while the process of the page crashes",
    async () => {
      const started = await startedBrowser(closing);
      const { open, contexts, prepared } = started;
      const page = await prepared([await open()]);
      await crash(started, page);
      const next = await open();
      expect(next.tab.targetId).not.toBe(page);
      expect(await contexts()).toHaveLength(2);
      expect((await next.open(openSite().url("/"))).success).toBe(true);
    },
    60_000,
  );

  test.if(isFull)(
    "is replaced by a new page if its process crashes while a session takes the page",
    async () => {
      const { open, contexts, prepared, chromium } = await startedBrowser(closing);
      const first = await open();
      const page = await prepared([first]);
      const { connection } = chromium;
      const send = connection.send.bind(connection);
      connection.send = (sessionId, method, params) => {
        // This command shows that a session uses the page, because only a session sets the size of its page.
        if (method === "Emulation.setDeviceMetricsOverride") {
          connection.send = send;
          send(sessionId, "Page.crash", {}).catch(() => {});
        }
        return send(sessionId, method, params);
      };
      const next = await open();
      expect(next.tab.targetId).not.toBe(page);
      expect(await contexts()).toHaveLength(2);
      expect((await next.open(openSite().url("/"))).success).toBe(true);
    },
    60_000,
  );

  test.if(isFull)(
    "makes the start of a session fail with an error if the page crashes and its replacement crashes too",
    async () => {
      const { open, contexts, prepared, chromium, until } = await startedBrowser(closing);
      await prepared([await open()]);
      const { connection } = chromium;
      const send = connection.send.bind(connection);
      connection.send = (sessionId, method, params) => {
        if (method === "Emulation.setDeviceMetricsOverride")
          send(sessionId, "Page.crash", {}).catch(() => {});
        return send(sessionId, method, params);
      };
      await expect(open()).rejects.toMatchObject({ code: "session.page_gone" });
      connection.send = send;
      await until(async () => (await contexts()).length === 1);
      expect((await (await open()).open(openSite().url("/"))).success).toBe(true);
    },
    60_000,
  );

  test.if(isFull)(
    "is replaced for the next session if its process hangs",
    async () => {
      const started = await startedBrowser(closing);
      const { open, contexts, prepared, chromium, timers, until } = started;
      const first = await open();
      const page = await prepared([first]);
      const { root } = chromium.connection;
      const { sessionId } = await root.send("Target.attachToTarget", { targetId: page, flatten: true });
      hang(chromium.connection.send.bind(chromium.connection), sessionId);
      const opening = open();
      await until(async () => timers.next(browserLimits.respondsWithin));
      const next = await opening;
      expect(next.tab.targetId).not.toBe(page);
      expect(await contexts()).toHaveLength(2);
      expect((await next.open(openSite().url("/"))).success).toBe(true);
    },
    60_000,
  );

  test.if(isFull)(
    "does not delay windows that pages of a session open, even if its process hangs during the preparation",
    async () => {
      const { open, prepared, chromium } = await startedBrowser(closing);
      const site = openSite();
      site.routes.set("/menu", html("Menu", `<button onclick="window.open('/')">Open</button>`));
      const session = await open();
      expect((await session.open(site.url("/menu"))).success).toBe(true);
      await session.analyze(analyzeOptionsSchema.parse({}));
      const { connection } = chromium;
      const send = connection.send.bind(connection);
      connection.send = (sessionId, method, params) => {
        if (method === "Inspector.enable") hang(send, sessionId);
        return send(sessionId, method, params);
      };
      await prepared([session]);
      connection.send = send;
      const click: Action = { name: "click", params: { index: 0 } };
      const outcome = await session.perform(click, async () => {});
      expect(outcome).toMatchObject({ success: true, data: { opened_tabs: [1] } });
    },
    60_000,
  );

  test.if(isFull)(
    "is closed with the browser, and no timer remains",
    async () => {
      const { open, prepared, chromium, timers } = await startedBrowser(closing);
      const first = await open();
      await prepared([first]);
      process.kill(chromium.pid, "SIGKILL");
      await first.ended;
      await expect(open()).rejects.toMatchObject({ code: "browser.gone" });
      expect(timers.next()).toBe(false);
    },
    60_000,
  );
});
