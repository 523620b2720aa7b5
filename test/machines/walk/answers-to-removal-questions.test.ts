/** Tests which questions of a page are about the object that a task removes. */
import { expect, test } from "bun:test";
import type { HighlightedElement } from "../../../machines/session/page/page-snapshot.ts";
import { answerToPage, isAboutObject } from "../../../machines/walk/answers-to-removal-questions.ts";

const removal = {
  name: "SUMMER",
  object: "SUMMER · 10 %",
  others: ["SUMMER 2025", "WINTER"],
  is_row: true,
  page: "http://site.test/vouchers/",
};

test.each([
  "Are you sure?",
  "This cannot be undone. Continue?",
  "Delete this voucher?",
  "Delete SUMMER and all its orders?",
  "Delete the 2 orders of SUMMER too?",
  "Are you sure you want to remove this voucher and all of its orders?",
  "Move this voucher to the trash?",
  "Möchten Sie diesen Gutschein wirklich löschen?",
  "Weet u zeker dat u deze bon wilt verwijderen?",
])("the question %p is confirmed when a task removes the voucher SUMMER", (question) => {
  expect(isAboutObject(question, removal)).toBe(true);
});

test.each([
  "Delete all vouchers?",
  "Delete the 3 selected vouchers?",
  "Delete 1,200 vouchers?",
  "1.200 Gutscheine löschen?",
  "Remove everything?",
  "Alle Gutscheine löschen?",
  "Delete the voucher WINTER?",
  "Delete the voucher SUMMER 2025?",
  "Discard your draft?",
  "Leave the page?",
  "Close your account?",
])("the question %p is not confirmed when a task removes the voucher SUMMER", (question) => {
  expect(isAboutObject(question, removal)).toBe(false);
});

test('the word "selected" in a confirmation means the one row that the task has ticked, unless the confirmation says that there are several (11 selected)', () => {
  const ticked = { ...removal, tick: "/html/body/table/tr[2]/td[1]/input" };
  expect(isAboutObject("Delete the selected vouchers?", ticked)).toBe(true);
  expect(isAboutObject("Delete 11 selected vouchers?", ticked)).toBe(false);
});

test("a dialog that lists the name of the object above its buttons is a question, as Vuetify draws it", () => {
  const element = (index: number, name: string, more: Partial<HighlightedElement>): HighlightedElement => ({
    highlight_index: index,
    tagName: "button",
    type: "button",
    role: "button",
    interactionType: "click",
    selector: "button",
    xpath: `/html/body/div[${index}]`,
    textContent: name,
    attributes: {},
    box: { x: 0, y: 0, width: 1, height: 1 },
    in_viewport: true,
    frame: [],
    segment: 1,
    ...more,
  });
  const page = {
    url: removal.page,
    headings: [],
    texts: [],
    rows: [],
    segments: [],
    highlightedElements: [
      element(1, "Delete", { covered: "div.scrim" }),
      element(2, "SUMMER", { tagName: "div", role: "listitem", attributes: { tabindex: "-1" } }),
      element(3, "Cancel", {}),
      element(4, "Yes, delete", {}),
    ],
  };
  expect(answerToPage(page, new Set([1]), removal)).toMatchObject({
    confirm: { confirm: { highlight_index: 4 }, dismiss: { highlight_index: 3 } },
  });
});

test('a button "Delete" in a row is not pressed to confirm, even if the only other text of the row starts like "No" (Nora)', () => {
  const button = {
    highlight_index: 1,
    tagName: "button",
    type: "button",
    role: "button",
    interactionType: "click" as const,
    selector: "button",
    xpath: "/html/body/table/tbody/tr[2]/td[2]/button",
    textContent: "Delete",
    attributes: {},
    box: { x: 0, y: 0, width: 1, height: 1 },
    in_viewport: true,
    frame: [],
    segment: 1,
  };
  const answered = (text: string) =>
    answerToPage(
      {
        url: removal.page,
        headings: ["Delete SUMMER"],
        texts: [
          { text: "Are you sure to delete SUMMER?", xpath: "/html/body/p" },
          { text, xpath: "/html/body/table/tbody/tr[2]/td[1]" },
        ],
        rows: ["/html/body/table/tbody/tr[2]"],
        segments: [],
        highlightedElements: [button],
      },
      new Set(),
      removal,
    );
  expect(answered("No, keep it")).toHaveProperty("confirm");
  expect(answered("Nora Smith")).not.toHaveProperty("confirm");
});
