import { describe, expect, test } from "bun:test";
import { readIntent } from "../../../machines/navigation/intent-of-prompt.ts";

const NOW = Date.UTC(2031, 4, 20);
const read = (prompt: string) => readIntent(prompt, NOW);

describe("the intent derived from a prompt", () => {
  test.each([
    [
      "Go to the forum page from the forum section and find out what people are saying about Marico in the last month",
      "Marico",
      "forum",
      30,
      ["Marico"],
    ],
    ["Summarize Marico news from last week", "Marico", "news", 7, ["Marico"]],
    ["Summarize this article", "", "", null, []],
    ["What are the latest headlines about solar panels since March?", "solar panels", "news", 80, []],
    [
      'Find discussions of "heat pump noise" in the past 3 days',
      "heat pump noise",
      "forum",
      3,
      ["heat pump noise"],
    ],
    ["Show me everything on Rust Belt since 2031-05-01", "everything Rust Belt", "", 19, ["Rust Belt"]],
  ] as const)(
    "has the expected topic, section and time range for %p",
    (prompt, topic, target_section, time_range_days, entities) => {
      expect(read(prompt)).toMatchObject({ topic, target_section, time_range_days, entities: [...entities] });
    },
  );

  test("contains the requested number of articles, which is not confused with a number of days", () => {
    expect(read("List the top 5 articles about tea").max_articles).toBe(5);
    expect(read("Read three stories about tea").max_articles).toBe(3);
    expect(read("News of the last 5 days about tea").max_articles).toBeNull();
    expect(read("List the top 5 articles about tea").output).toBe("list");
  });
});
