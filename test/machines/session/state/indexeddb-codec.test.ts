/**
 * Tests that nothing is lost when saved IndexedDB databases are converted to Playwright's storage state and
 * back.
 */
import { expect, test } from "bun:test";
import { taken, transferred } from "../../../../machines/session/state/indexeddb-codec.ts";
import { databaseSchema } from "../../../../machines/session/state/indexeddb-schema.ts";
import type { SavedDatabase } from "../../../../machines/session/state/saved-session.ts";

const object = (...is: readonly (readonly [string, unknown])[]) => ({ $: "object", is });
const list = (...is: readonly unknown[]) => ({ $: "array", is });

const store = { name: "log", keyPath: null, autoIncrement: true, indexes: [] } as const;
const database = (...records: readonly (readonly [unknown, unknown])[]): SavedDatabase => ({
  name: "shop",
  version: 3,
  stores: [{ ...store, records }],
});

test("a saved IndexedDB database keeps JSON values unchanged", () => {
  const saved = database([1, object(["a", list(1, "b", null, true)], ["c", object()])]);
  const [restored] = transferred(saved).stores;
  expect(restored?.records).toEqual([{ key: 1, value: { a: [1, "b", null, true], c: {} } }]);
  expect(taken(databaseSchema.parse(transferred(saved)))).toEqual(saved);
});

test("a saved IndexedDB database encodes values that JSON lacks as Playwright does, and decodes them again", () => {
  const value = object(
    ["shared", object(["n", { $: "bigint", is: "1" }])],
    ["at", { $: "date", is: 5 }],
    ["tags", { $: "set", is: ["x", { $: "same", is: 1 }] }],
    ["map", { $: "map", is: [list(1, { $: "same", is: 1 })] }],
    ["none", { $: "undefined" }],
    ["nan", { $: "number", is: "NaN" }],
    ["bytes", { $: "view", of: "Uint16Array", is: "AQI=" }],
    ["buffer", { $: "buffer", is: "AQI=" }],
    ["pattern", { $: "regexp", is: ["a+", "g"] }],
    ["file", { $: "blob", type: "text/plain", name: "a.txt", at: 7, is: "aGk=" }],
    ["trouble", { $: "error", of: "TypeError", is: "no" }],
    ["itself", { $: "same", is: 0 }],
  );
  const saved = database(["k", value]);
  const [restored] = transferred(saved).stores;
  const id = 2;
  expect(restored?.records).toEqual([
    {
      key: "k",
      valueEncoded: {
        id: 1,
        o: [
          { k: "shared", v: { o: [{ k: "n", v: { bi: "1" } }], id } },
          { k: "at", v: { d: "1970-01-01T00:00:00.005Z" } },
          { k: "tags", v: { s: ["x", { ref: id }], id: 3 } },
          { k: "map", v: { m: [{ k: 1, v: { ref: id } }], id: 4 } },
          { k: "none", v: { v: "undefined" } },
          { k: "nan", v: { v: "NaN" } },
          { k: "bytes", v: { ta: { b: "AQI=", k: "ui16" } } },
          { k: "buffer", v: { ab: { b: "AQI=" } } },
          { k: "pattern", v: { r: { p: "a+", f: "g" } } },
          { k: "file", v: { blob: { b: "aGk=", t: "text/plain", n: "a.txt", l: 7 } } },
          { k: "trouble", v: { e: { n: "TypeError", m: "no", s: "" } } },
          { k: "itself", v: { ref: 1 } },
        ],
      },
    },
  ]);
  expect(taken(databaseSchema.parse(JSON.parse(JSON.stringify(transferred(saved)))))).toEqual(saved);
});

test("a saved IndexedDB database keeps in-line keys, compound key paths and indexes", () => {
  const saved: SavedDatabase = {
    name: "s",
    version: 1,
    stores: [
      {
        name: "carts",
        keyPath: ["a", "b"],
        autoIncrement: false,
        indexes: [{ name: "by", keyPath: "a", unique: true, multiEntry: false }],
        records: [[list(1, 2), object(["a", 1], ["b", 2])]],
      },
    ],
  };
  const [restored] = transferred(saved).stores;
  expect(restored).toMatchObject({
    keyPathArray: ["a", "b"],
    indexes: [{ name: "by", keyPath: "a", unique: true, multiEntry: false }],
    records: [{ value: { a: 1, b: 2 } }],
  });
  expect(taken(databaseSchema.parse(transferred(saved))).stores).toMatchObject([
    {
      keyPath: ["a", "b"],
      indexes: [{ keyPath: "a" }],
      records: [[{ $: "undefined" }, object(["a", 1], ["b", 2])]],
    },
  ]);
});
