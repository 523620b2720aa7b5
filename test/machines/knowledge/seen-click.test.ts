/** Which transition a click of a session took. */
import { expect, test } from "bun:test";
import { type LeavingTransition, outcomeOf } from "../../../machines/knowledge/seen-click.ts";

const leaving: readonly LeavingTransition[] = [
  { via: "list", names: ["Orders", ""], screen: "list", state: false },
  { via: "one", names: ["Edit", "Edit order 1"], screen: "one", state: false },
  { via: "two", names: ["Edit", "Edit order 2"], screen: "two", state: false },
  { via: "home~menu", names: ["More", "More"], screen: "home~menu", state: true },
];
const click = (name: string) => ({ from: "https://a.example/", to: "https://a.example/x", name });

test("counts for the transition with the name of the element, whatever its spelling", () => {
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

test("counts for the one of several that led where it should, and for none when no one did", () => {
  expect(outcomeOf(click("Edit"), "home", leaving, ["two"])).toEqual({ from: "home", via: "two", ok: true });
  expect(outcomeOf(click("Edit"), "home", leaving, ["list"])).toBeUndefined();
});

test("does not count for unknown elements, and for states that an address does not tell", () => {
  expect(outcomeOf(click("Other"), "home", leaving, ["list"])).toBeUndefined();
  expect(outcomeOf(click("More"), "home", leaving, ["home"])).toBeUndefined();
});
