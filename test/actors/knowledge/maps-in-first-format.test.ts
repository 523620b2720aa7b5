/**
 * Tests that a map file in the first format of the protocol specification is read and upgraded, and that its
 * gaps (unknown actions) are filled.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { DocumentService } from "../../../actors/knowledge/ingested-document-service.ts";
import { MapExport } from "../../../actors/knowledge/map-export.ts";
import { GapService } from "../../../actors/knowledge/map-gap-service.ts";
import { createModels, noModels } from "../../../actors/models/index.ts";
import { createReader } from "../../../actors/reading/index.ts";
import { mapFileSchema } from "../../../machines/knowledge/formats/map-file-schema.ts";
import { extrapolationRequestSchema } from "../../../machines/knowledge/gaps/map-gap-schemas.ts";
import { screenListSchema } from "../../../machines/knowledge/knowledge-protocol.ts";
import { destinations } from "../../sites/egress-policy-for-tests.ts";
import { Town, until } from "./explorations-and-maps-with-memory-store.ts";

/**
 * The example screens of the protocol specification, in the first and in the current format of maps, and a
 * transition whose action is unknown.
 */
const FILE = {
  website_id: "spadeworks",
  screens: [
    {
      screen_id: "1_core_goalbr_br_your_primary_5545122a",
      name: "1. Core Goal<br />Your primary goal is to conduct a Baseline Emotional Profile by phone call",
      state_signature: {
        required_indicators: [
          {
            value:
              "Your primary goal is to conduct a Baseline Emotional Profile of the caller, as the guideline says",
          },
        ],
      },
      url_patterns: [".*/div.*"],
    },
    {
      screen_id: "dashboard_call_analytics_abc123",
      name: "Dashboard - Call Analytics",
      url_patterns: ["^https://app\\.spadeworks\\.co/dashboard$", ".*"],
      state_signature: {
        required_indicators: [{ type: "dom_contains", value: "Call Performance", selector: "h1" }],
      },
    },
    {
      screen_id: "settings_1",
      name: "Settings",
      content_type: "web_ui",
      url_patterns: ["^https://app\\.spadeworks\\.co/settings$"],
      state_signature: { required_indicators: [{ value: "Notification rules" }] },
    },
    { screen_id: "notes_1", name: "Notes", url_patterns: [".*/.*"] },
  ],
  actions: [
    {
      action_id: "open_settings",
      action_type: "click",
      name: "Settings",
      target_selector: "#gear",
      screen_ids: ["dashboard_call_analytics_abc123"],
    },
    {
      action_id: "save",
      action_type: "click",
      name: "Save",
      target_selector: "#save",
      screen_ids: ["settings_1"],
    },
    {
      action_id: "filter",
      action_type: "type",
      name: "Filter",
      target_selector: "#filter",
      parameters: { text: "calls", index: 4 },
      screen_ids: ["settings_1"],
    },
  ],
  transitions: [
    { from_screen_id: "dashboard_call_analytics_abc123", to_screen_id: "settings_1", action_id: null },
  ],
};

let town: Town;
const reader = createReader({ userAgent: "Cairn/test", destinations });

beforeAll(async () => {
  town = await Town.start();
  const service = new DocumentService(
    town.cairn,
    town.store,
    { loopback: true, allowPrivate: [] },
    reader,
    async (id, map) => town.cairn.ask("knowledge", id, { type: "IMPORT", part: map }),
  );
  const bytes = new TextEncoder().encode(JSON.stringify(FILE));
  const { sources } = await service.upload({ knowledge_id: "old", name: "old-map.json", bytes });
  expect(sources).toMatchObject([{ kind: "map", status: "ready" }]);
  await until(async () => (await town.mapStatus("old")).state === "idle");
});
afterAll(async () => {
  reader.close();
  await town.stop();
});

test("screens that are stored in the first format of maps are returned with the specification's types and statistics", async () => {
  const { screens, statistics } = screenListSchema.parse(await town.ask("old", "screens", {}));
  expect(
    screens.map(({ screen_id, content_type, is_actionable }) => [screen_id, content_type, is_actionable]),
  ).toEqual([
    ["1_core_goalbr_br_your_primary_5545122a", "documentation", false],
    ["dashboard_call_analytics_abc123", "web_ui", true],
    ["notes_1", "unknown", false],
    ["settings_1", "web_ui", true],
  ]);
  expect(statistics).toEqual({
    web_ui_screens: 2,
    documentation_screens: 1,
    actionable_screens: 2,
    non_actionable_screens: 2,
  });
});

test("screens that are stored in the first format of maps are recognised by texts of the page", async () => {
  const seen = {
    current_url: "https://app.spadeworks.co/dashboard",
    dom_summary: "Call Performance of today",
  };
  const found = await town.agent("old", "find_screen", "", seen);
  expect(found.expected_result.screen_id).toBe("dashboard_call_analytics_abc123");
});

test("an action of a map in the first format keeps its parameters, but not the index of its element", async () => {
  const { actions } = await town.agent("old", "get_actions", "settings_1");
  const filter = actions.find(({ tool_name }) => tool_name === "input");
  expect(filter?.parameters).toMatchObject({ selector: "#filter", text: "calls" });
  expect(filter?.parameters).not.toHaveProperty("index");
});

test("a map in the first format is exported in the current format, and another map can import that file", async () => {
  const file = await exported("old");
  expect(mapFileSchema.safeParse(file).success).toBe(true);
  await town.cairn.ask("knowledge", "new", { type: "IMPORT", part: mapFileSchema.parse(file) });
  await until(async () => (await town.mapStatus("new")).state === "idle");
  expect(await exported("new")).toEqual(file);
  const found = await town.agent("new", "find_screen", "", {
    current_url: "https://app.spadeworks.co/settings",
    dom_summary: "Notification rules",
  });
  expect(found.expected_result.screen_id).toBe("settings_1");
});

async function exported(map: string): Promise<unknown> {
  const parts = await MapExport.open(town.store, map);
  return {
    format: "cairn-map",
    version: 1,
    websites: [],
    screens: await Array.fromAsync(parts.screens()),
    actions: await Array.fromAsync(parts.actions()),
    transitions: await Array.fromAsync(parts.transitions()),
  };
}

test("a transition whose action is unknown is a gap, and routes can use it after the gap is filled", async () => {
  const request = extrapolationRequestSchema.parse({ knowledge_id: "old", website_id: "spadeworks" });
  const result = await new GapService(town.cairn, town.store, createModels(noModels)).fill(request);
  expect(result).toMatchObject({ gaps_found: 1, stored: 1, errors: [] });
  const { actions } = await town.agent("old", "navigate_to_screen", "Settings", {
    current_screen_id: "dashboard_call_analytics_abc123",
  });
  expect(actions).toMatchObject([{ tool_name: "click", parameters: { selector: "#gear" } }]);
});
