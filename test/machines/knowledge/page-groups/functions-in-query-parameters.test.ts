/** Tests when pages are different screens because a parameter of their addresses selects a function. */
import { expect, test } from "bun:test";
import type { ScreenInstance } from "../../../../machines/knowledge/page-groups/group-pages-into-screens.ts";
import { sketchOf } from "../../../../machines/knowledge/screens/page-feature-sketch.ts";
import { features, page, paths } from "./screen-group-test-pages.ts";

/**
 * Returns a page of an administration that has one script, such as `/tables.php`, for all its pages. Pages of one kind
 * have the same features in `own`.
 */
const section = (path: string, own: readonly string[], isInMenu = true): ScreenInstance => ({
  ...page(path, "admin"),
  name: "Tables",
  site_wide: isInMenu,
  structure: sketchOf([...features("site", 10), ...own]),
});
const rest = [page("/", "home"), page("/help/a/b", "help"), page("/x/y/z/w", "text")];
const words = ["guests", "rooms", "costs", "rules"];
const screensWith = (pages: readonly ScreenInstance[], word: string) =>
  paths(...pages, ...rest).filter((screen) => screen.includes(word));

// These parameters select the function in HotelDruid, and in plugins of WordPress.
test.each(["/tables.php?tipo_tabella=", "/wp-admin/admin.php?page="])(
  "pages that the menu opens by different words after %s are different screens, even if two of them show equal empty tables",
  (start) => {
    const kinds = ["guests", "rooms", "empty", "empty"];
    const pages = words.flatMap((word, at) => [
      section(`${start}${word}&year=2030`, features(kinds[at] ?? "", 20)),
      section(`${start}${word}&year=2030&order=name&all=yes`, features(kinds[at] ?? "", 18), false),
    ]);
    for (const word of words) {
      const [screen, ...others] = screensWith(pages, word);
      expect(others).toEqual([]);
      expect(screen?.split(" ")).toHaveLength(2);
    }
  },
);

test("the tabs of one table are one screen, although the menu lists them", () => {
  const tabs = ["current", "future", "past", "all"].map((tab) =>
    section(`/tables.php?tab_of_table=${tab}`, features("table", 30)),
  );
  const [screen, ...others] = screensWith(tabs, "tab_of_table");
  expect(others).toEqual([]);
  expect(screen?.split(" ")).toHaveLength(tabs.length);
});

test("the tabs of one table are one screen, even if some of them have no entries", () => {
  const tabs = ["open", "closed", "merged"].map((tab, at) =>
    section(`/issues.php?tab_of_table=${tab}`, [
      ...features("table", 20),
      ...(at === 2 ? features("empty", 3) : features("row", 20)),
    ]),
  );
  expect(screensWith(tabs, "tab_of_table")).toHaveLength(1);
});
