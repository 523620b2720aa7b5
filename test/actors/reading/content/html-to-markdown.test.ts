import { describe, expect, test } from "bun:test";
import { readPage } from "../../../../actors/reading/index.ts";

const markdown = (html: string): string =>
  readPage({ url: "http://e.com/docs/page.html", html: `<main>${html}</main>` }).content;

describe("Markdown from HTML", () => {
  const cases: [what: string, html: string, expected: string][] = [
    [
      "headings and paragraphs",
      "<h1>A</h1>text<h3> B <b>c</b></h3><p>one\n two",
      "# A\n\ntext\n\n### B **c**\n\none two",
    ],
    [
      "emphasis, with white space outside of the marks",
      "<p>a<b> b </b>c <em>d</em><i></i> <strong><b>e</b></strong>",
      "a **b** c *d* **e**",
    ],
    [
      "links with absolute addresses, and images by their description",
      '<p><a href="../x.html#y">X</a> <img src="i.png" alt="I"><img src="j.png">',
      "[X](http://e.com/x.html#y) ![I](http://e.com/docs/i.png)",
    ],
    [
      "links within the page as text, without permalink signs",
      '<h2>A<a href="#a">¶</a></h2><p><a href="#b">b</a> <a href="page.html#c">c</a>',
      "## A\n\nb c",
    ],
    [
      "links to client-side routes as links to pages",
      '<p><a href="#/orders">Orders</a> <a href="/app#!/home">Home</a>',
      "[Orders](http://e.com/docs/page.html#/orders) [Home](http://e.com/app#!/home)",
    ],
    ["an address with brackets", '<p><a href="/a_(b)">x</a>', "[x](http://e.com/a_%28b%29)"],
    ["a link around blocks", '<a href="/x"><h3>Card</h3><p>More</p></a>', "[Card More](http://e.com/x)"],
    [
      "code spans",
      "<p><code>a*b</code> <kbd>x`y</kbd> <code>os.</code><code>path</code>",
      "`a*b` `` x`y `` `os.path`",
    ],
    ["line breaks", "<p>a<br>b <br/> c", "a\nb\nc"],
    [
      "characters that are markup",
      "<p>2*3 _x_ a_b `c` &lt;tag> [x](y) 1 < 2",
      "2\\*3 \\_x\\_ a_b \\`c\\` \\<tag> [x\\](y) 1 < 2",
    ],
    [
      "starts of a line that are markup",
      "<p># no<p>1. no<p>- no<p>+1<p>&gt; no",
      "\\# no\n\n1\\. no\n\n\\- no\n\n+1\n\n\\> no",
    ],
    [
      "nested lists",
      "<ul><li>a<ul><li>b<li>c</ul><li>d<ol start=3><li>e<li>f</ol></ul>",
      "- a\n  - b\n  - c\n- d\n  3. e\n  4. f",
    ],
    ["items with several blocks", "<ol><li><p>a<p>b<li>c</ol>", "1. a\n\n   b\n\n2. c"],
    ["a list directly inside a list", "<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n- - b"],
    ["definitions", "<dl><dt>t<dt>u<dd>d<p>e<dt>v<dd>f</dl>", "- t\n\n  u\n\n  d\n\n  e\n\n- v\n\n  f"],
    ["quotes", "<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b"],
    [
      "lists, code and tables in quotes and lists",
      `<ul><li>a<blockquote><p>b<br>c<ul><li>d<pre>e\n\nf</pre></ul></blockquote>
       <li><table><caption>g<p>h</caption><tr><th>i<th>j<tr><td><ul><li>k<li>l</ul><td>m</table></ul>`,
      [
        "- a",
        "",
        "  > b",
        "  > c",
        "  >",
        "  > - d",
        "  >",
        "  >   ```",
        "  >   e",
        "  >",
        "  >   f",
        "  >   ```",
        "",
        "- g",
        "",
        "  h",
        "",
        "  | i | j |",
        "  | --- | --- |",
        "  | - k<br>- l | m |",
      ].join("\n"),
    ],
    ["rules and details", "<hr><details><summary>S</summary>t</details>", "---\n\nS\n\nt"],
    [
      "form controls and drawings, which are left out",
      "<p>a<button>Copy</button><select><option>1</select><svg><text>s</text></svg>b",
      "ab",
    ],
    ["no-break and zero-width spaces", "<p>a&nbsp;b&#8203; c", "a b c"],
    [
      "zero-width spaces inside of words",
      "<h2>applicable_&#8203;roles</h2><p>&#8203;",
      "## applicable_roles",
    ],
  ];
  test.each(cases)("has the expected text for HTML with %s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  test("keeps code blocks unchanged with their language, in a fence longer than any inside", () => {
    expect(markdown("<pre>\n  a  &lt;b&gt;\n\n\tc*d\n</pre>")).toBe("```\n  a  <b>\n\n\tc*d\n```");
    expect(markdown('<pre><code class="language-ts">let <span>x</span></code></pre>')).toBe(
      "```ts\nlet x\n```",
    );
    expect(
      markdown('<div class="highlight-python3 notranslate"><div class="highlight"><pre>x</pre></div></div>'),
    ).toBe("```python3\nx\n```");
    expect(markdown("<pre>```\nx</pre>")).toBe("````\n```\nx\n````");
    expect(markdown("<ul><li>a<pre>b\n\nc</pre></ul>")).toBe("- a\n\n  ```\n  b\n\n  c\n  ```");
  });

  test("contains a data table as table rows", () => {
    expect(
      markdown(
        "<table><caption>Cap</caption><tr><th>A<th>B<tr><td>1|2<td><p>x<p>y<tr><td colspan=2>z</table>",
      ),
    ).toBe("Cap\n\n| A | B |\n| --- | --- |\n| 1\\|2 | x<br>y |\n| z |  |");
    expect(markdown("<table><tbody><tr><td>1<td>2</table>")).toBe("|  |  |\n| --- | --- |\n| 1 | 2 |");
  });

  test("contains headings in the rows of a data table as plain text, without the mark #", () => {
    expect(markdown("<table><tr><th>A<th>B<tr><td><h3>x</h3><td>y</table>")).toBe(
      "| A | B |\n| --- | --- |\n| x | y |",
    );
  });

  test("contains the cells of a table with one column or with blocks in its cells (a layout table) as separate blocks", () => {
    expect(markdown("<table><tr><td><h2>A</h2><td><p>b<pre>c</pre></table>")).toBe(
      "## A\n\nb\n\n```\nc\n```",
    );
    expect(markdown("<table><tr><td><p>a<tr><td>b</table>")).toBe("a\n\nb");
  });
});
