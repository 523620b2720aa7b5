import { expect, test } from "bun:test";
import type { Article, Intent } from "../../../machines/navigation/navigation-run-schemas.ts";
import { joinThreads, summarise } from "../../../machines/navigation/navigation-run-summary.ts";

const post = (author: string, date: string) => ({ author, date, text: `${author} wrote this on ${date}.` });

function thread(path: string, title: string, posts: Article["posts"]): Article {
  return {
    url: `https://lists.example${path}`,
    title,
    content: posts.map(({ text }) => text).join("\n\n"),
    publish_date: posts.at(-1)?.date ?? null,
    author: posts[0]?.author ?? null,
    posts,
    page_type: "forum_thread",
    relevance_score: 1,
    relevance_reason: "It has pump.",
    metadata: { post_count: posts.length, single_messages: true },
    provenance: {
      seed_url: "https://lists.example/talk/",
      path: [],
      depth: 1,
      rendered_by: "http",
      decided_by: "structure",
      fetched_at: "2026-11-20T12:00:00.000Z",
    },
  };
}

const november = thread("/talk/2026-11/msg7.html", "Noisy pump", [
  post("bert", "2026-11-02"),
  post("cora", "2026-11-09"),
]);
const october = thread("/talk/2026-10/msg3.html", "noisy pump", [
  post("ada", "2026-10-29"),
  post("bert", "2026-11-02"),
]);

test("the posts of a thread that are in the archives of two months become one thread", () => {
  const joined = joinThreads([november, october]);
  expect(joined).toHaveLength(1);
  expect(joined[0]).toMatchObject({
    url: november.url,
    title: "Noisy pump",
    author: "ada",
    publish_date: "2026-11-09",
    metadata: { post_count: 3 },
  });
  expect(joined[0]?.posts.map(({ date }) => date)).toEqual(["2026-10-29", "2026-11-02", "2026-11-09"]);
  expect(joined[0]?.content.startsWith("ada wrote")).toBe(true);
});

test("the posts of a thread that are on two pages of one mailing list become one thread", () => {
  const [first, second] = ["/talk/msg3.html", "/talk/msg7.html"].map((path, index) =>
    thread(path, "Noisy pump", [post(["ada", "bert"][index] ?? "", `2026-11-0${index + 1}`)]),
  );
  if (first && second) expect(joinThreads([first, second])[0]?.posts).toHaveLength(2);
});

test.each([
  ["about another subject", thread("/talk/2026-10/msg4.html", "Noisy pipe", october.posts)],
  ["from another list", thread("/news/2026-10/msg3.html", "Noisy pump", october.posts)],
  ["in another folder", thread("/old/msg3.html", "Noisy pump", october.posts)],
  ["a list of all posts of its thread", { ...october, metadata: { post_count: 2 } }],
])("two articles are not joined into one thread if one is %s", (_, other) => {
  expect(joinThreads([november, other])).toEqual([november, other]);
});

test("the summary of a navigation run leaves out sentences that a message quotes from another message", () => {
  const quoting = thread("/talk/msg3.html", "Noisy pump", [
    {
      author: "bert",
      date: "2026-11-02",
      text: "ada wrote: > The pump makes a noise in our cellar at night. Mine was quiet after I put rubber under the pump.",
    },
  ]);
  const intent: Intent = {
    topic: "pump",
    target_section: "",
    time_range_days: null,
    entities: [],
    max_articles: null,
    output: "summary",
  };
  expect(summarise([quoting], intent)?.text).toBe("Mine was quiet after I put rubber under the pump. [1]");
});
