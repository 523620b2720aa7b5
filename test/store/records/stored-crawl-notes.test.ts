/** Tests how the records of an exploration are stored: its notes about the site, and the URLs that it has skipped. */
import { afterAll, expect, test } from "bun:test";
import { memoryStore } from "../temporary-store.ts";

const temporary = await memoryStore();
afterAll(() => temporary.close());

test("the notes and skipped URLs of an exploration are stored apart from those of others, and skipped URLs are read in key order", async () => {
  const { store } = temporary;
  const left = (job_id: string, template: string, key: string) => {
    const id = [job_id, template, key] as const;
    return { id, job_id, url: `https://site.test/${key}`, depth: 2 };
  };
  const note = (job_id: string, name: string) => ({ id: [job_id, name] as const, job_id, note: name });
  await store.write([
    { op: "put", table: "crawl_note", rows: [note("mine", "a"), note("mine", "b"), note("other", "a")] },
    {
      op: "put",
      table: "left_url",
      rows: [
        left("mine", "t", "c"),
        left("mine", "t", "a"),
        left("mine", "t", "b"),
        left("mine", "tt", "a"),
        left("other", "t", "a"),
      ],
    },
  ]);
  expect(await store.memory.notes("mine")).toEqual([note("mine", "a"), note("mine", "b")]);
  expect(await store.memory.nextLeft("mine", "t", 2)).toEqual([
    left("mine", "t", "a"),
    left("mine", "t", "b"),
  ]);
  expect(
    await store.memory.left([
      ["mine", "tt", "a"],
      ["mine", "tt", "z"],
    ]),
  ).toEqual([left("mine", "tt", "a")]);
});
