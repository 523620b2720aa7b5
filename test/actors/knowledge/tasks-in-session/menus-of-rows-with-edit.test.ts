/**
 * Tests that tasks edit an object by the entry "Edit" in the menu of its row, which opens a form in a dialog, as in the
 * lists of Kanboard.
 */
import { expect, test } from "bun:test";
import { plannedInSession } from "../../../../actors/knowledge/tasks-in-session/plan-task-in-session.ts";
import { readPage, readTexts } from "../../../../actors/reading/index.ts";
import type { AgentResponse } from "../../../../machines/knowledge/knowledge-protocol.ts";
import { button, element, field } from "../../../machines/dialogue/support/test-page-elements.ts";

const LIST = "http://site.example/?controller=CategoryController&action=index&project_id=2";
const HTML = `<title>Categories</title><main><h1>Categories</h1><table><tbody>
  <tr><td>Food</td></tr><tr><td>Music</td></tr></tbody></table></main>`;
const WITHOUT_FORM: AgentResponse = {
  ...{ success: false, actions: [], expected_result: {} },
  ...{ metadata: { code: "task.not_found" }, error: "The map has no form for this task." },
};

const opener = (row: number) =>
  element({
    ...{ tagName: "a", textContent: "", interactionType: "click", icon: "cog" },
    xpath: `/html/body/main/table/tbody/tr[${row}]/td/div/a`,
    attributes: { href: "#", class: "dropdown-menu dropdown-menu-link-icon" },
  });
const entry = (textContent: string, href: string) =>
  element({
    tagName: "a",
    textContent,
    interactionType: "click",
    xpath: "/html/body/ul/li/a",
    attributes: { href },
  });

async function planned(target: string, entries: readonly string[]) {
  const openers = [opener(1), opener(2)];
  const menu = entries.map((name) =>
    entry(name, "/?controller=CategoryController&action=edit&category_id=5"),
  );
  const form = { xpath: "/html/body/div/form/input", labelText: "Category Name" };
  const dialog = [
    field("Category Name", form),
    button("Save", { xpath: "/html/body/div/form/button", interactionType: "submit" }),
  ];
  let shown = [...openers];
  const pressed: string[] = [];
  const { title, headings, controls, structure } = readPage({
    url: LIST,
    html: HTML,
    mediaType: "text/html",
  });
  const answer = await plannedInSession(
    WITHOUT_FORM,
    { target },
    {
      page: async () => ({ url: LIST, title, headings, links: [], controls, structure }),
      elements: async () => shown,
      press: async (index) => {
        const at = openers.findIndex(({ highlight_index }) => highlight_index === index);
        pressed.push(at >= 0 ? `menu ${at + 1}` : "entry");
        shown = at >= 0 ? [...openers, ...menu] : [...openers, ...dialog];
        return true;
      },
      act: async () => false,
      removalPage: async () => ({ url: LIST, title, headings, ...readTexts(HTML), elements: shown }),
      open: async () => true,
    },
  );
  return { answer, pressed };
}

test("the form of an object is opened by the entry Edit in the menu of its row", async () => {
  const { answer, pressed } = await planned('edit the category "Food"', ["Edit", "Remove"]);
  expect(pressed).toEqual(["menu 1", "entry"]);
  expect(answer).toMatchObject({ metadata: { missing_parameters: ["Category Name"] } });
});

test("no entry of a menu is pressed if none, or more than one, only edits the object", async () => {
  for (const entries of [["Remove"], ["Edit", "Edit category"]]) {
    const { answer, pressed } = await planned('edit the category "Food"', entries);
    expect(pressed).toEqual(["menu 1"]);
    expect(answer).toMatchObject({ success: false });
  }
});
