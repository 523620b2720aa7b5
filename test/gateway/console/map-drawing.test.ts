/** Tests the drawing of a map: every screen is inside its section, and no two labels overlap. */
import { expect, test } from "bun:test";
import { placeLabels } from "../../../gateway/console/app/map/map-drawing-labels.ts";
import { layOutMap } from "../../../gateway/console/app/map/map-drawing-layout.ts";
import { labelsOf } from "../../../gateway/console/app/map/map-painter.ts";
import { drawnMap, overlapsOf } from "./map-for-drawing-tests.ts";

const FRAME = { width: 1_000, height: 700 };

test("a drawn map shows every screen once, inside its section and without touching another screen", () => {
  const graph = drawnMap(300);
  const layout = layOutMap(graph);
  expect(layout.screens).toHaveLength(300);
  expect(layout.edges).toHaveLength(graph.transitions.length);
  for (const { x, y, radius, section } of layout.screens) {
    const around = layout.sections[section];
    if (!around) continue;
    expect(Math.hypot(x - around.x, y - around.y) + radius).toBeLessThan(around.radius + 0.01);
  }
  for (const one of layout.screens) {
    const over = layout.screens.filter(
      (other) =>
        other !== one && Math.hypot(one.x - other.x, one.y - other.y) < one.radius + other.radius - 0.01,
    );
    expect(over).toEqual([]);
  }
});

test("a drawn map shows names of sections at low zoom and of screens at high zoom, without overlapping labels", () => {
  const layout = layOutMap(drawnMap(1_000));
  const focus = { chosen: undefined, found: undefined };
  const names = new Set(layout.screens.map(({ screen }) => screen.name));
  const fit = FRAME.height / layout.size;
  const at = (scale: number) => {
    const [x, y] = [layout.size / 2 - FRAME.width / scale / 2, layout.size / 2 - FRAME.height / scale / 2];
    return labelsOf(layout, { x, y, scale }, FRAME, focus, new Set());
  };
  const far = at(fit);
  const near = at(fit * 8);
  expect(far.length).toBeGreaterThan(3);
  expect(far.some(({ text }) => names.has(text))).toBe(false);
  expect(near.filter(({ text }) => names.has(text)).length).toBeGreaterThan(5);
  for (const labels of [far, near, at(fit * 3)]) expect(overlapsOf(labels)).toBe(0);
});

test("of several overlapping labels, a drawn map shows the most important one", () => {
  const wish = (text: string, x: number, weight: number) => ({ text, x, y: 20, size: 12, weight });
  const placed = placeLabels([wish("less", 100, 1), wish("more", 105, 2), wish("far away", 400, 0)]);
  expect(placed.map(({ text }) => text)).toEqual(["more", "far away"]);
});
