/** Tests that Cairn's CBOR codec encodes requests to the database to the same bytes as the codec of SurrealDB's SDK. */
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { BoundIncluded, CborCodec, DateTime, Duration, RecordId, RecordIdRange, Table } from "surrealdb";
import { FastCborCodec } from "../../../store/connection/fast-cbor-codec.ts";

const fast = new FastCborCodec({});
const sdk = new CborCodec({});

function expectSameBytes(value: unknown): void {
  expect(encoded(fast, value)).toBe(encoded(sdk, value));
}

/** Returns the bytes in hexadecimal, or the message of the error. */
function encoded(codec: CborCodec, value: unknown): string {
  try {
    return Buffer.from(codec.encode(value)).toString("hex");
  } catch (error) {
    return String(error);
  }
}

test("Cairn's CBOR codec encodes any plain value to the same bytes as the codec of SurrealDB's SDK", () => {
  const value = fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true });
  fc.assert(fc.property(value, expectSameBytes), { numRuns: 500 });
});

test("Cairn's CBOR codec encodes texts of any length to the same bytes as the codec of SurrealDB's SDK", () => {
  for (const length of [0, 23, 24, 48, 49, 85, 86, 255, 256, 21_845, 21_846, 65_535, 65_536, 200_000])
    for (const character of ["a", "ü", "漢", "😀", "\ud800"]) expectSameBytes(character.repeat(length));
});

test("Cairn's CBOR codec encodes numbers at the limits of each size to the same bytes as the codec of SurrealDB's SDK", () => {
  const limits = [0, 23, 24, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER];
  for (const number of limits)
    for (const one of [number, -number, -number - 1, number + 0.5]) expectSameBytes(one);
  for (const number of [2 ** 53, -0, Number.NaN, Number.POSITIVE_INFINITY, 1e-300]) expectSameBytes(number);
  expect(() => fast.encode([1e300])).toThrow("too big");
  expectSameBytes(["after an error"]);
});

test("Cairn's CBOR codec encodes record ids, ranges and other types of the SDK to the same bytes as the codec of SurrealDB's SDK", () => {
  const range = new RecordIdRange("page", new BoundIncluded(["map", "a"]), undefined);
  expectSameBytes({
    id: 1,
    method: "query",
    params: [
      "SELECT * FROM $ids",
      {
        ids: [new RecordId("page", ["map", "http://site.test/ü"]), new RecordId("shard", 7)],
        range,
        table: new Table("page"),
        at: new DateTime(),
        date: new Date(0),
        wait: new Duration("3s"),
        nothing: undefined,
        large: 2n ** 60n,
        bytes: new Uint8Array([1, 2, 3]),
        set: new Set(["a"]),
        map: new Map([["a", 1]]),
      },
    ],
  });
});
