/** Tests that the actions of an imported screen are returned so that a session can execute them. */
import { expect, test } from "bun:test";
import { translateControl } from "../../../../machines/knowledge/formats/map-actions-to-browser-actions.ts";
import { importWrites } from "../../../../machines/knowledge/formats/map-import-rows.ts";
import {
  documentScreensSchema,
  readMap,
} from "../../../../machines/knowledge/formats/older-screen-formats.ts";
import type { ActionRecord } from "../../../../machines/records/map-records.ts";

function returned(...actions: readonly object[]) {
  const screen = { screen_id: "dashboard", name: "Dashboard", available_browser_use_actions: actions };
  const map = readMap(documentScreensSchema.parse(screen));
  const rows = importWrites("docs", map, 0).flatMap((write) =>
    write.op === "put" && write.table === "action" ? write.rows : [],
  );
  // The cast is safe: these are the rows of the table `action`.
  return (rows as readonly ActionRecord[]).map((row) => translateControl(row, "dashboard"));
}

test("an imported action with a selector keeps its description, but the description is not used as the text of the element", () => {
  const click = {
    tool: "click",
    params: { selector: "#nav", index: 5 },
    description: "Click the first entry",
  };
  expect(returned(click)).toEqual([
    {
      tool_name: "click",
      parameters: { selector: "#nav", xpath: "" },
      description: "Click the first entry",
      confidence: 0.9,
      screen_id: "dashboard",
    },
  ]);
});

test("an imported action in the form that Cairn returns keeps the XPath and the fingerprint of its element", () => {
  const fingerprint = {
    ...{ role: "link", name: "Form", tag: "a", attributes: { href: "/form" } },
    alone: false,
  };
  const parameters = { selector: 'a[href="/form"]', xpath: "/html/body/a", text: "Form", fingerprint };
  expect(returned({ tool_name: "click", parameters, description: "Click Form" })).toMatchObject([
    { parameters },
  ]);
});

test("an action that Cairn returned keeps its description when it is imported again", () => {
  const fingerprint = { role: "button", name: "Save", tag: "button", attributes: {} };
  const locator = { selector: "#save", xpath: "", fingerprint };
  const click = {
    tool_name: "click",
    parameters: { ...locator, text: "Save" },
    description: 'Click "Save"',
    confidence: 0.9,
    screen_id: "dashboard",
  };
  const type = { ...click, tool_name: "input", parameters: locator, description: 'Type into "Save"' };
  const [clicked, typed] = returned(click, type);
  expect([clicked, typed]).toEqual([click, type]);
  expect(returned(clicked ?? {}, typed ?? {})).toEqual([click, type]);
});

test("an imported action with only an XPath gets the equivalent CSS selector", () => {
  const xpath = "/html/body/div[2]/form/button[1]";
  const click = { tool: "click", params: { xpath, index: 5 }, description: "Send the form" };
  expect(returned(click)).toMatchObject([
    { parameters: { selector: "html > body > div:nth-of-type(2) > form > button:nth-of-type(1)", xpath } },
  ]);
});

test("an imported action with only an index, or only an XPath that has no equivalent CSS selector, has no locator", () => {
  const byIndex = { tool: "click", params: { index: 5 }, description: "Send the form" };
  const byText = { tool: "click", params: { xpath: '//button[text()="Send"]' }, description: "Send it" };
  expect(returned(byIndex, byText)).toMatchObject([
    { parameters: {}, description: "Send the form" },
    { parameters: {}, description: "Send it" },
  ]);
});

test("parameters of an imported action that do not locate an element are not changed", () => {
  const scroll = {
    tool_name: "scroll",
    parameters: { direction: "up", amount: 500 },
    description: "Scroll up",
  };
  const type = { tool: "type", params: { index: 3, text: "calls" }, description: "Type into the filter" };
  expect(returned(scroll, type)).toMatchObject([
    { tool_name: "scroll", parameters: { direction: "up", amount: 500 }, description: "Scroll up" },
    { tool_name: "input", parameters: { text: "calls" } },
  ]);
});
