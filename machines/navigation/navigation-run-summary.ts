/**
 * Prepares the result of a navigation run: removes duplicate articles, and writes a summary in which each
 * sentence names its source.
 */

import { urlKey } from "../exploration/crawl/normalise-url.ts";
import { isNearDuplicate, simHash } from "../exploration/crawl/simhash.ts";
import { DAY } from "../time-and-size-units.ts";
import { areInOneArchive } from "./monthly-archive-addresses.ts";
import { navigationLimits } from "./navigation-run-limits.ts";
import type { Article, Intent, NavigationResult } from "./navigation-run-schemas.ts";
import { subjectOf } from "./subject-of-reply.ts";
import { coverage, termsOf } from "./text-relevance-score.ts";

/** Minimum and maximum length of a sentence in a summary, in characters. */
const SENTENCE = { least: 30, most: 400 } as const;

/** Matches the mark of a quoted line of mail. A quoted sentence is not the author's own. */
const QUOTED = /(?:^|\s)>\s/;

/** Returns the first day of a time range as `YYYY-MM-DD`; `null` without a time range. */
export function firstDay(days: number | null, now: number): string | null {
  return days === null ? null : new Date(now - days * DAY).toISOString().slice(0, 10);
}

/**
 * Keeps the longest of several articles with the same address or nearly the same content. With a time range,
 * only articles dated within the range are kept. If there are none, those without a date are kept.
 */
export function deduplicate(articles: readonly Article[], since: string | null): readonly Article[] {
  const byUrl = new Map<string, Article>();
  for (const article of articles) {
    const key = urlKey(article.url);
    const known = byUrl.get(key);
    if (!known || known.content.length < article.content.length) byUrl.set(key, article);
  }
  const kept: { readonly article: Article; readonly signature: string | undefined }[] = [];
  for (const article of [...byUrl.values()].sort((a, b) => b.content.length - a.content.length)) {
    const signature = simHash(article.content);
    const copied = kept.some(
      (other) =>
        signature !== undefined &&
        other.signature !== undefined &&
        isNearDuplicate(signature, other.signature),
    );
    if (!copied) kept.push({ article, signature });
  }
  const distinct = new Set(kept.map(({ article }) => article));
  const inOrder = articles.filter((article) => distinct.has(article));
  if (since === null) return inOrder;
  const dated = inOrder.filter(({ publish_date }) => publish_date !== null && publish_date >= since);
  return dated.length > 0 ? dated : inOrder.filter(({ publish_date }) => publish_date === null);
}

/**
 * Joins articles that are parts of one thread. A thread of an archive may continue in the next month, so its
 * parts are found in two lists. The joined thread has the address and title of the part found first, and the
 * posts of all parts by date.
 */
export function joinThreads(articles: readonly Article[]): readonly Article[] {
  const joined: Article[] = [];
  for (const article of articles) {
    const at = joined.findIndex((earlier) => isSameThread(earlier, article));
    const earlier = joined[at];
    if (earlier) joined[at] = withPostsOf(earlier, article);
    else joined.push(article);
  }
  return joined;
}

function isSameThread(one: Article, other: Article): boolean {
  return (
    one.metadata.single_messages === true &&
    other.metadata.single_messages === true &&
    subjectOf(one.title) === subjectOf(other.title) &&
    areInOneArchive(one.url, other.url)
  );
}

function withPostsOf(one: Article, other: Article): Article {
  const seen = new Set<string>();
  const posts = [...one.posts, ...other.posts]
    .filter(({ author, date, text }) => {
      const key = `${author}\n${date}\n${text}`;
      return !seen.has(key) && seen.add(key);
    })
    .sort((a, b) => (a.date ?? "").localeCompare(b.date ?? ""));
  const isLater = posts[0] !== undefined && other.posts.includes(posts[0]);
  const contents = isLater ? [other.content, one.content] : [one.content, other.content];
  const publish_date = [one.publish_date, other.publish_date]
    .flatMap((date) => date ?? [])
    .sort()
    .at(-1);
  return {
    ...one,
    content: contents.join("\n\n").slice(0, navigationLimits.articleLength),
    author: posts[0]?.author ?? one.author,
    publish_date: publish_date ?? null,
    posts,
    metadata: { ...one.metadata, post_count: posts.length, author: posts[0]?.author ?? one.author },
  };
}

/** Returns the sentences that match the request best, in the order of their articles. */
export function summarise(articles: readonly Article[], intent: Intent): NavigationResult["summary"] {
  if (articles.length === 0) return { text: "Nothing was found that fits the request.", sources: [] };
  const terms = termsOf(intent.topic);
  const sentences = articles.flatMap((article, index) =>
    sentencesOf(article).map((text, at) => ({
      text,
      index,
      at,
      // The first sentences of a text get a higher weight, because texts usually state the main point first.
      score: coverage(terms, text).score + 0.3 / (1 + at),
    })),
  );
  const chosen: typeof sentences = [];
  const perArticle = Math.max(1, Math.ceil(navigationLimits.summarySentences / articles.length));
  for (const sentence of sentences.sort((a, b) => b.score - a.score)) {
    if (chosen.length === navigationLimits.summarySentences) break;
    const own = chosen.filter(({ index }) => index === sentence.index).length;
    if (own < perArticle && chosen.every(({ text }) => text !== sentence.text)) chosen.push(sentence);
  }
  const ordered = chosen.sort((a, b) => a.index - b.index || a.at - b.at);
  const used = [...new Set(ordered.map(({ index }) => index))];
  return {
    text: ordered.map(({ text, index }) => `${text} [${used.indexOf(index) + 1}]`).join(" "),
    sources: used.flatMap((index) => {
      const article = articles[index];
      return article ? [{ url: article.url, title: article.title }] : [];
    }),
  };
}

function sentencesOf({ posts, content }: Article): readonly string[] {
  const text = posts.length > 0 ? posts.map((post) => post.text).join("\n") : content;
  return text
    .split(/\n+/)
    .map((line) =>
      line
        .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .trim(),
    )
    .filter((line) => !/^(?:[#>|*-]|\d+\.|```)/.test(line))
    .flatMap((line) => line.split(/(?<=[.!?。！？])\s+/u))
    .map((sentence) => sentence.replace(/[*_`\\]/g, "").trim())
    .filter((sentence) => !QUOTED.test(sentence))
    .filter((sentence) => sentence.length >= SENTENCE.least && sentence.length <= SENTENCE.most);
}
