/**
 * Tests every view of the console in every state. In both themes it must be accessible, and have no errors,
 * no requests to other hosts and no secrets. The views must also show the right content after ten seconds
 * without sockets, and for a person who has signed in with a key.
 */
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page, WebSocketRoute } from "playwright";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";
import { accessibilityProblems, ConsoleBrowser, SEEN } from "./console-test-browser.ts";

setDefaultTimeout(600_000);
const SECRET = "planted-secret-4711";
/** Time in milliseconds during which the sockets are disconnected. */
const AWAY = 10_000;

let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
let browser: ConsoleBrowser;

const site = siteOfTests({
  "*": (request) => {
    const n = Number(new URL(request.url).pathname.slice(2));
    return html(
      `Page ${n}`,
      `<h1>Page ${n}</h1><a href="/p${2 * n + 1}">a</a> <a href="/p${2 * n + 2}">b</a> <a href="/missing">c</a>`,
    );
  },
});

beforeAll(async () => {
  data = await dataFolder();
  [cairn, browser] = await Promise.all([
    Cairn.start({ data: data.path, env: { CAIRN_SECRET_SHOP: SECRET } }),
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

/** Waits until the view of the console has loaded its data. */
const settled = (page: Page) =>
  page.waitForFunction(() => document.querySelector("h1") && !document.querySelector(".loading"), null, SEEN);

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(cairn.url + path);
  await settled(page);
}

/** Address of the only view that calls no route below `/api`: it reads `/ready` and `/metrics`. */
const WITHOUT_API = "/status";
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
  WITHOUT_API,
  "/status?tab=configuration",
  "/audit",
];
/** Addresses of views that show a single object. The test of views with content creates these objects. */
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

test("every console view is accessible while it is empty, and explains that a requested object does not exist", async () => {
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
  // The browser reports every answer with status 404 as an error of the page. These errors are expected
  // here.
  const others = browser.takeProblems().filter((problem) => !/404/.test(problem));
  expect(others).toEqual([]);
});

test("every console view is accessible while it loads, and when Cairn fails to answer it", async () => {
  const problems: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    let answer = Promise.withResolvers<void>();
    const page = await browser.open(cairn.url, "/machines", { colorScheme }, async (prepared) => {
      await prepared.route("**/api/**", async (route) => {
        await answer.promise;
        const error = { code: "internal.defect", message: "Cairn failed. Try again." };
        await route.fulfill({ status: 500, json: { error } }).catch(() => {});
      });
    });
    for (const path of [...LISTS, ...DETAILS]) {
      answer = Promise.withResolvers();
      await page.goto(cairn.url + path, { waitUntil: "commit" });
      await page.locator("h1").first().waitFor(SEEN);
      problems.push(...(await accessibilityProblems(page)));
      answer.resolve();
      await settled(page);
      // Every view must show that its requests have failed. The view of a room without a session shows an empty
      // state instead. The status view makes none of these requests.
      if (path !== WITHOUT_API) await page.locator(".failure, .empty").first().waitFor(SEEN);
      problems.push(...(await accessibilityProblems(page)));
    }
  }
  // The pages are closed first. A page may still repeat a request, and a failure of that request would be
  // attributed to the next test.
  await browser.closePages();
  expect(problems).toEqual([]);
  // The browser reports every failed answer as an error of the page. Status 500 is expected, because this
  // test lets every request fail. Status 404 is expected, because one view shows a session that does not
  // exist yet.
  expect(browser.takeProblems().filter((problem) => !/status of (500|404)/.test(problem))).toEqual([]);
});

test("every console view with content is accessible in the dark theme, and shows no secret", async () => {
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
    const values = await page.$$eval("input, textarea", (fields) =>
      fields.map((field) => ("value" in field ? String(field.value) : "")),
    );
    if ([await page.content(), ...values].some((text) => text.includes(SECRET))) leaks.push(path);
  }
  expect(problems).toEqual([]);
  expect(leaks).toEqual([]);
  const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(background).toBe("rgb(20, 23, 26)");
});

/** Views whose content changes while the sockets of the next test are disconnected. */
const CHANGING = [
  "/",
  "/actors?kind=exploration",
  "/actors/exploration/away",
  "/explorations",
  "/explorations/away",
  "/maps",
  "/maps/away",
  "/sessions",
  "/dialogues",
  "/navigations",
];

/**
 * Returns the text of a view without times and logs of events. These differ between two visits: a log, for
 * example, contains only events since the view was opened.
 */
const textOf = (page: Page): Promise<string> =>
  page.$eval("main", (main) => {
    const copy = document.createElement("main");
    copy.innerHTML = main.innerHTML;
    for (const changing of copy.querySelectorAll("time, .log, .scrubber, .loading")) changing.remove();
    const numbers = [...copy.querySelectorAll(".numbers > div")];
    for (const number of numbers) if (/depth|pages a second/.test(number.textContent ?? "")) number.remove();
    const active = [...main.querySelectorAll(".chart .state.active")].map((state) =>
      state.getAttribute("data-state"),
    );
    return [copy.textContent, ...active].join("\n");
  });

test("console views whose sockets were disconnected for ten seconds show the same as newly opened pages", async () => {
  await cairn.post("/api/knowledge/explore/start", {
    start_url: site.url("/p0"),
    job_id: "away",
    knowledge_id: "away",
    max_pages: 100_000,
    max_depth: 20,
    sitemaps: false,
  });
  const sockets: WebSocketRoute[] = [];
  let isAway = false;
  const opened: { readonly path: string; readonly page: Page }[] = [];
  for (const path of CHANGING) {
    const page = await browser.open(cairn.url, path, {}, async (prepared) => {
      await prepared.routeWebSocket(/\/ws\//, async (socket) => {
        if (isAway) return await socket.close();
        sockets.push(socket);
        socket.connectToServer();
      });
    });
    await page.waitForSelector('#live[data-is="on"]', SEEN);
    opened.push({ path, page });
  }
  isAway = true;
  for (const socket of sockets.splice(0)) await socket.close();
  await cairn.post("/api/knowledge/explore/pause", { job_id: "away" });
  await cairn.call("start_browser_session", { room_name: "meanwhile", initial_url: site.url("/p1") });
  await cairn.post("/api/dialogues", { task: "Click b", room_name: "meanwhile", dialogue_id: "meanwhile" });
  await cairn.post("/api/knowledge/meanwhile/import", { map: { format: "cairn-map", version: 1 } });
  await Bun.sleep(AWAY);
  isAway = false;
  for (;;) {
    const { progress } = await cairn.status("away");
    if (progress.searchable === progress.completed) break;
    await Bun.sleep(50);
  }
  const different: string[] = [];
  for (const { path, page } of opened) {
    await page.waitForSelector('#live[data-is="on"]', SEEN);
    const fresh = await browser.open(cairn.url, path);
    await fresh.waitForSelector('#live[data-is="on"]', SEEN);
    await settled(fresh);
    // `page` was open before the sockets were disconnected, and `fresh` was opened now. Both must show the same.
    // They are updated at slightly different moments, so their texts are compared until they are equal.
    let texts: readonly string[] = [];
    for (let tries = 0; tries < 40; tries++) {
      texts = await Promise.all([textOf(page), textOf(fresh)]);
      if (texts[0] === texts[1]) break;
      await Bun.sleep(250);
    }
    if (texts[0] !== texts[1]) different.push(`${path}: ${texts.join("\n--- fresh ---\n")}`);
    await fresh.context().close();
  }
  expect(different).toEqual([]);
  await cairn.post("/api/knowledge/explore/cancel", { job_id: "away" });
});

test("a person signs in to the console with a key and acts within its scope", async () => {
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
    // The first visit is answered with status 401, which the browser reports as an error of the page. This
    // error is expected here.
    expect(browser.takeProblems().filter((problem) => !/401/.test(problem))).toEqual([]);
  } finally {
    // The pages are closed before Cairn is stopped. Otherwise their lost sockets would count as errors of
    // the pages.
    await browser.closePages();
    await keyed.stop();
    await own.remove();
  }
});
