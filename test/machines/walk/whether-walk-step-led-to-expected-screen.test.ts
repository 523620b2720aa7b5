/** Tests whether a step of a walk (a session that follows a route of the map) has led to its screen. */
import { expect, test } from "bun:test";
import { isExpectedScreen } from "../../../machines/walk/whether-walk-step-led-to-expected-screen.ts";

test("a step of a walk has reached the expected page if the page at the new address counts as a state of the expected one, such as an open menu", () => {
  const shown = { screen_id: "reports_1~menu", instance_id: null, isNewAddress: true };
  expect(isExpectedScreen("reports_1", shown)).toBe(true);
  expect(isExpectedScreen("reports_2", shown)).toBe(false);
});

test("a step of a walk that should show a page without a dialog has not reached it while a dialog is open", () => {
  const shown = { screen_id: "reports_1~dialog", isNewAddress: false };
  expect(isExpectedScreen("reports_1", shown)).toBe(false);
  expect(isExpectedScreen("reports_1~dialog", shown)).toBe(true);
  expect(isExpectedScreen("", { screen_id: null, isNewAddress: false })).toBe(true);
  expect(
    isExpectedScreen("orders_7", { screen_id: "orders", instance_id: "orders_7", isNewAddress: false }),
  ).toBe(true);
});
