import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  dataFeatures,
  parseSketch,
  shortSketch,
  similarity,
  sketchOf,
} from "../../../../machines/knowledge/screens/page-feature-sketch.ts";

const features = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `feature ${from + at}`);
const compare = (a: readonly string[], b: readonly string[]) =>
  similarity(parseSketch(sketchOf(a)), parseSketch(sketchOf(b)));

test("the structural similarity of pages is exact if they have few structural features", () => {
  expect(compare(features(0, 40), features(0, 40))).toBe(1);
  expect(compare(features(0, 40), features(40, 80))).toBe(0);
  expect(compare(features(0, 30), features(20, 50))).toBeCloseTo(10 / 50);
  expect(compare([], features(0, 5))).toBe(0);
  expect(compare([], [])).toBe(1);
});

test("the structural similarity of pages is accurate to 0.1 if they have many structural features", () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 600 }), fc.integer({ min: 0, max: 600 }), (size, shift) => {
      const truth = Math.max(0, size - shift) / (size + Math.min(shift, size));
      expect(Math.abs(compare(features(0, size), features(shift, shift + size)) - truth)).toBeLessThan(0.2);
    }),
    { seed: 5, numRuns: 100 },
  );
});

test("the structural similarity of pages ignores the order and repetition of structural features", () => {
  const some = features(0, 150);
  expect(sketchOf([...some, ...some].reverse())).toBe(sketchOf(some));
});

test("the structure sketch (layout features) of a page marks features that depend on data, even after it is shortened", () => {
  const some = features(0, 150);
  const isData = (feature: string) => feature.endsWith("7");
  const marked = sketchOf(some, 120, isData);
  const data = [...dataFeatures(marked)];
  expect(data.length).toBeGreaterThan(3);
  const expected = new Set(some.filter(isData).flatMap((feature) => parseSketch(sketchOf([feature]))));
  expect(data.filter((hash) => !expected.has(hash))).toEqual([]);
  expect(parseSketch(marked)).toEqual(parseSketch(sketchOf(some, 120)));
  expect([...dataFeatures(shortSketch(marked))]).toEqual(data);
  expect(dataFeatures(sketchOf(some)).size).toBe(0);
});
