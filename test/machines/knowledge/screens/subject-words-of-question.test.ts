import { expect, test } from "bun:test";
import {
  otherSubjects,
  subjectOf,
} from "../../../../machines/knowledge/screens/subject-words-of-question.ts";

test.each([
  ["the list of areas", "areas"],
  ["a full list of all my articles", "articles"],
  ["all scenes", "scenes"],
  ["overview of the tenants", "tenants"],
  ["the form to add a new tenant", "add a new tenant"],
  ["the page where I can change my password", "change my password"],
  ["helpers such as toggles and counters", "helpers"],
  ["reports (e.g. of sales)", "reports"],
  ["where can I see the list of webhooks?", "webhooks"],
  ["task list", "task list"],
  ["allocations", "allocations"],
])("the subject of '%s' is '%s'", (target, subject) => {
  expect(subjectOf(target)).toBe(subject);
});

test("a target with two nouns joined by a slash or by or (users or accounts) has both as subjects, and one with two verbs has none", () => {
  expect(otherSubjects("list of rooms / areas")).toEqual(["rooms", "areas"]);
  expect(otherSubjects("users or accounts")).toEqual(["users", "accounts"]);
  expect(otherSubjects("restart or reload the configuration")).toEqual([]);
});

test.each([
  ["voucher list", "vouchers"],
  ["the category overview", "categories"],
  ["batch table", "batches"],
])(
  "a target with a word for the list at its end, such as '%s', has the things '%s' as a subject",
  (target, things) => {
    expect(otherSubjects(target)).toContain(things);
  },
);

test("a target that consists only of its subject (media library) has no other subject", () => {
  expect(otherSubjects(" media library ")).toEqual([]);
});
