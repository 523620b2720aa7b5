/** Tests how the values of a call are assigned to the fields of a task. */
import { expect, test } from "bun:test";
import { givenTo } from "../../../actors/knowledge/stored-tasks.ts";

const given = new Map<string, unknown>([
  ["reply to", "ann@example.org"],
  ["field_type", "defect"],
  ["news", false],
]);

test.each([
  ["its name", { name: "field_type", label: "Type:" }, "defect"],
  ["its label without the colon", { name: "mail", label: "Reply to:" }, "ann@example.org"],
  ["its label without the mark of required fields", { name: "mail", label: "Reply to *" }, "ann@example.org"],
  ["its name, even if the value is false", { name: "news", label: "News" }, false],
  ["no name or label of it, so none", { name: "keywords", label: "Keywords:" }, undefined],
] as const)("a field gets the value given to %s", (_by, field, value) => {
  expect(givenTo(field, given)).toEqual(value);
});
