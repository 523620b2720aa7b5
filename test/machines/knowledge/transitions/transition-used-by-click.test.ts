/** Tests to which transition of the map a click in a session is attributed. */
import { expect, test } from "bun:test";
import {
  type LeavingTransition,
  outcomeOf,
} from "../../../../machines/knowledge/transitions/transition-used-by-click.ts";

const leaving: readonly LeavingTransition[] = [
  { via: "list", names: ["Orders", ""], screen: "list", state: false },
  { via: "one", names: ["Edit", "Edit order 1"], screen: "one", state: false },
  { via: "two", names: ["Edit", "Edit order 2"], screen: "two", state: false },
  { via: "home~menu", names: ["More", "More"], screen: "home~menu", state: true },
];
const click = (name: string) => ({ from: "https://a.example/", to: "https://a.example/x", name });

test("a click is counted for the transition with the name of the clicked element, ignoring case and white space", () => {
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

test("a click with the name of two transitions is counted for the transition to the screen that was reached, or for none", () => {
  expect(outcomeOf(click("Edit"), "home", leaving, ["two"])).toEqual({ from: "home", via: "two", ok: true });
  expect(outcomeOf(click("Edit"), "home", leaving, ["list"])).toBeUndefined();
});

test("a click in a session is not counted if no transition of the map has its element, or if the transition only leads to a state of the same page", () => {
  expect(outcomeOf(click("Other"), "home", leaving, ["list"])).toBeUndefined();
  expect(outcomeOf(click("More"), "home", leaving, ["home"])).toBeUndefined();
});
