/**
 * Tests when several pages in one folder are separate screens, because the menu of the application leads to each of
 * them.
 */
import { expect, test } from "bun:test";
import { page, paths } from "./screen-group-test-pages.ts";

const items = Array.from({ length: 12 }, (_, at) => page(`/orders/${at + 1}`, "order"));
/** Returns a page of the menu. All these pages have the same structure. */
const section = (path: string, name: string) => ({ ...page(path, "report", 0, true), name });
// Example pages from the reports of Wagtail, and from the pages that a speaker has in pretalx.
const reports = [
  section("/reports/locked", "Locked pages"),
  section("/reports/history", "Site history"),
  section("/reports/aging", "Aging pages"),
];

test("sections in an application's menu with titles of their own are different screens, although their pages are equal", () => {
  expect(paths(...reports, ...items)).toHaveLength(reports.length + 1);
});

test("sections of an application are one screen if they share one title or are not in the menu", () => {
  const untitled = reports.map((one) => ({ ...one, name: "Reports" }));
  expect(paths(...untitled, ...items)).toHaveLength(2);
  const unlisted = reports.map((one) => ({ ...one, site_wide: false }));
  expect(paths(...unlisted, ...items)).toHaveLength(2);
});

test("pages of a manual are one screen, although the menu links to each of them", () => {
  const guide = (folder: string) =>
    ["install", "backup", "upgrade"].map((name) => section(`/${folder}/${name}`, `${name} of ${folder}`));
  expect(paths(...guide("guide"), ...guide("reference"), ...items)).toHaveLength(2);
  const names = ["install", "backup", "upgrade", "search", "themes", "links"];
  const inOneFolder = names.map((name) => section(`/guide/${name}`, name));
  expect(paths(...inOneFolder, ...items)).toHaveLength(2);
});

test.each(["category", "tags", "forum", "projects"])(
  "pages of several things of one kind (/%s/alpha) are one screen, although the menu leads to each and each has its own title",
  (folder) => {
    const things = ["alpha", "beta", "gamma"].map((name) => section(`/${folder}/${name}`, name));
    expect(paths(...things, ...items)).toHaveLength(2);
  },
);

test("sections below one thing in the menu, such as the team of the account (/team/members), are different screens", () => {
  const own = ["members", "roles", "billing"].map((name) => section(`/team/${name}`, name));
  expect(paths(...own, ...items)).toHaveLength(own.length + 1);
});

/** Returns the pages of two sections for each object. Only the menu of the object "crane" leads to its pages. */
const sectionsOf = (objects: readonly string[], titles: Readonly<Record<string, string>>) =>
  objects.flatMap((object) =>
    Object.entries(titles).map(([word, title]) => ({
      ...page(`/admin/${object}/mail/${word}`, "mail", 0, object === objects[0]),
      name: title,
    })),
  );

// Example pages from the back office of an event in pretix, and from the projects of Redmine.
test("sections that several objects have with the same title are different screens, although only one object's menu leads to them", () => {
  const found = paths(
    ...sectionsOf(["crane", "ferry"], { history: "Email history", rules: "Email rules" }),
    ...items,
  );
  expect(found.slice(0, 2)).toEqual([
    "/admin/crane/mail/history /admin/ferry/mail/history",
    "/admin/crane/mail/rules /admin/ferry/mail/rules",
  ]);
});

test("a page of one object (/ferry/mail/welcome) is a different screen than sections with other titles, which several objects have", () => {
  const other = { ...page("/admin/ferry/mail/welcome", "mail"), name: "Welcome" };
  const found = paths(
    other,
    ...sectionsOf(["crane", "ferry"], { history: "Email history", rules: "Email rules" }),
    ...items,
  );
  expect(found).toContain("/admin/ferry/mail/welcome");
});

test("pages of two editions of a manual are one screen, although they have the same titles in both", () => {
  const found = paths(...sectionsOf(["2.1", "2.2"], { history: "History", rules: "Rules" }), ...items);
  expect(found).toHaveLength(2);
});
