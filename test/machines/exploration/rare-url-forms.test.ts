import { expect, test } from "bun:test";
import { UrlForms } from "../../../machines/exploration/rare-url-forms.ts";

const site = (path: string) => `https://a.example${path}`;

function formsOf(maxPages: number, ...paths: readonly string[]): UrlForms {
  const forms = new UrlForms(maxPages);
  for (const path of paths) forms.add(site(path));
  return forms;
}

const orders = Array.from({ length: 30 }, (_, number) => `/orders/${number}`);
const topics = Array.from(
  { length: 30 },
  (_, at) => `/help/topic-${String.fromCharCode(97 + (at % 26))}${at}x`,
);
const words = "abort add alerts all amend annotate archive backout bisect blame bundle".split(" ");

test("the form of a URL (such as /orders/#/edit) is rare until the crawl knows three URLs of this form", () => {
  const forms = formsOf(100, ...orders, "/orders/1/edit", "/orders/2/edit");
  expect(forms.isRare(site("/orders/40"))).toBe(false);
  expect(forms.isRare(site("/orders/3/edit"))).toBe(true);
  forms.add(site("/orders/3/edit"));
  expect(forms.isRare(site("/orders/4/edit"))).toBe(false);
  expect(forms.isRare(site("/orders/4?print=1"))).toBe(true);
});

test("an address in a folder with many addresses (/help/clone) is not rare, and a rare address may take its place in the queue", () => {
  const forms = formsOf(100, ...words.map((word) => `/help/${word}`), ...topics);
  expect(forms.isRare(site("/help/clone"))).toBe(false);
  expect(forms.mayYield(site("/help/abort"))).toBe(true);
  expect(forms.isRare(site("/annotate/tip/README"))).toBe(true);
  expect(forms.mayYield(site("/annotate/tip/README"))).toBe(false);
});

test("rare URLs take the place of other URLs for at most a quarter of the pages of a crawl", () => {
  const forms = formsOf(40, ...orders);
  forms.recordYielded(9);
  expect(forms.isRare(site("/orders/1/edit"))).toBe(true);
  forms.recordYielded(1);
  expect(forms.isRare(site("/orders/1/edit"))).toBe(false);
});
