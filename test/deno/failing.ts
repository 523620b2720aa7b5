/**
 * Tests that fail, each in a way of its own, and two that do not: `deno.test.ts` looks whether the run on Deno
 * tells them apart. Not called `.test.ts`, so that nobody runs it but on purpose.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

const thrower = () => {
  throw new Error("one thing");
};

test("passes", () => {
  expect({ a: 1, b: undefined }).toEqual({ a: 1 });
  expect({ a: { b: [1, { c: 2, d: 3 }] } }).toMatchObject({ a: { b: [1, { c: 2 }] } });
  expect(thrower).toThrow("one");
});

const wrong: readonly (readonly [string, () => unknown])[] = [
  ["toBe", () => expect(-0).toBe(0)],
  ["not", () => expect(1).not.toBe(1)],
  ["toEqual of an object with more", () => expect({ a: 1, b: 2 }).toEqual({ a: 1 })],
  ["toEqual of an object with less", () => expect({ a: 1 }).toEqual({ a: 1, b: 2 })],
  ["toEqual of a longer array", () => expect([1, 2, 3]).toEqual([1, 2])],
  ["toEqual of an array and an object", () => expect({ 0: 1 } as unknown).toEqual([1])],
  ["toEqual of maps", () => expect(new Map([["a", 1]])).toEqual(new Map([["a", 2]]))],
  ["toEqual of sets", () => expect(new Set([1])).toEqual(new Set([1, 2]))],
  ["toEqual of bytes", () => expect(new Uint8Array([1])).toEqual(new Uint8Array([2]))],
  ["toEqual of errors", () => expect(new Error("a")).toEqual(new Error("b"))],
  ["toMatchObject", () => expect({ a: { b: 1 } }).toMatchObject({ a: { b: 2 } })],
  ["toMatchObject of a longer array", () => expect({ a: [1, 2] }).toMatchObject({ a: [1] })],
  ["toMatchObject of an error", () => expect(new Error("a")).toMatchObject({ message: "b" })],
  ["toContain", () => expect([{ a: 1 }]).toContain({ a: 1 })],
  ["toContainEqual", () => expect([{ a: 1 }]).toContainEqual({ a: 2 })],
  ["toHaveLength", () => expect("abc").toHaveLength(2)],
  ["toHaveProperty", () => expect({ a: 1 }).not.toHaveProperty("a")],
  ["toMatch", () => expect("abc").toMatch(/d/)],
  ["toBeNull", () => expect(undefined).toBeNull()],
  ["toBeDefined", () => expect(undefined).toBeDefined()],
  ["toBeUndefined", () => expect(null).toBeUndefined()],
  ["toBeGreaterThan", () => expect(1).toBeGreaterThan(1)],
  ["toBeLessThanOrEqual", () => expect(2).toBeLessThanOrEqual(1)],
  ["toBeCloseTo", () => expect(1).toBeCloseTo(1.1, 1)],
  ["toThrow of nothing", () => expect(() => 1).toThrow()],
  ["toThrow of another error", () => expect(thrower).toThrow("another")],
  ["not.toThrow", () => expect(thrower).not.toThrow()],
  ["rejects of what resolves", () => expect(Promise.resolve(1)).rejects.toMatchObject({})],
  ["rejects with another error", () => expect(Promise.reject({ a: 1 })).rejects.toMatchObject({ a: 2 })],
  ["stringContaining", () => expect("abc").toEqual(expect.stringContaining("d"))],
  ["objectContaining", () => expect({ a: 1 }).toEqual(expect.objectContaining({ a: 2 }))],
];

test.each(wrong)("fails: %s", (_, claim) => claim());

test("fails: a body that takes too long", () => new Promise(() => {}), 20);

describe("what is around", () => {
  const order: string[] = [];
  beforeAll(() => {
    order.push("all");
  });
  beforeEach(() => {
    order.push("each");
  });
  afterAll(() => {
    expect(order).toEqual(["all", "each", "fails: afterAll"]);
  });
  test("comes in its order", () => {
    expect(order).toEqual(["all", "each"]);
  });
});

describe("fails: what cannot be prepared", () => {
  beforeAll(thrower);
  test("is not run", () => {});
});
