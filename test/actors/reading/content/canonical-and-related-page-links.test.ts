import { describe, expect, test } from "bun:test";
import type { RelationHeaders } from "../../../../actors/reading/content/canonical-and-related-page-links.ts";
import { readPage } from "../../../../actors/reading/index.ts";

const url = "http://e.com/docs/page";

function read(head: string, headers: RelationHeaders = {}, body = "<p>text</p>") {
  return readPage({ url, html: `<head>${head}</head><body>${body}</body>`, headers, robot: "Cairn" });
}

describe("the relations (canonical, next, nofollow) of a read page", () => {
  test("include its canonical URL, from a tag or a header, if it differs from its own", () => {
    const canonical = (head: string, headers?: RelationHeaders) => read(head, headers).relations.canonical;
    expect(canonical('<link rel="canonical" href="/docs/real#top">')).toBe("http://e.com/docs/real");
    expect(canonical("", { link: '<../real>; rel="canonical"' })).toBe("http://e.com/real");
    expect(canonical('<link rel="Canonical" href="">')).toBeUndefined();
    expect(canonical('<link rel="canonical" href="/docs/page/">')).toBeUndefined();
    expect(canonical('<base href="/x/"><link rel="canonical" href="real">')).toBe("http://e.com/x/real");
  });

  test("ignore two canonical URLs that contradict each other", () => {
    const { canonical } = read('<link rel="canonical" href="/a">', { link: "</b>; rel=canonical" }).relations;
    expect(canonical).toBeUndefined();
  });

  test("include next and previous pages, other languages, a delayed refresh and feeds", () => {
    const { relatives, feeds, refresh } = read(
      `<link rel="next" href="?page=3"><link rel="prev" href="?page=1"><link rel="next" href="?page=3">
       <link rel="alternate" hreflang="de" href="/de/page"><link rel="alternate" hreflang="en" href="/docs/page">
       <link rel="alternate" type="application/rss+xml; charset=utf-8" href="/feed">
       <link rel="alternate stylesheet" hreflang="x" href="/dark.css"><link rel="alternate" href="/print">
       <link rel="stylesheet" href="/style.css"><meta http-equiv="refresh" content="5; url=/slides/2">`,
      {
        link: '</docs/page?page=3>; rel=next, <https://e.com/fr/page>; rel="alternate"; hreflang="fr", </a>; rel=preload',
      },
    ).relations;
    expect(relatives.map(({ url, rel }) => `${rel} ${url}`)).toEqual([
      "next http://e.com/docs/page?page=3",
      "hreflang https://e.com/fr/page",
      "prev http://e.com/docs/page?page=1",
      "hreflang http://e.com/de/page",
      "refresh http://e.com/slides/2",
    ]);
    expect(feeds).toEqual(["http://e.com/feed"]);
    expect(refresh).toBeUndefined();
  });

  test.each([
    ['<meta name="robots" content="noindex, nofollow">', "", true],
    ['<meta name="ROBOTS" content="NONE">', "", true],
    ['<meta name="cairn" content="nofollow">', "", true],
    ['<meta name="googlebot" content="nofollow">', "", false],
    ['<meta name="robots" content="noindex">', "", false],
    ["", "noindex, nofollow", true],
    ["", "googlebot: noindex, nofollow", false],
    ["", "googlebot: noindex, cairn: nofollow", true],
    ["", "unavailable_after: 1 Jan 2100, none", true],
    ["", "noindex", false],
  ])(
    "with the robots tag %p and the X-Robots-Tag header %p have the value %p for nofollow",
    (head, robots, nofollow) => {
      expect(read(head, { robots }).relations.nofollow).toBe(nofollow);
    },
  );

  test("treat a link as nofollow only if every link to its target is", () => {
    const { links } = read(
      "",
      {},
      '<a rel="external nofollow" href="a">a</a><a rel=nofollow href="b">b</a><a href="b">b</a><a rel="ugc" href="c">c</a>',
    );
    expect(links.map(({ nofollow }) => nofollow)).toEqual([true, false, false]);
  });

  test("include frames as links that cannot be clicked, unless a normal link has the same target", () => {
    const { links } = read(
      "",
      {},
      '<iframe src="inner" title="Inside"></iframe><iframe src="linked"></iframe><a href="linked">l</a>' +
        '<iframe src="about:blank"></iframe><iframe srcdoc="x" src="y"></iframe>',
    );
    expect(links.map(({ url, text, framed }) => [url, text, framed])).toEqual([
      ["http://e.com/docs/linked", "l", false],
      ["http://e.com/docs/inner", "Inside", true],
    ]);
    const set = readPage({ url, html: '<frameset><frame src="menu"><frame src="start"></frameset>' });
    expect(set.links.map((link) => link.url)).toEqual(["http://e.com/docs/menu", "http://e.com/docs/start"]);
  });

  // The example frames are from Keycloak, oidc-client, GWT, and Google Tag Manager.
  test.each([
    'style="display: none"',
    'style="visibility: hidden; position: fixed; left: -1000px; top: 0px" width="0" height="0"',
    'style="position:absolute;width:0;height:0;border:0"',
    'height="0" width="0"',
    "hidden",
  ])("leave out a frame that shows nothing: %s", (attributes) => {
    const { links } = read(
      "",
      {},
      `<iframe src="status.html" ${attributes}></iframe><iframe src="map" width="100%" style="height: 100px; left: 0"></iframe>`,
    );
    expect(links.map(({ url }) => url)).toEqual(["http://e.com/docs/map"]);
  });
});
