/** Tests the screens of objects, such as projects, whose addresses name an operation after the object. */
import { expect, test } from "bun:test";
import { page, paths } from "./screen-group-test-pages.ts";

test("pages with the same operation in their address (`log` in /town/log/src/main.c) are one screen, whatever project and file the address names", () => {
  const verb = (name: string) => [
    ...["town", "mill", "port"].map((project) => page(`/${project}/${name}`, name, 2)),
    ...["town", "mill", "port"].map((project) => page(`/${project}/${name}/src/main.c`, name, 2)),
  ];
  expect(paths(...verb("log"), ...verb("blame"))).toHaveLength(2);
  const folder = page("/town/log/test", "log", 2);
  expect(paths(...verb("log"), ...verb("blame"), folder)).toHaveLength(2);
});

test("projects whose addresses have the same operations (/town/log) share one screen for each operation, even if their pages differ somewhat", () => {
  const verbs = ["log", "tree", "blame"];
  const pages = ["town", "mill", "port"].flatMap((project) =>
    verbs.flatMap((verb) => [1, 2].map((at) => page(`/${project}/${verb}/main/${at}`, verb, at * 4))),
  );
  expect(paths(...pages)).toHaveLength(verbs.length);
});

test("different operations on files of a project (/town/log/README, /town/tree/README) are different screens, even if their pages are nearly equal", () => {
  const verbs = ["log", "tree", "diff", "stats", "raw"];
  const pages = (name: string, verb: string) =>
    ["town", "mill", "port"].flatMap((project) =>
      ["Makefile", "README"].map((file) => page(`/${project}/${name}/${file}`, verb)),
    );
  const others = verbs.flatMap((verb) => pages(verb, verb));
  expect(paths(...others, ...pages("blame", "tree"))).toHaveLength(verbs.length + 1);
});

test("pages whose addresses differ only in a word after the project, such as a branch, are one screen if they have the same template", () => {
  const projects = ["town", "mill", "port"];
  const at = (words: readonly string[], template: (word: string) => string) =>
    projects.flatMap((project) => words.map((word) => page(`/${project}/${word}`, template(word), 1)));
  const branches = at(["main", "next", "trial"], () => "branch");
  expect(paths(...branches, ...at(["log", "tags", "stats"], (word) => word))).toHaveLength(4);
});
