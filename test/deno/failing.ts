/**
 * Tests that fail, each in a way of its own, and two that do not: `deno.test.ts` looks whether the run on Deno
 * tells them apart. Not called `.test.ts`, so that nobody runs it but on purpose.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

const thrower = () => {
  throw new Error("one thing");
};

/** As the tests are wrong on purpose, their types may be, too. */
const given = (value: unknown) => expect(value);

test("passes", () => {
  given({ a: 1, b: undefined }).toEqual({ a: 1 });
  given({ a: { b: [1, { c: 2, d: 3 }] } }).toMatchObject({ a: { b: [1, { c: 2 }] } });
  given(thrower).toThrow("one");
});

const wrong: readonly (readonly [string, () => unknown])[] = [
  ["toBe", () => given(-0).toBe(0)],
  ["not", () => given(1).not.toBe(1)],
  ["toEqual of an object with more", () => given({ a: 1, b: 2 }).toEqual({ a: 1 })],
  ["toEqual of an object with less", () => given({ a: 1 }).toEqual({ a: 1, b: 2 })],
  ["toEqual of a longer array", () => given([1, 2, 3]).toEqual([1, 2])],
  ["toEqual of an array and an object", () => given({ 0: 1 }).toEqual([1])],
  ["toEqual of maps", () => given(new Map([["a", 1]])).toEqual(new Map([["a", 2]]))],
  ["toEqual of sets", () => given(new Set([1])).toEqual(new Set([1, 2]))],
  ["toEqual of bytes", () => given(new Uint8Array([1])).toEqual(new Uint8Array([2]))],
  ["toEqual of errors", () => given(new Error("a")).toEqual(new Error("b"))],
  ["toMatchObject", () => given({ a: { b: 1 } }).toMatchObject({ a: { b: 2 } })],
  ["toMatchObject of a longer array", () => given({ a: [1, 2] }).toMatchObject({ a: [1] })],
  ["toMatchObject of an error", () => given(new Error("a")).toMatchObject({ message: "b" })],
  ["toContain", () => given([{ a: 1 }]).toContain({ a: 1 })],
  ["toContainEqual", () => given([{ a: 1 }]).toContainEqual({ a: 2 })],
  ["toHaveLength", () => given("abc").toHaveLength(2)],
  ["toHaveProperty", () => given({ a: 1 }).not.toHaveProperty("a")],
  ["toMatch", () => given("abc").toMatch(/d/)],
  ["toBeNull", () => given(undefined).toBeNull()],
  ["toBeDefined", () => given(undefined).toBeDefined()],
  ["toBeUndefined", () => given(null).toBeUndefined()],
  ["toBeGreaterThan", () => given(1).toBeGreaterThan(1)],
  ["toBeLessThanOrEqual", () => given(2).toBeLessThanOrEqual(1)],
  ["toBeCloseTo", () => given(1).toBeCloseTo(1.1, 1)],
  ["toThrow of nothing", () => given(() => 1).toThrow()],
  ["toThrow of another error", () => given(thrower).toThrow("another")],
  ["not.toThrow", () => given(thrower).not.toThrow()],
  ["rejects of what resolves", () => given(Promise.resolve(1)).rejects.toMatchObject({})],
  ["rejects with another error", () => given(Promise.reject({ a: 1 })).rejects.toMatchObject({ a: 2 })],
  ["stringContaining", () => given("abc").toEqual(expect.stringContaining("d"))],
  ["any", () => given("1").toEqual(expect.any(Number))],
  ["anything", () => given(null).toEqual(expect.anything())],
  ["arrayContaining", () => given([1, 2]).toEqual(expect.arrayContaining([3]))],
  ["toBeTruthy", () => given("").toBeTruthy()],
  ["toBeFalsy", () => given("a").toBeFalsy()],
  ["toStartWith", () => given("abc").toStartWith("b")],
  ["toEndWith", () => given("abc").toEndWith("b")],
  ["rejects.toThrow", () => given(Promise.reject(new Error("a"))).rejects.toThrow("b")],
  ["objectContaining", () => given({ a: 1 }).toEqual(expect.objectContaining({ a: 2 }))],
];

test.each(wrong)("fails: %s", async (_, claim) => void (await claim()));

test("fails: a body that takes too long", () => new Promise(() => {}), 20);

test("fails: what nobody catches", async () => {
  setTimeout(thrower, 0);
  void Promise.reject(new Error("another thing"));
  await new Promise((resolve) => setTimeout(resolve, 20));
});

describe("what is around", () => {
  const order: string[] = [];
  beforeAll(() => {
    order.push("all");
  });
  beforeEach(() => {
    order.push("each");
  });
  afterAll(() => {
    given(order).toEqual(["all", "each", "fails: afterAll"]);
  });
  test("comes in its order", () => {
    given(order).toEqual(["all", "each"]);
  });
});

describe("fails: what cannot be prepared", () => {
  beforeAll(thrower);
  test("is not run", () => {});
});
