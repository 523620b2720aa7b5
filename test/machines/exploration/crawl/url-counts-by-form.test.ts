/**
 * A crawl prefers URLs of rare forms (such as `/orders/{n}/edit`), of which it knows only few. Tests which URLs are
 * rare, and in place of which queued URLs they are read.
 */
import { expect, test } from "bun:test";
import { UrlForms } from "../../../../machines/exploration/crawl/url-counts-by-form.ts";

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

// The codes of submissions are from pretalx, and the keys of projects are from Bitbucket.
test.each([
  ["/submissions/{code}/accept", ["FWYC3D", "GCEHKQ", "7ANWFP", "L77UMZ"]],
  ["/projects/{code}/settings", ["TOWN", "MILL", "HARBOR", "QUAY2"]],
])(
  "addresses of items with a code, such as %s, count as one form of URL",
  (path, [first = "", second = "", third = "", fourth = ""]) => {
    const at = (code: string) => path.replace("{code}", code);
    const forms = formsOf(100, at(first), at(second));
    expect(forms.isRare(site(at(third)))).toBe(true);
    forms.add(site(at(third)));
    expect(forms.isRare(site(at(fourth)))).toBe(false);
  },
);

test("an unknown operation on an item (/talks/A1/comments) counts as a rare URL if the items share many operations, but not if each item has another word", () => {
  const talks = ["FWYC3D", "GCEHKQ", "7ANWFP"].flatMap((code) =>
    words.map((word) => `/talks/${code}/${word}`),
  );
  expect(formsOf(100, ...talks).isRare(site("/talks/FWYC3D/comments"))).toBe(true);
  const posts = words.map((word, at) => `/posts/${at}/${word}`);
  expect(formsOf(100, ...posts).isRare(site("/posts/30/comments"))).toBe(false);
});

test("an address in a folder with many addresses (/help/clone) is not rare, and a rare address may take its place in the queue", () => {
  const forms = formsOf(100, ...words.map((word) => `/help/${word}`), ...topics);
  expect(forms.isRare(site("/help/clone"))).toBe(false);
  expect(forms.mayYield(site("/help/abort"))).toBe(true);
  expect(forms.isRare(site("/annotate/tip/README"))).toBe(true);
  expect(forms.mayYield(site("/annotate/tip/README"))).toBe(false);
});

test("many parameters of one address (/Search/Results.html?a=x) do not make another address in its folder less rare", () => {
  const variants = words.map((word) => `/Search/Results.html?${word}=x`);
  const forms = formsOf(100, ...variants, "/Search/Chart.html");
  expect(forms.isRare(site("/Search/Edit.html"))).toBe(true);
  expect(forms.mayYield(site("/Search/Chart.html"))).toBe(false);
});

test.each([
  ["/Ticket/", ".html?id="],
  ["/forum/", ".php?t="],
])(
  "server scripts in the folder %s that get the id of an item as a parameter do not count as items of the folder",
  (folder, end) => {
    const forms = formsOf(100, ...words.map((word) => `${folder}${word}${end}4`), ...words);
    expect(forms.isRare(site(`${folder}history${end}4`))).toBe(true);
    expect(forms.mayYield(site(`${folder}abort${end}4`))).toBe(false);
  },
);

test("further pages of a folder's items (/tags/clone?page=2) do not count as rare URLs", () => {
  const forms = formsOf(100, ...words.map((word) => `/tags/${word}?page=2`));
  expect(forms.isRare(site("/tags/clone?page=2"))).toBe(false);
});

test("HTML files of single items (/shop/clone-shoe.html?color=4) do not count as server scripts that get the id of an item (/Ticket/abort.html?id=4)", () => {
  const forms = formsOf(100, ...words.map((word) => `/shop/${word}-shoe.html?color=4`));
  expect(forms.isRare(site("/shop/clone-shoe.html?color=4"))).toBe(false);
});

test("rare URLs (of a form that few known URLs have) take the place of other URLs for at most a quarter of a crawl's pages", () => {
  const forms = formsOf(40, ...orders);
  forms.recordYielded(9);
  expect(forms.isRare(site("/orders/1/edit"))).toBe(true);
  forms.recordYielded(1);
  expect(forms.isRare(site("/orders/1/edit"))).toBe(false);
});

// The example addresses are from Keycloak and from AngularJS applications.
test.each(["/admin/master/console/#/shipyard", "/app#!"])(
  "a client-side route after # is a part of the form of its address: %s",
  (start) => {
    const ids = ["314fedf2-b42f-4e7f-a88c-0f0e8cd855fd", "77e1c60b-04af-4c3e-8bf2-b4c953f9c2e6"];
    const items = ids.map((id) => `${start}/roles/${id}/details`);
    const forms = formsOf(100, ...items, ...words.map((word) => `${start}/${word}`));
    expect(forms.isRare(site(`${start}/roles/f44ad3ac-5222-4836-b6c2-a46e2270c7c6/details`))).toBe(true);
    forms.add(site(`${start}/roles/f44ad3ac-5222-4836-b6c2-a46e2270c7c6/details`));
    expect(forms.isRare(site(`${start}/roles/a4d253ad-a60d-455f-a1c8-a6eb9e8ddecc/details`))).toBe(false);
    expect(forms.isRare(site(`${start}/roles/new`))).toBe(true);
  },
);

test("a tab of items (/#/roles/4/attributes) may be replaced in the queue by a rare URL from its fourth item on", () => {
  const tabs = [1, 2, 3].map((id) => `/#/roles/${id}/attributes`);
  expect(formsOf(100, ...tabs).mayYield(site("/#/roles/3/attributes"))).toBe(false);
  const forms = formsOf(100, ...tabs, "/#/roles/4/attributes");
  expect(forms.mayYield(site("/#/roles/4/attributes"))).toBe(true);
  expect(forms.mayYield(site("/#/roles/new"))).toBe(false);
});

test("the function that parameters select is a part of the form of a URL, as a folder is", () => {
  const tasks = Array.from({ length: 30 }, (_, at) => `/?controller=TaskView&action=show&task_id=${at}`);
  const forms = formsOf(20, ...tasks);
  expect(forms.isRare(site("/?controller=TaskView&action=show&task_id=40"))).toBe(false);
  expect(forms.mayYield(site("/?controller=TaskView&action=show&task_id=40"))).toBe(true);
  expect(forms.isRare(site("/?controller=TaskRecurrence&action=edit&task_id=4"))).toBe(true);
  expect(forms.isRare(site("/index.php?module=Accounts&action=EditView&record=4"))).toBe(true);
});

test("further pages of a function that parameters select may be replaced in the queue by pages of functions that were never read", () => {
  const tags = [1, 2, 3].map((id) => `/?controller=ProjectTag&action=index&project_id=${id}`);
  const forms = formsOf(3, ...tags);
  expect(forms.mayYield(site("/?controller=ProjectTag&action=index&project_id=3"))).toBe(true);
  expect(forms.isRare(site("/?controller=ProjectRole&action=show&project_id=3"))).toBe(true);
  forms.add(site("/?controller=ProjectRole&action=show&project_id=3"));
  expect(forms.isRare(site("/?controller=ProjectRole&action=show&project_id=2"))).toBe(false);
});

test("a list in another order is never rare and may be replaced in the queue by rare URLs, whatever its other parameters choose", () => {
  const ordered = site("/?user_id=2&pagination=tasks&page=1&order=tasks.id&direction=ASC");
  const forms = formsOf(3, "/", "/about");
  expect([forms.isRare(ordered), forms.mayYield(ordered)]).toEqual([false, true]);
  const plain = site("/?user_id=2&pagination=tasks&order=1042");
  expect([forms.isRare(plain), forms.mayYield(plain)]).toEqual([true, false]);
});
