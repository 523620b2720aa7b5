/**
 * Tests every view of the console in every state. In both themes it must be accessible, and have no errors,
 * no requests to other hosts and no secrets. The views must also be right after ten seconds without sockets,
 * and for a person who has signed in with a key.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Page, WebSocketRoute } from "playwright";
import { html, type ScriptedSite, serveSite } from "../sites/scripted-site.ts";
import { Cairn, dataFolder } from "./cairn-process.ts";
import { accessibilityProblems, ConsoleBrowser, SEEN } from "./console-page.ts";

const TIMEOUT = 240_000;
const SECRET = "planted-secret-4711";
/** Time in milliseconds during which the sockets are disconnected. */
const AWAY = 10_000;

let site: ScriptedSite;
let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
let browser: ConsoleBrowser;

beforeAll(async () => {
  site = serveSite({
    "*": (request) => {
      const n = Number(new URL(request.url).pathname.slice(2));
      return html(
        `Page ${n}`,
        `<h1>Page ${n}</h1><a href="/p${2 * n + 1}">a</a> <a href="/p${2 * n + 2}">b</a> <a href="/missing">c</a>`,
      );
    },
  });
  data = await dataFolder();
  [cairn, browser] = await Promise.all([
    Cairn.start({ data: data.path, env: { CAIRN_SECRET_SHOP: SECRET } }),
    ConsoleBrowser.launch(),
  ]);
}, TIMEOUT);

afterAll(async () => {
  await browser?.close();
  await cairn?.stop();
  await data?.remove();
  await site?.stop();
}, TIMEOUT);

afterEach(async () => {
  await browser.closePages();
  expect(browser.takeProblems()).toEqual([]);
});

/** Waits until the view has loaded its data. */
const settled = (page: Page) =>
  page.waitForFunction(() => document.querySelector("h1") && !document.querySelector(".loading"), null, SEEN);

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(cairn.url + path);
  await settled(page);
}

const LISTS = [
  "/",
  "/explorations",
  "/maps",
  "/sessions",
  "/dialogues",
  "/navigations",
  "/actors",
  "/actors?kind=host&state=parked",
  "/machines",
  "/machines/dialogue",
  "/dead-letters",
  "/nodes",
  "/status",
  "/status?tab=configuration",
  "/audit",
];
/** Views of single objects, which the test of views with content creates. */
const DETAILS = [
  "/explorations/steered",
  "/explorations/steered?tab=pages",
  "/explorations/steered?tab=presses",
  "/explorations/steered?tab=held",
  "/explorations/steered?tab=errors",
  "/maps/try-it",
  "/maps/try-it/diff",
  "/actors/session/signed-in",
  "/sessions/signed-in",
  "/sessions/signed-in?tab=network",
  "/sessions/signed-in?tab=console",
  "/sessions/signed-in?tab=downloads",
  "/sessions/signed-in?tab=recordings",
  "/dialogues/asked",
  "/navigations/asked",
];

test(
  "every console view is accessible while it is empty, and explains that a requested object does not exist",
  async () => {
    const page = await browser.open(cairn.url, "/");
    const problems: string[] = [];
    for (const path of LISTS) {
      await visit(page, path);
      problems.push(...(await accessibilityProblems(page)));
    }
    for (const path of [
      "/explorations/none",
      "/actors/host/none",
      "/maps/none",
      "/navigations/none",
      "/dialogues/none",
    ]) {
      await visit(page, path);
      await page.locator(".failure", { hasText: "not_found" }).first().waitFor(SEEN);
      problems.push(...(await accessibilityProblems(page)));
    }
    await visit(page, "/nowhere-else");
    expect(problems).toEqual([]);
    // The browser reports every 404 answer as an error of the page. Here the answer is expected.
    const others = browser.takeProblems().filter((problem) => !/404/.test(problem));
    expect(others).toEqual([]);
  },
  TIMEOUT,
);

test(
  "every console view is accessible while it loads, and when Cairn fails to answer it",
  async () => {
    const problems: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      let answer = Promise.withResolvers<void>();
      let failures = 0;
      const page = await browser.open(cairn.url, "/machines", { colorScheme }, async (prepared) => {
        await prepared.route("**/api/**", async (route) => {
          await answer.promise;
          failures += 1;
          const error = { code: "internal.defect", message: "Cairn failed. Try again." };
          await route.fulfill({ status: 500, json: { error } }).catch(() => {});
        });
      });
      for (const path of [...LISTS, ...DETAILS]) {
        answer = Promise.withResolvers();
        const before = failures;
        await page.goto(cairn.url + path, { waitUntil: "commit" });
        await page.locator("h1").first().waitFor(SEEN);
        problems.push(...(await accessibilityProblems(page)));
        answer.resolve();
        await settled(page);
        if (failures > before) await page.locator(".failure").first().waitFor(SEEN);
        problems.push(...(await accessibilityProblems(page)));
      }
      expect(failures).toBeGreaterThan(LISTS.length);
    }
    expect(problems).toEqual([]);
    // The browser reports every failed answer as an error of the page. Here the failures are expected, and
    // the session of a detail view does not exist yet.
    expect(browser.takeProblems().filter((problem) => !/status of (500|404)/.test(problem))).toEqual([]);
  },
  TIMEOUT,
);

test(
  "every console view with content is accessible in the dark theme, and shows no secret",
  async () => {
    await cairn.post("/api/navigate", {
      prompt: "Page 1",
      seed_links: [site.url("/p0")],
      run_id: "asked",
      max_seconds: 3,
    });
    await cairn.call("start_browser_session", {
      room_name: "signed-in",
      initial_url: site.url(`/p0?token=${SECRET}`),
      headers: { authorization: `Bearer ${SECRET}` },
    });
    await cairn.call("execute_action", {
      room_name: "signed-in",
      action_type: "navigate",
      params: { url: site.url(`/p1?password=${SECRET}`) },
    });
    const start = { start_url: site.url("/p0"), job_id: "steered", knowledge_id: "try-it", max_pages: 20 };
    await cairn.post("/api/knowledge/explore/start", start);
    while ((await cairn.status("steered")).status !== "completed") await Bun.sleep(50);
    const task = { task: "Click a", room_name: "signed-in", dialogue_id: "asked" };
    expect((await cairn.post("/api/dialogues", task)).status).toBe(200);
    const page = await browser.open(cairn.url, "/", { colorScheme: "dark" });
    const problems: string[] = [];
    const leaks: string[] = [];
    for (const path of [...LISTS, ...DETAILS]) {
      await visit(page, path);
      problems.push(...(await accessibilityProblems(page)));
      await page.$$eval("details", (all) => {
        for (const details of all) if (details instanceof HTMLDetailsElement) details.open = true;
      });
      if ((await page.content()).includes(SECRET)) leaks.push(path);
    }
    expect(problems).toEqual([]);
    expect(leaks).toEqual([]);
    const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(background).toBe("rgb(20, 23, 26)");
  },
  TIMEOUT,
);

test(
  "a console view whose sockets were disconnected for ten seconds shows the same as a newly opened page",
  async () => {
    const start = {
      start_url: site.url("/p0"),
      job_id: "away",
      max_pages: 100_000,
      max_depth: 20,
      sitemaps: false,
    };
    await cairn.post("/api/knowledge/explore/start", start);
    const sockets: WebSocketRoute[] = [];
    let isAway = false;
    const page = await browser.open(cairn.url, "/actors/exploration/away", {}, async (prepared) => {
      await prepared.routeWebSocket(/\/ws\//, async (socket) => {
        if (isAway) return await socket.close();
        sockets.push(socket);
        socket.connectToServer();
      });
    });
    await page.waitForSelector('#live[data-is="on"]', SEEN);
    isAway = true;
    for (const socket of sockets.splice(0)) await socket.close();
    await cairn.post("/api/knowledge/explore/pause", { job_id: "away" });
    await Bun.sleep(AWAY);
    isAway = false;
    await page.waitForSelector('#live[data-is="on"]', SEEN);
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
      context: await shown.locator("#context").textContent(),
    });
    const fresh = await browser.open(cairn.url, "/actors/exploration/away");
    await fresh.waitForSelector('.chart .state.active[data-state="exploration.paused"]', {
      ...SEEN,
      state: "attached",
    });
    await page.waitForSelector('.chart .state.active[data-state="exploration.paused"]', {
      ...SEEN,
      state: "attached",
    });
    // Each page reads the actor's context at most every half second. After this wait, both pages show the
    // current context.
    await Bun.sleep(1_000);
    expect(await shownOn(page)).toEqual(await shownOn(fresh));
    await cairn.post("/api/knowledge/explore/cancel", { job_id: "away" });
  },
  TIMEOUT,
);

test(
  "a person signs in to the console with a key and acts within its scope",
  async () => {
    const own = await dataFolder();
    const env = {
      CAIRN_API_KEY: "the-key-of-the-operator",
      CAIRN_API_KEYS: "reader:read:the-key-of-the-reader",
    };
    const keyed = await Cairn.launch({ data: own.path, env });
    const authorization = "Bearer the-key-of-the-operator";
    const ready = () =>
      fetch(`${keyed.url}/ready`, { headers: { authorization } }).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await ready())) await Bun.sleep(50);
    try {
      const signIn = async (key: string): Promise<Page> => {
        const page = await browser.open(keyed.url, "/actors/janitor/store");
        await page.getByLabel("Key").fill(key);
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.waitForSelector('#live[data-is="on"]', SEEN);
        return page;
      };
      const operator = await signIn("the-key-of-the-operator");
      await operator.getByLabel("Command", { exact: true }).selectOption("POKE");
      await operator.getByRole("button", { name: "Send POKE" }).click();
      await operator.getByText("POKE was handled.").waitFor(SEEN);
      const reader = await signIn("the-key-of-the-reader");
      expect(await reader.getByRole("button", { name: /^Send/ }).isDisabled()).toBe(true);
      await reader.getByRole("button", { name: "Sign out" }).click();
      await reader.getByLabel("Key").waitFor(SEEN);
      // The first visit is answered with 401, which the browser reports as an error of the page. Here the
      // answer is expected.
      expect(browser.takeProblems().filter((problem) => !/401/.test(problem))).toEqual([]);
    } finally {
      // The pages are closed before Cairn is stopped. Otherwise their sockets would report an error.
      await browser.closePages();
      await keyed.stop();
      await own.remove();
    }
  },
  TIMEOUT,
);
