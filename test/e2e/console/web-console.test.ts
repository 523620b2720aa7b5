/**
 * Tests the console of a running Cairn in a real Chromium. A person sees the current work and how it changes,
 * and acts on it.
 */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page, WebSocketRoute } from "playwright";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";
import { accessibilityProblems, ConsoleBrowser, EXPLORED, SEEN } from "./console-test-browser.ts";

setDefaultTimeout(300_000);
/**
 * Time in milliseconds after which the site answers. The jobs of this test only need to be running, and with
 * a slow site they use less CPU time.
 */
const PAGE_DELAY = 600;

let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
let browser: ConsoleBrowser;
/** Whether the page of a session has received the click that the test made in the console. */
let pressed = false;
/** The site answers requests for its numbered pages only when this promise has resolved. */
let gate: Promise<void> = Promise.resolve();

const site = siteOfTests({
  "/press": html(
    "Press",
    `<body style="margin:0"><button style="width:100vw;height:100vh" onclick="fetch('/pressed')">Press</button>`,
  ),
  "/long": html(
    "Long",
    ["first", "second"]
      .map((row) => `<ul><li>https://${row}.example/${"page".repeat(40)} <button>Edit</button></li></ul>`)
      .join(""),
  ),
  "/pressed": () => {
    pressed = true;
    return new Response("");
  },
  "*": async (request) => {
    await gate;
    await Bun.sleep(PAGE_DELAY);
    const n = Number(new URL(request.url).pathname.slice(2));
    return html(
      `Page ${n}`,
      `<h1>Page ${n}</h1><a href="/p${2 * n + 1}">a</a> <a href="/p${2 * n + 2}">b</a>`,
    );
  },
});

beforeAll(async () => {
  data = await dataFolder();
  [cairn, browser] = await Promise.all([
    Cairn.start({ data: data.path, env: { CAIRN_WORKERS: "1" } }),
    ConsoleBrowser.launch(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await cairn?.stop();
  await data?.remove();
});

afterEach(async () => {
  await browser.closePages();
  expect(browser.takeProblems()).toEqual([]);
});

const open = (
  path: string,
  ...more: Parameters<ConsoleBrowser["open"]> extends [string, string, ...infer Rest] ? Rest : never
) => browser.open(cairn.url, path, ...more);
const control = async (path: string, body: unknown) => {
  const { status } = await cairn.post(`/api/knowledge/explore/${path}`, body);
  expect(status).toBe(200);
};
const start = (job_id: string) =>
  control("start", { start_url: site.url("/p0"), job_id, max_pages: 3_000, max_depth: 20, sitemaps: false });
const live = (page: Page) => page.waitForSelector('#live[data-is="on"]', SEEN);
const state = (page: Page, text: string) => page.locator("#state", { hasText: text }).waitFor(SEEN);
const becomes = (page: Page, id: string) =>
  page.waitForSelector(`.chart .state.active[data-state="${id}"]`, { ...SEEN, state: "attached" });
/**
 * Returns whether the smallest text of the state chart has at least 11 pixels, and whether its frame shows the
 * complete innermost active state.
 */
const chartOn = (page: Page) =>
  page.$eval(".chart", (chart) => {
    // The selector matches only the SVG element of the chart.
    const pixelsPerUnit = (chart as SVGSVGElement).getScreenCTM()?.a ?? 0;
    const sizes = [...chart.querySelectorAll("text")].map(
      (text) => Number.parseFloat(getComputedStyle(text).fontSize) * pixelsPerUnit,
    );
    const frame = chart.getBoundingClientRect();
    const box = [...chart.querySelectorAll(".state.active")].at(-1)?.getBoundingClientRect();
    return {
      isReadable: Math.min(...sizes) >= 10.99,
      isActiveShown:
        box !== undefined &&
        box.left >= frame.left &&
        box.right <= frame.right &&
        box.top >= frame.top &&
        box.bottom <= frame.bottom,
    };
  });
/** Waits until the view of the console has loaded its data. */
const settled = (page: Page) =>
  page.waitForFunction(() => document.querySelector("h1") && !document.querySelector(".loading"), null, SEEN);

describe("a person on the console", () => {
  test("takes control of a session in its live picture, and gives the control back", async () => {
    const room_name = "controlled";
    await cairn.call("start_browser_session", { room_name, initial_url: site.url("/press") });
    const page = await open(`/sessions/${room_name}`);
    await page.getByRole("button", { name: "Take control" }).click();
    await page.getByLabel(/Your mouse and keyboard go to it/).click(SEEN);
    await page.getByText("You have control").waitFor(SEEN);
    while (!pressed) await page.waitForTimeout(20);
    await page.keyboard.press("Shift+Escape");
    await page.getByRole("button", { name: "Take control" }).waitFor(SEEN);
  });

  test.if(isFull)("sees that a room has no session, and is offered no action on one", async () => {
    const page = await open("/sessions/never-opened");
    await page.getByText("This room has no session.").waitFor(SEEN);
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    // Chromium reports the answer 404 as an error of the page.
    expect(browser.takeProblems().filter((problem) => !problem.includes("404"))).toEqual([]);
  });

  test("opens every view by its link, without an error and without a request to another host", async () => {
    const page = await open("/");
    const links = await page.locator("header.bar nav a").all();
    expect(links.length).toBeGreaterThan(12);
    for (const name of await page.locator("header.bar nav a").allInnerTexts()) {
      // The guide and the API pages are left out, because they are separate documents and not views.
      if (name === "Guide" || name === "API") continue;
      await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name, exact: true }).click();
      await settled(page);
      expect(await page.locator(".failure").count()).toBe(0);
    }
  });

  test.if(isFull)(
    'uses "Try it": explores, goes to a screen, answers a question, approves, and handles a failed step',
    async () => {
      const page = await open("/");
      await page.getByRole("button", { name: "Try it", exact: true }).click();
      await page.waitForURL(/\/explorations\/./, SEEN);
      await page.locator("#state", { hasText: "completed" }).waitFor(EXPLORED);
      await page.getByRole("link", { name: "Presses", exact: true }).click();
      await page.getByRole("cell", { name: "asked for" }).first().waitFor(SEEN);
      await page.getByRole("link", { name: "try-it", exact: true }).click();
      await page.getByLabel("Find a screen").fill("invoice settings");
      await page.getByRole("link", { name: "Invoice settings" }).click();
      await page.waitForFunction(
        () => document.querySelector<HTMLImageElement>(".screen-picture img")?.naturalWidth === 480,
        null,
        SEEN,
      );
      await page.getByText(/^Tasks \(/).click();
      await page.getByText("with City, Prefix, Days to pay").waitFor(SEEN);
      await page.getByText("Route from another screen").click();
      await page.getByLabel("From screen").fill("Help");
      await page.getByRole("button", { name: "Show it" }).click();
      await page.getByText('Click "Invoice settings" to go to Invoice settings').waitFor(SEEN);
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole("button", { name: "Take me there" }).click();
      await page.getByRole("link", { name: "see it in try-it" }).click();
      await page.locator(".picture figcaption", { hasText: "/settings/invoices" }).waitFor(SEEN);
      await page.getByRole("button", { name: /^\d+ Desk/ }).click();
      await page.getByRole("button", { name: "Click", exact: true }).click();
      await page.locator(".picture figcaption", { hasText: "/desk" }).waitFor(SEEN);
      await page.locator(".history li", { hasText: "click" }).first().waitFor(SEEN);
      expect(await accessibilityProblems(page)).toEqual([]);

      await page.getByRole("link", { name: "Give it a task" }).click();
      await page.getByRole("textbox", { name: "Task" }).fill("Click Edit note");
      await page.getByRole("button", { name: "Plan it" }).click();
      await page.getByText(/round 1 of 3/).waitFor(SEEN);
      await page.getByLabel("Other (specify below)").waitFor(SEEN);
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole("radio").nth(1).check();
      await page.getByRole("button", { name: "Submit" }).click();
      await page.getByRole("button", { name: "Execute" }).click();
      await state(page, "completed");
      await page.locator(".picture figcaption", { hasText: "/desk/notes/2" }).waitFor(SEEN);

      await page.getByRole("button", { name: "Back", exact: true }).click();
      await page.locator(".picture figcaption", { hasText: /\/desk$/ }).waitFor(SEEN);
      await page.getByRole("textbox", { name: "Task" }).fill('Click "Sort by date", then click "Print list"');
      await page.getByRole("button", { name: "Plan it" }).click();
      await page.getByRole("button", { name: "Execute" }).click();
      await state(page, "mid_exec_dialog");
      await page.getByRole("heading", { name: "Step 2 failed" }).waitFor(SEEN);
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByText("Found similar").waitFor(SEEN);
      await page.getByRole("button", { name: "Retry", exact: true }).click();
      await state(page, "completed");
    },
  );

  test.if(isFull)(
    "sees the state chart follow a pause and a resume of a job, and can show an earlier state",
    async () => {
      await start("steered");
      const page = await open("/actors");
      const row = page.locator("tr", { hasText: "steered" });
      await row.locator(".state-name", { hasText: "active.running" }).waitFor(SEEN);
      await row.locator("a").click();
      await becomes(page, "exploration.active.running");
      await live(page);
      expect(await page.textContent("h1")).toContain("steered");
      await page.getByLabel("Command", { exact: true }).selectOption("PAUSE");
      await page.getByRole("button", { name: "Send PAUSE" }).click();
      await becomes(page, "exploration.paused");
      await page.waitForSelector('.chart .transition.taken[data-transition="exploration.active|PAUSE|0"]', {
        ...SEEN,
        state: "attached",
      });
      await state(page, "paused");
      await page.locator("#under-way", { hasText: "None runs." }).waitFor(SEEN);
      await page.locator("#log li", { hasText: "caller → PAUSE" }).first().waitFor(SEEN);
      expect(await chartOn(page)).toEqual({ isReadable: true, isActiveShown: true });
      await control("resume", { job_id: "steered" });
      await becomes(page, "exploration.active.running");
      expect(await chartOn(page)).toEqual({ isReadable: true, isActiveShown: true });
      await page.locator("#under-way", { hasText: "crawl" }).waitFor(SEEN);
      // The button is found and clicked in one step inside of the page, because new events move the list in between.
      await page.$$eval("#log button", (buttons) => {
        for (const button of buttons)
          if (button instanceof HTMLElement && button.textContent?.includes("caller → PAUSE"))
            return button.click();
      });
      await becomes(page, "exploration.paused");
      await page.getByRole("button", { name: "Back to now" }).click();
      await becomes(page, "exploration.active.running");
      const { chart } = (await cairn.get("/api/machines/exploration")).body;
      const shown = (name: string) =>
        page.$$eval(
          `.chart [${name}]`,
          (found, attribute) => [...new Set(found.map((one) => one.getAttribute(attribute)))].sort(),
          name,
        );
      const ids = (list: { id: string }[]) => list.map(({ id }) => id).sort();
      expect(await shown("data-state")).toEqual(ids(chart.states));
      expect(await shown("data-transition")).toEqual(ids(chart.transitions));
      await control("cancel", { job_id: "steered" });
      const audit = (await cairn.get("/api/audit?act=send_command")).body.entries;
      expect(audit[0]).toMatchObject({ subject: "exploration/steered", outcome: "done" });
    },
  );

  test.if(isFull)("sees a list update by itself, with a new job and its changes of state", async () => {
    const page = await open("/actors?kind=exploration");
    await live(page);
    let release = () => {};
    gate = new Promise((resolve) => {
      release = resolve;
    });
    await start("newcomer");
    const name = page.locator('tr[data-actor="exploration/newcomer"] .state-name');
    await name.filter({ hasText: "active" }).waitFor(SEEN);
    await control("pause", { job_id: "newcomer" });
    await name.filter({ hasText: "paused" }).waitFor(SEEN);
    release();
    await control("cancel", { job_id: "newcomer" });
    await name.filter({ hasText: "cancelled" }).waitFor(SEEN);
  });

  test.if(isFull)("sees the same as on a newly opened page after the sockets were disconnected", async () => {
    await start("away");
    const sockets: WebSocketRoute[] = [];
    let back: Promise<void> | undefined;
    const page = await open("/actors/exploration/away", {}, async (prepared) => {
      await prepared.routeWebSocket(/\/ws\//, async (socket) => {
        await back;
        sockets.push(socket);
        socket.connectToServer();
      });
    });
    await becomes(page, "exploration.active.running");
    await live(page);
    const away = Promise.withResolvers<void>();
    back = away.promise;
    for (const socket of sockets.splice(0)) await socket.close();
    await page.waitForSelector('#live[data-is="off"]', SEEN);
    await control("pause", { job_id: "away" });
    away.resolve();
    await live(page);
    await becomes(page, "exploration.paused");
    await state(page, "paused");
    for (;;) {
      const { progress } = await cairn.status("away");
      if (progress.searchable === progress.completed) break;
      await Bun.sleep(50);
    }
    const shownOn = async (shown: Page) => ({
      active: await shown.$$eval(".chart .state.active", (found) =>
        found.map((one) => one.getAttribute("data-state")),
      ),
      facts: await shown.locator(".facts").textContent(),
      underWay: await shown.locator("#under-way").textContent(),
      context: await shown.locator("#context").textContent(),
    });
    const fresh = await open("/actors/exploration/away");
    await becomes(fresh, "exploration.paused");
    const wanted = await shownOn(fresh);
    await page.locator("#context", { hasText: wanted.context ?? "" }).waitFor(SEEN);
    expect(await shownOn(page)).toEqual(wanted);
    await control("cancel", { job_id: "away" });
  });

  test.if(isFull)("replays and discards a dead letter", async () => {
    // `null` is not a valid state, so the map's state machine throws an error, and the command becomes a dead letter.
    const broken = { type: "STATES", fields: { states: [null], transitions: [] } };
    const { knowledge_id } = await cairn.status("steered");
    const { body } = await cairn.post(`/api/actors/knowledge/${knowledge_id}/commands`, broken);
    expect(body.error.code).toBe("actor.step_failed");
    const page = await open("/dead-letters");
    const letter = page.locator(".letter", { hasText: knowledge_id }).first();
    await letter.waitFor(SEEN);
    expect(await accessibilityProblems(page)).toEqual([]);
    await letter.getByRole("button", { name: "Replay" }).click();
    await page.getByText("It failed again").first().waitFor(SEEN);
    await letter.getByRole("button", { name: "Discard" }).click();
    await page.getByText("There are no dead letters.").waitFor(SEEN);
    // The replay of the dead letter fails with status 500, which the browser reports as an error of the
    // page. This error is expected here.
    expect(browser.takeProblems().filter((problem) => !/status of 500/.test(problem))).toEqual([]);
  });

  test.if(isFull)("answers a question with long options on a phone", async () => {
    const { body } = await cairn.post("/api/dialogues", { task: "Click Edit", url: site.url("/long") });
    const page = await open(`/dialogues/${body.dialogue_id}`, { viewport: { width: 390, height: 800 } });
    await page.getByRole("radio").nth(1).waitFor(SEEN);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.getByRole("radio").nth(1).check();
    await page.getByRole("button", { name: "Submit" }).click();
    await page.getByRole("button", { name: "Execute" }).waitFor(SEEN);
  });

  test.if(isFull)("uses the console on a phone and with the keyboard alone", async () => {
    const page = await open("/actors?kind=janitor", { viewport: { width: 390, height: 800 } });
    await live(page);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("janitor store");
    await page.getByRole("option", { name: "janitor store" }).waitFor(SEEN);
    await page.keyboard.press("Enter");
    await becomes(page, "janitor");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const frame = page.locator(".frame");
    await frame.focus();
    const box = () => page.locator(".chart").getAttribute("viewBox");
    const fitted = await box();
    await page.keyboard.press("+");
    await page.keyboard.press("ArrowRight");
    expect(await box()).not.toBe(fitted);
    await page.keyboard.press("0");
    expect(await box()).toBe(fitted);
    const tooWide = await page.$$eval(".chart text", (texts) =>
      texts.flatMap((text) => {
        const chart = text.closest("svg")?.getBoundingClientRect();
        const shown = text.getBoundingClientRect();
        const inside = !chart || (shown.left >= chart.left - 1 && shown.right <= chart.right + 1);
        return inside ? [] : [text.textContent];
      }),
    );
    expect(tooWide).toEqual([]);
  });
});
