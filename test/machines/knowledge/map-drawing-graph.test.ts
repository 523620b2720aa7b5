import { expect, test } from "bun:test";
import { mapGraphOf } from "../../../machines/knowledge/map-drawing-graph.ts";

const screen = (screen_id: string) => ({
  screen_id,
  website_id: "shop",
  name: screen_id,
  url: `https://shop.example/${screen_id}`,
  content_type: "web_ui",
});
const step = (from: string, to: string, more = {}) => ({
  from,
  to,
  successes: 1,
  failures: 0,
  inferred: false,
  ...more,
});

test("the drawn graph of a map shows all instances of a screen as one node, and joins their transitions", () => {
  const graph = mapGraphOf({
    knowledgeId: "shop",
    instances: [screen("home"), screen("order-1"), screen("order-2")],
    groups: [{ screen_id: "order", website_id: "shop", name: "Order", url: "https://shop.example/order-1" }],
    memberships: [
      ["order-1", "order"],
      ["order-2", "order"],
    ],
    transitions: [
      step("home", "order-1"),
      step("home", "order-2", { failures: 2, inferred: true }),
      step("order-1", "order-2"),
      step("order-1", "home", { inferred: true }),
      step("home", "a page without a screen"),
    ],
    pictures: new Set(["order-2"]),
  });
  expect(graph.screens.map(({ screen_id, instances }) => [screen_id, instances])).toEqual([
    ["home", 1],
    ["order", 2],
  ]);
  expect(graph.screens.map(({ picture }) => picture)).toEqual([undefined, "order-2"]);
  expect(graph.transitions).toEqual([
    { from: "home", to: "order", count: 2, successes: 2, failures: 2, inferred: false },
    { from: "order", to: "home", count: 1, successes: 1, failures: 0, inferred: true },
  ]);
});
