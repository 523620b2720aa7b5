/** Tests who has acted on the page that a session shows. */
import { expect, test } from "bun:test";
import { actorsOnPage, initial, type SettledAction } from "../../../machines/session/session-context.ts";
import { sessionLimits } from "../../../machines/session/session-limits.ts";

const act = (task: string | undefined, effect: string, enters?: true): SettledAction => ({
  ...{ id: "a", outcome: { success: true, error: null, data: { effect } } },
  ...(task === undefined ? {} : { task }),
  ...(enters ? { enters } : {}),
});
const on = (outcomes: readonly SettledAction[], more = {}) =>
  actorsOnPage({ ...initial("room"), outcomes, ...more });

test("an action before the last navigation does not count as an action on the page that the session shows", () => {
  const outcomes = [act(undefined, "changed"), act("walk/a", "navigated"), act("walk/a", "changed", true)];
  expect(on(outcomes)).toEqual({ tasks: [{ task: "walk/a", has_entered: true }], others: false });
  expect(on([...outcomes, act(undefined, "changed")]).others).toBe(true);
});

test("others than the known tasks may have acted on a page if a person had control of it, or if earlier actions are no longer stored", () => {
  const outcomes = [act("walk/a", "changed", true)];
  expect(on(outcomes).others).toBe(false);
  expect(on(outcomes, { controlled_on_page: true }).others).toBe(true);
  expect(on(Array(sessionLimits.outcomes).fill(outcomes[0])).others).toBe(true);
});
