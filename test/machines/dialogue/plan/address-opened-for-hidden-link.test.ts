/** Tests the addresses that are opened in place of links that a page does not show. */
import { expect, test } from "bun:test";
import { addressOfHiddenLink } from "../../../../machines/dialogue/plan/address-opened-for-hidden-link.ts";

const PAGE = "http://site.example/home";
const step = (href: string, more: object = {}) => ({
  ...{ action: "click" as const, risk: "low" as const },
  target: { role: "link", name: "Connections", attributes: { href } },
  ...more,
});

test("a step to click a link in a closed menu opens the link's address", () => {
  expect(addressOfHiddenLink(step("/connection/list/"), PAGE)).toBe("http://site.example/connection/list/");
});

test.each([
  ["another site", step("https://other.example/connection/list/")],
  ["a fragment", step("#connections")],
  ["an address that deletes", step("/items/3/delete")],
  ["the sign-out", step("/logout")],
  ["a step of high risk", step("/connection/list/", { risk: "high" })],
  ["a button", step("/connection/list/", { target: { role: "button", name: "Connections" } })],
])("no address is opened in place of a click on %p", (_, one) => {
  expect(addressOfHiddenLink(one, PAGE)).toBeUndefined();
});
