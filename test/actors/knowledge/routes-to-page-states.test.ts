/** Tests routes to a state of a page, such as an open dialog, from an unknown position. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mapFileSchema } from "../../../machines/knowledge/formats/map-file-schema.ts";
import { Town, until } from "./explorations-and-maps-with-memory-store.ts";

const ORIGIN = "https://app.test";
const screen = (screen_id: string, name: string, path: string) => ({
  screen_id,
  name,
  url: `${ORIGIN}${path}`,
  url_patterns: [`^https?://app\\.test${path}$`],
});
const click = (from: string, to: string, name: string) => ({
  from,
  to,
  action: { name, target: { role: "button", name, selector: "button" } },
});

let town: Town;
beforeAll(async () => {
  town = await Town.start();
  const part = mapFileSchema.parse({
    format: "cairn-map",
    version: 1,
    screens: [
      screen("users_1", "Users", "/users"),
      screen("users_1~add_user", "Users: Add User", "/users"),
      screen("users_1~add_user~help", "Users: Add User, Help", "/users"),
      screen("reports_1~lost", "Reports: Lost", "/reports"),
    ],
    transitions: [
      click("users_1", "users_1~add_user", "Add User"),
      click("users_1~add_user", "users_1~add_user~help", "Help"),
    ],
  });
  await town.cairn.ask("knowledge", "app", { type: "IMPORT", part });
  await until(async () => (await town.mapStatus("app")).state === "idle");
});
afterAll(() => town.stop());

test("a route to a page state, such as an open dialog, opens the page and then presses the controls that lead to the state", async () => {
  const answer = await town.agent("app", "navigate_to_screen", "users_1~add_user~help");
  expect(answer.actions.map(({ tool_name, description }) => [tool_name, description])).toEqual([
    ["navigate", `Open Users at ${ORIGIN}/users`],
    ["click", expect.stringContaining("Add User")],
    ["click", expect.stringContaining("Help")],
  ]);
  expect(answer).toMatchObject({
    expected_result: { screen_id: "users_1~add_user~help" },
    metadata: {
      by_address: true,
      path: ["users_1", "users_1~add_user", "users_1~add_user~help"],
      waypoints: [
        { screen_id: "users_1" },
        { screen_id: "users_1~add_user" },
        { screen_id: "users_1~add_user~help" },
      ],
    },
  });
});

test("a route to a page, or to a state without known presses, only opens the address", async () => {
  for (const target of ["users_1", "reports_1~lost"]) {
    const { actions, metadata } = await town.agent("app", "navigate_to_screen", target);
    expect(actions.map(({ tool_name }) => tool_name)).toEqual(["navigate"]);
    expect(metadata).toMatchObject({ by_address: true, path: [target], steps: 1 });
  }
});
