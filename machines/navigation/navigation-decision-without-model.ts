/**
 * Decides what a navigation run does on a page, such as extract its content or follow a link. The decision
 * uses only the structure and the words of the page, and no model.
 */

import type { Decision, Intent, PageType } from "./navigation-run-schemas.ts";
import type { EvidenceLink, EvidenceRow, PageEvidence } from "./page-facts-for-navigation-run.ts";
import { isReply, subjectOf } from "./subject-of-reply.ts";
import { coverage, rarityOf, termsOf } from "./text-relevance-score.ts";

/** A page is an article if its running text has at least this number of characters. */
const ARTICLE_TEXT = 500;
/**
 * Minimum length in characters of a short article. Such a page must declare that it is an article, or have a
 * date and hardly any links.
 */
const SHORT_ARTICLE_TEXT = 150;
const LINKED = 0.5;
/**
 * A page counts as a listing only if it has at least this number of rows (links of a list), with or without
 * running text.
 */
const LISTING_ROWS = 3;
/**
 * A page counts as a thread if it has at least this number of posts. If the page has a field for an answer,
 * one post is enough.
 */
const THREAD_POSTS = 2;
const DECLARED_ARTICLE =
  /^(?:article|newsarticle|blogposting|report|techarticle|scholarlyarticle|reportagenewsarticle|analysisnewsarticle)$/;
const DECLARED_THREAD = /^(?:discussionforumposting|qapage|question|socialmediaposting)$/;
const DECLARED_COMPANY = /^(?:corporation|organization|localbusiness|company|profile)$/;
/**
 * A page with both posts and list rows counts as a thread if its posts have at least this many times the text
 * of its rows. Otherwise, it counts as a listing.
 */
const POSTS_OUTWEIGH = 1.5;
const FORUM_WORDS =
  /(?<![\p{L}])(?:forums?|foren|foros?|fóruns?|community|communauté|comunidad(?:e)?|discussions?|diskussion(?:en)?|discusiones|discussões|message ?boards?|boards?|threads?|topics?|themen|sujets|temas|messages|mailing lists?|q&a|questions)(?![\p{L}])/iu;
const NEWS_WORDS =
  /(?<![\p{L}])(?:news|press|headlines|blog|stories|articles|announcements|nachrichten|aktuelles|actualités?|noticias|notícias|notizie|nieuws)(?![\p{L}])/iu;
const FORUM_PATH =
  /\/(?:forums?[-\w]*|foros?|community|discussions?|boards?|topics?|threads?|t|viewforum|viewtopic|showthread|forumdisplay|lists?|messages|questions?)(?:[/._?-]|$)/i;
/** Matches the addresses of single threads, of boards, and of members' profiles in forums. */
const THREAD_PATH =
  /\/(?:(?:forum-?)?(?:topics?|threads?)|forum-?posts?|t|discussions?|d|questions?)\/[^/?]|\/(?:viewtopic|showthread|viewthread)\b/i;
const BOARD_PATH =
  /\/(?:forums?|foros?|boards?|(?:sub)?categor(?:y|ies)|c|f)\/[^/?]|\/(?:viewforum|forumdisplay|viewboard)\b/i;
const PROFILE_PATH = /\/(?:u|users?|members?|memberlist|profiles?)(?:[/.?]|$)/i;
/**
 * Matches a sentence of prose: at least 25 characters without a line break, followed by a full stop,
 * exclamation mark or question mark.
 */
const SENTENCE = /[^.!?\n|]{25,}[.!?](?=\s|$)/g;
/**
 * A page is an article if it has at least this number of sentences, although its text is short and has no date.
 */
const SHORT_ARTICLE_SENTENCES = 2;
/**
 * Confidence (0 to 1) that a page with little running text is an article. Other articles are recognised with
 * a higher confidence.
 */
const LITTLE_PROSE = 0.6;
/** Matches addresses of pages for sign-in, search or writing. They do not lead to a section. */
const SERVICE_PATH =
  /(?:^|[/?&=._-])(?:log-?in|log-?out|sign-?in|sign-?up|register|registration|accounts?|auth|password|search|new|create|edit|reply|subscribe|rss|feed|atom|help|faq|rules|terms|privacy)(?:$|[/?&=._-])/i;

/** Matches the counters that listings of threads and boards show: "3 replies", "Posts: 12". */
const COUNTED_POSTS =
  /\b\d+\s*(?:repl(?:y|ies)|posts?|views?|answers?|messages?|threads?|topics?|participants?)\b|\b(?:replies|posts|views|answers|messages|threads|topics):?\s*\d/i;

export type Judged = Pick<Decision, "action" | "page_type" | "confidence" | "reasoning" | "target_url">;

/** Determines the type of a page, and the confidence in that type. */
function pageTypeOf(page: PageEvidence): { readonly type: PageType; readonly confidence: number } {
  const { posts, rows, text, link_share, declared, answerable } = page;
  const isThread = declared.some((name) => DECLARED_THREAD.test(name));
  const inPosts = textOfPosts(page);
  const inRows = textOfRows(page);
  const outweighed = posts.length >= THREAD_POSTS && inPosts > POSTS_OUTWEIGH * inRows;
  const listed = outweighed ? undefined : listedIn(page);
  if (isThread && posts.length >= 1) return { type: "forum_thread", confidence: 0.95 };
  if (page.message) return { type: "forum_thread", confidence: 0.85 };
  if (listed === undefined && posts.length >= THREAD_POSTS && !isArticle(page)) {
    return { type: "forum_thread", confidence: answerable || FORUM_PATH.test(page.url) ? 0.9 : 0.8 };
  }
  if (
    listed === undefined &&
    posts.length === 1 &&
    isInForum(page) &&
    !declared.some((name) => DECLARED_ARTICLE.test(name))
  ) {
    return { type: "forum_thread", confidence: 0.7 };
  }
  if (
    declared.some((name) => DECLARED_ARTICLE.test(name)) &&
    text >= SHORT_ARTICLE_TEXT &&
    link_share < LINKED
  ) {
    return { type: "article", confidence: 0.95 };
  }
  const path = pathAndQuery(page.url);
  // The profile of a forum member lists posts, but it counts as neither an article nor a listing.
  if (PROFILE_PATH.test(path)) return { type: "other", confidence: 0.6 };
  if (listed !== undefined) return { type: listed, confidence: rows.length >= 2 * LISTING_ROWS ? 0.85 : 0.7 };
  const isService = SERVICE_PATH.test(path);
  const signed = page.published !== null && page.authors.length > 0;
  if (THREAD_PATH.test(path) && !isService && signed && text < ARTICLE_TEXT) {
    return { type: "forum_thread", confidence: 0.65 };
  }
  if (isArticle(page)) return { type: "article", confidence: page.published === null ? 0.7 : 0.85 };
  if (BOARD_PATH.test(path) && !THREAD_PATH.test(path) && !isService && isInForum(page)) {
    return { type: "forum_listing", confidence: 0.6 };
  }
  if (declared.some((name) => DECLARED_COMPANY.test(name)))
    return { type: "company_profile", confidence: 0.7 };
  const sentences = page.content.match(SENTENCE)?.length ?? 0;
  if (!isService && link_share < LINKED && text >= SHORT_ARTICLE_TEXT)
    if (sentences >= SHORT_ARTICLE_SENTENCES) return { type: "article", confidence: LITTLE_PROSE };
  return { type: "other", confidence: 0.6 };
}

/**
 * Returns the number of characters in the posts of a page. The two available counts may each be too low: the
 * reader may miss posts, and `posts_text` may miss blocks. So the larger count is returned.
 */
function textOfPosts({ posts, posts_text }: PageEvidence): number {
  return Math.max(
    posts_text,
    posts.reduce((sum, post) => sum + post.text.length, 0),
  );
}

function textOfRows({ rows, rows_text }: PageEvidence): number {
  return Math.max(
    rows_text,
    rows.reduce((sum, row) => sum + row.text.length, 0),
  );
}

/** Whether the address, the breadcrumbs or the title show that the page belongs to a forum. */
function isInForum({ url, breadcrumbs, title }: PageEvidence): boolean {
  return FORUM_PATH.test(url) || [...breadcrumbs, title].some((name) => FORUM_WORDS.test(name));
}

function isArticle(page: PageEvidence): boolean {
  const { text, link_share, published, posts } = page;
  if (link_share >= LINKED) return false;
  // A page with comments below an article is not a thread, because its posts contain less than half of its
  // text.
  const inPosts = textOfPosts(page);
  if (posts.length >= THREAD_POSTS && inPosts > text / 2) return false;
  return text >= ARTICLE_TEXT || (published !== null && text >= SHORT_ARTICLE_TEXT);
}

/** Returns which kind of listing a page is; `undefined` if the page is not a listing. */
function listedIn(page: PageEvidence): "forum_listing" | "news_listing" | undefined {
  const { rows, text, url, title } = page;
  if (rows.length < LISTING_ROWS) return undefined;
  const titles = rows.reduce((sum, row) => sum + row.title.length, 0);
  const inRows = textOfRows(page);
  const dated = rows.filter((row) => row.date !== null).length;
  // If the text is long and the rows are few, the rows are "related articles". Then the page is not a
  // listing.
  if (text > 4 * titles && text > 1.5 * inRows && dated < rows.length / 2) return undefined;
  if (text > 3 * inRows) return undefined;
  const isForum =
    FORUM_PATH.test(url) ||
    FORUM_WORDS.test(title) ||
    rows.filter(({ title: subject }) => isReply(subject)).length >= LISTING_ROWS ||
    rows.filter((row) => FORUM_PATH.test(row.url)).length > rows.length / 2 ||
    rows.filter(({ text: shown }) => COUNTED_POSTS.test(shown)).length > rows.length / 2;
  return isForum ? "forum_listing" : "news_listing";
}

export function decide(page: PageEvidence, intent: Intent): Judged {
  const { type, confidence } = pageTypeOf(page);
  const judged = (
    action: Decision["action"],
    sure: number,
    reasoning: string,
    target_url: string | null = null,
  ): Judged => ({
    action,
    page_type: type,
    confidence: sure,
    reasoning,
    target_url,
  });
  if (page.walled) return judged("STOP", 0.8, "The page asks for a payment or a sign-in.");
  if (page.text === 0 && page.links.length === 0) return judged("STOP", 0.9, "The page is empty.");
  const section = intent.target_section;
  const elsewhere = section === "" ? undefined : sectionLink(page, section, intent);
  if (type === "forum_thread")
    return judged("EXTRACT_CONTENT", confidence, `It shows ${page.posts.length} posts.`);
  // An article in the wanted forum is read, although it also links to the forum's start page.
  const inside = section === "forum" && isInForum(page) && type === "article";
  if (section === "forum" && type !== "forum_listing" && elsewhere && !inside) {
    return judged("NAVIGATE_TO", 0.8, wayBy(elsewhere, page, "discussions"), elsewhere.url);
  }
  if (type === "forum_listing")
    return judged("EXTRACT_LINKS", confidence, `It lists ${page.rows.length} threads or boards.`);
  if (type === "news_listing") {
    return judged("EXTRACT_LINKS", confidence, `It lists ${page.rows.length} pages.`);
  }
  if (type === "article") {
    // A page with little prose often only leads to the requested content. A link that fits the request better
    // than the page's title is then followed. Without such a link, the content of this page is used.
    const way = confidence > LITTLE_PROSE ? undefined : betterLink(page, intent, elsewhere);
    return way
      ? judged("NAVIGATE_TO", 0.7, `"${way.text}" fits the request better.`, way.url)
      : judged("EXTRACT_CONTENT", confidence, `It has ${page.text} characters of running text.`);
  }
  if (elsewhere) return judged("NAVIGATE_TO", 0.75, wayBy(elsewhere, page, section), elsewhere.url);
  const best = bestLink(page, intent);
  if (best)
    return judged("NAVIGATE_TO", best.sure, `"${best.link.text}" fits the request best.`, best.link.url);
  if (page.text >= SHORT_ARTICLE_TEXT && page.link_share < LINKED) {
    return judged("EXTRACT_CONTENT", 0.55, "It has some running text, and no link fits better.");
  }
  return judged("STOP", 0.6, "Neither its text nor its links fit the request.");
}

function wayBy(link: EvidenceLink, { known = [] }: PageEvidence, section: string): string {
  return known.includes(link)
    ? `The map has "${link.text}", which leads to the ${section}.`
    : `"${link.text}" leads to the ${section}.`;
}

/**
 * Finds a link to the requested section of the site, by the words in its text and address; `undefined` if there is
 * none.
 */
function sectionLink(
  page: PageEvidence,
  section: "forum" | "news",
  intent: Intent,
): EvidenceLink | undefined {
  const words = section === "forum" ? FORUM_WORDS : NEWS_WORDS;
  const terms = termsOf(intent.topic);
  let best: EvidenceLink | undefined;
  let most = 0;
  for (const link of [...page.links, ...(page.known ?? [])]) {
    if (isFragment(link.url, page.url) || isAbove(link.url, page.url)) continue;
    if (SERVICE_PATH.test(pathAndQuery(link.url))) continue;
    const named = words.test(link.text) && link.text.length <= 40 ? 2 : 0;
    const path = section === "forum" ? FORUM_PATH.test(link.url) : NEWS_WORDS.test(pathOf(link.url));
    const score = named + (path ? 1 : 0);
    if (score === 0) continue;
    // If several links lead to a section, one that is about the topic is preferred.
    const fit = score + 2 * coverage(terms, `${link.text} ${pathOf(link.url)}`).share;
    if (fit <= most) continue;
    best = link;
    most = fit;
  }
  return best;
}

/**
 * A page with little text often only leads to other pages. Returns its link that matches the topic better than the
 * page's title does, otherwise `elsewhere`, the link to the requested section. Returns `undefined` if the title has
 * all words of the topic.
 */
function betterLink(
  page: PageEvidence,
  intent: Intent,
  elsewhere: EvidenceLink | undefined,
): EvidenceLink | undefined {
  const terms = termsOf(intent.topic);
  const own = coverage(terms, [page.title, ...page.headings.slice(0, 1)].join(" ")).share;
  if (terms.length > 0 && own === 1) return undefined;
  const best = bestLink(page, intent)?.link;
  const share = best ? coverage(terms, `${best.text} ${pathOf(best.url)}`).share : 0;
  return share > own ? best : elsewhere;
}

/**
 * Returns the link whose words match the topic best; `undefined` if no link has at least half of the topic's words.
 */
function bestLink(page: PageEvidence, intent: Intent) {
  const terms = termsOf(intent.topic);
  if (terms.length === 0) return undefined;
  let best: { readonly link: EvidenceLink; readonly sure: number } | undefined;
  for (const link of page.links) {
    if (isFragment(link.url, page.url) || link.text === "") continue;
    if (SERVICE_PATH.test(pathAndQuery(link.url))) continue;
    const { share } = coverage(terms, `${link.text} ${pathOf(link.url)}`);
    const sure = 0.5 + 0.35 * share - (link.landmark === "" ? 0 : 0.05);
    if (share >= 0.5 && (!best || sure > best.sure)) best = { link, sure };
  }
  return best;
}

function isFragment(url: string, of: string): boolean {
  return url.split("#")[0] === of.split("#")[0];
}

/** Whether the address `url` is a folder that contains the page `of`, as `/forum` contains `/forum/42`. */
function isAbove(url: string, of: string): boolean {
  const [above, below] = [URL.parse(url), URL.parse(of)];
  if (!above || !below || above.host !== below.host || above.pathname === "/") return false;
  return above.search === "" && below.pathname.startsWith(above.pathname.replace(/\/?$/, "/"));
}

function pathAndQuery(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.pathname}${parsed.search}` : "";
}

function pathOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.pathname}${parsed.search}`.replace(/[-_/.+?=&]+/g, " ") : "";
}

export interface RankedLink {
  readonly url: string;
  readonly anchor_text: string;
  readonly relevance_score: number;
  readonly detected_date: string | null;
  /** Addresses of the thread's further messages, if each message has its own page. */
  readonly members?: readonly string[];
  /** Whether the link's text or address has a word of the topic. */
  readonly fits?: boolean;
}

/**
 * Returns the links of a listing, best match first. Rare words of the topic count more than words that many
 * rows contain. Rows that are too old are left out. If no row contains a word of the topic, all rows are kept,
 * because the complete listing may be about the topic.
 *
 * @param since first day of the time range, `YYYY-MM-DD`
 */
export function rankLinks(page: PageEvidence, intent: Intent, since: string | null): readonly RankedLink[] {
  const terms = termsOf(intent.topic);
  const rows =
    page.rows.length > 0 ? page.rows : page.links.filter(({ landmark }) => landmark === "").map(asRow);
  const boards = pageTypeOf(page).type === "forum_listing";
  const threads = threadsOf(rows);
  const textOf = ({ url, title, text }: EvidenceRow) => `${title} ${text} ${pathOf(url)}`;
  const weights = rarityOf(terms, threads.map(textOf));
  const ranked = threads
    .filter((row) => since === null || row.date === null || row.date >= since)
    .map((row) => ({ ...row, all: textOf(row) }))
    .map(({ url, title, date, members, all }) => ({
      url,
      anchor_text: title,
      relevance_score: coverage(terms, all, weights).score,
      detected_date: date,
      ...(members.length > 0 ? { members } : {}),
      // In a forum, the text of a row may contain the last thread of a board or the last author of a thread.
      // Such text does not show what the row is about, so only the row's title and address are compared with
      // the topic.
      fits: coverage(terms, boards ? `${title} ${pathOf(url)}` : all).share > 0,
    }));
  const fitting = ranked.filter(({ fits }) => fits);
  const further = fitting.some(({ url }) => isBoard(url))
    ? []
    : ranked.filter(({ fits, url }) => !fits && isBoard(url));
  const best = [...(fitting.length > 0 ? fitting : ranked)].sort(
    (a, b) => b.relevance_score - a.relevance_score,
  );
  const chosen = fitting.length > 0 && boards ? [...best, ...further] : best;
  return chosen;
}

function isBoard(url: string): boolean {
  const path = pathAndQuery(url);
  return BOARD_PATH.test(path) && !THREAD_PATH.test(path);
}

/**
 * Combines the rows of a list that belong to one thread. The result has the first message of the thread, its
 * newest date, and the addresses of the other messages.
 */
function threadsOf(
  rows: readonly EvidenceRow[],
): readonly (EvidenceRow & { readonly members: readonly string[] })[] {
  if (!rows.some(({ title }) => isReply(title))) return rows.map((row) => ({ ...row, members: [] }));
  const threads = new Map<string, EvidenceRow[]>();
  for (const row of rows) {
    const subject = subjectOf(row.title);
    threads.set(subject, [...(threads.get(subject) ?? []), row]);
  }
  return [...threads.values()].flatMap((messages) => {
    const first = messages.find(({ title }) => !isReply(title)) ?? messages[0];
    if (!first) return [];
    const dates = messages.flatMap(({ date }) => date ?? []).sort();
    const members = messages.flatMap(({ url }) => (url === first.url ? [] : url));
    return [{ ...first, date: dates.at(-1) ?? null, members }];
  });
}

function asRow({ url, text }: EvidenceLink): EvidenceRow {
  return { url, title: text, date: null, text };
}
