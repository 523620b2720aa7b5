/** Tests whether a click on "Add" after a typed e-mail address is of high risk. */
import { expect, test } from "bun:test";
import {
  deferredStep,
  submitStep,
  withDependencies,
} from "../../../../machines/dialogue/plan/build-plan-step.ts";
import type { Order } from "../../../../machines/dialogue/task/parsed-imperative.ts";

const entry = (target: string, value: string): Order => ({ kind: "set", target, value });
const press: Order = { kind: "click", target: "Add", value: null };
const riskOf = (...steps: Parameters<typeof withDependencies>[0]) => withDependencies(steps).at(-1)?.risk;

const address = entry("member email", "ines@mail.example");
const name = entry("member name", "Ines Prado");
const create = (...entries: readonly Order[]): Order => ({
  kind: "create",
  target: "Add a member",
  value: null,
  also: "Add",
  entries: [...entries],
});

test("a click on Add after a typed e-mail address is of high risk, because the person may be invited", () => {
  expect(riskOf(deferredStep(address), deferredStep(press))).toBe("high");
  expect(riskOf(deferredStep(address), submitStep(create(address)))).toBe("high");
  expect(riskOf(deferredStep(name), deferredStep(address), deferredStep(press))).toBe("high");
});

test("a form for a new person with a name and an e-mail address saves a record, which is of low risk", () => {
  expect(riskOf(deferredStep(name), deferredStep(address), submitStep(create(name, address)))).toBe("low");
});

test("a form for a new person is of high risk if its name has a word of high risk (Invite a member)", () => {
  const invite = { ...create(name, address), target: "Invite a member" };
  expect(riskOf(deferredStep(name), deferredStep(address), submitStep(invite))).toBe("high");
});
