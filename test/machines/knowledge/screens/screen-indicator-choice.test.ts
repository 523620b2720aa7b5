import { expect, test } from "bun:test";
import {
  chooseIndicators,
  TextFrequencies,
} from "../../../../machines/knowledge/screens/screen-indicator-choice.ts";
import type { Indicator } from "../../../../machines/records/map-records.ts";

const texts = (...values: readonly string[]): readonly Indicator[] =>
  values.map((value) => ({ type: "dom_contains", value, reason: "test" }));

/**
 * Returns the texts that a page must contain to be recognised as this screen. `values` are the texts of the screen.
 * Three other screens of the site each show their name and the menu.
 */
function required(screenId: string, ...values: readonly string[]): readonly string[] {
  const menu = ["Start", "Rooms", "Bookings"];
  const frequencies = new TextFrequencies();
  const own = { screen_id: screenId, samples: [texts(...values, ...menu)] };
  for (const name of ["a", "b", "c"]) frequencies.add({ screen_id: name, samples: [texts(name, ...menu)] });
  frequencies.add(own);
  return chooseIndicators(own, {
    patterns: ["^https://a.example/x$"],
    frequencies,
  }).required_indicators.flatMap(({ value }) => value ?? []);
}

test("of the texts that a screen requires for its recognition, at most half contain a number ('Room 1', unlike 'Book')", () => {
  expect(required("room", "Book", "Room 1", "2 beds", "3 windows")).toEqual(["Book", "Room 1"]);
  expect(required("room", "Book", "Photos", "Garden", "Room 1", "2 beds", "3 windows")).toEqual([
    "Book",
    "Photos",
    "Garden",
    "Room 1",
    "2 beds",
  ]);
});

test("a screen whose own texts all contain numbers is recognised by texts of its menu too", () => {
  expect(required("bookings", "Booking 1", "Booking 2", "Booking 3", "Booking 4")).toEqual([
    "Start",
    "Rooms",
    "Bookings",
    "Booking 1",
    "Booking 2",
  ]);
});

test("a dialog is not recognised by texts that contain the number of the item on its page (Room 1), but a step is (Step 2)", () => {
  expect(required("room~photos", "A bed", "Room 1", "2 beds")).toEqual(["A bed"]);
  expect(required("order~step_2", "Step 2", "Order 17")).toContain("Step 2");
});

test("the texts that a dialog requires for its recognition do not occur in the texts of its page", () => {
  const dialog = { screen_id: "deals~website", samples: [texts("Practice website", "Amount", "Delete")] };
  const frequencies = new TextFrequencies();
  for (const name of ["a", "b", "c"]) frequencies.add({ screen_id: name, samples: [texts(name)] });
  frequencies.add(dialog);
  const { required_indicators } = chooseIndicators(dialog, {
    patterns: ["^https://a.example/x$"],
    frequencies,
    around: new Set(["practice website $4,500", "add deal"]),
  });
  expect(required_indicators.flatMap(({ value }) => value ?? [])).toEqual(["Amount", "Delete"]);
});
