/**
 * Tests forms of the console in a real Chromium: an exploration and a navigation run that sign in first, and
 * the comparison of two maps.
 */
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";
import { untilMapIsIdle } from "../support/wait-for-idle-map.ts";
import { accessibilityProblems, ConsoleBrowser, SEEN } from "./console-test-browser.ts";

setDefaultTimeout(300_000);
const PASSWORD = "grindstone-77";
const MEETING =
  "The members meet on the first Monday of each month at seven in the evening. We meet in the old mill beside the river, and whoever comes early helps to carry the chairs. In August the members do not meet, because most of them are away.";

let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
let browser: ConsoleBrowser;
/**
 * Whether the page for members links to the page with rules. The link is absent during the first exploration,
 * so that the second exploration finds a new link.
 */
let hasRules = false;

const signIn = html(
  "Sign in",
  '<main><h1>Sign in</h1><form method="post" action="/login"><label>User <input name="user"></label><label>Password <input type="password" name="password"></label><button>Sign in</button></form></main>',
);
const members =
  (page: () => string) =>
  (request: Request): Response | string =>
    (request.headers.get("cookie") ?? "").includes("member=yes")
      ? page()
      : new Response(null, { status: 302, headers: { location: "/login" } });

const site = siteOfTests({
  "/login": async (request) => {
    if (request.method === "GET") return signIn;
    const given = new URLSearchParams(await request.text());
    if (given.get("password") !== PASSWORD) return signIn;
    return new Response(null, {
      status: 303,
      headers: { location: "/inside", "set-cookie": "member=yes; Path=/" },
    });
  },
  "/inside": members(() =>
    html(
      "Members",
      `<main><h1>Members</h1><a href="/inside/dates">Dates</a>${hasRules ? ' <a href="/inside/rules">Rules</a>' : ""}</main>`,
    ),
  ),
  "/inside/dates": members(() =>
    html(
      "Dates",
      `<main><h1>Dates</h1><article><h2>When the members meet</h2><p>${MEETING}</p></article></main>`,
    ),
  ),
  "/inside/rules": members(() => html("Rules", "<main><h1>Rules</h1><p>Be kind.</p></main>")),
});

beforeAll(async () => {
  data = await dataFolder();
  [cairn, browser] = await Promise.all([Cairn.start({ data: data.path }), ConsoleBrowser.launch()]);
  const host = new URL(site.origin).host;
  expect((await cairn.put("/api/secrets/club", { value: PASSWORD, host })).status).toBe(200);
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

async function fillSignIn(page: Page): Promise<void> {
  await page.getByText("Sign in first").click();
  await page.getByLabel("Sign-in page").fill(site.url("/login"));
  await page.getByLabel("Label of the user field").fill("User");
  await page.getByLabel("User name", { exact: true }).fill("ada");
  await page.getByLabel("Secret with the password").fill("club");
}

/** Explores the members' area of the site with the console's form. The result is a separate map. */
async function explore(map: string): Promise<void> {
  const page = await browser.open(cairn.url, "/explorations");
  await page.getByLabel("Start url").fill(site.url("/inside"));
  await page.getByLabel("Knowledge id").fill(map);
  await fillSignIn(page);
  await page.getByRole("button", { name: "Explore" }).click();
  await page.getByText('To sign in, fill in "Text or address after the sign-in" too.').waitFor(SEEN);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByLabel("Text or address after the sign-in").fill("/inside");
  await page.getByRole("button", { name: "Explore" }).click();
  await page.waitForURL(/\/explorations\/./, SEEN);
  await page.locator("#state", { hasText: "completed" }).waitFor(SEEN);
  await untilMapIsIdle(cairn, map);
}

test("an exploration that signs in is started from a form, and its map is compared with an earlier one", async () => {
  await explore("before");
  hasRules = true;
  await explore("after");

  const page = await browser.open(cairn.url, "/maps/after");
  await page.getByRole("link", { name: "Changes" }).click();
  await page.getByText("No earlier state of this map is known.").waitFor(SEEN);
  await page.getByLabel("Earlier map").selectOption("before");
  const added = page.getByRole("region", { name: "New screens (1)" });
  await added.getByRole("link", { name: "Rules" }).waitFor(SEEN);
  await page.getByRole("region", { name: "New transitions (1)" }).getByText("Members → Rules").waitFor(SEEN);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByLabel("Earlier map").selectOption("");
  await added.getByRole("link", { name: "Rules" }).waitFor({ ...SEEN, state: "detached" });

  // The first map is explored again, so the page compares the map with its own previous state.
  await explore("before");
  await page.goto(`${cairn.url}/maps/before/diff`);
  await page.getByText("Changes since").waitFor(SEEN);
  await added.getByRole("link", { name: "Rules" }).waitFor(SEEN);
  expect(await page.getByRole("region", { name: /^Removed/ }).count()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test("a form of the console starts a navigation run that signs in, and shows its answer", async () => {
  const page = await browser.open(cairn.url, "/navigations");
  await page.getByLabel("Prompt").fill("When do the members meet?");
  await page.getByLabel("Seed links").fill(site.url("/inside/dates"));
  await fillSignIn(page);
  await page.getByLabel("Text or address after the sign-in").fill("Members");
  await page.getByRole("button", { name: "Ask" }).click();
  await page.waitForURL(/\/navigations\/./, SEEN);
  await page.locator("#state", { hasText: "completed" }).waitFor(SEEN);
  await page.getByText("the old mill beside the river").first().waitFor(SEEN);
});
