/** Tests the drawing of a state chart. It is complete, nothing overlaps, and no text is cut off. */
import { beforeAll, describe, expect, test } from "bun:test";
import { type AnyStateMachine, setup } from "xstate";
import { ChartRegistry } from "../../../actors/statecharts-for-console.ts";
import { textWidth } from "../../../gateway/console/chart/statechart-boxes.ts";
import { Diagrams } from "../../../gateway/console/chart/statechart-drawing-cache.ts";
import { type Place, type Placed, placeChart } from "../../../gateway/console/chart/statechart-layout.ts";
import { drawChart } from "../../../gateway/console/chart/statechart-svg.ts";
import { type Chart, chartOf } from "../../../machines/inspection/statechart-of-state-machine.ts";
import { player } from "../../machines/inspection/all-features-test-statechart.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { deep } from "./hard-to-draw-test-statechart.ts";

/** The fast tier draws these kinds of actors, and the state machines of this test. */
const KINDS_OF_FAST_TIER = ["exploration", "walk"];

const registry = new ChartRegistry();
const lonely = setup({}).createMachine({ id: "lonely" }) as unknown as AnyStateMachine;
const charts: readonly (readonly [string, () => Promise<Chart>])[] = [
  ...registry
    .kinds()
    .filter((kind) => isFull || KINDS_OF_FAST_TIER.includes(kind))
    .map((kind) => [kind, () => registry.chart(kind)] as const),
  ["player", async () => chartOf(player)],
  ["deep", async () => chartOf(deep)],
  ["lonely", async () => chartOf(lonely)],
];

/** Whether two rectangles overlap by more than a pixel. Rectangles that only touch do not overlap. */
function overlap(a: Place, b: Place): boolean {
  const apart = 1;
  return (
    a.x + a.width > b.x + apart &&
    b.x + b.width > a.x + apart &&
    a.y + a.height > b.y + apart &&
    b.y + b.height > a.y + apart
  );
}
const holds = (outer: Place, inner: Place): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

/** Returns a description of every visible fault of the drawing. */
function faults({ width, height, states, lines }: Placed): readonly string[] {
  const found: string[] = [];
  const all: Place = { x: 0, y: 0, width, height };
  const labels = lines.flatMap(({ transition, label }) =>
    transition && label ? [{ id: transition.id, ...label }] : [],
  );
  const parents = new Set(states.map(({ state }) => state.parent));
  const leaves = states.filter(({ state }) => !parents.has(state.id));
  for (const { state, place, box } of states) {
    if (!holds(all, place)) found.push(`${state.id} is outside`);
    const parent = states.find((other) => other.state.id === state.parent);
    if (parent && !holds(parent.place, place)) found.push(`${state.id} sticks out of its parent`);
    if (state.type === "history") continue;
    for (const { text } of box.lines) {
      if (textWidth(text, 11) + 10 > place.width) found.push(`"${text}" is wider than ${state.id}`);
    }
    if (parents.has(state.id)) {
      const head: Place = { ...place, width: box.width, height: box.height };
      for (const child of states) {
        if (child.state.parent === state.id && overlap(child.place, head))
          found.push(`${child.state.id} is over its parent's words`);
      }
    }
  }
  labels.forEach((label, i) => {
    if (!holds(all, label.place)) found.push(`the label of ${label.id} is outside`);
    for (const other of labels.slice(i + 1)) {
      if (overlap(label.place, other.place)) found.push(`labels: ${label.id} is over ${other.id}`);
    }
    for (const leaf of leaves) {
      if (overlap(label.place, leaf.place)) found.push(`the label of ${label.id} is over ${leaf.state.id}`);
    }
  });
  leaves.forEach((leaf, i) => {
    for (const other of leaves.slice(i + 1)) {
      if (overlap(leaf.place, other.place)) found.push(`${leaf.state.id} is over ${other.state.id}`);
    }
  });
  for (const { points } of lines) {
    if (points.length < 2) found.push("a line is not drawn");
    for (const { x, y } of points)
      if (!holds(all, { x, y, width: 0, height: 0 })) found.push("a line leaves the drawing");
  }
  return found;
}

const plain = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
const attributes = (svg: string, name: string) =>
  new Set([...svg.matchAll(new RegExp(`${name}="([^"]*)"`, "g"))].map(([, value = ""]) => plain(value)));

describe.each(charts)("the drawing of the state machine %s", (name, read) => {
  let chart: Chart;
  let placed: Placed;
  let svg: string;
  beforeAll(async () => {
    chart = await read();
    placed = await placeChart(chart);
    svg = drawChart(placed, name);
  });

  test("has exactly the states and transitions of that state machine", () => {
    expect(attributes(svg, "data-state")).toEqual(new Set(chart.states.map(({ id }) => id)));
    expect(attributes(svg, "data-words")).toEqual(new Set(chart.states.map(({ id }) => id)));
    expect(attributes(svg, "data-transition")).toEqual(new Set(chart.transitions.map(({ id }) => id)));
  });

  test("has no overlaps, no cut-off text and nothing outside of its frame", () => {
    expect(faults(placed)).toEqual([]);
  });

  test("is well-formed SVG, and names in it are escaped", () => {
    const problems: string[] = [];
    const open: string[] = [];
    for (const [tag, close, element = "", rest = ""] of svg.matchAll(/<(\/?)([a-z]+)((?:\s[^<>]*)?)>/gi)) {
      if (close) {
        const last = open.pop();
        if (last !== element) problems.push(`${tag} closes ${last}`);
      } else if (!rest.endsWith("/")) open.push(element);
    }
    expect([problems, open]).toEqual([[], []]);
    expect(svg.replaceAll(/<[^<>]*>/g, "")).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|#39);)/);
  });
});

test("the drawing of a state machine is cached, and drawn again after the machine has changed", async () => {
  const diagrams = new Diagrams();
  const chart = chartOf(player);
  const [one, two] = await Promise.all([diagrams.draw(chart), diagrams.draw(chart)]);
  expect(one).toBe(two);
  expect(await diagrams.draw({ ...chart, transitions: [] })).not.toBe(one);
});
