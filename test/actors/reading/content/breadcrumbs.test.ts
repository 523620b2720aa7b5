import { expect, test } from "bun:test";
import { readPage } from "../../../../actors/reading/content/extract-page-from-html.ts";
import { html } from "../../../sites/test-site-with-given-routes.ts";

const URL_OF_PAGE = "https://a.example/shop/boots/red";

function crumbs(body: string, head = ""): readonly (readonly [string, string | null])[] {
  const { metadata } = readPage({ url: URL_OF_PAGE, html: html("Red boots", body, head) });
  return metadata.breadcrumbs.map(({ name, url }) => [name, url]);
}

const shop: [string, string] = ["Shop", "https://a.example/shop"];
const boots: [string, string] = ["Boots", "https://a.example/shop/boots"];

test("breadcrumbs are the links of the list that is marked as breadcrumbs, without the page itself", () => {
  const list = '<a href="/shop">Shop</a> › <a href="../boots"> Boots </a>';
  expect(crumbs(`<nav aria-label="Breadcrumbs">${list} › Red</nav><a href="/x">X</a>`)).toEqual([
    shop,
    boots,
  ]);
  expect(crumbs(`<ul class="page breadcrumb"><li>${list}<li><a href="red">Red</a></ul>`)).toEqual([
    shop,
    boots,
  ]);
  expect(crumbs(`<div id="bread-crumbs"><span class="crumb">${list}</span></div>`)).toEqual([shop, boots]);
});

test("breadcrumbs are read from the first of two lists, and a page without a visible list has none", () => {
  expect(crumbs('<nav><a href="/shop">Shop</a></nav>')).toEqual([]);
  expect(crumbs('<nav hidden class="breadcrumbs"><a href="/shop">Shop</a></nav>')).toEqual([]);
  const list = (name: string) => `<nav class="breadcrumbs"><a href="/shop">${name}</a></nav>`;
  expect(crumbs(list("Shop") + list("Shop again"))).toEqual([shop]);
});

test("breadcrumbs from structured data (JSON-LD) replace the visible ones, in the order of their positions", () => {
  const json = (list: unknown) => `<script type="application/ld+json">${JSON.stringify(list)}</script>`;
  const item = (position: number, name: string, at: unknown) => ({
    "@type": "ListItem",
    position,
    name,
    item: at,
  });
  const shown = '<nav class="breadcrumb"><a href="/">Something else</a></nav>';
  const list = [
    item(3, "Red", undefined),
    item(2, "Boots", { "@id": "https://a.example/shop/boots" }),
    item(1, "Shop", "/shop"),
  ];
  expect(crumbs(shown, json({ "@type": "BreadcrumbList", itemListElement: list }))).toEqual([shop, boots]);
  expect(
    crumbs(shown, json({ "@graph": [{ "@type": ["BreadcrumbList"], itemListElement: list.slice(1) }] })),
  ).toEqual([shop, boots]);
  const scoped = (name: string, href: string) =>
    `<li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem"><a itemprop="item" href="${href}"><span itemprop="name">${name}</span></a></li>`;
  expect(
    crumbs(
      `<ol itemscope itemtype="https://schema.org/BreadcrumbList">${scoped("Shop", "/shop")}${scoped("Boots", "/shop/boots")}${scoped("Red", URL_OF_PAGE)}</ol>`,
    ),
  ).toEqual([shop, boots]);
});

test("invalid breadcrumb lists give no breadcrumbs", () => {
  for (const list of [
    {},
    { itemListElement: "x" },
    { itemListElement: [1, null, {}] },
    { itemListElement: { item: 3 } },
  ]) {
    const script = `<script type="application/ld+json">${JSON.stringify({ "@type": "BreadcrumbList", ...list })}</script>`;
    expect(crumbs("", script)).toEqual([]);
  }
});
