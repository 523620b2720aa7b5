/** Tests which addresses count as two addresses of the same page. Such a page belongs to one screen. */
import { expect, test } from "bun:test";
import type { ScreenInstance } from "../../../../machines/knowledge/page-groups/group-pages-into-screens.ts";
import { sketchOf } from "../../../../machines/knowledge/screens/page-feature-sketch.ts";
import { features, page, paths } from "./screen-group-test-pages.ts";

test("a page in another folder (/people/home) is on the same screen as /town/home if their structure is equal", () => {
  const names = ["home", "bridge", "mill", "tower", "museum", "harbour", "garden"];
  const pages = names.map((name) => page(`/town/${name}`, "page"));
  expect(paths(...pages, page("/people/home", "page"), page("/people/ida", "page"))).toHaveLength(2);
  expect(paths(...pages, page("/people/home", "form"))).toHaveLength(2);
});

test("an item is one screen whether the path or a parameter names it, and the list of the items is another", () => {
  const names = ["add", "clone", "commit", "push", "pull", "merge"];
  const inPath = names.map((name) => page(`/help/${name}`, "topic", 2));
  const inParameter = names.map((name) => page(`/help?cmd=${name}`, "topic", 2));
  expect(paths(...inPath, ...inParameter, page("/help", "list"))).toHaveLength(2);
  const other = names.map((name) => page(`/help?cmd=${name}`, "form", 2));
  expect(paths(...inPath, ...other)).toHaveLength(2);
});

test("two addresses of the start page, such as /index and /home, are one screen if titles and half of the structure are equal", () => {
  const start = (path: string, name: string): ScreenInstance => ({
    ...page(path, "start"),
    name,
    structure: sketchOf([
      ...Array.from({ length: 30 }, (_, at) => `start ${at}`),
      ...Array.from({ length: 6 }, (_, at) => `${path} ${at}`),
    ]),
  });
  const others = ["/a", "/b/c", "/d/e/f"].map((path) => start(path, path));
  expect(paths(start("/home", "Home"), start("/index", "Home"), ...others)).toHaveLength(1 + others.length);
  expect(paths(start("/home", "Home"), start("/index", "Index"), ...others)).toHaveLength(2 + others.length);
  expect(paths(start("/home", "Home"), start("/login", "Home"), ...others)).toHaveLength(2 + others.length);
  // Only names that web servers use for the start page (`index`, `default`) certainly mean that page. `home`
  // and `welcome` may be other pages.
  expect(paths(start("/en/home", "Home"), start("/en/welcome", "Home"), ...others)).toHaveLength(
    2 + others.length,
  );
});

test("a permanent link (/@id/80a7) is on the screen of the pages in a folder if it shows a page with the name of one of them", () => {
  const names = ["home", "bridge", "mill", "tower", "museum", "harbour"];
  const named = (path: string, name: string, own: number) => ({ ...page(path, "page", own), name });
  const pages = names.map((name) => named(`/town/${name}`, name, 1));
  const id = "805183e40ab04662840be07f181acb67";
  expect(paths(...pages, named(`/@id/${id}`, "mill", 5))).toHaveLength(1);
  expect(paths(...pages, named(`/@id/${id}`, "other", 5))).toHaveLength(2);
});

test("pages of one path and one title are one screen, although a parameter changes most of their structure", () => {
  const skin = (path: string, own: string, name: string): ScreenInstance => ({
    ...page(path, "skin"),
    name,
    structure: sketchOf([
      ...Array.from({ length: 20 }, (_, at) => `skins ${at}`),
      ...Array.from({ length: 28 }, (_, at) => `${own} ${at}`),
    ]),
  });
  const others = ["/a", "/b/c", "/d/e/f", "/g/h/i/j"].map((path) => page(path, path));
  const skins = ["eagle", "khaki", "plain"].map((name) => skin(`/skins?skin=${name}`, name, "Skins"));
  expect(paths(...skins, ...others)).toHaveLength(1 + others.length);
  const named = ["eagle", "khaki", "plain"].map((name) => skin(`/skins?skin=${name}`, name, name));
  expect(paths(...named, ...others)).toHaveLength(3 + others.length);
});

test("items are one screen at the addresses of several lists (/history/entry/11, /feed/7/entry/11) if their names are equal", () => {
  const ids = [11, 12, 13, 14, 15, 16];
  const entries = (folder: string, template: string) =>
    ids.map((id) => ({ ...page(`${folder}/entry/${id}`, template, 2), name: `Entry ${id}` }));
  const others = [page("/feeds", "feeds"), page("/a/b/c/d/e", "help"), page("/d?e=f", "text")];
  const screens = (template: string) =>
    paths(...entries("/history", "entry"), ...entries("/feed/7", template), ...others);
  expect(screens("entry")).toHaveLength(1 + others.length);
  // The page that edits an entry stays a separate screen. Only its template differs: its name and the end of its
  // address are equal to those of the page that shows the entry.
  expect(screens("form")).toHaveLength(2 + others.length);
});

// HotelDruid shows a view for printing by `show_bar=NO`, and MediaWiki by `printable=yes`.
test.each(["show_bar=NO", "printable=yes"])(
  "a page without the menu of the site, opened by %s, is on the screen of the page with the menu",
  (view) => {
    const shown = (path: string, name: string, own: readonly string[]): ScreenInstance => ({
      ...page(path, ""),
      name,
      structure: sketchOf(own),
    });
    const menu = features("menu", 40);
    const months = [1, 2, 3, 4].flatMap((month) => [
      shown(`/month.php?month=${month}`, "Month", [...menu, ...features("month", 12)]),
      shown(`/month.php?month=${month}&${view}`, "Month", features("month", 12)),
    ]);
    const words = ["guests", "rooms", "costs", "rules", "notes", "users", "taxes", "mails", "stock"];
    const others = words.map((word) => shown(`/list/${word}/a`, word, [...menu, ...features(word, 20)]));
    expect(paths(...months, ...others).filter((screen) => screen.includes("month"))).toHaveLength(1);
  },
);

// A draft has no address of its own: `/?p=26` in WordPress, `/?id=26` in Textpattern.
test.each(["/?p=", "/?id="])(
  "a draft at %s with a number is on the screen of the posts, and the start page is on another screen",
  (start) => {
    const names = [
      "old-mill",
      "new-bridge",
      "red-house",
      "big-storm",
      "lost-ship",
      "long-winter",
      "late-ferry",
    ];
    const posts = names.map((name, at) => page(`/2030/${at + 1}/${name}`, "post", 4));
    const home = page("/", "home");
    const drafts = [26, 27].map((id) => page(`${start}${id}`, "post", 12));
    const preview = page(`${start}28&preview=true`, "post", 12);
    const screens = paths(...posts, ...drafts, preview, home, page("/about", "text"));
    expect(screens).toHaveLength(3);
    expect(screens).toContain("/");
  },
);
