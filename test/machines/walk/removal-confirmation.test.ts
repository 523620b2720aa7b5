/** Tests which questions of a page are about the object that a task removes. */
import { expect, test } from "bun:test";
import { isAboutObject } from "../../../machines/walk/removal-confirmation.ts";

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
