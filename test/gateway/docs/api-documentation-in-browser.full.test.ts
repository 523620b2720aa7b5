/** Tests the pages of the API documentation (Swagger UI and Redoc) in a real Chromium. */
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { findChromium } from "../../../actors/browser/index.ts";
import { type TestGateway, testGateway } from "../test-gateway.ts";

const PATIENCE = 60_000;
setDefaultTimeout(PATIENCE);
const SEEN = { timeout: 50_000 };
const KEY = "sesame";

let gateways: readonly TestGateway[];
let browser: Browser;
let context: BrowserContext;
/** Faults that the page has shown: requests to other hosts, violations of its content policy, exceptions. */
let wrongs: string[] = [];

const addressOf = ({ app }: TestGateway): string => `http://127.0.0.1:${app.server?.port}`;

beforeAll(async () => {
  const found = await findChromium({});
  if (found === undefined) throw new Error("There is no Chromium to look with.");
  gateways = [testGateway(), testGateway({ env: { CAIRN_API_KEY: KEY } })];
  for (const { app } of gateways) app.listen({ hostname: "127.0.0.1", port: 0 });
  browser = await chromium.launch({ executablePath: found.path, args: ["--no-sandbox"] });
});

afterAll(async () => {
  await browser?.close();
  for (const { app } of gateways ?? []) await app.server?.stop(true);
});

afterEach(async () => {
  await context?.close();
  expect(wrongs).toEqual([]);
});

async function open(gateway: TestGateway | undefined, path: string): Promise<Page> {
  if (!gateway) throw new Error("There is no such gateway.");
  const origin = addressOf(gateway);
  wrongs = [];
  context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  context.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
      wrongs.push(`asks ${request.url()}`);
  });
  const page = await context.newPage();
  page.on("console", (message) => {
    // Chromium reports a violation of the page's content policy as a console error, so it is found among
    // these errors.
    if (message.type() === "error" && !message.text().includes("401")) wrongs.push(message.text());
  });
  page.on("pageerror", (error) => wrongs.push(String(error)));
  await page.goto(origin + path);
  return page;
}

test("/docs lists every route and can call one, without a request to another host", async () => {
  const page = await open(gateways[0], "/docs");
  await page.getByText("/api/knowledge/explore/start").first().waitFor(SEEN);
  const { body } = (await gateways[0]?.call("GET", "/openapi.json")) ?? {};
  const operations = Object.values<object>(body.paths).flatMap((methods) => Object.keys(methods));
  expect(await page.locator(".opblock").count()).toBe(operations.length);

  const health = page.locator("#operations-Service-getHealth");
  await health.locator(".opblock-summary-control").click();
  await health.getByRole("button", { name: "Try it out" }).click();
  await health.getByRole("button", { name: "Execute" }).click();
  const answered = health.locator(".live-responses-table");
  await answered.waitFor(SEEN);
  expect(await answered.textContent()).toContain("browser-automation-websocket");
});

test("/redoc shows every route with its schemas and can search, without a request to another host", async () => {
  const page = await open(gateways[0], "/redoc");
  await page.getByRole("heading", { name: "Cairn" }).first().waitFor(SEEN);
  expect(await page.locator("main").textContent()).toContain("start_url");
  await page.getByPlaceholder("Search...").fill("ticket");
  await page.locator("[role=search] [data-role='search:results'] li").first().waitFor(SEEN);
  expect(await page.locator("[role=search] [data-role='search:results']").textContent()).toContain("ticket");
});

test("if an API key is configured, /docs is shown only after signing in", async () => {
  const page = await open(gateways[1], "/docs");
  expect(await page.locator(".opblock").count()).toBe(0);
  await page.getByLabel("Key").fill(KEY);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator(".opblock").first().waitFor(SEEN);
  expect(new URL(page.url()).pathname).toBe("/docs");
});

test("a file of the API documentation is cached, and an unknown name is 404", async () => {
  const { app, call } = testGateway();
  const ask = (tag?: string) =>
    app.handle(
      new Request("http://127.0.0.1:8000/docs/assets/redoc.js", {
        headers: { host: "127.0.0.1:8000", ...(tag === undefined ? {} : { "if-none-match": tag }) },
      }),
    );
  const first = await ask();
  expect(first.headers.get("content-type")).toStartWith("text/javascript");
  expect((await ask(first.headers.get("etag") ?? "")).status).toBe(304);
  expect(await first.text()).not.toContain("cdn.redoc.ly");
  for (const name of ["nothing.js", "constructor", "..%2F..%2Fpackage.json"]) {
    expect((await call("GET", `/docs/assets/${name}`)).status).toBe(404);
  }
});
