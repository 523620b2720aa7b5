/** Tests the conversion of XPaths to CSS selectors. */
import { expect, test } from "bun:test";
import { selectorOfXPath } from "../../../../machines/knowledge/formats/css-selector-of-xpath.ts";

test.each([
  ["/html/body/div[2]/a", "html > body > div:nth-of-type(2) > a"],
  ["html/body/div/button[3]", "html > body > div > button:nth-of-type(3)"],
  ['//*[@id="main"]/div[1]//a', '[id="main"] > div:nth-of-type(1) a'],
  ["//input[@name='q'][@type='search']", 'input[name="q"][type="search"]'],
  ["//ul/*[2]", "ul > :nth-child(2)"],
  ["//button[@disabled]", "button[disabled]"],
  ["//*", "*"],
])("the XPath %s equals the selector %s", (xpath, selector) => {
  expect(selectorOfXPath(xpath)).toBe(selector);
});

test.each([
  ['//button[text()="Send"]'],
  ['//a[contains(@href, "x")]'],
  ['//a[@class="x"][2]'],
  ["(//a)[2]"],
  ["//div/.."],
  ["//a/@href"],
  ["/html/body/svg:path"],
  [""],
  ['//a[@title="]"]'],
])("the XPath %s has no equal selector", (xpath) => {
  expect(selectorOfXPath(xpath)).toBeUndefined();
});
