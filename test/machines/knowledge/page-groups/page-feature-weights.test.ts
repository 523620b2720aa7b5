import { expect, test } from "bun:test";
import {
  FRAME_WEIGHT,
  siteWeights,
  type WeighedPage,
} from "../../../../machines/knowledge/page-groups/page-feature-weights.ts";
import { parseSketch, sketchOf } from "../../../../machines/knowledge/screens/page-feature-sketch.ts";

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix} ${at}`);
const frame = names("frame", 10);

/**
 * Makes a page for the tests of feature weights.
 *
 * @param place the path of its address
 * @param parameters the query of its address
 */
function page(place: string, parameters: string, features: readonly string[]): WeighedPage {
  return { place, family: `${place}?${parameters}`, sketch: parseSketch(sketchOf(features)) };
}

function weightsOf(pages: readonly WeighedPage[], features: readonly string[]): readonly number[] {
  return parseSketch(sketchOf(features)).map(siteWeights(pages));
}

const wiki = ["/wiki/", "/list/", "/users/", "/help/"].flatMap((place) => [
  page(place, "", [...frame, ...names(place, 5)]),
  page(place, "", [...frame, ...names(place, 5)]),
]);

test("layout features that occur on nearly all kinds of pages count as the site's header and menu", () => {
  expect(weightsOf(wiki, frame)).toEqual(frame.map(() => FRAME_WEIGHT));
  expect(weightsOf(wiki, names("/list/", 5))).toEqual([1, 1, 1, 1, 1]);
});

test("layout features of many pages that differ only in the parameters of their address do not count as the site's header and menu", () => {
  const manual = names("module", 30).map((module) => page("/api", module, names("manual", 10)));
  expect(weightsOf([...wiki, ...manual], frame)).toEqual(frame.map(() => FRAME_WEIGHT));
  expect(weightsOf([...wiki, ...manual], names("manual", 10))).toEqual(names("manual", 10).map(() => 1));
});
