/** Tests which transition a click of a session is attributed to. */
import { expect, test } from "bun:test";
import { type LeavingTransition, outcomeOf } from "../../../machines/knowledge/seen-click.ts";

const leaving: readonly LeavingTransition[] = [
  { via: "list", names: ["Orders", ""], screen: "list", state: false },
  { via: "one", names: ["Edit", "Edit order 1"], screen: "one", state: false },
  { via: "two", names: ["Edit", "Edit order 2"], screen: "two", state: false },
  { via: "home~menu", names: ["More", "More"], screen: "home~menu", state: true },
];
const click = (name: string) => ({ from: "https://a.example/", to: "https://a.example/x", name });

test("a click is attributed to the transition with the name of the element, in any spelling", () => {
  expect(outcomeOf(click(" orders "), "home", leaving, ["list"])).toEqual({
    from: "home",
    via: "list",
    ok: true,
  });
  expect(outcomeOf(click("Orders"), "home", leaving, ["sign-in"])).toEqual({
    from: "home",
    via: "list",
    ok: false,
  });
  expect(outcomeOf(click("Orders"), "home", leaving, [])).toMatchObject({ via: "list", ok: false });
});

test("a click is attributed to the one transition that led to its target, and to none if no target matches", () => {
  expect(outcomeOf(click("Edit"), "home", leaving, ["two"])).toEqual({ from: "home", via: "two", ok: true });
  expect(outcomeOf(click("Edit"), "home", leaving, ["list"])).toBeUndefined();
});

test("a click is not attributed for an unknown element, or for a state that the address does not show", () => {
  expect(outcomeOf(click("Other"), "home", leaving, ["list"])).toBeUndefined();
  expect(outcomeOf(click("More"), "home", leaving, ["home"])).toBeUndefined();
});
