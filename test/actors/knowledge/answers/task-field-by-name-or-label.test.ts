/** Tests that a call can give the value for a field of a task under the field's name or under its label. */
import { expect, test } from "bun:test";
import {
  givenTo,
  unknownParameters,
} from "../../../../actors/knowledge/answers/answer-task-from-stored-tasks.ts";

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
  expect(givenTo(field, [field], given)).toEqual(value);
});

const values = new Map<string, unknown>([
  ["email", "ada@example.org"],
  ["name", "Ada"],
]);
const valuesOf = (...names: readonly string[]) => {
  const fields = names.map((name) => ({ name, label: `Label of ${name}` }));
  return fields.map((field) => givenTo(field, fields, values));
};

test.each(["member__email", "Member-email", "user[email]"])(
  "a form field with the HTML name %p gets the value that the caller of a task gave for the name without its prefix",
  (name) => {
    expect(valuesOf("member__order_name", name)).toEqual([undefined, "ada@example.org"]);
    const fields = [{ name, label: "E-Mail" }];
    expect(unknownParameters(fields, values)).toEqual(["name"]);
  },
);

test("a value for the name without its prefix (name) is given to no field if it fits two fields (buyer[name], seller[name])", () => {
  expect(valuesOf("buyer[name]", "seller[name]")).toEqual([undefined, undefined]);
  expect(valuesOf("name", "seller[name]")).toEqual(["Ada", undefined]);
});

test.each([
  ["tenant id", "tenantId", "eastquay"],
  ["tenant id", "tenant_id", "eastquay"],
  ["tenant id", "tenant-id", "eastquay"],
])("a form field gets the value for the words of its HTML name: %p for %p", (key, name, value) => {
  const fields = [
    { name, label: "ID*" },
    { name: "name", label: "Name*" },
  ];
  const words = new Map<string, unknown>([[key, value]]);
  expect(fields.map((field) => givenTo(field, fields, words))).toEqual([value, undefined]);
  expect(unknownParameters(fields, words)).toEqual([]);
});

test("a value for the words of an HTML name is given to the field with this label, if there is one", () => {
  const fields = [
    { name: "tenantId", label: "ID" },
    { name: "key", label: "Tenant ID" },
  ];
  const words = new Map<string, unknown>([["tenant id", "eastquay"]]);
  expect(fields.map((field) => givenTo(field, fields, words))).toEqual([undefined, "eastquay"]);
});

test.each([
  ["value", ["Key", "Val", "Description"], [undefined, "14", undefined]],
  ["description", ["Key", "Desc."], [undefined, "14"]],
  ["phone", ["Tel", "Pho"], [undefined, "14"]],
  ["email address", ["Name", "Email addr"], [undefined, "14"]],
  // The second label is the complete word, so only its field gets the value.
  ["value", ["Val", "Value"], [undefined, "14"]],
  // Both labels abbreviate the word, so no field gets the value.
  ["description", ["Desc", "Des"], [undefined, undefined]],
  // These are no abbreviations: too long, too short, or not the beginning of the word.
  ["country", ["Count"], [undefined]],
  ["number", ["No."], [undefined]],
  ["value", ["Interval"], [undefined]],
])(
  "a value for %p is given to the only field whose label abbreviates the word, of %p",
  (key, labels, wanted) => {
    const fields = labels.map((label, at) => ({ name: `f${at}`, label }));
    const one = new Map<string, unknown>([[key, "14"]]);
    expect(fields.map((field) => givenTo(field, fields, one))).toEqual(wanted);
    expect(unknownParameters(fields, one)).toEqual(wanted.includes("14") ? [] : [key]);
  },
);

test("an abbreviated label takes no value for a longer word if its own value or a second such value is given", () => {
  const fields = [{ name: "f", label: "Val" }];
  const own = new Map<string, unknown>([
    ["val", "1"],
    ["value", "2"],
  ]);
  expect(givenTo(fields[0] ?? { name: "", label: "" }, fields, own)).toBe("1");
  expect(unknownParameters(fields, own)).toEqual(["value"]);
  const two = new Map<string, unknown>([
    ["validity", "1"],
    ["value", "2"],
  ]);
  expect(givenTo(fields[0] ?? { name: "", label: "" }, fields, two)).toBeUndefined();
  expect(unknownParameters(fields, two)).toEqual(["validity", "value"]);
});

test("a checkbox in a group takes a value for the group only if the value is for a checkbox or names its label", () => {
  const box = { name: "Set to null", label: "Set to null", group: "Audience", type: "checkbox" };
  const of = (value: unknown) => {
    const values = new Map<string, unknown>([["audience", value]]);
    return [givenTo(box, [box], values), unknownParameters([box], values)];
  };
  expect(of("Members")).toEqual([undefined, ["audience"]]);
  expect(of(true)).toEqual([true, []]);
  expect(of("yes")).toEqual(["yes", []]);
  expect(of("Set to null")).toEqual(["Set to null", []]);
});
