/** Tests in a real Chromium what the console shows when a list has more entries than one view lists. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { ConsoleBrowser } from "../../e2e/console/console-test-browser.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
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

test.if(isFull)(
  "the list of dialogues links to the list of all actors if there are more dialogues than it shows",
  async () => {
    gateway.cairn.operations.hasMoreActors = true;
    const page = await browser.open(base(), "/dialogues");
    const others = page.getByRole("link", { name: "The list of all actors" });
    await others.waitFor();
    expect(await others.getAttribute("href")).toBe("/actors?kind=dialogue");
  },
);

test.if(isFull)(
  "the list of sessions has the open sessions with their addresses, and not the actors of closed ones",
  async () => {
    gateway.cairn.sessions.rooms.add("demo");
    const page = await browser.open(base(), "/sessions");
    const rows = page.getByRole("table").getByRole("row");
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(2);
    const [room, state, url] = await rows.nth(1).getByRole("cell").allTextContents();
    expect([room, state, url]).toEqual(["demo", "live", expect.stringMatching(/^http/)]);
  },
);

test.if(isFull)("the name of a state stays on one line in the list of a narrow window", async () => {
  gateway.cairn.sessions.rooms.add("demo");
  const page = await browser.open(base(), "/sessions", { viewport: { width: 390, height: 844 } });
  const state = page.getByRole("table").locator(".state-name").first();
  await state.waitFor();
  expect(await state.evaluate((element) => element.getClientRects()[0]?.height ?? 0)).toBeLessThan(30);
});

test("the start page lists the dialogues that changed last, even if there are more dialogues than one answer contains", async () => {
  const dialogues = Array.from({ length: 300 }, (_, at) => ({
    ...{ kind: "dialogue", id: `d-${100 + at}`, state: "idle", version: 1, shard: 1, wake_at: null },
    updated_at: new Date(at * 1_000).toISOString(),
  }));
  gateway.cairn.operations.actors = async ({ kind, order, limit }) => {
    const found = dialogues.filter((actor) => kind === undefined || actor.kind === kind);
    const sorted = order === "updated" ? found.toReversed() : found;
    return { actors: sorted.slice(0, limit), next_cursor: null };
  };
  const page = await browser.open(base(), "/");
  const links = page.locator(".recent a");
  await links.first().waitFor();
  expect((await links.allTextContents()).slice(0, 3)).toEqual(["d-399", "d-398", "d-397"]);
});
