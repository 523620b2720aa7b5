/** Tests the lines in which the command line prints the differences of two maps. */
import { expect, test } from "bun:test";
import { diffLines, diffSummary } from "../../gateway/commands/map-diff-lines.ts";
import { mapDiff } from "../../machines/knowledge/map-diff.ts";

const screen = (name: string, texts: readonly string[] = []) => ({
  screen_id: name.toLowerCase(),
  name,
  address: `/${name.toLowerCase()}`,
  instances: 1,
  texts,
  actions: [],
});
const before = {
  screens: [screen("Home", ["Hello"]), screen("Old")],
  transitions: [["home", "old"]],
} as const;
const after = { screens: [screen("Home", ["Hi"]), screen("New")], transitions: [["home", "new"]] } as const;

test("the differences of two maps are summed up in one line, and listed with names and addresses", () => {
  const diff = mapDiff(after, before);
  expect(diffSummary(diff)).toBe(
    "1 new screens, 1 gone screens, 1 changed screens, 1 new transitions, 1 gone transitions",
  );
  expect(diffLines(diff)).toContain("  New  /new");
});

test("the comparison of two equal maps finds no differences", () => {
  const diff = mapDiff(after, after);
  expect([diffSummary(diff), diffLines(diff)]).toEqual(["nothing has changed", ["The maps are equal."]]);
});
