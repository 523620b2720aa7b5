/** Tests the texts of the options in a question to a person. All are different and can be distinguished. */
import { expect, test } from "bun:test";
import { distinctTexts } from "../../../../machines/dialogue/elements/element-names-for-questions.ts";
import { planOffline } from "../../../../machines/dialogue/planner/plan-by-imperatives.ts";
import { withPlaces } from "../../../../machines/session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { button, element, field } from "../support/test-page-elements.ts";

const planned = (task: string, elements: readonly HighlightedElement[]) =>
  planOffline({ task, elements, answers: {}, id: "p", version: 1, pageUrl: "http://site.test/" });
const at = (path: string) => ({ xpath: `/html/body/${path}` });

test("elements with equal names are named by their row, their region and their position", () => {
  expect(
    distinctTexts([
      button("Edit", { around: "Anna" }),
      button("Refresh", at("header/button")),
      button("Refresh", at("aside/button")),
      button("Refresh", at("main/button[1]")),
      button("Refresh", at("main/button[2]")),
      button("Close"),
    ]),
  ).toEqual([
    "Edit, Anna",
    "Refresh, in the header",
    "Refresh, in the sidebar",
    "Refresh, in the main part, number 1 of 2 on the page",
    "Refresh, in the main part, number 2 of 2 on the page",
    "Close",
  ]);
});

test("elements with equal names and rows are named by the heading or the line of text before them that differs", () => {
  const keys = ["Mobile app", "Import script"].flatMap((name, index) =>
    ["Description", name, "Token", "••••", "Last used", "Never", "Actions"].map((text) => ({
      at: index,
      text,
      level: 0,
    })),
  );
  const remove = () => button("Remove", { around: "Actions Remove" });
  const intro = { at: 0, text: "Keys give access to your account.", level: 0 };
  expect(distinctTexts(withPlaces([remove(), remove()], [intro, ...keys]))).toEqual([
    "Remove, Actions Remove, Mobile app",
    "Remove, Actions Remove, Import script",
  ]);
  const headings = ["Work", "Home"].map((text, index) => ({ at: index, text, level: 3 }));
  expect(distinctTexts(withPlaces([button("Edit"), button("Edit")], headings))).toEqual([
    'Edit, under "Work"',
    'Edit, under "Home"',
  ]);
});

test("a question about equal names offers options with different texts", () => {
  const { questions } = planned("Click Refresh", [
    button("Refresh", at("header/button")),
    button("Refresh", at("footer/button")),
  ]);
  expect(questions[0]?.options.map(({ text }) => text)).toEqual([
    "Refresh, in the header",
    "Refresh, in the footer",
  ]);
});

test("elements with the same effect count as one element, and lead to no question", () => {
  const search = (path: string, name: string) =>
    field("Quick search", { type: "search", attributes: { name }, ...at(path) });
  const same = planned("Search for Ada", [search("header/form/input", "q"), search("nav/form/input", "q")]);
  expect(same.questions).toEqual([]);
  expect(same.plan.steps).toHaveLength(2);
  const others = planned("Search for Ada", [
    search("header/form/input", "q"),
    search("nav/form/input", "tag"),
  ]);
  expect(others.questions[0]?.options).toMatchObject([
    { text: "Quick search, in the header" },
    { text: "Quick search, in the navigation" },
  ]);
  const link = (path: string) =>
    element({
      tagName: "a",
      type: "",
      interactionType: "navigate",
      textContent: "Orders",
      attributes: { href: "/orders" },
      ...at(path),
    });
  expect(planned("Open Orders", [link("nav/a"), link("footer/a")]).questions).toEqual([]);
});
