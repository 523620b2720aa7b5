/** Tests when the pages of a manual that are in several folders are grouped into one screen. */
import { expect, test } from "bun:test";
import type { ScreenInstance } from "../../../../machines/knowledge/page-groups/group-pages-into-screens.ts";
import { page, paths } from "./screen-group-test-pages.ts";

const names = ["install", "backup", "upgrade", "metrics"];

/** Returns the pages of one folder of the manual. All have the same structure. */
const folder = (name: string, isInMenu: boolean): readonly ScreenInstance[] =>
  names.map((item) => page(`/${name}/${item}`, "text", 0, isInMenu));

test("pages of a manual in several folders are one screen if the menu links to all of them", () => {
  const pages = ["guide", "reference", "about"].flatMap((name) => folder(name, true));
  expect(paths(...pages)).toHaveLength(1);
  const unlisted = ["guide", "reference", "about"].flatMap((name) => folder(name, false));
  expect(paths(...unlisted)).toHaveLength(3);
});

test("folders that list the posts of a tag or of an author stay two screens", () => {
  const pages = ["tags", "authors"].flatMap((name) => folder(name, true));
  expect(paths(...pages)).toHaveLength(2);
});

test("pages of a manual in folders of several depths are one screen if the menu links to all of them", () => {
  const pages = ["guide", "guide/deep", "REST_APIs", "REST_APIs/proposed"].flatMap((name) =>
    folder(name, true),
  );
  expect(paths(...pages)).toHaveLength(1);
});
