import { describe, expect, test } from "bun:test";
import { selectAll } from "css-select";
import type { AnyNode, Element } from "domhandler";
import fc from "fast-check";
import { parse } from "parse5";
import { adapter } from "parse5-htmlparser2-tree-adapter";
import { readTexts } from "../../../../actors/reading/content/short-texts-of-page.ts";
import { readPage } from "../../../../actors/reading/index.ts";
import type { Control } from "../../../../machines/records/page-control-records.ts";

const URL_OF_PAGE = "http://e.com/docs/page.html";
const read = (html: string, url = URL_OF_PAGE) => readPage({ url, html });
const links = (html: string): string[] => read(html).links.map(({ url }) => url);

/**
 * Parses the HTML as browsers do (with parse5), and returns the elements that match the CSS selector of
 * `control`.
 */
function inBrowser(html: string, control: Control): Element[] {
  return selectAll<AnyNode, Element>(control.selector, parse(html, { treeAdapter: adapter }));
}

describe("the title and language of a read page", () => {
  test.each([
    ["<title> A &amp; B\n &mdash; C </title><h1>x</h1>", "A & B — C"],
    ["<svg><title>icon</title></svg><h1>The heading</h1>", "The heading"],
    ['<meta property="og:title" content="From meta"><h1>x</h1>', "From meta"],
    ["<title>role_&#8203;grants</title>", "role_grants"],
    ["<title></title>", ""],
  ])("are read from %s: the title is %p", (html, title) => {
    expect(read(html).title).toBe(title);
  });

  test("include the language that the page declares, otherwise that of the HTTP header", () => {
    expect(read('<html lang="pt_BR"><body>x').language).toBe("pt-BR");
    expect(read("<p>x").language).toBeNull();
    expect(read('<html lang="a b c!">').language).toBeNull();
    expect(readPage({ url: URL_OF_PAGE, html: "<p>x", language: "de, en" }).language).toBe("de");
  });
});

test("a form without an address is sent to its page, and not to the address of the page's base", () => {
  const [form] = read('<base href="/v2/"><form><input name="a"></form>').controls.forms;
  const [named] = read('<base href="/v2/"><form action="b"><input name="a"></form>').controls.forms;
  expect([form?.action, named?.action]).toEqual([URL_OF_PAGE, "http://e.com/v2/b"]);
});

describe("the links of a read page", () => {
  test("are resolved against the page's URL or its base", () => {
    expect(links('<a href="a.html">a</a><a href="/b">b</a><a href="//c.org/">c</a>')).toEqual([
      "http://e.com/docs/a.html",
      "http://e.com/b",
      "http://c.org/",
    ]);
    expect(links('<base href="/v2/"><a href="a.html">a</a>')).toEqual(["http://e.com/v2/a.html"]);
    expect(links('<base href="javascript:x"><a href="a.html">a</a>')).toEqual(["http://e.com/docs/a.html"]);
  });

  test("have the tooltip of the box around them as their text if they only show an icon", () => {
    // The first link is written as in Bugsink, the second as in Kallithea.
    const texts = read(
      `<div title="Project settings" onclick="follow(this)"> <a href="/1/edit/"><svg><path d="M0 0"/></svg></a> </div>
       <span title="Add New File"><a href="/add"><i class="icon-plus"></i></a></span>
       <div title="Files"><a href="/files"><svg></svg></a> 2 files</div>`,
    ).links.map(({ text }) => text);
    expect(texts).toEqual(["Project settings", "Add New File", "http://e.com/files"]);
  });

  test("are listed once per target, in document order", () => {
    expect(
      links(
        '<a href="a.html#x">1</a><a href="b">2</a><a href="./a.html">3</a><a href="A.html">4</a><a href="b/">5</a>',
      ),
    ).toEqual(["http://e.com/docs/a.html", "http://e.com/docs/b", "http://e.com/docs/A.html"]);
  });

  test("count as links from the page to itself if they lead to a fragment of its URL", () => {
    expect(links('<a href="#a">a</a><a href="#b">b</a><a href="page.html">c</a>')).toEqual([URL_OF_PAGE]);
  });

  test("include image maps, and exclude other schemes and anchors without an href", () => {
    expect(
      links(
        '<map><area href="m" alt="Map"></map><a name="x">x</a><a href="mailto:a@b">m</a><a href="javascript:void 0">j</a><a href="http://">bad</a>',
      ),
    ).toEqual(["http://e.com/docs/m"]);
  });

  // The first form is written as in I Hate Money, the second as Rails writes it for `button_to`.
  test("contain the buttons of forms that only open an address", () => {
    const html =
      '<form class="action edit" action="/members/1/edit" method="GET"><button type="submit">edit</button></form>' +
      '<form class="button_to" method="get" action="/orders/new"><input type="submit" value="New order"></form>';
    expect(
      read(html).links.map(({ url, text, control }) => [url, text, control.role, control.xpath]),
    ).toEqual([
      ["http://e.com/members/1/edit", "edit", "button", expect.stringContaining("/form[1]/button")],
      ["http://e.com/orders/new", "New order", "button", expect.stringContaining("/form[2]/input")],
    ]);
  });

  test.each([
    ["sends data", '<form action="/a" method="post"><button>Open</button></form>'],
    ["has a field", '<form action="/a"><input name="q"><button>Search</button></form>'],
    [
      "has a hidden value",
      '<form action="/a"><input type="hidden" name="id" value="3"><button>Open</button></form>',
    ],
    ["has several buttons", '<form action="/a"><button>Open</button><button>Print</button></form>'],
    [
      "has a button that sends its name",
      '<form action="/a"><button name="go" value="1">Open</button></form>',
    ],
    ["has a button that names a change", '<form action="/items/3"><button>Delete</button></form>'],
    ["has no address of its own", "<form><button>Open</button></form>"],
  ])("include no link for a form that %s", (_, html) => {
    expect(links(html)).toEqual([]);
  });

  // The first row is written as React Aria does it, the second as in Kimai.
  test("contain rows of lists with an address", () => {
    const html =
      '<div role="grid"><div role="row" id="react-aria3731-_r_14_" data-href="/authors/1"><div role="rowheader">Ada</div></div></div>' +
      '<table><tr data-href="/en/timesheet/7/edit"><td>Sail repair</td></tr></table>' +
      '<table><tr data-href="/en/timesheet/7/delete"><td>Remove</td></tr><tr data-href="row-{id}"><td>New</td></tr></table>' +
      '<div class="share" data-href="/share">Share</div>';
    expect(
      read(html).links.map(({ url, text, control: { role, selector, attributes } }) => [
        [url, text, role, selector],
        attributes.id ?? attributes.href,
      ]),
    ).toEqual([
      [["http://e.com/authors/1", "Ada", "row", 'div[data-href="/authors/1"]'], "/authors/1"],
      [
        [
          "http://e.com/en/timesheet/7/edit",
          "Sail repair",
          "generic",
          'tr[data-href="/en/timesheet/7/edit"]',
        ],
        "/en/timesheet/7/edit",
      ],
    ]);
  });

  test("exclude links in a `template` element, as in a browser", () => {
    expect(links('<template><a href="a">a</a></template><a href="b">b</a>')).toEqual(["http://e.com/docs/b"]);
  });

  test("are read with decoded entities and without white space around them", () => {
    expect(links('<a href="  q?a=1&amp;b=2\n ">x</a>')).toEqual(["http://e.com/docs/q?a=1&b=2"]);
  });

  test("are named by text, label or image, otherwise by their URL", () => {
    const html =
      '<a href="1"> Two\n <b>words</b></a><a href="2" aria-label="Label">x</a><a href="3"><img alt="Image"></a><a href="4"></a>';
    expect(read(html).links.map(({ text }) => text)).toEqual([
      "Two words",
      "Label",
      "Image",
      "http://e.com/docs/4",
    ]);
  });

  test("name the landmark that contains them", () => {
    const [link] = read('<nav><a href="a" rel="NoFollow noopener" class="c">a</a></nav>').links;
    expect(link?.nofollow).toBe(true);
    expect(link?.control).toMatchObject({
      role: "link",
      name: "a",
      attributes: { tag: "a", href: "a", class: "c", landmark: "navigation" },
    });
  });

  test("get their text from the main content if the same address also occurs in a menu or a hidden part", () => {
    const html =
      '<nav><a href="a">menu</a></nav><div hidden><a href="b">hidden</a></div><main><p><a href="a">content</a></p></main><footer><a href="b">footer</a></footer>';
    expect(read(html).links.map(({ text }) => text)).toEqual(["content", "footer"]);
  });
});

describe("the CSS selectors of a read page", () => {
  const pages: [what: string, html: string][] = [
    [
      "repeated addresses",
      '<ul><li><a href="a">1</a><li><a href="b">2</a><li><a href="b">3</a><li><a href="c">4</a></ul><a href="a">5</a>',
    ],
    ["an id that is no plain identifier", '<a id="1:2" href="a">x</a><a id=\'q"uote\' href="a">x</a>'],
    [
      "an id that occurs twice",
      '<p id="x"><a href="a">1</a></p><p id="x"><a href="a">2</a><a href="b">3</a><a href="b">4</a></p>',
    ],
    [
      "a table without tbody",
      '<table id="t"><tr><td><a href="a">1</a><td><a href="a">2</a><a href="b">3</a></table><a href="b">x</a>',
    ],
    [
      "rows after a thead",
      '<table><thead><tr><th><a href="a">1</a><tbody><tr><td><p><a href="a">2</a><tr><td><a href="b">3</a></table><a href="b">x</a>',
    ],
    [
      "list items that close each other",
      '<ul><li><p>x<li><p>y<a href="a">1</a><ul><li><a href="b">2</a><li><p><a href="b">3</a></ul><li><a href="a">4</a></ul>',
    ],
    [
      "definitions that close each other",
      '<dl><dt><a href="a">1</a><dd><p>x<dt><a href="a">2</a><dd><div><a href="b">3</a></div><dd><a href="b">4</a></dl>',
    ],
    ["blocks that end a paragraph", '<p>x<ul><li><a href="a">1</a></ul><p><b>y<div><a href="a">2</a></div>'],
    ["no html, head or body", '<a href="a">1</a><title>t</title><p><a href="a">2</a>'],
    ["links that were never closed", '<p><a href="a">1<a href="a">2<a href="b">3<p><a href="b">4'],
    ["quotes and backslashes in an address", `<a href='a"b\\c'>1</a><a href="d">2</a>`],
    ["a drawing with links", '<svg><a href="a"><text>1</text></a></svg><a href="a">2</a>'],
    [
      "controls",
      '<form><input name="q"><input name="r" type="checkbox"><input name="r" type="checkbox"><button>1</button><button>2</button></form><div role="button" aria-label="x">3</div><div aria-label="x">4</div>',
    ],
  ];
  test.each(pages)("match only their own element in a browser, in a page with %s", (_, html) => {
    const { links, controls } = read(html);
    const all = [...links.map(({ control }) => control), ...controls.buttons, ...controls.inputs];
    expect(all.length).toBeGreaterThan(0);
    for (const control of all) {
      const found = inBrowser(html, control);
      expect(found.map(({ name }) => name)).toEqual([control.attributes.tag ?? ""]);
      expect(found[0]?.attribs.href).toBe(control.attributes.href as string);
    }
  });

  test("use an id if possible, then the href, then a path", () => {
    const html =
      '<a id="home" href="a">1</a><a href="b">2</a><p id="p"><a href="c">3</a></p><i><a href="c">4</a></i>';
    expect(read(html).links.map(({ control }) => [control.selector, control.xpath])).toEqual([
      ["#home", '//*[@id="home"]'],
      ['a[href="b"]', "/html/body/a[2]"],
      ["#p > a", '//*[@id="p"]/a'],
    ]);
  });

  test("enter shadow roots, in which elements are counted without those outside", () => {
    const html = `<x-card><template shadowrootmode="open"><p><button>In</button></p><x-more><template
      shadowrootmode="open"><button>Deep</button></template></x-more></template><p><button>Out</button></p></x-card>`;
    expect(read(html).controls.buttons.map(({ name, selector, xpath }) => [name, selector, xpath])).toEqual([
      ["In", "html > body > x-card >>> p > button", "/html/body/x-card/#shadow-root/p/button"],
      [
        "Deep",
        "html > body > x-card >>> x-more >>> button",
        "/html/body/x-card/#shadow-root/x-more/#shadow-root/button",
      ],
      ["Out", "html > body > x-card > p > button", "/html/body/x-card/p/button"],
    ]);
    const inText = html.replaceAll("button>", "b>");
    expect(readTexts(inText).texts.map(({ text, xpath }) => [text, xpath])).toEqual([
      ["In Deep Out", "/html/body/x-card"],
      ["In", "/html/body/x-card/#shadow-root/p/b"],
      ["Deep", "/html/body/x-card/#shadow-root/x-more/#shadow-root/b"],
      ["Out", "/html/body/x-card/p/b"],
    ]);
  });
});

describe("the controls of a read page", () => {
  const html = `<nav><h2>Menu</h2></nav><h1>Sign in <a href="#x">¶</a></h1><h2 hidden>Gone</h2>
    <form action="/login" method="POST">
      <label for="u">User</label><input id="u" name="user" value="alice">
      <label>Password <input type="password" name="pw" value="hunter2"></label>
      <input type="hidden" name="csrf" value="token"><select name="lang"><option>en</select>
      <input type="submit" value="Go"><button aria-label="Close">×</button>
    </form>
    <div role="button" tabindex="0">More</div>`;

  test("are named by their labels, with their role", () => {
    const { buttons, inputs } = read(html).controls;
    expect(buttons.map(({ role, name }) => [role, name])).toEqual([
      ["button", "Go"],
      ["button", "Close"],
      ["button", "More"],
    ]);
    expect(inputs.map(({ role, name }) => [role, name])).toEqual([
      ["textbox", "User"],
      ["textbox", "Password"],
      ["combobox", "lang"],
    ]);
  });

  test("are named by all of their labels, as in a browser", () => {
    const labels = "<label for=n>Name</label><input id=n name=a><label for=n>e-mail</label><input name=b>";
    expect(read(`<form>${labels}</form>`).controls.inputs.map(({ name }) => name)).toEqual([
      "Name e-mail",
      "b",
    ]);
  });

  test("are grouped by form, without hidden fields and with the caption of the button that submits it", () => {
    expect(read(html).controls.forms).toEqual([
      { action: "http://e.com/login", method: "post", fields: ["user", "pw", "lang"], submit: "Go" },
    ]);
  });

  // I Hate Money (Bootstrap 4) hides its dialogs only by a style sheet. Cairn's browser marks such elements with
  // `data-cairn-hidden`.
  test.each([
    [
      "a dialog that a style sheet hides",
      '<div role="dialog" data-cairn-hidden><h3>Add a bill</h3></div>',
      [],
    ],
    [
      "a dialog in a hidden element",
      '<div data-cairn-hidden><div role="alertdialog"><h3>Add</h3></div></div>',
      [],
    ],
    [
      "a hidden dialog that has a role only while it is open, as those of Bootstrap 5 and Bulma",
      '<div class="modal fade" data-cairn-hidden><div class="modal-dialog"><h5>Confirm</h5></div></div>',
      [],
    ],
    [
      "an open dialog of Bulma",
      '<div class="modal is-active"><div class="modal-card"><h3>Confirm</h3></div></div>',
      ["Confirm"],
    ],
    ["an open dialog", '<div role="dialog"><h3>Add a bill</h3></div>', ["Add a bill"]],
    ["a panel that a style sheet hides", "<div data-cairn-hidden><h3>Details</h3></div>", ["Details"]],
  ])("include the heading of %s only if the heading can name the page", (_, part, headings) => {
    expect(read(`<h1>Bills</h1>${part}`).headings).toEqual(["Bills", ...headings]);
  });

  test("name the group of a field: by a legend, a role, or a label of the element around the field", () => {
    const group = (around: string) =>
      read(`<form>${around}</form>`).controls.inputs.map(({ constraints }) => constraints?.group);
    expect(group("<fieldset><legend>Billing</legend><input name=a><p><input name=b></p></fieldset>")).toEqual(
      ["Billing", "Billing"],
    );
    expect(group('<div role="group" aria-label="Colours"><input name=a></div><input name=b>')).toEqual([
      "Colours",
      undefined,
    ]);
    expect(group("<label for=n>Name</label><div id=n><input name=a title=English></div>")).toEqual(["Name"]);
    expect(group("<fieldset><input name=a></fieldset>")).toEqual([undefined]);
  });

  test("never contain the values of fields, such as a user name or a token", () => {
    const json = JSON.stringify(read(html));
    for (const secret of ["hunter2", "alice", "token"]) expect(json).not.toContain(secret);
  });

  test("are stored with the visible headings of the content", () => {
    expect(read(html).headings).toEqual(["Sign in"]);
    expect(read(html).controls.headings).toEqual(["Sign in"]);
  });
});

describe("the main content of a read page", () => {
  const long = "Running text that says something about the matter at hand. ".repeat(10);
  const menu = "<ul><li><a href=1>Menu one</a><li><a href=2>Menu two</a></ul>";

  test.each([
    ["the element main", `<div>${menu}</div><main><p>Inside</p></main><p>Outside</p>`],
    ["the role main", `<div>${menu}</div><div role="main"><p>Inside</p></div><p>Outside</p>`],
    ["the only article", `<div>${menu}</div><article><p>Inside ${long}</p></article><p>Outside</p>`],
    [
      "the densest part",
      `<div><div>${menu}</div><div><p>Inside</p><p>${long}</p><p>${long}</p></div><div>Outside</div></div>`,
    ],
    [
      "a cell of a layout table",
      `<table><tr><td>${menu}Outside</td><td><p>Inside</p><p>${long}</p></td></table>`,
    ],
  ])("is found by %s", (_, html) => {
    const { content } = read(html);
    expect(content).toContain("Inside");
    expect(content).not.toContain("Outside");
    expect(content).not.toContain("Menu");
  });

  test("keeps an introduction next to the densest part, without the menu or footer between them", () => {
    const introduction = `<p>What this is about. ${long}</p>`;
    const { content } = read(
      `<div id="sidebar">${menu}<p>Outside</p></div><div class="page">${introduction}<div>${menu}</div><div>${`<p>Inside ${long}</p>`.repeat(12)}</div><div class="site-footer">Outside ${long}</div></div>`,
    );
    expect(content).toStartWith("What this is about.");
    expect(content).toContain("Inside");
    expect(content).not.toContain("Menu");
    expect(content).not.toContain("Outside");
  });

  test("leaves out the header and menu of the site, scripts and hidden parts", () => {
    const { content } = read(
      `<header>Frame</header><nav>Frame</nav><aside>Frame</aside><script>Frame</script><style>Frame</style><p>Text</p><p hidden>Frame</p><p style="display: none">Frame</p><p aria-hidden="true">Frame</p><p style="color: red; visibility:collapse">Frame</p><dialog>Frame</dialog><p data-cairn-hidden>Frame</p><noscript>Please</noscript><footer>Frame</footer>`,
    );
    expect(content).not.toContain("Frame");
    expect(content).toContain("Text");
  });

  test("keeps notes and headers that it contains, but drops menus", () => {
    const { content } = read(
      `<main><header><h1>Title</h1></header><aside>A note that matters.</aside><footer><a href=x>Previous</a></footer><nav>Crumbs</nav></main>`,
    );
    expect(content).toBe("# Title\n\nA note that matters.");
  });

  test("starts with the page's heading even if the heading is outside of the main content", () => {
    expect(read(`<div><h1>Title</h1></div><div><p>${long}</p><p>${long}</p></div>`).content).toStartWith(
      "# Title\n\nRunning",
    );
  });

  test("starts with the text around the heading if that heading is outside of the main content, without the site's header", () => {
    const clean = `<div id="header"><h1>clean(1)</h1><h2>Name</h2><div><p>clean - Remove files</p></div></div>`;
    expect(read(`${clean}<div><p>${long}</p><p>${long}</p></div>`).content).toStartWith(
      "# clean(1)\n\n## Name\n\nclean - Remove files\n\nRunning",
    );
    const banner = `<div id="header"><h1>Shop</h1><p>Since 1890</p><a href="/cart">Cart</a></div>`;
    expect(read(`${banner}<div><p>${long}</p><p>${long}</p></div>`).content).toStartWith("# Shop\n\nRunning");
  });

  const three =
    '<div><ul><li><a href="1">Menu</a><li><a href="2">Menu</a><li><a href="3">Menu</a></ul></div>';
  test.each([
    ["of a long page", `${three}${three}<p>Inside</p><p>${long}</p>`, "Inside\n\nRunning"],
    ["of a short page with a heading", `${three}<h2>Inside</h2><p>Text</p>`, "## Inside\n\nText"],
  ])("omits the menus %s that has no landmarks, such as `nav`", (_, html, start) => {
    const { content } = read(html);
    expect(content).toStartWith(start);
    expect(content).not.toContain("Menu");
  });

  test("keeps links that are the content of the page", () => {
    for (const html of [three, `<h1>Index</h1>${three}<p>${long}</p>`, `${three}<p>Text</p>`])
      expect(read(html).content).toContain("[Menu]");
  });

  test("ends a heading at the end tag of any heading level, such as </h3> for <h2>", () => {
    expect(read(`<h2>Index</h1><ul><li><a href="a">A</a><li><a href="b">B</a></ul>`).content).toStartWith(
      "## Index\n\n- [A]",
    );
  });

  test("has a hash that changes only with the readable content", () => {
    const hash = (html: string): string => read(html).contentHash;
    expect(hash("<main><p>a</p></main><footer>1</footer>")).toBe(
      hash("<nav>x</nav><main class=y><p>a</p></main><footer>2</footer>"),
    );
    expect(hash("<main><p>a</p></main>")).not.toBe(hash("<main><p>b</p></main>"));
  });
});

describe("reading a malformed page", () => {
  test.each([
    "",
    " ",
    "<",
    "<!doctype html>",
    "</p></div>",
    "<a href",
    "<table><tr><td>",
    "<html><frameset><frame src=x></frameset>",
    "\u0000\uffff",
    "<p>\ud800",
  ])("accepts the HTML %p", (html) => {
    expect(read(html).controls.buttons).toEqual([]);
  });

  test("accepts elements nested 5,000 deep", () => {
    const html = `${"<div><b>".repeat(5_000)}<a href="deep">deep</a>`;
    expect(links(html)).toEqual(["http://e.com/docs/deep"]);
  });

  test("takes reasonable time for endlessly nested lists and quotes", () => {
    const lines = "line\n".repeat(20_000);
    for (const open of ["<blockquote>", "<ul><li>", "<dl><dd>"]) {
      expect(read(`<main>${open.repeat(100)}<pre>${lines}`).content).toContain("line\n");
    }
    expect(links(`<a href="a">a</a>${"<p><b>".repeat(400_000)}`)).toEqual(["http://e.com/docs/a"]);
  });

  test("accepts a table of 20,000 rows and a paragraph of a million words", () => {
    const rows = Array.from(
      { length: 20_000 },
      (_, index) => `<tr><td>${index}<td><a href="?r=${index % 50}">x</a>`,
    ).join("");
    expect(read(`<table>${rows}</table>`).links).toHaveLength(50);
    expect(read(`<p>${"word ".repeat(1_000_000)}`).textLength).toBeLessThanOrEqual(1_024 * 1_024);
  });

  test("limits the length of strings", () => {
    const long = "x".repeat(100_000);
    const {
      title,
      headings,
      links: found,
    } = read(`<title>${long}</title><h1>${long}</h1><a class="${long}" href="a">${long}</a>`);
    expect(title.length).toBeLessThanOrEqual(300);
    expect(headings[0]?.length).toBeLessThanOrEqual(200);
    expect(JSON.stringify(found).length).toBeLessThan(2_000);
  });

  test("accepts random tags, and finds the links that a browser finds", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<p>",
        "</p>",
        "<ul>",
        "<li>",
        "</ul>",
        "<div>",
        "</div>",
        "<b>",
        "</b>",
        "<pre>",
        "</pre>",
        "<h2>",
        "</h2>",
        "<!-- x -->",
        "<br>",
        "<dl><dt>",
        "<dd>",
        "</dl>",
        "&amp;",
        "<span>",
        "</span>",
      ),
      fc.integer({ min: 0, max: 9 }).map((n) => `<a href="${n}">${n}</a>`),
      fc.string({ maxLength: 5 }).map((text) => text.replace(/[<>&]/g, "")),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const html = pieces.join("");
        const expected = [
          ...new Set([...html.matchAll(/<a href="(\d)"/g)].map(([, n]) => `http://e.com/docs/${n}`)),
        ];
        expect(links(html)).toEqual(expected);
      }),
    );
  });
});
