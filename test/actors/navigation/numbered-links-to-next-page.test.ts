/** Tests which link of a page counts as the link to the next page of its list if the links are numbers. */
import { expect, test } from "bun:test";
import { evidenceOf } from "../../../actors/navigation/collect-page-facts-for-navigation-run.ts";
import { readPage } from "../../../actors/reading/index.ts";

const BASE = "https://paper.example";

function nextOf(path: string, body: string): string | null {
  const url = BASE + path;
  const html = `<!doctype html><title>News</title><main>${body}</main>`;
  const page = readPage({ url, html, blocks: true });
  return evidenceOf({ ...page, url, finalUrl: url, status: 200, mediaType: "text/html", bytes: 0 }).next;
}

test.each([
  ["the first page", "/news/", "/news/page/2/", "/news/page/3/"],
  ["a further page", "/news/page/2/", "/news/page/3/", "/news/"],
  ["the front page", "/", "/page2/", "/page3/"],
])(
  "a link whose text is a number counts as the link from %s of a list to the next page",
  (_, here, next, other) => {
    const links = `<a href="${other}">1</a> <a href="${next}">2</a>`;
    expect(nextOf(here, links)).toBe(BASE + next);
  },
);

test.each([
  ["another list", "/news/", "/sport/page/2/"],
  ["a page after the next one", "/news/", "/news/page/3/"],
  ["an article", "/news/", "/news/a-wet-autumn/"],
])(
  "a link whose text is a number and that leads to %s does not count as the link to the next page",
  (_, here, target) => {
    expect(nextOf(here, `<a href="${target}">2</a>`)).toBeNull();
  },
);
