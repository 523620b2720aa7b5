/**
 * Decides which pages of a job are rendered in a browser. Reading over HTTP is a hundred times cheaper, so
 * only a few samples of each kind of page are rendered first. If rendering adds links or text to the samples,
 * all pages of that kind are rendered, and the decision is checked again later.
 */
import { explorationLimits } from "../exploration-limits.ts";

/** Facts about a page's HTML which indicate that scripts create the content of the page. */
export interface PageSigns {
  /** Number of scripts in the page that a browser would execute. */
  readonly scripts: number;
  /**
   * Number of empty elements with an id or a custom tag name, into which scripts may insert the application's
   * content.
   */
  readonly mounts: number;
  /** Length of the text for browsers without scripts (`noscript`), in characters. */
  readonly noscript: number;
  /** Number of links that need scripts to have a target: `#`, `#/route`, empty, `javascript:`. */
  readonly deadLinks: number;
  /** Whether the HTML contains data from which scripts create the page. */
  readonly hydration: boolean;
  /** Number of distinct link targets in the HTML. */
  readonly links: number;
  /** Length of the main content in the HTML, in characters of text. */
  readonly text: number;
}

/**
 * How clearly the page needs a browser. `strong`: the HTML contains hardly any content. `weak`: some content
 * may be missing.
 */
export interface Evidence {
  readonly level: "none" | "weak" | "strong";
  readonly reason: string;
}

const BARE_TEXT = 200;
const SHORT_TEXT = 1_500;
const FEW_LINKS = 3;
const DEAD_LINKS = 3;

/** Finds signs that scripts create the content of the page. Only the HTML is needed for this. */
export function evidenceOf(signs: PageSigns): Evidence {
  const { scripts, mounts, noscript, deadLinks, hydration, links, text } = signs;
  if (scripts === 0) return { level: "none", reason: "it has no scripts" };
  const bare = text < BARE_TEXT && links < FEW_LINKS;
  if (bare && mounts > 0) return { level: "strong", reason: "an empty element waits for an application" };
  if (bare && noscript > 0) return { level: "strong", reason: "its noscript text asks for scripts" };
  if (bare) return { level: "strong", reason: "its body is all but empty and has scripts" };
  if (text < SHORT_TEXT) {
    if (mounts > 0)
      return { level: "weak", reason: "it has little text and an empty element for an application" };
    if (noscript > 0) return { level: "weak", reason: "it has little text and a noscript text" };
    if (hydration) return { level: "weak", reason: "it has little text and data that scripts show" };
  }
  if (links < FEW_LINKS) return { level: "weak", reason: "it has scripts and hardly any links" };
  if (deadLinks >= DEAD_LINKS && deadLinks >= links) {
    return { level: "weak", reason: "most of its links lead nowhere without scripts" };
  }
  return { level: "none", reason: "its HTML has text and links" };
}

/**
 * What a job knows about one kind of page: counts, and the decision whether such pages are rendered. Stored
 * with the job as plain JSON.
 */
export interface PageKind {
  /** Number of pages of this kind that were read. */
  readonly seen: number;
  /** Number of pages of this kind whose HTML showed signs of scripts. */
  readonly suspicious: number;
  readonly rendered: number;
  /** Number of pages of this kind that had more content after rendering than in their HTML. */
  readonly gained: number;
  /** Number of consecutive pages of this kind to which rendering added no content. */
  readonly misses: number;
  readonly by: "undecided" | "http" | "browser";
  readonly reason: string;
}

export const newKind: PageKind = {
  seen: 0,
  suspicious: 0,
  rendered: 0,
  gained: 0,
  misses: 0,
  by: "undecided",
  reason: "",
};

/** Matches a path segment that varies between similar pages, such as a number, date, hash or id. */
const VARIABLE = /^(?=.*\d)[\w.-]+$|^[0-9a-f]{8,}$/i;

/**
 * The kind of a page's URL: its host, its folder without ids, its file extension and the names of its
 * parameters. `https://shop.test/p/1234?ref=a` is of the kind `shop.test/p/*?ref`.
 */
export function kindOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  const parts = pathname.split("/").slice(1);
  const last = parts.pop() ?? "";
  const folder = parts.map((part) => (VARIABLE.test(part) ? "*" : part)).join("/");
  const file = last === "" ? "" : `*${/\.[a-z0-9]{1,5}$/i.exec(last)?.[0] ?? ""}`;
  const names = [...new Set(searchParams.keys())].sort().join("&");
  return `${host}/${folder === "" ? "" : `${folder}/`}${file}${names === "" ? "" : `?${names}`}`;
}

export interface Choice {
  readonly render: boolean;
  readonly reason: string;
}

/**
 * Decides whether a page must also be rendered by a browser, after its HTML was fetched. The counts in `kind`
 * do not include this page.
 */
export function chooseRendering(kind: PageKind, evidence: Evidence): Choice {
  const { reason } = evidence;
  const { recheckEvery } = explorationLimits.rendering;
  switch (kind.by) {
    case "browser":
      return { render: true, reason: kind.reason };
    case "http":
      return evidence.level !== "none" && kind.suspicious % recheckEvery === recheckEvery - 1
        ? { render: true, reason: `${reason}; looked at again` }
        : { render: false, reason: kind.reason };
    case "undecided":
      if (evidence.level === "none") return { render: false, reason };
      if (evidence.level === "strong") return { render: true, reason };
      // A page that looks incomplete is rendered only if more than half of the pages of its kind look
      // incomplete.
      return 2 * (kind.suspicious + 1) > kind.seen + 1
        ? { render: true, reason }
        : { render: false, reason: "most pages of its kind have everything in their HTML" };
  }
}

/** Adds a page that was read only over HTTP to the counts of its kind of page. */
export function countPage(kind: PageKind, evidence: Evidence): PageKind {
  return {
    ...kind,
    seen: kind.seen + 1,
    suspicious: kind.suspicious + (evidence.level === "none" ? 0 : 1),
  };
}

/**
 * Adds a rendered page to the counts of its kind of page. After enough rendered pages, the function decides
 * how pages of this kind are read.
 */
export function countRendered(kind: PageKind, evidence: Evidence, gained: boolean): PageKind {
  const { samples, giveUpAfter } = explorationLimits.rendering;
  const next: PageKind = {
    ...countPage(kind, evidence),
    rendered: kind.rendered + 1,
    gained: kind.gained + (gained ? 1 : 0),
    misses: gained ? 0 : kind.misses + 1,
  };
  if (gained && next.gained >= samples) {
    return { ...next, by: "browser", reason: "rendering brought more than the HTML of its kind" };
  }
  if (!gained && next.misses >= (next.by === "browser" ? giveUpAfter : samples)) {
    return { ...next, by: "http", reason: "rendering brought nothing new for its kind", gained: 0 };
  }
  return next;
}

/** The content of a page, taken from its HTML or from the rendered page. */
export interface ReadContent {
  readonly text: number;
  /** A hash of the page's text. Equal texts have equal hashes. */
  readonly hash: string;
  /** The deduplication keys of the URLs to which the page links. */
  readonly links: ReadonlySet<string>;
}

const MORE_TEXT = 1.2;
const MORE_CHARACTERS = 200;

/**
 * Whether rendering added content: a link, considerably more text, or any text if the HTML had almost none.
 */
export function hasGained(html: ReadContent, rendered: ReadContent): boolean {
  for (const link of rendered.links) if (!html.links.has(link)) return true;
  if (html.text < BARE_TEXT && rendered.text > 0 && rendered.hash !== html.hash) return true;
  return rendered.text > html.text * MORE_TEXT && rendered.text > html.text + MORE_CHARACTERS;
}
