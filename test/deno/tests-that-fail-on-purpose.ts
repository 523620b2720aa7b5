/**
 * Tests that fail on purpose in different ways, and three that pass. `unit-tests-on-deno.full.test.ts` checks that the run on
 * Deno reports each of them. The file is not called `*.test.ts`, so that no other run finds it.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

const throwing = () => {
  throw new Error("one thing");
};

test("a test whose assertions hold passes", () => {
  expect({ a: 1, b: undefined }, "a reason is accepted").toEqual({ a: 1 } as { a: number; b: undefined });
  expect({ a: { b: [1, { c: 2, d: 3 }] } }).toMatchObject({ a: { b: [1, { c: 2 }] } });
  expect(throwing).toThrow("one");
});

const wrong: readonly (readonly [string, () => unknown])[] = [
  ["toBe", () => expect(-0).toBe(0)],
  ["not", () => expect(1).not.toBe(1)],
  ["a reason", () => expect(1, "why").toBe(2)],
  ["toEqual", () => expect([1, 2, 3]).toEqual([1, 2])],
  ["toMatchObject", () => expect({ a: [1, 2] }).toMatchObject({ a: [1] })],
  ["toThrow", () => expect(throwing).toThrow("another")],
  ["rejects of a resolved promise", () => expect(Promise.resolve(1)).rejects.toMatchObject({})],
  ["rejects with another error", () => expect(Promise.reject(new Error("a"))).rejects.toThrow("b")],
  ["toStartWith", () => expect("abc").toStartWith("b")],
  ["toEndWith", () => expect("abc").toEndWith("b")],
];

test.each(wrong)("fails on purpose: %s", async (_, claim) => void (await claim()));

test("fails on purpose: a body that takes too long", () => new Promise(() => {}), 20);

test("fails on purpose: an uncaught error", async () => {
  setTimeout(throwing, 0);
  void Promise.reject(new Error("another thing"));
  await new Promise((resolve) => setTimeout(resolve, 20));
});

describe("hooks", () => {
  const order: string[] = [];
  beforeAll(() => {
    order.push("all");
  });
  beforeEach(() => {
    order.push("each");
  });
  afterAll(() => {
    expect(order).toEqual(["all", "each", "fails on purpose: afterAll"]);
  });
  test("run in the order beforeAll, beforeEach", () => {
    expect(order).toEqual(["all", "each"]);
  });
});

describe("fails on purpose: a group whose beforeAll throws", () => {
  beforeAll(throwing);
  test("is not run", () => {});
});
