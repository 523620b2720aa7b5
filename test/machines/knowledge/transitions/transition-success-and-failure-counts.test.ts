/** Tests how routes depend on the latest outcomes of transitions: whether they succeeded or failed. */
import { expect, test } from "bun:test";
import { knowledgeLimits } from "../../../../machines/knowledge/map-limits.ts";
import {
  travelledAfter,
  travelRules,
} from "../../../../machines/knowledge/transitions/transition-success-and-failure-counts.ts";

const failed = (times: number) => Array.from({ length: times }, () => ({ from: "a", via: "b", ok: false }));

test("a transition of a map that failed is avoided for some time, then tried again, and used as before once it has worked", () => {
  const once = travelledAfter({}, failed(1), 1_000);
  expect(travelRules(once, 1_001)).toMatchObject([{ from: "a", via: "b", use: "avoid" }]);
  expect(travelRules(once, 1_000 + knowledgeLimits.avoidedFor)).toMatchObject([{ use: "take" }]);
  const proven = travelledAfter(once, [{ from: "a", via: "b", ok: true }], 2_000);
  expect(travelRules(proven, 2_001)).toMatchObject([{ use: "take" }]);
});

test("a transition of a map that fails repeatedly is avoided, and tried once more after a day", () => {
  const often = travelledAfter({}, failed(knowledgeLimits.droppedAfter), 1_000);
  expect(travelRules(often, 1_000 + knowledgeLimits.avoidedFor)).toMatchObject([{ use: "drop" }]);
  const later = 1_000 + knowledgeLimits.droppedFor;
  expect(travelRules(often, later)).toMatchObject([{ use: "take" }]);
  expect(travelRules(travelledAfter(often, failed(1), later), later + 1)).toMatchObject([{ use: "drop" }]);
});

test("a transition of a map costs more the more often it failed, and old outcomes are forgotten first", () => {
  const cost = (times: number) => travelRules(travelledAfter({}, failed(times), 0), 0)[0]?.cost ?? 0;
  expect(cost(3)).toBeGreaterThan(cost(1));
  const many = Array.from({ length: knowledgeLimits.travelledTransitions + 1 }, (_, n) => ({
    from: `s${n}`,
    via: "t",
    ok: true,
  }));
  const kept = travelRules(travelledAfter({}, many, 0), 0);
  expect(kept).toHaveLength(knowledgeLimits.travelledTransitions);
  expect(kept[0]?.from).toBe("s1");
});
