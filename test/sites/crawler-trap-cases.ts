/**
 * The traps that a crawl must recognise. Each trap has a first page and a function that generates pages from
 * URLs. It also states how many pages a crawl reads before it leaves the trap.
 */
import { explorationLimits } from "../../machines/exploration/exploration-limits.ts";
import { links, prose } from "./crawler-trap-sites.ts";
import { html } from "./test-site-with-given-routes.ts";

const MOST = explorationLimits.pagesWithoutNovelty;

/** Returns a number as text with two digits. */
export const pad = (n: number) => String(n).padStart(2, "0");

export interface Trap {
  readonly name: string;
  readonly start: string;
  readonly page: (url: URL) => string | undefined;
  readonly kind: string;
  readonly pattern: RegExp;
  /**
   * Number of pages that a crawl reads in this trap before it stops there. If absent, the usual number
   * applies.
   */
  readonly read?: number;
  /**
   * Maximum number of pages that a crawl may read in addition to `read`. How many it reads depends on the order in
   * which responses arrive.
   */
  readonly more?: number;
}

const month = (year: number, at: number) => {
  const date = new Date(Date.UTC(year, at, 1));
  const name = date.toLocaleString("en", { month: "long", timeZone: "UTC" });
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, name };
};

export const traps: readonly Trap[] = [
  {
    name: "a calendar by path",
    start: "/trap/calendar/2031/05",
    kind: "calendar",
    pattern: /calendar\/\{n\}\/\{n\}$/,
    page: (url) => {
      const [, y, m] = /^\/trap\/calendar\/(\d+)\/(\d+)$/.exec(url.pathname) ?? [];
      if (y === undefined || m === undefined) return undefined;
      const [now, before, after] = [0, -1, 1].map((step) => month(Number(y), Number(m) - 1 + step));
      if (!now || !before || !after) return undefined;
      const days = Array.from({ length: 31 }, (_, day) => `<td>${day + 1}</td>`).join("");
      return html(
        `${now.name} ${now.year}`,
        `<h1>${now.name} ${now.year}</h1><table><tr>${days}</tr></table>
         <a href="/trap/calendar/${before.year}/${pad(before.month)}">« ${before.name}</a>
         <a href="/trap/calendar/${after.year}/${pad(after.month)}">${after.name} »</a>`,
      );
    },
  },
  {
    name: "a calendar by parameters",
    start: "/trap/events?month=2031-05&view=list",
    kind: "calendar",
    pattern: /events \?month&view$/,
    page: (url) => {
      const [, y, m] = /^(\d+)-(\d+)$/.exec(url.searchParams.get("month") ?? "") ?? [];
      if (url.pathname !== "/trap/events" || !y || !m) return undefined;
      const after = month(Number(y), Number(m));
      return html(
        `Events of ${y}-${m}`,
        `<h1>Events</h1><p>There are no events in ${month(Number(y), Number(m) - 1).name} ${y}.</p>
         ${links(`/trap/events?month=${after.year}-${pad(after.month)}&view=list`, `/trap/events?view=grid&month=${after.year}-${pad(after.month)}`)}`,
      );
    },
  },
  {
    name: "a listing without a last page",
    start: "/trap/news?page=1",
    kind: "sequence",
    pattern: /news \?page$/,
    page: (url) => {
      const page = Number(url.searchParams.get("page"));
      if (url.pathname !== "/trap/news") return undefined;
      return html(
        `News, page ${page}`,
        `<h1>News</h1><p>Page ${page}. No more news.</p>${links(`/trap/news?page=${page + 1}`)}`,
      );
    },
  },
  {
    name: "a listing without a last page, by path, with a window of pages",
    start: "/trap/news/page/1",
    kind: "sequence",
    pattern: /page\/\{n\}$/,
    // The trap is recognised after `MOST` pages. The last of these pages links to five more pages, which are
    // read too. Each request that is running at this moment may add one page.
    read: MOST + 5,
    more: explorationLimits.concurrency,
    page: (url) => {
      const [, n] = /^\/trap\/news\/page\/(\d+)$/.exec(url.pathname) ?? [];
      if (n === undefined) return undefined;
      const window = Array.from({ length: 5 }, (_, at) => `/trap/news/page/${Number(n) + 1 + at}`);
      return html(`News, page ${n}`, `<h1>News</h1><p>Nothing on page ${n}</p>${links(...window)}`);
    },
  },
  {
    name: "random ids",
    start: "/trap/item/0a1b2c3d4e",
    kind: "random",
    pattern: /item\/\{id\}$/,
    page: (url) => {
      const [, id] = /^\/trap\/item\/([0-9a-f]+)$/.exec(url.pathname) ?? [];
      if (id === undefined) return undefined;
      const next = [3, 5, 7].map(
        (by) =>
          `/trap/item/${((Number.parseInt(id, 16) * by + 11) % 0xffffffffff).toString(16).padStart(10, "1")}`,
      );
      return html(`Item ${id}`, `<h1>Item ${id}</h1><p>This item is like any other.</p>${links(...next)}`);
    },
  },
  {
    name: "folders that repeat",
    start: "/trap/loop/",
    kind: "loop",
    pattern: /^[^/]+\/trap\/…$/,
    // The crawl reads one page more than in the other traps. The first page, `/trap/loop/`, has no repeated
    // folder in its URL, so it does not count as a page of the trap.
    read: MOST + 1,
    page: (url) =>
      /^\/trap\/(loop\/)+$/.test(url.pathname)
        ? html("Loop", `<h1>Loop</h1><p>Wrongly linked.</p><a href="loop/">loop</a>`)
        : undefined,
  },
  {
    name: "a calendar whose months lead to days",
    start: "/trap/month/2031-05",
    kind: "calendar",
    pattern: /day\/\{date\}$/,
    // The pages of months and the pages of days have different templates. The crawl reads ten pages of each
    // template.
    read: 2 * MOST,
    page: (url) => {
      const [, what, y, m] = /^\/trap\/(month|day)\/(\d{4})-(\d\d)/.exec(url.pathname) ?? [];
      if (!what || !y || !m) return undefined;
      if (what === "day")
        return html(
          "A day",
          `<h1>${url.pathname.slice(10)}</h1><p>No events</p>${links(`/trap/month/${y}-${m}`)}`,
        );
      const after = month(Number(y), Number(m));
      const days = Array.from({ length: 28 }, (_, day) => `/trap/day/${y}-${m}-${pad(day + 1)}`);
      return html(
        `${y}-${m}`,
        `<h1>${month(Number(y), Number(m) - 1).name}</h1>${links(...days, `/trap/month/${after.year}-${pad(after.month)}`)}`,
      );
    },
  },
  {
    name: "facets in every combination and order",
    start: "/trap/shoes",
    kind: "parameters",
    pattern: /shoes \?colour&size&sort$/,
    // The crawl reads the list and ten variations of it. It also reads pages that have a new combination of
    // parameters. Requests that are running when it recognises the trap may read further pages.
    read: 1 + MOST,
    more: 5 + explorationLimits.concurrency,
    page: (url) => {
      if (url.pathname !== "/trap/shoes") return undefined;
      const chosen = url.searchParams;
      const shoes = Array.from({ length: 12 }, (_, n) => `<li>${prose(500 + n, 4)}</li>`);
      const shown = shoes.filter(
        (_, n) => chosen.size === 0 || (n + [...chosen.values()].join("").length) % 3 === 0,
      );
      const facets = { colour: ["red", "blue", "green"], size: ["s", "m", "l"], sort: ["price", "name"] };
      const next = Object.entries(facets).flatMap(([name, values]) =>
        values.flatMap((value) => {
          if (chosen.get(name) === value) return [];
          const last = new URLSearchParams(chosen);
          last.delete(name);
          last.append(name, value);
          return [`/trap/shoes?${last}`];
        }),
      );
      return html(
        `Shoes ${[...chosen.values()].join(" ")}`,
        `<h1>Shoes</h1><ul>${shown.join("")}</ul>${links(...next)}`,
      );
    },
  },
  {
    name: "what a wiki does with each of its pages",
    start: "/trap/wiki/Page_0",
    kind: "wiki",
    pattern: /\?action=history$/,
    // The crawl reads all 30 articles. Of the special pages, such as `Special:WhatLinksHere`, it reads only
    // `specialPagesWithoutNovelty`, and up to two more of other kinds.
    read: 30 + explorationLimits.specialPagesWithoutNovelty,
    more: 2,
    page: (url) => {
      const title = /^\/trap\/wiki\/Page_(\d+)$/.exec(url.pathname)?.[1];
      const special = /^\/trap\/wiki\/Special:WhatLinksHere\/Page_(\d+)$/.exec(url.pathname)?.[1];
      if (special)
        return html("Links", `<h1>Pages that link to ${special}</h1>${prose(Number(special) + 900, 9)}`);
      if (title === undefined || Number(title) >= 30) return undefined;
      const own = `/trap/wiki/Page_${title}`;
      if (url.searchParams.has("oldid"))
        return html(
          `Page ${title}`,
          `<p>Old revision</p>${prose(Number(title))}${links(`${own}?oldid=${Number(url.searchParams.get("oldid")) + 1}`)}`,
        );
      if (url.searchParams.get("action") === "history")
        return html(
          "History",
          `<h1>History of ${title}</h1>${prose(Number(title) + 700, 20)}${links(`${own}?oldid=${Number(title) * 50}`)}`,
        );
      return html(
        `Page ${title}`,
        `<h1>Page ${title}</h1>${prose(Number(title))}
        ${links(`/trap/wiki/Page_${Number(title) + 1 < 30 ? Number(title) + 1 : 0}`, `${own}?action=history`, `/trap/wiki/Special:WhatLinksHere/Page_${title}`)}`,
      );
    },
  },
  {
    name: "the history of source code, by path",
    start: "/trap/repo/file/tip/",
    kind: "wiki",
    pattern: /trap\/repo annotate\/\{id\}\/…$/,
    // The crawl reads the list and the 20 current files. Of the old versions it reads `specialPagesWithoutNovelty`,
    // and up to two more of other kinds (file, annotate, log).
    read: 1 + 20 + explorationLimits.specialPagesWithoutNovelty,
    more: 2,
    page: (url) => {
      const [, view, at, file] =
        /^\/trap\/repo\/(file|rev|annotate|log)\/(tip|[0-9a-f]{12})\/?(.*)$/.exec(url.pathname) ?? [];
      if (!view || !at) return undefined;
      const files = Array.from({ length: 20 }, (_, n) => `src/file${"abcdefghijklmnopqrst"[n]}.c`);
      if (at === "tip" && !file)
        return html("Files", `<h1>Files</h1>${links(...files.map((name) => `/trap/repo/file/tip/${name}`))}`);
      const n = at === "tip" ? 1 : Number.parseInt(at, 16);
      const parent = `a${((n * 7_919 + 13) % 0xfffffffffff).toString(16).padStart(11, "1")}`;
      const own = file ? [`/trap/repo/annotate/${parent}/${file}`, `/trap/repo/file/${parent}/${file}`] : [];
      return html(
        `${view} ${at} ${file}`,
        `<h1>${view} ${file}</h1>${prose((n % 10_000) + (file ?? "").charCodeAt(8), 30)}${links(
          ...own,
          `/trap/repo/rev/${parent}`,
          `/trap/repo/log/${parent}`,
        )}`,
      );
    },
  },
  {
    name: "the history of source code, by parameters",
    start: "/trap/source",
    kind: "parameters",
    pattern: /trap\/source \?ci=\{id\}&name$/,
    // The crawl reads one list of files, the current version of each of 60 files, and then a limited number
    // of old versions.
    read: 1 + 60 + MOST,
    more: 2,
    page: (url) => {
      if (url.pathname !== "/trap/source") return undefined;
      const at = url.searchParams.get("ci");
      const name = url.searchParams.get("name");
      const newest = (file: string) => `/trap/source?name=${file}&ci=tip`;
      if (at === null || name === null) {
        const files = Array.from({ length: 60 }, (_, n) => newest(`file${n}.c`));
        return html("Files", `<h1>Files</h1>${links(...files)}`);
      }
      const file = Number(/\d+/.exec(name)?.[0]);
      const n = at === "tip" ? file : Number.parseInt(at, 16);
      const older = Array.from({ length: 5 }, (_, k) =>
        ((n * 7_919 + k * 104_729 + 13) % 0xfffffffff).toString(16).padStart(11, "1"),
      );
      return html(
        `${name} at ${at}`,
        `<h1>${name}</h1>${prose(file + 40, 30)}${links(...older.map((id) => `/trap/source?name=${name}&ci=a${id}`))}`,
      );
    },
  },
];
