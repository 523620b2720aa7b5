/** Tests which ids and names screens have after pages were grouped again. */
import { expect, test } from "bun:test";
import { groupName, identify } from "../../../../machines/knowledge/screens/screen-ids-after-regrouping.ts";

const group = (...numbers: readonly number[]) => ({
  members: numbers.map((number) => `order_${number}`),
  urls: numbers.map((number) => `https://a.example/orders/${number}`),
});

test("the id of a screen contains the words that its addresses share, and is kept while most of its pages stay together", () => {
  const [first] = identify([group(1, 2)], []);
  expect(first?.screen_id).toStartWith("orders_");
  const earlier = [{ screen_id: first?.screen_id ?? "", members: ["order_1", "order_2"], aliases: [] }];
  expect(identify([group(1, 2, 3, 4)], earlier)).toEqual([
    { screen_id: first?.screen_id ?? "", aliases: [] },
  ]);
});

test("when two screens are merged, the id of the smaller one becomes an alias", () => {
  const earlier = [
    { screen_id: "big", members: ["order_1", "order_2", "order_3"], aliases: ["older"] },
    { screen_id: "small", members: ["order_4", "order_5"], aliases: [] },
  ];
  expect(identify([group(1, 2, 3, 4, 5)], earlier)).toEqual([
    { screen_id: "big", aliases: ["older", "small"] },
  ]);
});

test("when a screen is split, the larger part keeps its id", () => {
  const earlier = [{ screen_id: "all", members: ["order_1", "order_2", "order_3"], aliases: [] }];
  const [part, rest] = identify([group(3, 9), group(1, 2)], earlier);
  expect(rest).toEqual({ screen_id: "all", aliases: [] });
  expect(part?.screen_id).not.toBe("all");
});

test("a screen gets its name from its addresses, otherwise from the names of its pages, otherwise from its breadcrumb", () => {
  const on = (...paths: readonly string[]) => paths.map((path) => `https://a.example${path}`);
  expect(groupName(on("/topics/1", "/topics/2"))).toBe("Topic");
  expect(groupName(on("/comment/flag/1/create", "/comment/flag/2/create"))).toBe("Comment flag create");
  expect(groupName(on("/a1", "/b2"), ["Boot A", "Boot B"])).toBe("Boot");
  expect(groupName(on("/a1", "/b2"), ["A", "B"], "Shoes")).toBe("Shoe");
  expect(groupName(on("/a1", "/b2"), ["A", "B"])).toBe("Page");
  const settings = on("/settings?next=/a", "/settings?next=/b", "/settings?next=/c");
  expect(groupName(settings, ["General", "Settings – General", "General"])).toBe("General");
});
