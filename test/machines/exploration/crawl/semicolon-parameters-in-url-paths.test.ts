/** Tests parameters in path segments (`/orders;page=2`), which count like parameters of a query. */
import { expect, test } from "bun:test";
import { templateOf } from "../../../../machines/exploration/crawl/crawl-url-template.ts";
import { splitPathParameters } from "../../../../machines/exploration/crawl/semicolon-parameters-in-url-paths.ts";
import { UrlForms } from "../../../../machines/exploration/crawl/url-counts-by-form.ts";
import { addressOf, isSameList } from "../../../../machines/knowledge/addresses/page-address-parts.ts";

test.each([
  ["/orders;page=2", "/orders", ["page=2"]],
  ["/groups;contents=1/create", "/groups/create", ["contents=1"]],
  ["/heroes;id=4;foo=bar", "/heroes", ["id=4", "foo=bar"]],
  ["/a;b/c", "/a;b/c", []],
  ["/orders", "/orders", []],
])("the path %s is %s with the parameters %p", (written, path, parameters) => {
  expect(splitPathParameters(written)).toEqual({ path, parameters });
});

test("pages and orders of a list in the path are the same list, also in a client-side route", () => {
  expect(isSameList("https://a.example/orders;page=2", "https://a.example/orders")).toBe(true);
  expect(isSameList("https://a.example/#/orders;sort=name", "https://a.example/#/orders")).toBe(true);
  expect(isSameList("https://a.example/orders;state=open", "https://a.example/orders")).toBe(false);
});

test("a parameter in the path is a parameter of the address, and its segment has no parameter", () => {
  const address = addressOf("https://a.example/groups;contents=1/create");
  expect(address?.path.map(({ value }) => value)).toEqual(["groups", "create"]);
  expect(address?.query.map(({ name, value }) => `${name}=${value}`)).toEqual(["contents=1"]);
});

test("a crawl counts addresses with other values in the path as one template and one form", () => {
  const at = (state: string) => `https://a.example/orders;state=${state}/list`;
  expect(templateOf(at("open"))).toEqual(templateOf(at("closed")));
  const forms = new UrlForms(100);
  for (const state of ["open", "closed", "late"]) forms.add(at(state));
  expect(forms.isRare(at("paid"))).toBe(false);
});
