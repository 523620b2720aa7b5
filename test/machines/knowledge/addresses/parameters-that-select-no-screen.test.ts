/**
 * Tests query parameters whose value makes no other screen, such as an empty search, or the visible part of a
 * drawing.
 */
import { expect, test } from "bun:test";
import { isSameList } from "../../../../machines/knowledge/addresses/page-address-parts.ts";

const at = (query: string) => `https://a.example/app/#/process/7/runtime${query}`;

// The example parameters are from Camunda's Cockpit and from GeoNode.
test.each([
  "?searchQuery=%5B%5D",
  "?filter={}",
  "?viewbox=%7B%22d_permit%22:%7B%22x%22:-59.5,%22y%22:-70.5,%22width%22:1052%7D%7D",
  "?bbox=5.8,45.7,10.5,47.9&zoom=7",
])("an address with the parameters %s is the same screen as the address without them", (query) => {
  expect(isSameList(at(query), at(""))).toBe(true);
});

test.each(["?searchQuery=%5B%22open%22%5D", "?filter={%22a%22:1}", "?viewport=mobile", "?zoom=day"])(
  "an address with the parameters %s may be another screen than the address without them",
  (query) => {
    expect(isSameList(at(query), at(""))).toBe(false);
  },
);
