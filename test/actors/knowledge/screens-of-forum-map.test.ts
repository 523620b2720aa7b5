/**
 * Tests the screens of a forum. Pages of one template are one screen, and an address that was never visited
 * is matched to its screen.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { ScreenList } from "../../../machines/knowledge/knowledge-protocol.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { Town } from "./explorations-and-maps-with-memory-store.ts";
import { type Forum, forum } from "./forum-test-site.ts";

setDefaultTimeout(60_000);

describe("the map of a forum with 24 topics", () => {
  let town: Town;
  let site: Forum;

  beforeAll(async () => {
    town = await Town.start();
    site = forum(24);
    await town.explore("first", site.url("/"), "stones");
  });
  afterAll(async () => {
    await site.stop();
    await town.stop();
  });

  async function screens(): Promise<ScreenList> {
    // The cast is safe: the protocol of maps declares this type as the result of `screens`.
    return (await town.ask("stones", "screens", {})) as ScreenList;
  }
  async function counted(): Promise<Record<string, number>> {
    return Object.fromEntries((await screens()).screens.map(({ name, instances }) => [name, instances]));
  }

  test("has eight screens, each with a name and the number of its pages", async () => {
    expect(await counted()).toEqual({
      Welcome: 1,
      Boards: 1,
      Board: 3,
      Topic: 24,
      People: 1,
      Person: 4,
      Search: 1,
      "Sign in": 1,
    });
    expect((await screens()).statistics).toMatchObject({ web_ui_screens: 8, actionable_screens: 8 });
    expect(await town.store.maps.get("stones")).toMatchObject({ pages: 36, screens: 8 });
  });

  test("recognises a topic that was never visited, and returns its number", async () => {
    const answer = await town.agent("stones", "find_screen", site.url("/topics/999"));
    expect(answer).toMatchObject({
      success: true,
      metadata: { screen_name: "Topic", parameters: { topic: "999" }, instance: null },
    });
    const dom_summary = "Stone number 999 ada Text More of it. Reply";
    const seen = await town.agent("stones", "find_screen", "", {
      current_url: site.url("/topics/999"),
      dom_summary,
    });
    expect(seen.expected_result.screen_id).toBe(answer.expected_result.screen_id);
    expect(seen.metadata.confidence).toBeGreaterThan(0.7);
  });

  test('leads to the nearest topic for the target "Topic", and to one topic for the title of this topic', async () => {
    const from = { current_url: site.url("/") };
    const any = await town.agent("stones", "navigate_to_screen", "Topic", from);
    expect(any.actions).toHaveLength(1);
    const named = await town.agent("stones", "navigate_to_screen", "Stone number 7", from);
    expect(named.expected_result).toMatchObject({
      screen_id: any.expected_result.screen_id,
      parameters: { topic: "7" },
    });
    expect(named.actions.at(-1)?.parameters).toMatchObject({ text: "Stone number 7" });
  });

  test("returns a route over a list of topics to a topic that was never visited", async () => {
    const answer = await town.agent("stones", "navigate_to_screen", site.url("/topics/999"), {
      current_url: site.url("/people"),
    });
    expect(answer.metadata).toMatchObject({ parameters: { topic: "999" }, screen_name: "Topic" });
    expect(answer.actions.at(-1)).toMatchObject({
      tool_name: "click",
      parameters: {
        selector: 'a[href$="/topics/999"]',
        fingerprint: { attributes: { href: site.url("/topics/999") } },
      },
    });
    const unplaced = await town.agent("stones", "navigate_to_screen", site.url("/topics/999"));
    expect(unplaced).toMatchObject({
      actions: [{ tool_name: "navigate", parameters: { url: site.url("/topics/999") } }],
      metadata: { by_address: true },
    });
  });

  test("distinguishes its screens by a few texts that are rare in the map", async () => {
    for (const { name, state_signature } of (await screens()).screens) {
      const texts = state_signature.required_indicators.filter(({ type }) => type === "dom_contains");
      expect([name, texts.length]).toEqual([name, Math.min(texts.length, 5)]);
      if (name === "Topic") expect(texts.map(({ value }) => value)).toContain("Reply");
    }
  });

  test("lists the links of a screen with the names of the screens to which they lead", async () => {
    const { screens: listed } = await screens();
    const actions = listed.find(({ name }) => name === "Welcome")?.available_browser_use_actions;
    expect(actions?.map(({ description }) => description)).toContain('Click "People" to go to People');
  });

  test.if(isFull)("keeps screens and ids when the forum grows and after a restart", async () => {
    const ids = async () => (await screens()).screens.map(({ screen_id }) => screen_id);
    const before = await ids();
    site.open(40);
    await town.explore("second", site.url("/"), "stones");
    expect(await ids()).toEqual(before);
    expect(await counted()).toMatchObject({ Topic: 40, Board: 3 });
    await town.restart();
    expect(await ids()).toEqual(before);
    expect(await counted()).toMatchObject({ Topic: 40, Person: 4 });
  });
});
