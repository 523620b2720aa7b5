/**
 * A generated map for tests of drawing. In each section, all screens can be reached from the section's list.
 */
import type { PlacedLabel } from "../../../gateway/console/app/map/map-drawing-labels.ts";
import type { MapGraph } from "../../../machines/knowledge/map-drawing-graph.ts";

const SECTIONS = [
  "orders",
  "customers",
  "stock",
  "invoices",
  "settings",
  "reports",
  "help",
  "team",
  "archive",
];

/** @param screens number of screens; the same number always returns the same map */
export function drawnMap(screens: number): MapGraph {
  const all = Array.from({ length: screens }, (_, at) => {
    const section = SECTIONS[(at * at + at) % SECTIONS.length] ?? "other";
    return {
      screen_id: `screen-${at}`,
      website_id: "shop",
      name: `${section} page ${at}`,
      url: `https://shop.example/${section}/part-${at % 7}/${at}`,
      content_type: "web_ui",
      instances: 1 + ((at * 7) % 20),
    };
  });
  const transitions = all.flatMap(({ screen_id: from }, at) =>
    [1, 7, 13, (at * 31) % screens].flatMap((step) => {
      const to = all[(at + step) % screens]?.screen_id ?? from;
      return to === from
        ? []
        : [{ from, to, count: 1, successes: 1, failures: 0, inferred: (at + step) % 11 === 0 }];
    }),
  );
  return { knowledge_id: "shop", screens: all, transitions };
}

/** Returns the number of labels that overlap another label. */
export function overlapsOf(labels: readonly PlacedLabel[]): number {
  const lies = (one: PlacedLabel, other: PlacedLabel): boolean =>
    Math.abs(one.x - other.x) < (one.width + other.width) / 2 &&
    one.y - one.height < other.y &&
    other.y - other.height < one.y;
  return labels.filter((one) => labels.some((other) => other !== one && lies(one, other))).length;
}
