/** Tests which pages in folders, and in folders inside folders, are grouped into one screen. */
import { expect, test } from "bun:test";
import type { ScreenInstance } from "../../../../machines/knowledge/page-groups/group-pages-into-screens.ts";
import { sketchOf } from "../../../../machines/knowledge/screens/page-feature-sketch.ts";
import { page, paths } from "./screen-group-test-pages.ts";

test("numbered files (photo1.html) are one screen at every depth of folders if each folder is an item of the same kind", () => {
  const albums = ["summer", "winter", "people", "birds", "rivers", "town"];
  const photos = (folder: string, template: string) =>
    [1, 2, 3].map((number) => page(`${folder}/photo${number}.html`, template, 3));
  const top = albums.flatMap((name) => [page(`/${name}`, "album"), ...photos(`/${name}`, "photo")]);
  const inner = ["/town/mill", "/town/bridge"].flatMap((folder) => [
    page(folder, "album"),
    ...photos(folder, "photo"),
  ]);
  expect(paths(...top, ...inner)).toHaveLength(2);
});

test("pages in folders named by several words (/tutorial-basics-one) are one screen, and pages in a neighbouring folder named by one word (/tags) are another", () => {
  const manual = ["basics-one", "basics-two"].flatMap((folder) =>
    ["start", "write", "publish"].map((name) => page(`/docs/tutorial-${folder}/${name}-a-page`, "manual")),
  );
  const category = ["first-steps", "next-steps"].map((name) => page(`/docs/category/${name}`, "list"));
  expect(paths(...manual, ...category)).toHaveLength(2);
  const tags = ["first-steps", "next-steps"].map((name) => page(`/docs/tags/${name}`, "manual"));
  expect(paths(...manual, ...tags)).toHaveLength(2);
});

test("items in two folders (/sales-orders/1 and /purchase-orders/1) are two screens if the addresses end in numbers, or if the pages of the folders differ in structure", () => {
  const items = (folder: string, names: readonly (string | number)[], own = 0) =>
    names.map((name) => ({
      ...page(`/${folder}/${name}`, "item"),
      structure: sketchOf([
        ...Array.from({ length: 30 }, (_, at) => `item ${at}`),
        ...Array.from({ length: own }, (_, at) => `${folder} ${at}`),
      ]),
    }));
  const others = ["/a/b/c/d", "/e/f/g?h=i", "/j?k=l"].map((path) => page(path, path));
  const numbers = [1, 2, 3, 4];
  for (const own of [0, 1, 4]) {
    const orders = ["sales-orders", "purchase-orders"].flatMap((folder) => items(folder, numbers, own));
    expect(paths(...orders, ...others)).toHaveLength(2 + others.length);
    expect(paths(...orders, ...items("tags", numbers, 20), ...others)).toHaveLength(3 + others.length);
  }
  const names = ["red", "blue", "green"];
  const lists = ["user-groups", "price-lists"].flatMap((folder) => items(folder, names, 4));
  expect(paths(...lists, ...items("tags", names, 20), ...others)).toHaveLength(3 + others.length);
});

test("folders and their subfolders are one screen, although their pages show different content", () => {
  const album = (path: string, part: string): ScreenInstance => ({
    ...page(path, "album"),
    structure: sketchOf([
      ...Array.from({ length: 30 }, (_, at) => `album ${at}`),
      ...Array.from({ length: 12 }, (_, at) => `${part} ${at}`),
    ]),
  });
  const others = ["/a/b/c/d", "/e/f?g=h", "/i?j=k"].map((path) => page(path, path));
  const albums = ["summer", "winter", "people", "birds"].map((name) => album(`/${name}`, "photos"));
  const nested = ["/rivers/north", "/rivers/south", "/town/mill", "/town/bridge"].map((path) =>
    album(path, "photos"),
  );
  const outer = ["/rivers", "/town"].map((path) => album(path, "albums"));
  expect(paths(...others, ...albums, ...nested, ...outer)).toHaveLength(others.length + 1);
  expect(paths(...others, ...albums, ...outer)).toHaveLength(others.length + 2);
});

test("the page of a folder is on the screen of its parent folder, and not on the screen of the files beside it", () => {
  const browser = (path: string, part: string): ScreenInstance => ({
    ...page(path, "browser"),
    structure: sketchOf([
      ...Array.from({ length: 30 }, (_, at) => `browser ${at}`),
      ...Array.from({ length: 6 }, (_, at) => `${part} ${at}`),
    ]),
  });
  const files = ["alpha.py.html", "beta.py.html", "gamma.py.html", "delta.py.html"].map((name) =>
    browser(`/listings/${name}`, "code"),
  );
  const folders = ["/listings", "/listings/inner"].map((path) => browser(path, "list"));
  const others = ["/a/b/c/d", "/e/f?g=h", "/i?j=k"].map((path) => page(path, path));
  expect(paths(...files, ...folders, ...others)).toHaveLength(2 + others.length);
  // On a site whose pages have an extension such as `.html`, a name without extension is a folder. This is
  // not true for an extension such as `.md`, because a repository also has files without extension.
  const code = ["README.md", "main.c", "util.py", "guide.md", "test.py"].map((name) =>
    browser(`/code/${name}`, "code"),
  );
  expect(paths(...code, browser("/code/Makefile", "text"), ...others)).toHaveLength(1 + others.length);
});
