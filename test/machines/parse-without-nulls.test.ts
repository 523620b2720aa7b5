/** Tests when null in a value stands for a field that is left out. */
import { expect, test } from "bun:test";
import { z } from "zod";
import { parseWithoutNulls } from "../../machines/parse-without-nulls.ts";
import { parseAction } from "../../machines/session/actions/parse-action.ts";

const schema = z.strictObject({
  name: z.string(),
  limit: z.number().default(10),
  mode: z.enum(["slow", "fast"]).optional(),
  screen: z.string().nullable().optional(),
  context: z.strictObject({ url: z.string().optional() }).default({}),
  fields: z.array(z.strictObject({ label: z.string(), index: z.number().optional() })).default([]),
});

test("null in an optional field counts as absent, even inside of objects and lists", () => {
  const given = {
    name: "n",
    limit: null,
    mode: null,
    context: { url: null },
    fields: [
      { label: "a", index: 1 },
      { label: "b", index: null },
    ],
  };
  expect(parseWithoutNulls(schema, given).data).toEqual({
    name: "n",
    limit: 10,
    context: {},
    fields: [{ label: "a", index: 1 }, { label: "b" }],
  });
  expect(given.limit).toBeNull();
});

test("null that the schema allows is kept, while null in an optional field beside it counts as absent", () => {
  expect(parseWithoutNulls(schema, { name: "n", screen: null, limit: null }).data).toMatchObject({
    screen: null,
  });
});

test("null in an optional field counts as absent in an object that may have one of several forms", () => {
  const given = (file: object) => parseAction("upload_file", { index: 3, files: [file] });
  expect(given({ name: "list.csv", content: "a,b", encoding: null, type: null })).toMatchObject({
    params: { files: [{ name: "list.csv", content: "a,b", encoding: "utf8" }] },
  });
  expect(given({ path: "list.csv", name: null, content: null })).toMatchObject({
    params: { files: [{ path: "list.csv" }] },
  });
  expect(given({ name: "list.csv", content: "a,b", path: null })).toMatchObject({
    params: { files: [{ name: "list.csv", content: "a,b" }] },
  });
  expect(() => given({ name: null, content: "a,b" })).toThrow("params.files.0");
  expect(() => given({ path: "list.csv", other: "a" })).toThrow("params.files.0");
});

test("null in a required field is reported as a missing field, and null in a list is refused", () => {
  const missing = parseWithoutNulls(schema, { name: null });
  expect(missing.error?.issues).toMatchObject([
    { path: ["name"], message: expect.stringContaining("undefined") },
  ]);
  const item = parseWithoutNulls(z.object({ list: z.array(z.string()) }), { list: ["a", null] });
  expect(item.error?.issues).toMatchObject([{ path: ["list", 1] }]);
});

test("an action accepts null for a parameter that it does not need", () => {
  expect(parseAction("scroll", { direction: "down", amount: 500, index: null })).toEqual({
    name: "scroll",
    params: { direction: "down", amount: 500 },
  });
  const fields = [{ index: null, label: "City", value: "Vienna" }];
  expect(parseAction("fill_form", { fields })).toMatchObject({
    params: { fields: [{ label: "City", value: "Vienna" }] },
  });
  expect(() => parseAction("click", { index: null })).toThrow("params.index");
});
