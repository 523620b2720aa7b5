/** Tests that a call can give the value for a field of a task under the field's name or under its label. */
import { expect, test } from "bun:test";
import { givenTo } from "../../../actors/knowledge/stored-task-answer.ts";

const given = new Map<string, unknown>([
  ["reply to", "ann@example.org"],
  ["field_type", "defect"],
  ["news", false],
]);

test.each([
  ["its name", { name: "field_type", label: "Type:" }, "defect"],
  ["its label without the colon", { name: "mail", label: "Reply to:" }, "ann@example.org"],
  ["its label without the mark of required fields", { name: "mail", label: "Reply to *" }, "ann@example.org"],
  ["its name, also the value false", { name: "news", label: "News" }, false],
  ["its name or label, here none", { name: "keywords", label: "Keywords:" }, undefined],
] as const)("a form field gets the value that the caller of a task gave for %s", (_by, field, value) => {
  expect(givenTo(field, given)).toEqual(value);
});
