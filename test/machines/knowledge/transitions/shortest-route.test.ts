import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { edgeId } from "../../../../machines/knowledge/screens/transition-id.ts";
import { RouteGraph } from "../../../../machines/knowledge/transitions/shortest-route.ts";
import { transitionCost, USUAL_COST } from "../../../../machines/knowledge/transitions/transition-cost.ts";

function graphOf(edges: Readonly<Record<string, readonly string[]>>): RouteGraph {
  const graph = new RouteGraph();
  for (const id of Object.keys(edges)) graph.addScreen(id);
  for (const [from, to] of Object.entries(edges)) graph.setTransitions(from, to);
  return graph;
}

/**
 * Returns the number of clicks from one screen to another; `undefined` if there is no path. It is a breadth-first
 * search of a textbook, and shares no code with the tested search.
 */
function distance(
  edges: Readonly<Record<string, readonly string[]>>,
  from: string,
  to: string,
): number | undefined {
  const far = new Map([[from, 0]]);
  for (const [here, steps] of far) {
    if (here === to) return steps;
    for (const next of edges[here] ?? []) if (next in edges && !far.has(next)) far.set(next, steps + 1);
  }
  return undefined;
}

describe("a route between two screens", () => {
  test("takes the fewest clicks", () => {
    const graph = graphOf({ home: ["list", "about"], list: ["item"], about: ["home"], item: ["home"] });
    expect(graph.route("about", "item")).toEqual([
      { from: "about", via: "home", to: "home" },
      { from: "home", via: "list", to: "list" },
      { from: "list", via: "item", to: "item" },
    ]);
  });

  test("is empty from a screen to itself, and undefined if there is no path or a screen is unknown", () => {
    const graph = graphOf({ a: ["b"], b: [] });
    expect(graph.route("a", "a")).toEqual([]);
    expect(graph.route("b", "a")).toBeUndefined();
    expect(graph.route("a", "nowhere")).toBeUndefined();
  });

  test("never leads through a page that is not a screen", () => {
    const graph = graphOf({ a: ["login"], b: [] });
    graph.setTransitions("login", ["b"]);
    expect(graph.route("a", "b")).toBeUndefined();
    expect(graph.countTransitions()).toBe(0);
    graph.addScreen("login");
    expect(graph.route("a", "b")).toHaveLength(2);
    expect(graph.countTransitions()).toBe(2);
  });

  test("follows a redirect to its screen, and returns the stored link", () => {
    const graph = graphOf({ a: ["old"], b: ["a"] });
    graph.setRedirect("old", "b");
    expect(graph.route("a", "b")).toEqual([{ from: "a", via: "old", to: "b" }]);
    expect(graph.resolve("old")).toBe("b");
    expect(graph.has("old")).toBe(false);
  });

  test("changes when the transitions of a screen are replaced", () => {
    const graph = graphOf({ a: ["b"], b: ["c"], c: [] });
    graph.setTransitions("a", ["c"]);
    expect(graph.route("a", "c")).toHaveLength(1);
    expect(graph.route("a", "b")).toBeUndefined();
    graph.removeScreen("c");
    expect(graph.route("a", "c")).toBeUndefined();
  });

  test("is as long as the route of a simple reference search, even after random replacements of transitions", () => {
    const ids = Array.from({ length: 40 }, (_, n) => `s${n}`);
    const id = fc.constantFrom(...ids);
    const replaced = fc.tuple(id, fc.uniqueArray(id, { maxLength: 40 }));
    fc.assert(
      fc.property(fc.array(replaced, { maxLength: 120 }), id, id, (changes, from, to) => {
        const now: Record<string, readonly string[]> = Object.fromEntries(ids.map((one) => [one, []]));
        const graph = graphOf(now);
        for (const [screen, targets] of changes) {
          now[screen] = targets;
          graph.setTransitions(screen, targets);
        }
        expect(graph.route(from, to)?.length).toBe(distance(now, from, to));
        for (const screen of ids) {
          const others = (now[screen] ?? []).filter((target) => target !== screen);
          expect(graph.targets(screen)).toEqual(others.sort());
        }
      }),
    );
  });

  test("is as long as the route of a simple reference search on random graphs, even for repeated queries", () => {
    const ids = Array.from({ length: 80 }, (_, n) => `s${n}`);
    const edges = fc.dictionary(
      fc.constantFrom(...ids),
      fc.array(fc.constantFrom(...ids), { maxLength: 6 }),
      { maxKeys: 80 },
    );
    fc.assert(
      fc.property(
        edges,
        fc.array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids)), { maxLength: 10 }),
        (map, asked) => {
          const graph = graphOf(map);
          for (const [from, to] of asked) {
            const hops = graph.route(from, to);
            expect(hops?.length).toBe(from in map ? distance(map, from, to) : undefined);
            for (const hop of hops ?? []) expect(map[hop.from]).toContain(hop.via);
            if (hops && hops.length > 0) expect([hops[0]?.from, hops.at(-1)?.to]).toEqual([from, to]);
          }
        },
      ),
    );
  });
});

test("a route makes a detour around transitions that it must avoid, and there is no route if no detour exists", () => {
  const graph = new RouteGraph();
  for (const id of ["a", "b", "c"]) graph.addScreen(id);
  graph.setTransitions("a", ["b", "c"]);
  graph.setTransitions("b", ["c"]);
  expect(graph.route("a", "c")).toHaveLength(1);
  expect(graph.route("a", "c", [["a", "c"]])?.map(({ to }) => to)).toEqual(["b", "c"]);
  expect(
    graph.routeToNearest(
      "a",
      ["c"],
      [
        ["a", "c"],
        ["b", "c"],
      ],
    ),
  ).toBeUndefined();
});

test("a route leads to the nearest of several screens", () => {
  const graph = new RouteGraph();
  for (const id of ["a", "b", "c", "d"]) graph.addScreen(id);
  graph.setTransitions("a", ["b"]);
  graph.setTransitions("b", ["c", "d"]);
  expect(graph.routeToNearest("a", ["d", "b"])?.map(({ to }) => to)).toEqual(["b"]);
  expect(graph.routeToNearest("b", ["b", "d"])).toEqual([]);
  expect([...graph.countLinking(["a", "b", "c"])]).toEqual([
    ["b", 1],
    ["c", 1],
  ]);
  expect([...graph.linkCounter(["a", "b", "c"])(["a"])]).toEqual([["b", 1]]);
});

test("a route prefers transitions that have worked, and avoids a transition that keeps failing", () => {
  const graph = graphOf({ a: [], b: [], c: [], goal: [] });
  const failing = transitionCost({ successes: 0, failures: 12, confidence: 0.95 });
  const proven = transitionCost({ successes: 12, failures: 0, confidence: 0.95 });
  graph.setTransitions("a", [
    { via: "goal", cost: failing },
    { via: "b", cost: proven },
    { via: "c", cost: USUAL_COST },
  ]);
  graph.setTransitions("b", ["goal"]);
  graph.setTransitions("c", ["goal"]);
  expect(graph.route("a", "goal")?.map(({ to }) => to)).toEqual(["b", "goal"]);
  graph.setCost("a", "goal", proven);
  expect(graph.route("a", "goal")?.map(({ to }) => to)).toEqual(["goal"]);
});

test("several transitions between two screens stay separate, so that a route can avoid one of them", () => {
  const graph = graphOf({ list: [], item: [] });
  const [link, button] = [edgeId("item"), edgeId("item", "button Open")];
  graph.setTransitions("list", [link, button]);
  expect(graph.transitions).toBe(2);
  expect(graph.route("list", "item")).toEqual([{ from: "list", via: link, to: "item" }]);
  expect(graph.route("list", "item", [["list", link]])).toEqual([{ from: "list", via: button, to: "item" }]);
  const both = [
    ["list", link],
    ["list", button],
  ] as const;
  expect(graph.route("list", "item", both)).toBeUndefined();
  graph.setCost("list", link, 30);
  expect(graph.route("list", "item")?.[0]?.via).toBe(button);
});

test("a route has the same cost as the route that a simple search of the test finds", () => {
  const ids = Array.from({ length: 14 }, (_, n) => `s${n}`);
  const edge = fc.record({
    from: fc.constantFrom(...ids),
    to: fc.constantFrom(...ids),
    cost: fc.integer({ min: 10, max: 100 }),
  });
  fc.assert(
    fc.property(
      fc.array(edge, { maxLength: 60 }),
      fc.constantFrom(...ids),
      fc.constantFrom(...ids),
      (edges, from, to) => {
        const graph = graphOf(Object.fromEntries(ids.map((id) => [id, []])));
        const costs = new Map(
          edges.filter((one) => one.from !== one.to).map((one) => [`${one.from} ${one.to}`, one.cost]),
        );
        for (const id of ids) {
          const leaving = [...costs].filter(([name]) => name.startsWith(`${id} `));
          graph.setTransitions(
            id,
            leaving.map(([name, cost]) => ({ via: name.split(" ")[1] ?? "", cost })),
          );
        }
        const route = graph.route(from, to);
        const cost = route?.reduce((sum, hop) => sum + (costs.get(`${hop.from} ${hop.to}`) ?? Number.NaN), 0);
        expect(cost).toBe(cheapest(costs, from, to));
      },
    ),
  );
});

/**
 * Returns the lowest costs by the Bellman-Ford algorithm of a textbook. It shares no code with the tested
 * search.
 */
function cheapest(costs: ReadonlyMap<string, number>, from: string, to: string): number | undefined {
  const far = new Map([[from, 0]]);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [name, cost] of costs) {
      const [a = "", b = ""] = name.split(" ");
      const total = (far.get(a) ?? Number.POSITIVE_INFINITY) + cost;
      if (total >= (far.get(b) ?? Number.POSITIVE_INFINITY)) continue;
      far.set(b, total);
      changed = true;
    }
  }
  return far.get(to);
}
