/** Tests in a real Chromium what the console shows when a list has more entries than one view lists. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { ConsoleBrowser } from "../../e2e/console-test-browser.ts";
import { testGateway } from "../test-gateway.ts";

setDefaultTimeout(60_000);
const gateway = testGateway();
let browser: ConsoleBrowser;

beforeAll(async () => {
  gateway.app.listen({ hostname: "127.0.0.1", port: 0 });
  browser = await ConsoleBrowser.launch();
});
afterAll(async () => {
  await browser?.close();
  await gateway.sockets.closeAll();
  await gateway.app.server?.stop(true);
});

const base = () => `http://127.0.0.1:${gateway.app.server?.port}`;

test("the list of dialogues names the list that has the others, if there are more than it shows", async () => {
  gateway.cairn.operations.hasMoreActors = true;
  const page = await browser.open(base(), "/dialogues");
  const others = page.getByRole("link", { name: "The list of all actors" });
  await others.waitFor();
  expect(await others.getAttribute("href")).toBe("/actors?kind=dialogue");
});

test("the list of sessions has the open sessions with their addresses, and not the actors of closed ones", async () => {
  gateway.cairn.sessions.rooms.add("demo");
  const page = await browser.open(base(), "/sessions");
  const rows = page.getByRole("table").getByRole("row");
  await rows.nth(1).waitFor();
  expect(await rows.count()).toBe(2);
  const [room, state, url] = await rows.nth(1).getByRole("cell").allTextContents();
  expect([room, state, url]).toEqual(["demo", "live", expect.stringMatching(/^http/)]);
});

test("the name of a state stays on one line in the list of a narrow window", async () => {
  gateway.cairn.sessions.rooms.add("demo");
  const page = await browser.open(base(), "/sessions", { viewport: { width: 390, height: 844 } });
  const state = page.getByRole("table").locator(".state-name").first();
  await state.waitFor();
  expect(await state.evaluate((element) => element.getClientRects()[0]?.height ?? 0)).toBeLessThan(30);
});
