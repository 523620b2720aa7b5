import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readPage } from "../../../../actors/reading/index.ts";
import { readingLimits } from "../../../../machines/reading/page-reading-limits.ts";

const NOW = Date.UTC(2024, 5, 1);
const URL_OF_PAGE = "https://e.com/posts/one";
const read = (html: string, url = URL_OF_PAGE) => readPage({ url, html, now: NOW });
const metadata = (html: string) => read(html).metadata;
const ld = (value: unknown): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

describe("the metadata of a page", () => {
  test("is read from JSON-LD, including a graph and its references", () => {
    const found = metadata(
      ld({
        "@context": "https://schema.org",
        "@graph": [
          { "@type": "WebSite", name: "The Site", url: "https://e.com/" },
          { "@type": "Person", "@id": "#ada", name: "Ada  Lovelace" },
          {
            "@type": ["NewsArticle", "Thing"],
            datePublished: "2024-05-01T10:30:00+02:00",
            dateModified: "2024-05-02",
            author: [
              { "@id": "#ada" },
              { "@type": "Person", name: "Charles Babbage" },
              "https://e.com/people/x",
            ],
            image: [{ "@type": "ImageObject", url: "/engine.png" }],
            description: "On engines.",
          },
        ],
      }),
    );
    expect(found).toMatchObject({
      site_name: "The Site",
      authors: ["Ada Lovelace", "Charles Babbage"],
      published_at: "2024-05-01T08:30:00Z",
      modified_at: "2024-05-02",
      image: "https://e.com/engine.png",
      description: "On engines.",
    });
  });

  test("is read from meta elements and social cards (Open Graph, Twitter)", () => {
    const html = `<meta name="Description" content=" One
      two "><meta property="og:site_name" content="Site"><meta property="article:published_time" content="2024-01-02T03:04:05Z">
      <meta property="article:modified_time" content="2024-02-03"><meta name="author" content="Ada"><meta name="author" content="ada">
      <meta property="og:image" content="//cdn.e.com/i.png"><meta name="twitter:card" content="summary"><meta property="og:image:alt" content="I">`;
    const found = metadata(html);
    expect(found).toMatchObject({
      description: "One two",
      site_name: "Site",
      published_at: "2024-01-02T03:04:05Z",
      modified_at: "2024-02-03",
      authors: ["Ada"],
      image: "https://cdn.e.com/i.png",
    });
    expect(found.structured.twitter).toEqual({ "twitter:card": "summary" });
    expect(found.structured.open_graph).toMatchObject({
      "og:site_name": "Site",
      "og:image": "//cdn.e.com/i.png",
      "og:image:alt": "I",
    });
  });

  test("is read from microdata, including nested items", () => {
    const html = `<article itemscope itemtype="https://schema.org/BlogPosting">
      <h1 itemprop="headline">On engines</h1>
      <span itemprop="author" itemscope itemtype="https://schema.org/Person">by <b itemprop="name">Ada</b></span>
      <time itemprop="datePublished" datetime="2024-03-04">yesterday</time>
      <a itemprop="url" href="/x">x</a><a itemprop="url" href="/y">y</a></article>`;
    const found = metadata(html);
    expect(found).toMatchObject({ authors: ["Ada"], published_at: "2024-03-04" });
    expect(found.structured.microdata).toEqual([
      {
        "@type": "https://schema.org/BlogPosting",
        headline: "On engines",
        author: { "@type": "https://schema.org/Person", name: "Ada" },
        datePublished: "2024-03-04",
        url: ["/x", "/y"],
      },
    ]);
  });

  test("is read from visible elements: a time, a link to the author", () => {
    expect(
      metadata(
        `<main><p>By <a rel="author" href="/ada">Ada</a>, <time datetime="2024-03-04T10:00">4 March</time></main>`,
      ),
    ).toMatchObject({ authors: ["Ada"], published_at: "2024-03-04T10:00:00" });
    expect(
      metadata(
        `<main><time class="dt-updated" datetime="2024-04-05">x</time><time class="entry-date dt-published">March 4, 2024</time><time datetime="2023-01-01">x</time></main>`,
      ),
    ).toMatchObject({ published_at: "2024-03-04", modified_at: "2024-04-05" });
  });

  test("is empty if the page has none or describes several articles", () => {
    expect(metadata("<p>x")).toMatchObject({
      description: null,
      authors: [],
      site_name: null,
      published_at: null,
      modified_at: null,
      image: null,
    });
    const listing = [1, 2].map((day) =>
      ld({
        "@type": "Article",
        author: `Author ${day}`,
        datePublished: `2024-01-0${day}`,
        url: `https://e.com/${day}`,
      }),
    );
    const times = `<main><time datetime="2024-01-01">1</time><time datetime="2024-01-02">2</time></main>`;
    expect(metadata(listing.join("") + times)).toMatchObject({ authors: [], published_at: null });
    // If JSON-LD describes several articles, the one with this page's URL supplies the metadata.
    expect(
      metadata(`${listing.join("")}${ld({ "@type": "Article", author: "Own", url: "/posts/one" })}`).authors,
    ).toEqual(["Own"]);
  });

  test("omits a modification date that is before the publication date", () => {
    const html = ld({ "@type": "Article", datePublished: "2024-05-01", dateModified: "2023-05-01" });
    expect(metadata(html)).toMatchObject({ published_at: "2024-05-01", modified_at: null });
  });
});

describe("a date in the metadata of a page", () => {
  const dateOf = (written: string): string | null =>
    metadata(`<meta name="date" content="${written}">`).published_at;
  test.each([
    ["2024-05-01", "2024-05-01"],
    ["2024/5/1", "2024-05-01"],
    ["20240501", "2024-05-01"],
    ["2024-05-01 10:00", "2024-05-01T10:00:00"],
    ["2024-05-01T10:00:00.123Z", "2024-05-01T10:00:00Z"],
    ["2024-05-01T23:30:00-0500", "2024-05-02T04:30:00Z"],
    ["Wed, 01 May 2024 10:00:00 GMT", "2024-05-01T10:00:00Z"],
    ["1st May 2024", "2024-05-01"],
    ["May 1, 2024", "2024-05-01"],
    ["Sept. 3, 2023", "2023-09-03"],
  ])("in the form %s is read as %s", (written, expected) => {
    expect(dateOf(written)).toBe(expected);
  });

  test.each([
    "03/04/2024",
    "2024-02-31",
    "2024-13-01",
    "0001-01-01",
    "1970-01-01T00:00:00Z",
    "2031-01-01",
    "202405",
    "yesterday",
    "May 2024",
    "",
    "9".repeat(10_000),
  ])("is rejected in the form %p", (written) => {
    expect(dateOf(written)).toBeNull();
  });
});

describe("the title of a page", () => {
  test.each([
    [
      "a heading instead of the site's name",
      '<title>Acme</title><meta property="og:site_name" content="ACME"><h1>Prices</h1>',
      "Prices",
    ],
    [
      "a heading instead of a tool's default title",
      "<title>Untitled Document</title><h1>Prices</h1>",
      "Prices",
    ],
    ["a tool's default title without a heading", "<title>Document</title><p>x", "Document"],
    ["the page's heading instead of an earlier menu's heading", "<h2>Menu</h2><h1>Prices</h1>", "Prices"],
  ])("is the more specific of two candidates, such as %s", (_, html, expected) => {
    expect(read(html).title).toBe(expected);
  });

  test("is the name of the site on the front page", () => {
    const html = '<title>Acme</title><meta property="og:site_name" content="Acme"><h1>Welcome!</h1>';
    expect(read(html, "https://acme.com/").title).toBe("Acme");
  });
});

test("the language of a page is read from its social card (Open Graph) if the page declares none", () => {
  expect(read('<meta property="og:locale" content="de_AT"><p>x').language).toBe("de-AT");
  expect(read('<html lang="fr"><meta property="og:locale" content="de_AT"><p>x').language).toBe("fr");
});

describe("images and tables in the content of a page", () => {
  test("are listed: each image once, with alternative text and URL, and each table with caption, header and size", () => {
    const found =
      metadata(`<nav><img src="logo.png" alt="Logo"></nav><main><p>x<img src="a.png" alt="A  graph"><img src="a.png" alt="again"><img src="b.png">
      <img src="data:image/gif;base64,R0lGOD" data-src="late.jpg" alt="Late"><img srcset="/s1.webp 1x, /s2.webp 2x" alt="Sized">
      <table><caption>Prices</caption><tr><th>Item<th>Price<tr><td>Tea<td>1<tr><td>Milk<td>2</table></main>`);
    expect(found.images).toEqual([
      { url: "https://e.com/posts/a.png", alt: "A graph" },
      { url: "https://e.com/posts/late.jpg", alt: "Late" },
      { url: "https://e.com/s1.webp", alt: "Sized" },
    ]);
    expect(found.tables).toEqual([{ caption: "Prices", columns: ["Item", "Price"], rows: 2 }]);
  });

  test("keep each cell in its column if other cells span rows or columns", () => {
    const html = `<main><table><tr><th>Day<th>Hour<th>What<tr><td rowspan="2">Mon<td>9<td>Tea<tr><td>10<td>Milk<tr><td colspan="2">Tue<td>None</table></main>`;
    expect(read(html).content).toBe(
      "| Day | Hour | What |\n| --- | --- | --- |\n| Mon | 9 | Tea |\n|  | 10 | Milk |\n| Tue |  | None |",
    );
  });
});

describe("reading the metadata of a malformed page", () => {
  const script = (source: string): string => `<script type="application/ld+json">${source}</script>`;

  test("accepts JSON-LD with common errors", () => {
    for (const source of [
      '<!-- {"@type":"Article","author":"Ada"} -->',
      '//<![CDATA[\n{"@type":"Article","author":"Ada"}\n//]]>',
      '{"@type":"Article","author":"Ada",};',
      '{"@type":"Article","description":"two\nlines","author":"Ada"}',
    ])
      expect(metadata(script(source)).authors).toEqual(["Ada"]);
  });

  test("leaves out invalid, endless or deeply nested JSON-LD, and reads the rest", () => {
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    const self = { "@type": "Article", author: { author: { author: { name: { name: { name: "x" } } } } } };
    for (const source of [
      "{",
      "null",
      "[[[[",
      deep,
      "[".repeat(200_000),
      `"${"x".repeat(1_000_000)}"`,
      "1e999999",
      '{"__proto__":{"polluted":1}}',
    ]) {
      const page = read(`${script(source)}<h1>Still read</h1>`);
      expect(page.title).toBe("Still read");
      expect(JSON.stringify(page.metadata).length).toBeLessThan(2 * readingLimits.structured.length);
    }
    expect(metadata(ld(self)).authors).toEqual([]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test("limits the size of the metadata that is stored", () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({
      "@type": "Product",
      name: `Product ${index}`,
      text: "x".repeat(5_000),
    }));
    const html =
      ld(many).slice(0, 200_000) +
      ld(many.slice(0, 20)) +
      `<meta property="og:title" content="${"x".repeat(100_000)}">`.repeat(200) +
      '<div itemscope><p itemprop="a b c d e f">'.repeat(20_000) +
      '<img src="a" alt="a">'.repeat(5_000);
    expect(JSON.stringify(read(`<main>${html}`).metadata).length).toBeLessThan(64 * 1_024);
  });

  test("accepts random JSON in JSON-LD and random words in meta elements", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.string(), fc.string(), (json, name, content) => {
        const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
        const page = read(
          `${script(json.replace(/<\//g, "<\\/"))}<meta name="${escaped(name)}" content="${escaped(content)}"><meta name="author" content="${escaped(content)}"><p>x`,
        );
        expect(page.content).toBe("x");
      }),
    );
  });
});
