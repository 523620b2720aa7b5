/** Tests names of pages whose application gives several pages the same title and the same heading. */
import { expect, test } from "bun:test";
import {
  headingOfSection,
  titleOfPageWithoutHeading,
  titleWithTabs,
} from "../../../../machines/exploration/crawl/title-from-section-and-tabs.ts";

const segmentsOf = (route: string) => route.split("/");

// The example pages are from Keycloak.
test.each([
  ["Authentication", ["Policies", "Password policy"], "authentication/policies", "Authentication – Policies"],
  ["ada.byron", ["Role mapping"], "users/7/role-mapping", "ada.byron – Role mapping"],
  ["Crew", ["Keys", "Keys list"], "realm-settings/keys/list", "Crew – Keys – Keys list"],
  ["Users", ["Email"], "users/list", undefined],
  ["Users", [], "users/list", undefined],
  ["Users", ["Users"], "users", undefined],
])("the page %p with the selected tabs %p at %s has the name %p", (heading, tabs, route, name) => {
  expect(titleWithTabs({ heading, tabs, segments: segmentsOf(route) })).toBe(name);
});

test("a page is named after the current menu entry if its heading names what contains the page, such as a realm", () => {
  const page = { heading: "shipyard", segments: segmentsOf("shipyard/realm-settings/email") };
  expect(headingOfSection({ ...page, entry: "Realm settings" })).toBe("Realm settings");
  expect(titleWithTabs({ ...page, entry: "Realm settings", tabs: ["Email"] })).toBe("Realm settings – Email");
  expect(headingOfSection(page)).toBe("shipyard");
  const user = { heading: "ada.byron", entry: "Users", segments: segmentsOf("shipyard/users/7") };
  expect(headingOfSection(user)).toBe("ada.byron");
});

// The example pages are from Home Assistant, which gives all pages of its settings one title.
test.each([
  [["Automations"], "config/automation/dashboard", "Automations – Settings – Home Assistant"],
  [[], "config/tags", "Tags – Settings – Home Assistant"],
  [[], "config/voice-assistants/dashboard", "Voice assistants – Settings – Home Assistant"],
  [["Details"], "config/person", "Person – Settings – Home Assistant"],
  [[], "items/4711", "Items – Settings – Home Assistant"],
  [[], "17", undefined],
])("a page without a heading, with the tabs %p, at %s, is named %p", (tabs, route, name) => {
  const segments = segmentsOf(route);
  expect(titleOfPageWithoutHeading("Settings – Home Assistant", { tabs, segments })).toBe(name);
});

test("a page without a heading keeps its title if the title begins with the last word of its address", () => {
  expect(titleOfPageWithoutHeading("Settings", { tabs: [], segments: ["settings"] })).toBeUndefined();
  const history = { tabs: [], segments: ["history", "entity_id=17"] };
  expect(titleOfPageWithoutHeading("History – Home Assistant", history)).toBeUndefined();
});
