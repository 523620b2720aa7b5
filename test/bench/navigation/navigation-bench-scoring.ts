/** Compares the results of a navigation run with the content that was generated for the site. */
import type {
  Decision,
  NavigationResult,
  PageType,
} from "../../../machines/navigation/navigation-run-schemas.ts";
import type { Page } from "./generated-article-content.ts";
import type { Post, Thread } from "./generated-forum-content.ts";
import type { Question } from "./navigation-bench-question-types.ts";
import type { ForeignSite, ServedSite, SiteMap } from "./navigation-bench-sites.ts";

export type Kind = "thread" | "message" | "article" | "board" | "index" | "section" | "other";

/**
 * What the bench knows about a page of a site. `item` is the id of the generated thread or page that the page
 * shows. It is null for other pages, such as a list of threads.
 */
export interface Known {
  readonly kind: Kind;
  readonly item: string | null;
}

export class Tally {
  right = 0;
  all = 0;
  readonly misses: string[] = [];
  add(right: boolean, miss: () => string): void {
    this.all += 1;
    if (right) this.right += 1;
    else this.misses.push(miss());
  }
  get share(): number {
    return this.all === 0 ? 1 : this.right / this.all;
  }
}

export class Scores {
  readonly types = new Map<string, number>();
  readonly pageTypes = new Tally();
  readonly decisions = new Tally();
  readonly extraction = new Tally();
  readonly relevance = new Tally();
  readonly precision = new Tally();
  readonly recall = new Tally();
  readonly posts = new Tally();
  /** Number of visited pages that show none of the generated content. */
  unknown = 0;
}

/**
 * For each kind of page, the page types that count as right. For the front page of a site, `other` is right
 * too, and `article` if the site has no forum.
 */
const TYPES: Readonly<Record<Kind, (forum: boolean) => readonly PageType[]>> = {
  thread: () => ["forum_thread"],
  message: () => ["forum_thread", "article"],
  article: () => ["article"],
  board: () => ["forum_listing"],
  index: (forum) => (forum ? ["forum_listing", "other"] : ["news_listing", "other", "article"]),
  section: () => ["news_listing", "other"],
  other: () => ["other", "company_profile", "article"],
};

export function knownPages({ map, world }: Pick<ServedSite, "map" | "world">): Map<string, Known> {
  const known = new Map<string, Known>();
  const put = (path: string | undefined, kind: Kind, item: string | null = null) => {
    if (path !== undefined) known.set(keyOf(path), { kind, item });
  };
  if (world.kind === "forum") {
    for (const { id, posts } of world.threads) {
      for (const post of posts) put(map.messages?.[post.id], "message", id);
      // On some sites, the address of a thread is the address of one of its messages with a suffix. Such a thread
      // has as many addresses as it has messages, and all of them are known.
      const whole = map.threads?.[id];
      const first = map.messages?.[posts[0]?.id ?? ""];
      if (whole !== undefined && first !== undefined && whole.startsWith(first))
        for (const post of posts) put(`${map.messages?.[post.id]}${whole.slice(first.length)}`, "thread", id);
    }
  }
  for (const path of map.others) put(path, "other");
  for (const path of map.listings) put(path, world.kind === "forum" ? "board" : "section");
  put(map.index, "index");
  for (const path of Object.values(map.boards ?? {})) put(path, "board");
  for (const path of Object.values(map.sections ?? {})) put(path, "section");
  for (const [id, path] of Object.entries(map.threads ?? {})) put(path, "thread", id);
  for (const [id, path] of Object.entries(map.pages ?? {})) put(path, "article", id);
  return known;
}

/**
 * Returns path and query in a form that is the same for all spellings of an address. A fragment and a
 * trailing slash are ignored.
 */
export function keyOf(address: string): string {
  const { pathname, searchParams } = new URL(address, "http://site");
  searchParams.sort();
  const query = [...searchParams].map(([name, value]) => `${name}=${value}`).join("&");
  return `${decodeURIComponent(pathname).replace(/(?<=.)\/$/, "")}${query === "" ? "" : `?${query}`}`;
}

/**
 * Returns what the bench knows about the page at an address. The bench knows only the first page of a list. For a
 * further page (`?page=3`), it returns the data of the first page, whose address has no such parameter.
 */
function firstOf(address: string, known: ReadonlyMap<string, Known>): Known | undefined {
  const direct = known.get(keyOf(address));
  if (direct) return direct;
  const url = new URL(address, "http://site");
  for (const name of ["page", "p", "start", "offset"]) url.searchParams.delete(name);
  return known.get(keyOf(url.href));
}

export function scoreDecision(
  scores: Scores,
  decision: Decision,
  known: ReadonlyMap<string, Known>,
  forum: boolean,
  expected: ReadonlySet<string> | null,
): void {
  const page = firstOf(decision.url, known);
  if (!page) {
    scores.unknown += 1;
    return;
  }
  const { kind, item } = page;
  const label = `${kind} → ${decision.page_type}`;
  scores.types.set(label, (scores.types.get(label) ?? 0) + 1);
  const place = `${kind} ${decision.url}: ${decision.page_type} ${decision.action} (${decision.reasoning})`;
  scores.pageTypes.add(TYPES[kind](forum).includes(decision.page_type), () => place);
  const target = decision.target_url === null ? undefined : firstOf(decision.target_url, known)?.item;
  const isWay = decision.action === "NAVIGATE_TO" && target != null && expected?.has(target) === true;
  const isWanted = item !== null && expected?.has(item) === true;
  // A page without wanted content may link to a page with wanted content. Then it is also right to follow
  // this link.
  const isRight = rightActions(kind, item, expected).includes(decision.action) || (isWay && !isWanted);
  scores.decisions.add(isRight, () => place);
}

function rightActions(
  kind: Kind,
  item: string | null,
  expected: ReadonlySet<string> | null,
): readonly string[] {
  switch (kind) {
    case "thread":
    case "message":
    case "article":
      // Only items in `expected` answer the question; if it is null, every item does. If an item does not answer
      // it, the run may stop at once, or extract the content and reject it later.
      return expected === null || (item !== null && expected.has(item))
        ? ["EXTRACT_CONTENT"]
        : ["EXTRACT_CONTENT", "STOP"];
    case "board":
      return ["EXTRACT_LINKS"];
    case "index":
    case "section":
      return ["EXTRACT_LINKS", "NAVIGATE_TO"];
    case "other":
      return ["STOP", "NAVIGATE_TO", "EXTRACT_LINKS"];
  }
}

export function scoreQuestion(
  scores: Scores,
  site: ForeignSite,
  served: ServedSite,
  question: Question,
  result: NavigationResult,
): void {
  const { world } = served;
  const known = knownPages(served);
  const expected = new Set(question.expected);
  const found = new Map<string, NavigationResult["articles"][number][]>();
  for (const article of result.articles) {
    const item = firstOf(article.url, known)?.item ?? null;
    scores.precision.add(
      item !== null && expected.has(item),
      () => `${question.id}: kept ${article.url} (${article.title})`,
    );
    if (item !== null) found.set(item, [...(found.get(item) ?? []), article]);
  }
  for (const item of expected) {
    scores.recall.add(found.has(item), () => `${question.id}: missed ${addressOf(served.map, item, world)}`);
  }
  for (const decision of result.decisions)
    scoreDecision(scores, decision, known, world.kind === "forum", expected);
  // Adds a score for each opened page with content: whether the run was right to keep or reject it. It must
  // keep a page that answers the question, and reject all others.
  const opened = new Set(result.decisions.flatMap(({ url }) => firstOf(url, known)?.item ?? []));
  for (const item of opened) {
    scores.relevance.add(
      found.has(item) === expected.has(item),
      () => `${question.id}: ${found.has(item) ? "kept" : "rejected"} ${addressOf(served.map, item, world)}`,
    );
    if (expected.has(item)) scoreContent(scores, site, served, item, found.get(item) ?? []);
  }
}

function addressOf(map: SiteMap, item: string, world: ServedSite["world"]): string {
  const address = map.threads?.[item] ?? map.pages?.[item];
  if (address !== undefined || world.kind !== "forum") return address ?? item;
  const first = world.threads.find(({ id }) => id === item)?.posts[0];
  return map.messages?.[first?.id ?? ""] ?? item;
}

function scoreContent(
  scores: Scores,
  site: ForeignSite,
  served: ServedSite,
  item: string,
  articles: readonly NavigationResult["articles"][number][],
): void {
  const { world, map } = served;
  if (world.kind === "forum") {
    const thread = world.threads.find(({ id }) => id === item);
    if (!thread || articles.length === 0) {
      scores.extraction.add(false, () => `nothing of ${addressOf(map, item, world)}`);
      return;
    }
    const read = articles.flatMap((article) =>
      article.posts.length > 0
        ? article.posts
        : [{ author: article.author, date: article.publish_date, text: article.content }],
    );
    const posts = postsShown(thread, articles, map);
    let right = 0;
    for (const post of posts) {
      const verdict = judgePost(post, read);
      if (verdict === "right") right += 1;
      scores.posts.add(verdict === "right", () => `${verdict}: ${post.id} of ${addressOf(map, item, world)}`);
    }
    // At least 95 % of the thread's posts must be read correctly. If the run has read over 10 % more posts
    // than exist, it has taken other parts of the page for posts.
    const whole = right >= 0.95 * posts.length && read.length <= posts.length * 1.1 + 0.5;
    scores.extraction.add(
      whole,
      () => `${right} of ${posts.length} posts, ${read.length} read: ${addressOf(map, item, world)}`,
    );
    return;
  }
  const page = world.pages.find(({ id }) => id === item);
  const article = articles[0];
  if (!page) return;
  scores.extraction.add(
    article !== undefined && pageProblem(site, page, article) === null,
    () => `${article ? pageProblem(site, page, article) : "nothing"}: ${addressOf(map, item, world)}`,
  );
}

/**
 * Returns the posts that the run should have read: all posts of the thread. If the site shows each post on its own page,
 * and the run has read no page with the whole thread, these are only the posts whose pages were read.
 */
function postsShown(
  thread: Thread,
  articles: readonly NavigationResult["articles"][number][],
  map: SiteMap,
): readonly Post[] {
  // If an article contains several posts, it was read from a page of the whole thread. The run should then have
  // read all posts of this thread.
  if (!map.messages || articles.some(({ posts }) => posts.length > 1)) return thread.posts;
  const urls = new Set(articles.map(({ url }) => keyOf(url)));
  const whole = map.threads?.[thread.id];
  if (whole !== undefined && urls.has(keyOf(whole))) return thread.posts;
  const own = thread.posts.filter(({ id }) => urls.has(keyOf(map.messages?.[id] ?? "/")));
  return own.length > 0 ? own : thread.posts;
}

function judgePost(
  post: Post,
  read: readonly { author: string | null; date: string | null; text: string }[],
): string {
  const words = plain(post.paragraphs.join(" "));
  const same = read.filter(({ text }) => plain(text).includes(words));
  if (same.length === 0) return "no text";
  // A text that Cairn has read may be somewhat longer than the post, because of a quote or a signature. A
  // much longer text contains several posts.
  const alone = same.filter(({ text }) => plain(text).length <= words.length * 1.6 + 200);
  if (alone.length === 0) return "text of several posts";
  const byAuthor = alone.filter(({ author }) => plain(author ?? "") === plain(post.author));
  if (byAuthor.length === 0) return `author ${alone[0]?.author} for ${post.author}`;
  const day = post.date.slice(0, 10);
  return byAuthor.some(({ date }) => date === day) ? "right" : `date ${byAuthor[0]?.date} for ${day}`;
}

function pageProblem(
  site: ForeignSite,
  page: Page,
  article: NavigationResult["articles"][number],
): string | null {
  const content = plain(article.content);
  const missing = page.paragraphs.filter((paragraph) => !content.includes(plain(paragraph)));
  if (missing.length > 0.1 * page.paragraphs.length) return `${missing.length} paragraphs missing`;
  const length = plain(page.paragraphs.join(" ")).length;
  if (content.length > 2 * length + 400) return `text of ${content.length} characters for ${length}`;
  if (!plain(article.title).includes(plain(page.title))) return `title "${article.title}"`;
  if (!site.signed) return null;
  if (plain(article.author ?? "") !== plain(page.author))
    return `author ${article.author} for ${page.author}`;
  return article.publish_date === page.date.slice(0, 10)
    ? null
    : `date ${article.publish_date} for ${page.date.slice(0, 10)}`;
}

/** Reduces a text to letters and digits. Differences in markup, quotes and typography are then ignored. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, "");
