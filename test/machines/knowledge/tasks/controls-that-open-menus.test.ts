/**
 * Tests rows whose actions are in a menu, as in the lists of Kanboard and phpBB. The link that opens the menu leads
 * to "#", and only its class shows that it opens a menu.
 */
import { describe, expect, test } from "bun:test";
import {
  type RemovalPage,
  rowsOfObject,
} from "../../../../machines/knowledge/tasks/control-that-removes-object.ts";
import { opensRowMenu } from "../../../../machines/knowledge/tasks/controls-that-open-menus.ts";
import type { RemovalTarget } from "../../../../machines/knowledge/tasks/removal-target.ts";
import { planned } from "../../dialogue/support/plan-task-for-tests.ts";
import { element } from "../../dialogue/support/test-page-elements.ts";

const opener = (textContent: string, xpath: string, more = {}) =>
  element({
    ...{ tagName: "a", textContent, interactionType: "navigate", xpath, icon: "cog" },
    ...{ attributes: { href: "#", class: "dropdown-menu dropdown-menu-link-icon" }, ...more },
  });
const named = (textContent: string, href: string, xpath: string) =>
  element({ tagName: "a", textContent, interactionType: "navigate", xpath, attributes: { href } });

test.each([
  ["ellipsis vertical", "", true],
  ["dots-vertical", "", true],
  ["three-dots", "", true],
  ["more_vert", "", true],
  ["ellipsis vertical", "Delete", false],
  ["more", "", false],
  ["trash", "", false],
])("a button with the icon %p and the text %p opens a menu: %p", (icon, textContent, opens) => {
  expect(opensRowMenu(element({ tagName: "button", textContent, icon }))).toBe(opens);
});

describe("a menu that only a class marks", () => {
  test.each([
    [{ href: "#", class: "dropdown-menu" }, true],
    [{ href: "#", class: "icon dropdown-trigger" }, true],
    [{ class: "btn dropdown-toggle" }, true],
    [{ href: "/groups/2", class: "dropdown-menu" }, false],
    [{ href: "#", class: "dropdown" }, false],
    [{ href: "#", class: "js-sort" }, false],
  ])("is opened by a link with the attributes %p: %p", (attributes, opens) => {
    expect(opensRowMenu(element({ tagName: "a", textContent: "", attributes }))).toBe(opens);
  });

  test("belongs to the object of the card around it, even if its button is named by the object's number (#2)", () => {
    const card = (at: number) => `/html/body/section/div[2]/div[${at}]`;
    const page: RemovalPage = {
      ...{
        url: "http://kb.test/?controller=GroupListController",
        title: "Groups (2)",
        headings: [],
        rows: [],
      },
      texts: [
        { text: "Board of trustees", xpath: `${card(2)}/span/a` },
        { text: "Volunteers", xpath: `${card(3)}/span/a` },
      ],
      elements: [
        opener("Sort", `${card(1)}/div[2]/div/a`, { icon: undefined }),
        opener("#2", `${card(2)}/span/div/a`, { icon: undefined }),
        named("Board of trustees", "/?action=users&group_id=2", `${card(2)}/span/a`),
        opener("#1", `${card(3)}/span/div/a`, { icon: undefined }),
        named("Volunteers", "/?action=users&group_id=1", `${card(3)}/span/a`),
      ],
    };
    const target: RemovalTarget = { kind: "group", kinds: ["group"], name: "Board of trustees", place: [] };
    const rows = rowsOfObject(page, target);
    expect(rows.map(({ xpath, menus }) => [xpath, menus.map(({ textContent }) => textContent)])).toEqual([
      [card(2), ["#2"]],
    ]);
  });

  test("is opened by a dialogue for a task about the row", () => {
    const row = (at: number) => `/html/body/table/tbody/tr[${at}]/td[1]/div/a`;
    const elements = [
      opener("", row(2), { around: "Edit Remove Engine" }),
      opener("", row(3), { around: "Edit Remove Rigging" }),
    ];
    const task = "Remove the category Rigging";
    const plan = planned(task, elements).plan;
    expect(plan.steps.map(({ targetId }) => targetId)).toEqual([elements[1]?.highlight_index ?? -1, null]);
    expect(plan.steps.at(-1)?.risk).toBe("high");
  });
});
