/**
 * Tests that pages of different kinds, such as jobs and graphs, are different screens although their items
 * have the same names.
 */
import { expect, test } from "bun:test";
import type { ScreenInstance } from "../../../../machines/knowledge/page-groups/group-pages-into-screens.ts";
import { sketchOf } from "../../../../machines/knowledge/screens/page-feature-sketch.ts";
import { features, paths } from "./screen-group-test-pages.ts";

const KINDS = ["jobs", "graphs", "sensors", "schedules", "resources", "ops"];
const NAMES = ["cleanup", "export", "import", "report"];

const page = (
  path: string,
  ...parts: readonly (readonly [name: string, count: number])[]
): ScreenInstance => ({
  screen_id: path,
  url: `https://a.example${path}`,
  structure: sketchOf([...features("site", 10), ...parts.flatMap(([name, count]) => features(name, count))]),
  site_wide: false,
});

const lists = KINDS.map((kind) => page(`/store/main/${kind}`, ["list", 30]));
const others = [page("/", ["home", 30]), page("/help/a", ["help", 30])];

test("/jobs/{name} and /graphs/{name} with the same names are two screens if pages of one kind (jobs) are more similar than pages of one name", () => {
  const items = KINDS.slice(0, 2).flatMap((kind) =>
    NAMES.map((name) => page(`/store/main/${kind}/${name}`, ["item", 30], [kind, 4])),
  );
  const screens = paths(...lists, ...items, ...others);
  expect(screens.some((screen) => screen.includes("/jobs/") && screen.includes("/graphs/"))).toBe(false);
  expect(screens).toContain(NAMES.map((name) => `/store/main/graphs/${name}`).join(" "));
  expect(screens).toContain("/store/main/jobs");
});

test("/{project}/{operation} is one screen for each operation if pages of one operation are more similar than pages of one project", () => {
  const operations = KINDS.slice(0, 2).flatMap((project) =>
    NAMES.map((name) => page(`/store/main/${project}/${name}`, ["item", 30], [name, 30])),
  );
  expect(paths(...lists, ...operations, ...others)).toContain(
    "/store/main/graphs/export /store/main/jobs/export",
  );
});
