/**
 * Tests in a real browser that each fixture application behaves as its description states. The comparison
 * uses the state on the application's server.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Browser, chromium, type Page } from "playwright";
import { findChromium } from "../../../actors/browser/index.ts";
import type { TrueTransition } from "./fixture-app-expected-map.ts";
import type { RunningApp } from "./fixture-app-server.ts";
import { type AppName, appNames, startApp } from "./start-fixture-app.ts";

setDefaultTimeout(60_000);

let browser: Browser;

beforeAll(async () => {
  const found = await findChromium({});
  if (!found) throw new Error("no Chromium");
  browser = await chromium.launch({ executablePath: found.path, args: ["--no-sandbox"] });
});
afterAll(async () => {
  await browser?.close();
});

/** Returns the transitions of a shortest route from the start to a screen. The route changes no data. */
function wayTo(app: RunningApp, goal: string, signedIn: boolean): readonly TrueTransition[] {
  const { truth } = app;
  const ways = new Map<string, readonly TrueTransition[]>([[truth.start, []]]);
  for (const [here, way] of ways) {
    if (here === goal) return way;
    for (const transition of truth.transitions) {
      const { from, to, writes, only } = transition;
      if (from !== here || writes || ways.has(to)) continue;
      if (only !== undefined && (only === "signed-in") !== signedIn) continue;
      ways.set(to, [...way, transition]);
    }
  }
  throw new Error(`no way to ${goal}`);
}

async function take(page: Page, app: RunningApp, transition: TrueTransition): Promise<void> {
  for (const { name } of transition.needs) {
    await page.fill(`[name="${name}"]`, name === "mail" ? "a@b.example" : "Something");
  }
  const scope =
    app.truth.screen(transition.from).place.kind === "dialog" ? "#layers .layer:last-child " : "#root ";
  const element = transition.row
    ? page.locator(`${scope}[data-do="${transition.action}"]`).first()
    : transition.by === "submit"
      ? page.locator(`${scope}form.edit button[type=submit]`)
      : page.locator(`${scope}[data-do="${transition.action}"]`).first();
  await element.click();
}

describe.each([...appNames])("the fixture application %s", (name: AppName) => {
  test("shows each screen when a browser follows its declared path", async () => {
    const app = startApp(name);
    const signedIn = name === "order-desk";
    const page = await browser.newPage();
    try {
      const goals = app.truth.reachable({ signedIn });
      const ended: string[] = [];
      for (const goal of goals) {
        await page.goto(app.enter(goal, signedIn ? { user: "ada" } : {}));
        for (const transition of wayTo(app, goal, signedIn)) {
          await take(page, app, transition);
          await until(() => app.stateOf(goal)?.screen === transition.to);
        }
        // The server knows which screen is shown only after the page has requested the screen's content.
        // The test waits for this request.
        await until(() => app.stateOf(goal)?.screen !== undefined);
        ended.push(app.stateOf(goal)?.screen ?? "");
        const heading = app.truth.screen(goal).heading.replace(/\{\w+\}/g, "1");
        await page.getByRole("heading", { name: heading, exact: true }).waitFor();
      }
      expect(ended).toEqual([...goals]);
      expect(app.log.filter(({ wrote }) => wrote)).toEqual([]);
    } finally {
      await page.close();
      await app.stop();
    }
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(5);
}

test("the fixture applications list their screens, most of which are reached without changing data", () => {
  const reached = appNames.map((name) => {
    const app = startApp(name);
    const counts = [
      app.truth.screens.length,
      app.truth.reachable().length,
      app.truth.reachable({ signedIn: true }).length,
    ];
    void app.stop();
    return [name, ...counts];
  });
  expect(reached).toEqual([
    ["order-desk", 14, 6, 13],
    ["task-board", 13, 13, 13],
    ["booking-wizard", 11, 11, 11],
    ["media-library", 13, 13, 13],
  ]);
});

test("a fixture application protects screens, checks forms, logs requests that change data, and can break a link", async () => {
  const app = startApp("order-desk");
  const cookie = "app_session=fetch";
  const post = (path: string, values: Record<string, string>) =>
    fetch(app.url + path, {
      method: "POST",
      body: new URLSearchParams(values),
      headers: { cookie },
      redirect: "manual",
    });
  try {
    const guarded = await fetch(`${app.url}/orders`, { headers: { cookie }, redirect: "manual" });
    expect(guarded.headers.get("location")).toBe("/sign-in?next=%2Forders");
    const wrong = await post("/sign-in", { _do: "sign-in", user: "ada", password: "no" });
    expect([wrong.status, (await wrong.text()).includes("Name or password is wrong")]).toEqual([422, true]);
    const right = await post("/sign-in?next=%2Forders", { _do: "sign-in", user: "ada", password: "engine" });
    expect([right.status, right.headers.get("location")]).toEqual([303, "/orders"]);
    expect((await post("/orders/new", { _do: "create", customer: "" })).status).toBe(422);
    const created = await post("/orders/new", { _do: "create", customer: "Zoe" });
    expect(created.headers.get("location")).toBe("/orders/25");
    expect(app.stateOf("fetch")).toEqual({ screen: "order", parameters: { order: "25" } });
    expect(app.log.filter(({ wrote }) => wrote).map(({ path }) => path)).toEqual([
      "/sign-in?next=%2Forders",
      "/orders/new",
    ]);
    app.breakTransition("home", "help");
    const headers = { cookie, referer: `${app.url}/` };
    const broken = await fetch(`${app.url}/help`, { headers, redirect: "manual" });
    expect(broken.headers.get("location")).toBe("/");
  } finally {
    await app.stop();
  }
});
