/** Tests that answers are taken from labels, tables and JSON-LD of a page, without a model. */
import { expect, test } from "bun:test";
import {
  answerFromStructure,
  answerInWords,
  type PageFacts,
} from "../../../machines/reading/fill-json-schema-from-page.ts";

const facts: PageFacts = {
  labelled: [
    { label: "Order number", value: "A-17" },
    { label: "Total", value: "EUR 1,234.50" },
    { label: "Ship to", value: "Vienna" },
  ],
  tables: [
    {
      columns: ["Article", "Unit price"],
      rows: [
        ["Boots", "99.90"],
        ["Hat", "12"],
      ],
    },
  ],
  objects: [{ "@type": "Product", sku: "B-1" }],
};

const text = { type: "string" };

test("fields of a schema that a caller requests are filled by their names, and converted to the requested type", () => {
  const schema = {
    type: "object",
    properties: { order_number: text, total: { type: "number" }, shipTo: text, sku: text },
  };
  expect(answerFromStructure(schema, facts)).toEqual({
    order_number: "A-17",
    total: 1234.5,
    shipTo: "Vienna",
    sku: "B-1",
  });
});

test("a requested schema is not filled from the page's structure if the page has no value for a required field", () => {
  const properties = { order_number: text, mood: text };
  expect(answerFromStructure({ type: "object", properties }, facts)).toBeUndefined();
  expect(answerFromStructure({ type: "object", properties, required: ["order_number"] }, facts)).toEqual({
    order_number: "A-17",
  });
});

test("a list in a requested schema is filled from the rows of the table that has its columns", () => {
  const items = { type: "object", properties: { article: text, unit_price: { type: "number" } } };
  const rows = [
    { article: "Boots", unit_price: 99.9 },
    { article: "Hat", unit_price: 12 },
  ];
  expect(answerFromStructure({ type: "array", items }, facts)).toEqual(rows);
  expect(
    answerFromStructure({ type: "object", properties: { lines: { type: "array", items } } }, facts),
  ).toEqual({
    lines: rows,
  });
});

test("a question in words is answered by the value on the page whose label contains all its words", () => {
  expect(answerInWords("What is the order number?", facts)).toEqual({ "Order number": "A-17" });
  expect(answerInWords("Who is the customer?", facts)).toBeUndefined();
});
