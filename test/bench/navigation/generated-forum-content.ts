/**
 * Generates the content of a forum or a mailing list: boards, threads and posts for which the right answers
 * are known.
 */
import { type Language, phrases } from "./bench-sentences.ts";
import { type Choose, chooser, DAY, HOUR, type Question } from "./navigation-bench-question-types.ts";

export interface Post {
  readonly id: string;
  readonly author: string;
  /** Date of the post or article in ISO format, in UTC. */
  readonly date: string;
  readonly paragraphs: readonly string[];
}

export interface Thread {
  readonly id: string;
  readonly board: string;
  readonly title: string;
  readonly pinned: boolean;
  /**
   * Name of the topic that the thread is about; `null` if the thread's topic is not in the list of generated
   * topics.
   */
  readonly topic: string | null;
  readonly posts: readonly Post[];
}

export interface ForumWorld {
  readonly kind: "forum";
  readonly language: Language;
  readonly boards: readonly { readonly id: string; readonly title: string; readonly description: string }[];
  readonly authors: readonly string[];
  readonly threads: readonly Thread[];
  readonly questions: readonly Question[];
}

export interface ForumPlan {
  readonly seed: number;
  readonly language: Language;
  readonly topics: readonly string[];
  readonly authors: readonly string[];
  /** Number of threads about topics for which no question asks. */
  readonly others: number;
  readonly now: number;
}

export function forumWorld(plan: ForumPlan): ForumWorld {
  const words = phrases[plan.language];
  const choose = chooser(plan.seed);
  const boards = words.boards.map(([title, description], index) => ({ id: `b${index}`, title, description }));
  const threads: Thread[] = [];
  let postIds = 0;
  const add = (
    board: string,
    title: string,
    topic: string | null,
    length: number,
    newestDaysAgo: number,
    pinned = false,
  ) => {
    // The time of each post is near noon, so that its date is the same in every time zone.
    const newest = noonOf(plan.now - newestDaysAgo * DAY) + choose.number(-3, 3) * HOUR;
    const dates = [newest];
    while (dates.length < length) {
      dates.unshift(noonOf((dates[0] ?? newest) - choose.number(0, 2) * DAY) - choose.number(1, 4) * HOUR);
    }
    dates.sort((a, b) => a - b);
    const posts = dates.map((date, index) => ({
      id: `p${postIds++}`,
      author: choose.of(plan.authors),
      date: new Date(date).toISOString(),
      paragraphs: postText(choose, plan.language, topic, index),
    }));
    threads.push({ id: `t${threads.length}`, board, title, pinned, topic, posts });
  };
  for (const { id } of boards) add(id, words.rules[0], null, 1, 300, true);
  for (const topic of plan.topics) {
    words.topicTitles.forEach((template, index) => {
      // Two of three threads are at most 20 days old, and the third is at least 60 days old. A question about
      // the last month thus has a clear answer, because no thread is about a month old.
      const age = index % 3 === 2 ? choose.number(60, 500) : choose.number(1, 20);
      const length = index === 1 ? 34 : choose.number(2, 9);
      add(boards[0]?.id ?? "b0", template.replaceAll("{T}", topic), topic, length, age);
    });
  }
  for (let index = 0; index < plan.others; index++) {
    const title = words.otherTitles[index % words.otherTitles.length] ?? "";
    const again =
      index >= words.otherTitles.length ? ` (${Math.floor(index / words.otherTitles.length) + 1})` : "";
    const board = boards[index % Math.min(3, boards.length)];
    add(board?.id ?? "b0", title + again, null, choose.number(1, 6), choose.number(1, 400));
  }
  return {
    kind: "forum",
    language: plan.language,
    boards,
    authors: plan.authors,
    threads,
    questions: questionsOf(threads, plan),
  };
}

function postText(choose: Choose, language: Language, topic: string | null, index: number): string[] {
  const words = phrases[language];
  const fill = (sentence: string) =>
    sentence
      .replaceAll("{T}", topic ?? "")
      .replaceAll("{n}", String(choose.number(2, 90)))
      .replaceAll("{p}", choose.of(words.places));
  const sentences: string[] = [];
  const aboutTopic = topic !== null && (index === 0 || choose.number(0, 9) < 6);
  if (aboutTopic) sentences.push(fill(choose.of(words.topical)));
  const more = choose.number(1, 4);
  for (let count = 0; count < more; count++) sentences.push(fill(choose.of(words.general)));
  // Each post contains a unique number, so that no two posts are equal.
  const half = Math.ceil(sentences.length / 2);
  return sentences.length > 3
    ? [sentences.slice(0, half).join(" "), sentences.slice(half).join(" ")]
    : [sentences.join(" ")];
}

function questionsOf(threads: readonly Thread[], plan: ForumPlan): Question[] {
  const about = (topic: string | undefined, days?: number) =>
    threads
      .filter((thread) => {
        const newest = Date.parse(thread.posts.at(-1)?.date ?? "");
        return thread.topic === topic && (days === undefined || plan.now - newest <= days * DAY);
      })
      .map(({ id }) => id);
  const [first, second] = plan.topics;
  const long = threads.find(({ topic, posts }) => topic === first && posts.length > 20);
  const question = (id: string, prompt: string, seed: string, expected: readonly string[]): Question => ({
    id,
    prompt,
    seed,
    expected,
    request: { max_articles: 40 },
  });
  return [
    question(
      "month",
      `Go to the forum and find out what people are saying about ${first} in the last month`,
      "index",
      about(first, 30),
    ),
    question("board", `Collect the discussions about ${second}`, "board:b0", about(second)),
    question("thread", "Summarize this thread", `thread:${long?.id}`, long ? [long.id] : []),
    question("nothing", "What do people say about Quexterine in the forum", "index", []),
  ];
}

const noonOf = (time: number) => Math.floor(time / DAY) * DAY + 12 * HOUR;
