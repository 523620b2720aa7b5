import { expect, test } from "bun:test";
import { knowledgeLimits } from "../../../../machines/knowledge/map-limits.ts";
import { RecentSteps } from "../../../../machines/knowledge/transitions/map-route-step-cache.ts";

const step = (confidence: number) => ({ action: "{}", confidence });

test("the cache of route steps returns a step until the transitions of its screen change", () => {
  const steps = new RecentSteps();
  steps.put("a", "b", step(0.5), steps.changes);
  steps.put("c", "b", step(0.7), steps.changes);
  expect(steps.get("a", "b")).toEqual(step(0.5));
  expect(steps.get("a", "c")).toBeUndefined();
  steps.forget("a");
  expect(steps.get("a", "b")).toBeUndefined();
  expect(steps.get("c", "b")).toEqual(step(0.7));
});

test("the cache of route steps does not store a step that was read before a change of its screen", () => {
  const steps = new RecentSteps();
  const since = steps.changes;
  steps.forget("a");
  steps.put("a", "b", step(0.5), since);
  expect(steps.get("a", "b")).toBeUndefined();
});

test("the cache of route steps keeps the most recently used steps", () => {
  const steps = new RecentSteps();
  const most = knowledgeLimits.recentSteps;
  for (let at = 0; at < most; at++) steps.put(`s${at}`, "next", step(0.5), steps.changes);
  steps.get("s0", "next");
  steps.put("s0", "next", step(0.9), steps.changes);
  steps.put("another", "next", step(0.5), steps.changes);
  expect(steps.get("s0", "next")).toEqual(step(0.9));
  expect(steps.get("another", "next")).toEqual(step(0.5));
  expect(steps.get("s1", "next")).toBeUndefined();
  expect(steps.get("s2", "next")).toEqual(step(0.5));
});
