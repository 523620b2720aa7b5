/**
 * Tests a map of a generated shop: its pages are crawled over HTTP, and the map answers the queries of an
 * agent.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { screenIdOf } from "../../../machines/knowledge/screens/screen-id.ts";
import type { ScriptedSite } from "../../sites/test-site-with-given-routes.ts";
import { Town } from "./explorations-and-maps-with-memory-store.ts";
import { shop } from "./shop-test-site.ts";

const TIMEOUT = 60_000;

describe("a map of an explored shop", () => {
  let town: Town;
  let site: ScriptedSite;
  const id = (path: string) => screenIdOf(urlKey(site.url(path)));

  beforeAll(async () => {
    town = await Town.start();
    site = shop();
    expect(await town.explore("job", site.url("/"), "shop")).toMatchObject({
      status: "completed",
      progress: { completed: 8, searchable: 8 },
    });
  }, TIMEOUT);
  afterAll(async () => {
    await site.stop();
    await town.stop();
  });

  test("has a screen for each page, with a name that leaves out the common parts of the site's titles", async () => {
    const { screens, statistics } = (await town.ask("shop", "screens")) as {
      screens: { screen_id: string; name: string; url: string; available_browser_use_actions: unknown[] }[];
      statistics: Record<string, number>;
    };
    expect(
      Object.fromEntries(screens.map((screen) => [screen.url.slice(site.origin.length), screen.name])),
    ).toEqual({
      "/": "Home",
      "/orders/": "Orders",
      "/orders/1": "Details",
      "/orders/2?tab=items": "Details",
      "/orders/invoice": "Invoice",
      "/help": "Help",
      "/deep": "Deep",
      "/settings": "Settings",
    });
    expect(statistics).toEqual({
      web_ui_screens: 8,
      documentation_screens: 0,
      actionable_screens: 8,
      non_actionable_screens: 0,
    });
    for (const screen of screens) expect(screen.available_browser_use_actions.length).toBeGreaterThan(0);
  });

  test("returns the route with the fewest clicks to a screen, and how to verify that the screen was reached", async () => {
    const answer = await town.agent("shop", "navigate_to_screen", id("/orders/invoice"), {
      current_url: site.url("/help#top"),
    });
    expect(answer).toMatchObject({ success: true, error: null });
    expect(
      answer.actions.map(({ tool_name, description, screen_id }) => [tool_name, description, screen_id]),
    ).toEqual([
      ["click", 'Click "Orders" to go to Orders', id("/help")],
      ["click", 'Click "Order 2" to go to Details', id("/orders/")],
      ["click", 'Click "Invoice" to go to Invoice', id("/orders/2?tab=items")],
    ]);
    for (const { parameters } of answer.actions) {
      expect(parameters).toMatchObject({
        selector: expect.any(String),
        xpath: expect.any(String),
        fingerprint: { role: "link" },
      });
      expect(parameters).not.toHaveProperty("index");
    }
    expect(answer.expected_result).toMatchObject({
      screen_id: id("/orders/invoice"),
      verification: { dom_contains: expect.arrayContaining(["Invoice of order 2"]) },
    });
    const { url_patterns } = answer.expected_result as { url_patterns: string[] };
    expect(url_patterns.some((pattern) => new RegExp(pattern).test(site.url("/orders/invoice")))).toBe(true);
    expect(answer.metadata).toMatchObject({
      path: ["/help", "/orders/", "/orders/2?tab=items", "/orders/invoice"].map(id),
      steps: 3,
    });
    expect(answer.metadata.confidence).toBeCloseTo(0.95 ** 3, 10);
  });

  test("accepts the target as an id, a URL, a name or words", async () => {
    const from = { current_screen_id: id("/orders/2?tab=items") };
    for (const target of [
      id("/orders/invoice"),
      site.url("/orders/invoice?utm_source=x"),
      "invoice",
      "go to the invoice page",
    ]) {
      const answer = await town.agent("shop", "navigate_to", target, from);
      expect([target, answer.expected_result.screen_id, answer.actions.length]).toEqual([
        target,
        id("/orders/invoice"),
        1,
      ]);
    }
  });

  test("follows a redirect to the screen at its end", async () => {
    const answer = await town.agent("shop", "navigate_to_screen", "Settings", { current_url: site.url("/") });
    expect(answer.actions.map(({ description }) => description)).toEqual([
      'Click "Settings" to go to Settings',
    ]);
    expect(answer.expected_result.screen_id).toBe(id("/settings"));
    const byOldAddress = await town.agent("shop", "find_screen", site.url("/old-settings"));
    expect(byOldAddress.expected_result.screen_id).toBe(id("/settings"));
    expect((await town.query("shop", "page", { url: site.url("/old-settings") })).data).toMatchObject({
      url: site.url("/settings"),
    });
  });

  test("returns no action if the agent is already at the target", async () => {
    const answer = await town.agent("shop", "navigate_to_screen", "Help", { current_url: site.url("/help") });
    expect(answer).toMatchObject({
      success: true,
      actions: [],
      expected_result: { screen_id: id("/help") },
      metadata: { steps: 0 },
    });
  });

  test("returns a navigation to the target's address if the agent's position is unknown or no clicks lead to the target", async () => {
    for (const context of [{}, { current_url: "https://else.example/" }]) {
      const answer = await town.agent("shop", "navigate_to_screen", "Deep", context);
      expect(answer.actions).toMatchObject([
        { tool_name: "navigate", parameters: { url: site.url("/deep") } },
      ]);
      expect(answer.expected_result.screen_id).toBe(id("/deep"));
      expect(answer.metadata.reason).toBeString();
    }
  });

  test("returns plain links as navigation if the agent prefers URLs", async () => {
    const answer = await town.agent("shop", "navigate_to_screen", id("/deep"), {
      current_url: site.url("/"),
      prefer: "url",
    });
    expect(answer.actions.map(({ tool_name, parameters }) => [tool_name, parameters.url])).toEqual([
      ["navigate", site.url("/help")],
      ["navigate", site.url("/deep")],
    ]);
  });

  test("recognises a screen by its URL and DOM, and reports if no screen matches", async () => {
    const dom_summary =
      "Acme shop Home Orders Your orders Open orders Order 1 Order 2 Order number Find order";
    const found = await town.agent("shop", "find_screen", "", {
      current_url: site.url("/orders/"),
      dom_summary,
    });
    expect(found).toMatchObject({
      success: true,
      expected_result: { screen_id: id("/orders/") },
      metadata: { screen_name: "Orders", confidence: 1 },
    });
    expect(found.metadata.matched_indicators).toContainEqual(
      expect.objectContaining({ type: "dom_contains", value: "Open orders" }),
    );
    const other = await town.agent("shop", "find_screen", "", {
      current_url: site.url("/orders/"),
      dom_summary: "Sign in",
    });
    expect(other).toMatchObject({
      success: false,
      error: "No matching screen found",
      expected_result: { screen_id: null },
    });
    expect(other.metadata.confidence).toBeLessThan(0.7);
  });

  test("returns each link and control of a screen as an action", async () => {
    const answer = await town.agent("shop", "get_actions", "", { current_url: site.url("/orders/") });
    expect(answer.success).toBe(true);
    const said = answer.actions.map(({ tool_name, description }) => `${tool_name}: ${description}`);
    expect(said).toEqual(
      expect.arrayContaining([
        'click: Click "Find order"',
        'input: Type into "Order number"',
        'click: Click "Order 1" to go to Details',
        'click: Click "Home" to go to Home',
      ]),
    );
    expect(said.some((line) => line.startsWith("submit_form: "))).toBe(true);
    expect(answer.actions.every(({ screen_id }) => screen_id === id("/orders/"))).toBe(true);
  });

  test("suggests similar screens for an unknown target", async () => {
    const answer = await town.agent("shop", "navigate_to_screen", "order cancellation wizard", {
      current_url: site.url("/"),
    });
    expect(answer).toMatchObject({ success: false, actions: [], metadata: { code: "screen.not_found" } });
    expect(answer.error).toContain("Did you mean");
    expect((await town.agent("shop", "navigate_to_screen", "no-such-screen-zzz")).success).toBe(false);
    expect((await town.agent("shop", "navigate_to_screen", site.url("/nowhere"))).success).toBe(false);
    expect(await town.agent("shop", "explore_website", "x")).toMatchObject({
      success: false,
      metadata: { code: "not_supported" },
    });
    expect(await town.agent("shop", "levitate", "x")).toMatchObject({
      success: false,
      metadata: { code: "instruction.unknown" },
    });
  });

  test("returns pages, links and search results as stored", async () => {
    expect((await town.query("shop", "page", { url: site.url("/orders") })).data).toMatchObject({
      url: site.url("/orders/"),
      screen_id: id("/orders/"),
    });
    expect(await town.query("shop", "page", { url: site.url("/nowhere") })).toMatchObject({
      success: false,
      data: null,
    });
    const pairs = async (url: string, direction: string) => {
      const { data } = await town.query("shop", "links", { url, direction });
      return (data as { links: { from: string; to: string; type: string }[] }).links
        .map(({ from, to, type }) => [from, to, type])
        .sort();
    };
    expect(await pairs(site.url("/deep"), "to")).toEqual([
      [site.url("/help"), site.url("/deep"), "internal"],
    ]);
    expect(await pairs("https://else.example/", "to")).toEqual([
      [site.url("/"), "https://else.example/", "external"],
    ]);
    const { data } = await town.query("shop", "search", { query: "zebra" });
    expect((data as { results: { url: string }[] }).results.map(({ url }) => url)).toEqual([
      site.url("/orders/invoice"),
    ]);
    await expect(town.query("shop", "search", { query: "" })).rejects.toMatchObject({
      code: "knowledge.invalid_params",
      status: 422,
    });
  });

  test("returns the site map by topics and the site map by functions as trees", async () => {
    const semantic = (await town.query("shop", "sitemap_semantic")).data as {
      pages: number;
      sections: { pages: number }[];
    };
    expect([semantic.pages, semantic.sections[0]?.pages]).toEqual([8, 8]);
    const functional = (await town.query("shop", "sitemap_functional")).data as {
      groups: { kind: string; functions: { name: string; screens: number }[] }[];
    };
    expect(functional.groups.map(({ kind }) => kind)).toEqual(["search", "press"]);
    expect(functional.groups[1]?.functions).toContainEqual(
      expect.objectContaining({ name: "Save", screens: 1, screen_ids: [id("/settings")] }),
    );
  });

  test("has a summary with its numbers of pages and screens", async () => {
    expect(await town.ask("shop", "summary")).toMatchObject({
      knowledge_id: "shop",
      pages: 8,
      screens: 8,
      searchable: 8,
      websites: [{ website_id: "site", base_url: site.url("/") }],
    });
  });

  test("is not found under the id of another map", async () => {
    await expect(town.agent("nothing", "find_screen", "x")).rejects.toMatchObject({
      code: "knowledge.not_found",
      status: 404,
    });
    expect(await town.ask("nothing", "summary")).toBeNull();
  });

  test("finds an element of the screen by its description, and reports if there is none", async () => {
    const context = { current_url: site.url("/settings") };
    const found = await town.agent("shop", "find_element", "save", context);
    expect(found).toMatchObject({
      success: true,
      actions: [{ tool_name: "click" }],
      metadata: { screen_name: "Settings" },
    });
    expect(found.actions).toHaveLength(1);
    const link = await town.agent("shop", "find_element", "orders link", {
      current_url: site.url("/settings"),
    });
    // "link" is the kind of the wanted element, and not a word of the element's name.
    expect(link.actions).toMatchObject([{ tool_name: "click", parameters: { text: "Orders" } }]);
    const none = await town.agent("shop", "find_element", "teleporter", context);
    expect(none.metadata.code).toBe("element.not_found");
    expect((await town.agent("shop", "find_element", "save")).metadata.code).toBe("position.unknown");
  });

  test("describes a screen by its actions, forms and neighbouring screens", async () => {
    const about = await town.agent("shop", "get_screen_context", "Orders");
    expect(about.metadata).toMatchObject({ screen_name: "Orders", url: site.url("/orders/"), instances: 1 });
    const { neighbours, forms, available_actions } = about.metadata as {
      neighbours: { name: string }[];
      forms: string[];
      available_actions: unknown[];
    };
    expect(neighbours.map(({ name }) => name)).toContain("Home");
    expect([forms.length, available_actions.length > 2]).toEqual([1, true]);
  });

  test("converts a form to a task with the given values, and names the missing ones", async () => {
    const context = { current_url: site.url("/"), parameters: { "Order number": "17" } };
    const answer = await town.agent("shop", "execute_task", "find order", context);
    const taskId = String(answer.expected_result.task_id);
    expect(taskId).toStartWith("task_");
    expect(answer).toMatchObject({
      success: true,
      actions: [
        { tool_name: "click", description: 'Click "Orders" to go to Orders' },
        { tool_name: "input", description: "Type into Order number", parameters: { text: "17" } },
        { tool_name: "submit_form" },
      ],
      expected_result: {
        success_criteria: [expect.any(String), expect.any(String)],
      },
      metadata: { kind: "search", missing_parameters: [], fields: [{ name: "q", label: "Order number" }] },
    });
    const byId = await town.agent("shop", "execute_task", taskId, {
      current_url: site.url("/orders/"),
    });
    expect(byId.actions.map(({ tool_name }) => tool_name)).toEqual(["input", "submit_form"]);
    expect(byId.metadata.missing_parameters).toEqual(["q"]);
    expect(await town.agent("shop", "execute_task", "fly to the moon", context)).toMatchObject({
      success: false,
      error: expect.stringMatching(/^Task not found: no form of the map is about "fly moon"/),
      metadata: { code: "task.not_found" },
    });
  });
});
