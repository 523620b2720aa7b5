/**
 * A site of any number of pages that are generated on request: different prose on each page, a shared
 * navigation, and links within a section and across sections. Every page is a few clicks from the start.
 */

import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { randomFrom } from "../../support/seeded-random.ts";

const SECTION = 100;
const NEIGHBOURS = 12;
const ACROSS = 6;
const PARAGRAPHS = 8;
const SENTENCE = 14;
const SENTENCES = 6;

const path = (page: number) => `/section-${Math.floor(page / SECTION)}/article-${page}.html`;

export function serveGenerated(pages: number): ScriptedSite {
  const sections = Math.ceil(pages / SECTION);
  return serveSite({
    "/": html(
      "Everything",
      list(sections, (section) => section * SECTION),
    ),
    "*": (request) => {
      const page = Number(/article-(\d+)\.html$/.exec(new URL(request.url).pathname)?.[1] ?? Number.NaN);
      if (!(page < pages)) return new Response("not found", { status: 404 });
      return article(page, pages);
    },
  });
}

function list(length: number, page: (n: number) => number): string {
  const items = Array.from(
    { length },
    (_, n) => `<li><a href="${path(page(n))}">Article ${page(n)}</a></li>`,
  );
  return `<ul>${items.join("")}</ul>`;
}

function article(page: number, pages: number): string {
  const random = randomFrom(page + 1);
  const first = Math.floor(page / SECTION) * SECTION;
  const within = Math.min(SECTION, pages - first);
  const word = () => WORDS[Math.floor(random() * WORDS.length)] ?? "";
  const sentence = () => `${Array.from({ length: SENTENCE }, word).join(" ")}.`;
  const paragraph = () => `<p>${Array.from({ length: SENTENCES }, sentence).join(" ")}</p>`;
  const neighbours = list(NEIGHBOURS, (n) => first + ((page - first + n * n + 1) % within));
  const across = list(ACROSS, () => Math.floor(random() * pages));
  return html(
    `Article ${page}: ${word()} ${word()}`,
    `<nav><a href="/">Everything</a></nav><main><h1>Article ${page}</h1>${Array.from({ length: PARAGRAPHS }, paragraph).join("")}
     <h2>In this section</h2>${neighbours}<h2>Elsewhere</h2>${across}</main>`,
  );
}

/** Two thousand words of an invented language. */
const WORDS = Array.from({ length: 2_000 }, (_, n) => {
  const syllables = ["ka", "ri", "no", "te", "lu", "ma", "so", "vi", "pe", "du"];
  return [...String(n)].map((digit) => syllables[Number(digit)]).join("");
});
