/** Tests the business functions of a site, which follow from the folders of its addresses. */
import { expect, test } from "bun:test";
import { urlKey } from "../../../../machines/exploration/crawl/normalise-url.ts";
import { Atlas } from "../../../../machines/knowledge/in-memory-map.ts";
import { businessFunctions } from "../../../../machines/knowledge/site-map/business-functions-of-site.ts";

/** Returns the functions of a site with these pages: for each section its name and its operations. */
function functionsOf(pages: Readonly<Record<string, string>>) {
  const atlas = new Atlas();
  const screens = Object.entries(pages).map(([path, name]) => ({
    screen_id: urlKey(`https://a.test${path}`),
    website_id: "w",
    name,
    url: `https://a.test${path}`,
    content_type: "web_ui" as const,
    is_actionable: true,
    url_patterns: [],
    trail: "",
  }));
  atlas.change({ screens, transitions: [], redirects: [] });
  return Object.fromEntries(
    businessFunctions(atlas, "w").map(({ section, name, operations }) => [
      section,
      [name, ...operations.map((operation) => operation.name).sort()],
    ]),
  );
}

test("a folder in addresses (/orders) becomes a business function with the operations of its pages", () => {
  const pages = { "/orders": "Orders", "/orders/new": "New order", "/orders/search": "Find an order" };
  expect(functionsOf(pages)).toEqual({
    "/orders": ["Orders", "Browse orders", "Create an order", "Search orders"],
  });
});

test("a folder whose name is no word, such as the `-` of OtterWiki and GitLab, does not become a business function (a purpose of the site)", () => {
  const pages = {
    "/-/about": "About the wiki",
    "/-/members": "Members",
    "/-/members/new": "Add a member",
  };
  expect(functionsOf(pages)).toEqual({
    "/-/about": ["About the wiki", "Open About the wiki"],
    "/-/members": ["Members", "Browse members", "Create a member"],
  });
});

test("an operation at the root of a site, such as /login, is named after its screen", () => {
  expect(functionsOf({ "/create": "Create page", "/-/search": "Search", "/login": "Log in" })).toEqual({
    "/create": ["Create", "Open Create page"],
    "/-/search": ["Search", "Open Search"],
    "/login": ["Login", "Sign in"],
  });
});
