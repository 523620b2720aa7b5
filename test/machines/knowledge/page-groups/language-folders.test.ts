/** Tests which folders of a site contain translations. A translated page belongs to the screen of its original. */
import { expect, test } from "bun:test";
import { page, paths } from "./screen-group-test-pages.ts";

const names = ["projects", "members", "settings"];
const rest = [page("/", "home"), page("/help/a/b", "help"), page("/x/y/z/w", "text")];

// Example folders from Nuxt i18n (doccano) and from Docusaurus.
test.each([
  ["", "/de", "/pt-BR"],
  ["/en", "/fr", "/zh-hans"],
])("translations in the folders '%s', '%s' and '%s' are on the screens of their originals", (...folders) => {
  const pages = folders.flatMap((folder) => names.map((name) => page(`${folder}/${name}`, name, 2)));
  const screens = paths(...pages, ...rest);
  expect(screens).toHaveLength(names.length + rest.length);
  for (const name of names)
    expect(screens).toContain(
      folders
        .map((folder) => `${folder}/${name}`)
        .sort()
        .join(" "),
    );
});

test("a folder with the name of a language (/it) is a section if no other folder has its pages", () => {
  const department = names.map((name) => page(`/it/${name}`, `${name} of it`));
  const others = ["/sales/offers", "/sales/members"].map((path) => page(path, path));
  expect(paths(...department, ...others, ...rest)).toHaveLength(names.length + others.length + rest.length);
});

test("folders with only two kinds of addresses count as languages if each address exists in three languages", () => {
  const pages = ["", "/de", "/fr"].flatMap((start) => [
    page(`${start}/projects`, "list", 1),
    ...[1, 2, 3].map((n) => page(`${start}/projects/${n}`, "item", 2)),
  ]);
  expect(paths(...pages, ...rest)).toContain("/de/projects /fr/projects /projects");
  const two = pages.filter(({ url }) => !url.includes("/fr"));
  expect(paths(...two, ...rest)).not.toContain("/de/projects /projects");
});

test("folders with numbered pages (/it/101, /hr/101) do not count as languages if only one numbered page of the site is outside of them (/204)", () => {
  const numbers = [101, 102, 103];
  const tickets = ["it", "hr"].flatMap((folder) => numbers.map((n) => page(`/${folder}/${n}`, "item", 1)));
  const screens = paths(...tickets, page("/204", "item", 1), ...rest);
  expect(screens).toContain("/204");
});

test.each(["my", "new"])("the folder '/%s' is no language, because it is a word", (folder) => {
  const pages = ["", `/${folder}`].flatMap((start) => names.map((name) => page(`${start}/${name}`, name, 2)));
  const screens = paths(...pages, ...rest);
  for (const name of names) expect(screens).not.toContain(`/${folder}/${name} /${name}`);
});
