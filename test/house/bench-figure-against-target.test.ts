/** Tests how a measured figure of a bench is judged against its limit. */
import { expect, test } from "bun:test";
import { verdictOf } from "../bench/support/bench-module-interface.ts";

const verdict = (figure: number, unit: string, value?: number, bound: "at most" | "at least" = "at most") =>
  verdictOf({
    name: "row",
    figure,
    unit,
    ...(value === undefined ? {} : { target: { bound, value, label: "" } }),
  });

test.each([
  ["a negative memory", -12.5, "bytes"],
  ["a memory of zero", 0, "KB"],
  ["a time of zero", 0, "ms"],
  ["a rate of zero", 0, "commands/s"],
  ["an unknown number", Number.NaN, "tokens"],
  ["an endless time", Number.POSITIVE_INFINITY, "s"],
])("a bench figure that is impossible (%s) is invalid, with a target and without", (_what, figure, unit) => {
  expect(verdict(figure, unit, 200)).toBe("invalid");
  expect(verdict(figure, unit, 0, "at least")).toBe("invalid");
  expect(verdict(figure, unit)).toBe("invalid");
});

test("a bench figure is invalid if its target was computed from an impossible figure", () => {
  expect(verdict(5, "ms", Number.NaN)).toBe("invalid");
  expect(verdict(5, "ms", -1)).toBe("invalid");
});

test("a bench figure that is possible meets its target or misses it, and a count may be zero", () => {
  expect(verdict(0, "events", 0)).toBe("met");
  expect(verdict(0, "%", 5)).toBe("met");
  expect(verdict(4, "ms", 5)).toBe("met");
  expect(verdict(6, "ms", 5)).toBe("NOT MET");
  expect(verdict(6, "ms", 5, "at least")).toBe("met");
  expect(verdict(6, "ms")).toBe("");
});
