import { expect, test } from "bun:test";
import { judgeRelevance } from "../../../machines/navigation/text-relevance-score.ts";

const judge = (topic: string, title: string, content: string) =>
  judgeRelevance({ topic, entities: [] }, { title, content, about: "" }).relevant;

test.each([
  ["a wiki (MediaWiki, DokuWiki)", "A deep moor.\n\nSee also [Ister river](/wiki/Ister_river)."],
  ["related articles", "A deep moor.\n\n- [The Ister river and its bridges](/a)\n- [Wolves](/b)"],
])("a page that names the topic only in links to other pages (%s) is not relevant", (_, content) => {
  expect(judge("Ister river", "Moor", content)).toBe(false);
  expect(judge("moor", "Nature", content)).toBe(true);
});

test("a page whose sentences name the topic is relevant, even if the name is a link", () => {
  const content = "The moor is fed by the [Ister river](/wiki/Ister_river) from the north.";
  expect(judge("Ister river", "Moor", content)).toBe(true);
});

test("a page that contains only a link with the name of the topic is relevant to the topic", () => {
  expect(judge("Ister river", "Index", "- [Ister river](/wiki/Ister_river)")).toBe(true);
});
