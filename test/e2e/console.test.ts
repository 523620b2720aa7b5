/** A person on the console pages of a running Cairn in a real Chromium sees the current work and its changes. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { findChromium } from "../../actors/browser/index.ts";
import { html, type ScriptedSite, serveSite } from "../sites/scripted-site.ts";
import { Cairn, dataFolder } from "./cairn-process.ts";

const TIMEOUT = 120_000;
/** Timeout for a page to show a change. */
const SEEN = { timeout: 20_000 };

let site: ScriptedSite;
let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
let browser: Browser;
let context: BrowserContext;
/** Errors of the page: requests to other hosts, violations of its security policy, exceptions. */
let wrongs: string[];
/** Responses of the site wait for this promise. */
let gate: Promise<void> = Promise.resolve();

beforeAll(async () => {
  site = serveSite({
    "*": async (request) => {
      await gate;
      await Bun.sleep(30);
      const n = Number(new URL(request.url).pathname.slice(2));
      return html(
        `Page ${n}`,
        `<h1>Page ${n}</h1><a href="/p${2 * n + 1}">a</a> <a href="/p${2 * n + 2}">b</a>`,
      );
    },
  });
  data = await dataFolder();
  const chromiumPath = (await findChromium({}))?.path;
  if (chromiumPath === undefined) throw new Error("There is no Chromium to look with.");
  cairn = await Cairn.start({ data: data.path });
  browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
}, TIMEOUT);

afterAll(async () => {
  await browser?.close();
  await cairn?.stop();
  await data?.remove();
  await site?.stop();
}, TIMEOUT);

afterEach(async () => {
  await context?.close();
  expect(wrongs).toEqual([]);
});

/** @param prepare receives the page before its first navigation */
async function open(
  path: string,
  options: Parameters<Browser["newContext"]>[0] = {},
  prepare: (page: Page) => Promise<void> = async () => {},
): Promise<Page> {
  wrongs = [];
  context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, ...options });
  const page = await context.newPage();
  await prepare(page);
  page.on("request", (request) => {
    if (!request.url().startsWith(`${cairn.url}/`) && !request.url().startsWith("data:"))
      wrongs.push(`asks ${request.url()}`);
  });
  page.on("websocket", (socket) => {
    if (new URL(socket.url()).host !== new URL(cairn.url).host) wrongs.push(`opens ${socket.url()}`);
  });
  page.on("console", (message) => {
    // A violated security policy is reported as a console error.
    if (message.type() === "error") wrongs.push(message.text());
  });
  page.on("pageerror", (error) => wrongs.push(String(error)));
  await page.goto(cairn.url + path);
  return page;
}

const post = async (path: string, body: unknown) => {
  const { status } = await cairn.post(`/api/knowledge/explore/${path}`, body);
  expect(status).toBe(200);
};
const start = (job_id: string) =>
  post("start", { start_url: site.url("/p0"), job_id, max_pages: 3_000, max_depth: 20, sitemaps: false });
/** Waits until the job has no more events. */
async function settled(job: string): Promise<void> {
  for (;;) {
    const { status, progress } = await cairn.status(job);
    if (status === "paused" && progress.searchable === progress.completed) return;
    await Bun.sleep(50);
  }
}
const live = (page: Page) => page.waitForSelector('#live[data-is="on"]', SEEN);
const activeStates = (page: Page) =>
  page.$$eval(".chart .state.active", (found) => found.map((state) => state.getAttribute("data-state")));
const becomes = (page: Page, state: string) =>
  page.waitForSelector(`.chart .state.active[data-state="${state}"]`, { ...SEEN, state: "attached" });

describe("a person on the console pages", () => {
  test(
    "gets from the first page by plain links to a running exploration and sees its progress",
    async () => {
      await start("plain.links_1");
      const page = await open("/");
      await page.click("text=Actors");
      const row = page.locator("tr", { hasText: "plain.links_1" });
      await row.locator(".state-name", { hasText: "active.running" }).waitFor(SEEN);
      await row.locator("a").click();
      await becomes(page, "exploration.active.running");
      expect(await page.textContent("h1")).toContain("plain.links_1");
      expect(await page.textContent("#context")).toContain(site.url("/p0"));
      await post("cancel", { job_id: "plain.links_1" });
    },
    TIMEOUT,
  );

  test(
    "sees the statechart follow a pause and a resume, with the taken transition",
    async () => {
      await start("steered");
      const page = await open("/actors/exploration/steered");
      await live(page);
      await becomes(page, "exploration.active.running");
      await post("pause", { job_id: "steered" });
      await becomes(page, "exploration.paused");
      expect(await activeStates(page)).toEqual(["exploration", "exploration.paused"]);
      await page.waitForSelector('.chart .transition.taken[data-transition="exploration.active|PAUSE|0"]', {
        ...SEEN,
        state: "attached",
      });
      await page.locator("#state", { hasText: "paused" }).waitFor(SEEN);
      await page.locator("#under-way", { hasText: "None runs." }).waitFor(SEEN);
      await page.locator("#log li", { hasText: "caller → PAUSE" }).first().waitFor(SEEN);
      await post("resume", { job_id: "steered" });
      await becomes(page, "exploration.active.running");
      await page.locator("#under-way", { hasText: "crawl" }).waitFor(SEEN);
      await page.locator("#log li", { hasText: "paused → active.running" }).first().waitFor(SEEN);
      await page.locator("#log li", { hasText: "effect started: crawl" }).first().waitFor(SEEN);
      await post("cancel", { job_id: "steered" });
    },
    TIMEOUT,
  );

  test(
    "sees every state and every transition of the machine in the diagram",
    async () => {
      const page = await open("/actors/janitor/store");
      for (const kind of ["exploration", "janitor"]) {
        if (kind === "exploration") await start("whole");
        await page.goto(`${cairn.url}/actors/${kind}/${kind === "exploration" ? "whole" : "store"}`);
        const { chart } = (await cairn.get(`/api/machines/${kind}`)).body;
        const shown = (name: string) =>
          page.$$eval(
            `.chart [${name}]`,
            (found, attribute) => [...new Set(found.map((one) => one.getAttribute(attribute)))].sort(),
            name,
          );
        const ids = (list: { id: string }[]) => list.map(({ id }) => id).sort();
        expect(await shown("data-state")).toEqual(ids(chart.states));
        expect(await shown("data-transition")).toEqual(ids(chart.transitions));
      }
      await post("cancel", { job_id: "whole" });
    },
    TIMEOUT,
  );

  test(
    "sees the list update by itself: a new job appears, and its state follows",
    async () => {
      const page = await open("/actors?kind=exploration");
      await live(page);
      let release = () => {};
      gate = new Promise((resolve) => {
        release = resolve;
      });
      await start("newcomer");
      const state = page.locator('tr[data-actor="exploration/newcomer"] .state-name');
      await state.filter({ hasText: "active" }).waitFor(SEEN);
      await post("pause", { job_id: "newcomer" });
      await state.filter({ hasText: "paused" }).waitFor(SEEN);
      release();
      await post("cancel", { job_id: "newcomer" });
      await state.filter({ hasText: "cancelled" }).waitFor(SEEN);
    },
    TIMEOUT,
  );

  test(
    "sees the current state again after Cairn was away",
    async () => {
      await start("away");
      let back = Promise.resolve();
      const page = await open("/actors/exploration/away", {}, async (fresh) => {
        await fresh.routeWebSocket(/\/ws\/inspect/, async (socket) => {
          await back;
          socket.connectToServer();
        });
      });
      await becomes(page, "exploration.active.running");
      await live(page);
      const port = Number(new URL(cairn.url).port);
      // The page returns only after the pause and its events: it receives none of them and must query the
      // state.
      const held = Promise.withResolvers<void>();
      back = held.promise;
      await cairn.stop();
      await page.waitForSelector('#live[data-is="off"]', SEEN);
      cairn = await Cairn.start({ data: data.path, port });
      await post("pause", { job_id: "away" });
      await settled("away");
      held.resolve();
      await live(page);
      await becomes(page, "exploration.paused");
      await page.locator("#state", { hasText: "paused" }).waitFor(SEEN);
      await post("cancel", { job_id: "away" });
      // A failed connection is expected while Cairn is away.
      wrongs = wrongs.filter((wrong) => !/ERR_CONNECTION|WebSocket connection/.test(wrong));
    },
    TIMEOUT,
  );

  test(
    "uses the pages on a phone, in dark mode, and with the keyboard alone",
    async () => {
      await start("small");
      const page = await open("/actors", { viewport: { width: 390, height: 800 }, colorScheme: "dark" });
      const reach = async (wanted: string) => {
        for (let i = 0; i < 60; i++) {
          await page.keyboard.press("Tab");
          if (await page.evaluate((text) => document.activeElement?.textContent?.trim() === text, wanted))
            return;
        }
        throw new Error(`${wanted} cannot be reached with the keyboard`);
      };
      await reach("small");
      await page.keyboard.press("Enter");
      await becomes(page, "exploration.active.running");
      // Only the diagram is wider than the screen, inside a frame that scrolls to the current state.
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      const shown = await page
        .locator('.chart .state[data-state="exploration.active.running"]')
        .boundingBox();
      expect(shown?.x).toBeGreaterThan(0);
      expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThan(390);
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
        "rgb(20, 23, 28)",
      );
      await post("cancel", { job_id: "small" });
    },
    TIMEOUT,
  );

  test(
    "reads everything without scripts",
    async () => {
      await start("still");
      await post("pause", { job_id: "still" });
      const page = await open("/actors/exploration/still", { javaScriptEnabled: false });
      expect(await activeStates(page)).toEqual(["exploration", "exploration.paused"]);
      expect(await page.textContent("#state")).toBe("paused");
      await post("cancel", { job_id: "still" });
    },
    TIMEOUT,
  );
});

test(
  "sees the texts of a diagram inside their boxes with the fonts of this machine",
  async () => {
    const page = await open("/actors/janitor/store");
    const tooWide = await page.$$eval(".chart text", (texts) =>
      texts.flatMap((text) => {
        const chart = text.closest("svg")?.getBoundingClientRect();
        const box = text.getBoundingClientRect();
        const pill = text.parentElement?.querySelector(".pill")?.getBoundingClientRect();
        const inside = (outer: DOMRect | undefined) =>
          !outer || (box.left >= outer.left - 1 && box.right <= outer.right + 1);
        return inside(chart) && inside(pill) ? [] : [text.textContent];
      }),
    );
    expect(tooWide).toEqual([]);
  },
  TIMEOUT,
);
