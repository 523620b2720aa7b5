/** Tests whether the form for a new item is another screen than the pages of the items in the same folder. */
import { expect, test } from "bun:test";
import { page, paths } from "./screen-group-test-pages.ts";

const titled = (path: string, name: string) => ({ ...page(path, "form"), name });
const tags = ["harbour", "news", "weather"].map((name) => titled(`/admin/tags/${name}`, name));

// Example pages from Ghost (`/tags/new`) and GitLab (`/groups/new`).
test("the form for a new item is a screen of its own, although the pages of the items show the same form", () => {
  expect(paths(titled("/admin/tags/new", "New tag"), ...tags)).toEqual([
    "/admin/tags/harbour /admin/tags/news /admin/tags/weather",
    "/admin/tags/new",
  ]);
});

test("an item called 'new' is no form for a new item", () => {
  expect(paths(titled("/admin/tags/new", "All that is fresh"), ...tags)).toHaveLength(1);
});

test("pages of a manual that describe operations are one screen", () => {
  const operations = ["create", "delete", "list"].map((word) =>
    titled(`/docs/tags/${word}`, `${word} a tag`),
  );
  expect(paths(...operations)).toHaveLength(1);
});
