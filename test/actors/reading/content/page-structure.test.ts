import { expect, test } from "bun:test";
import { readPage } from "../../../../actors/reading/index.ts";
import {
  dataFeatures,
  parseSketch,
  similarity,
} from "../../../../machines/knowledge/screens/page-feature-sketch.ts";

const structure = (body: string) =>
  parseSketch(readPage({ url: "https://a.example/", html: `<!doctype html><body>${body}</body>` }).structure);
const alike = (a: string, b: string) => similarity(structure(a), structure(b));

const frame = '<header class="top"><nav class="menu"><a href="/">Home</a></nav></header>';
const row = (name: string) => `<li class="row"><a class="link" href="/${name}">${name}</a></li>`;
const list = (...names: readonly string[]) =>
  `${frame}<main class="list"><ul class="rows">${names.map(row).join("")}</ul></main>`;

test("the structure sketch (layout features) of a page does not depend on the number of list rows or on words", () => {
  expect(alike(list("a", "b"), list("c", "d", "e", "f"))).toBe(1);
});

test("the structure sketch (layout features) of a page does not depend on the elements inside its running text", () => {
  const article = (text: string) =>
    `${frame}<article class="post"><div class="text"><p>One</p><p>Two</p>${text}</div></article>`;
  expect(alike(article(""), article('<div class="note"><pre class="code">x</pre></div><h2>More</h2>'))).toBe(
    1,
  );
});

test("the structure sketch (layout features) of a page ignores containers in a text that is marked as content", () => {
  const article = (mark: string, text: string) =>
    `${frame}<article class="post"><div ${mark}><section class="part">${text}</section></div></article>`;
  const note = '<div class="note"><div class="topic contents"><ul class="simple"></ul></div></div>';
  for (const mark of [
    'class="e-content entry-content"',
    'itemprop="articleBody text"',
    'class="markdown-body"',
  ])
    expect(alike(article(mark, ""), article(mark, note))).toBe(1);
  expect(alike(article('class="parts"', ""), article('class="parts"', note))).toBeLessThan(0.8);
  // A form field is part of the structure, even inside of an article: the article may contain the basket of a
  // shop.
  const basket = '<input name="amount"><button>Order</button>';
  expect(alike(article('class="entry-content"', ""), article('class="entry-content"', basket))).toBeLessThan(
    0.8,
  );
});

test("the structure sketch (layout features) of a page ignores the colours of code and its line numbers", () => {
  const file = (code: string) => `${frame}<main class="file"><div class="view">${code}</div></main>`;
  const lines = '<td class="numbers"><pre><span class="n">1</span></pre></td>';
  const coloured = '<pre><span class="k">int</span> <span class="mi">1</span></pre>';
  const table = `<table class="lines"><tr>${lines}<td class="code"><div>${coloured}</div></td></tr></table>`;
  expect(alike(file(table), file("<pre>plain</pre>"))).toBe(1);
  expect(alike(file(table), file('<div class="rendered"><p>Text</p></div>'))).toBeLessThan(1);
});

test("the structure sketch (layout features) of a page includes a navigation bar that stands inside the main text", () => {
  const page = (nav: string, text: string) => `${frame}<main class="body">${nav}<h1>One</h1>${text}</main>`;
  const crumbs = '<nav class="crumbs"><ul class="trail"><li class="part">Up</li></ul></nav>';
  expect(alike(page(crumbs, ""), page(crumbs, "<p>Two</p><p>Three</p>"))).toBe(1);
  expect(alike(page(crumbs, "<p>Two</p>"), page("", "<p>Two</p>"))).toBeLessThan(1);
});

test("the structure sketch (layout features) of a page with headings ignores containers, unless the page has a form or table", () => {
  const main = (parts: string) => `${frame}<main><h2>Town</h2><h3>Log</h3>${parts}</main>`;
  const form = '<form class="search"><input name="rev"></form>';
  const table = '<div class="navigate">x</div><table class="log"><tr><th>Age</th></tr></table>';
  expect(alike(main(form), main(form + table))).toBeLessThan(0.7);
  expect(alike(main(table), main(`${table}<div class="log"><a class="more">x</a></div>`))).toBeLessThan(0.9);
  expect(alike(main(""), main('<div class="note">x</div>'))).toBe(1);
});

test("the structure sketch (layout features) of a page ignores the columns of a plain table in a text", () => {
  const text = (table: string) => `${frame}<article class="post"><p>One</p><p>Two</p>${table}</article>`;
  const row = "<tr><th>Name</th><th>Year</th></tr>";
  expect(alike(text(""), text(`<table>${row}</table>`))).toBe(1);
  expect(alike(text(""), text(`<table class="properties">${row}</table>`))).toBeLessThan(1);
});

test("the structure sketch (layout features) of a page ignores tabs and expanded sections inside the text of an article", () => {
  const page = (text: string) => `${frame}<article class="page"><h1>One</h1><p>Two</p>${text}</article>`;
  const tabs =
    '<div class="set"><input type="radio" name="tab" checked><input type="radio" name="tab">' +
    '<label for="a">Linux</label><label for="b">Mac</label><div><p>One</p><p>Two</p></div></div>';
  expect(alike(page(""), page(tabs))).toBe(1);
  expect(alike(page(""), page("<details><summary>Why?</summary><p>So</p><p>On</p></details>"))).toBe(1);
  // The structure of a page includes the fields of its forms.
  const form = `<div><form class="order">${tabs}<button>Order</button></form></div>`;
  expect(alike(page(""), page(form))).toBeLessThan(0.8);
});

test("the structure sketch (layout features) of a page includes the columns of a table with a bar of links below it", () => {
  const page = (column: string, below: string) =>
    `${frame}<main><table><tr><th>${column}</th></tr><tr><td>x</td></tr></table><p>${below}</p></main>`;
  const link = '<a class="button" href="/new">Add</a>';
  expect(alike(page("User", link), page("Key", link))).toBeLessThan(1);
  expect(alike(page("User", `See ${link}`), page("Key", `See ${link}`))).toBe(1);
});

test("the structure sketch (layout features) of a page ignores states, ids and generated parts of classes", () => {
  const item = (classes: string) => `<div class="item ${classes}"><section class="body">x</section></div>`;
  expect(alike(item("post-17 is-active"), item("post-18 open item--active"))).toBe(1);
});

test("the structure sketch (layout features) of a page ignores the classes of table cells", () => {
  const table = (name: string) =>
    `${frame}<table class="rows"><tr><th class="col-${name}">Name</th></tr><tr><td class="${name} text">x</td></tr></table>`;
  expect(alike(table("city"), table("owner"))).toBe(1);
});

test("the structure sketches (layout features) of two templates differ if fields, columns, buttons or containers differ", () => {
  const form = (field: string) =>
    `${frame}<form class="form"><label>${field} <input name="${field}"></label><button>Save</button></form>`;
  expect(alike(form("name"), form("price"))).toBeLessThan(0.9);
  expect(alike(list("a"), form("name"))).toBeLessThan(0.5);
});

test("the structure sketch (layout features) of a page marks as data the columns of tables, and classes that repeat a word of the address", () => {
  const table = (columns: readonly string[]) =>
    readPage({
      url: "https://a.example/",
      html: `<!doctype html><body>${frame}<table class="rows"><tr>${columns.map((name) => `<th>${name}</th>`).join("")}</tr></table></body>`,
    }).structure;
  const named = readPage({
    url: "https://a.example/store/parts",
    html: '<!doctype html><body class="table-parts wide"></body>',
  }).structure;
  expect(dataFeatures(named).size).toBe(2);
  // The structure of a table has two features more for each of its columns: four for two columns.
  expect(dataFeatures(table(["Name", "Price"])).size).toBe(4);
  expect(dataFeatures(table([])).size).toBe(0);
});

// The first pair has the classes of WordPress, the second those of Ghost.
test.each([
  ["post type-post hentry category-boats tag-fog", "post type-post hentry category-news tag-rope tag-tide"],
  ["gh-card post tag-boats", "gh-card post tag-news tag-town"],
])(
  "the structure sketch (layout features) of a list does not depend on the topics of its posts: %s, %s",
  (a, b) => {
    const posts = (classes: string) =>
      `${frame}<main class="list"><article class="${classes}"><h2 class="title">One</h2><div class="meta"><time>1</time></div></article></main>`;
    expect(alike(posts(a), posts(b))).toBe(1);
    expect(alike('<div class="tag-list"><i></i></div>', '<div class="tag-form"><i></i></div>')).toBeLessThan(
      1,
    );
  },
);
