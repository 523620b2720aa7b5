import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readPage } from "../../../actors/reading/index.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import { wordsOf } from "../../../machines/knowledge/screens/screen-name-index.ts";
import type { PageRecord } from "../../../machines/records/page-records.ts";
import type { PageTextRecord } from "../../../machines/records/search-text-records.ts";
import { storeLimits } from "../../../store/store-limits.ts";
import { pythonManual } from "../../e2e/support/python-manual-site.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { manualQueries } from "../python-manual-queries-with-answers.ts";
import { MAP, pageRow, textRow } from "../sample-store-rows.ts";
import { memoryStore } from "../temporary-store.ts";

const temporary = await memoryStore();
afterAll(() => temporary.close());

describe("the search in a small map", () => {
  const texts: readonly PageTextRecord[] = [
    textRow("orders", "Orders", "All orders of a customer. Refunds are under Invoices."),
    textRow(
      "invoices",
      "Invoices",
      "How to send an invoice, and how refunds of orders work. `billing.refund_all()` helps.",
    ),
    textRow("plan", "Edit TestPlan", "Name and product."),
    textRow("naive", "Naïve Übersicht", "Ein Überblick über die Straße."),
    textRow("chinese", "开始使用", "浏览器自动化的说明文档"),
  ];

  beforeAll(() =>
    temporary.store.write([
      {
        op: "put",
        table: "page_text",
        rows: [...texts, textRow("secret", "Orders elsewhere", "orders", "other")],
      },
      { op: "put", table: "page", rows: texts.map(({ id, body }) => pageRow(id[1], { content: body })) },
    ]),
  );
  const urls = async (query: string, map: string | undefined = MAP) =>
    (await temporary.store.search(map, query, 5)).map(({ url }) => url.slice("https://site.test/".length));

  test("finds pages with any of the words, and ranks a title above a body", async () => {
    expect(await urls("invoices nonsense")).toEqual(["invoices", "orders"]);
    expect((await urls("orders"))[0]).toBe("orders");
  });

  test("finds a page by the parts of a word in camel case in its title", async () => {
    expect(await urls("test plan")).toEqual(["plan"]);
    expect(await urls("testplan")).toEqual(["plan"]);
  });

  test("ranks a page above a state of a page, such as a dialog, that has the same words", async () => {
    const page = textRow("tickets", "Tickets", "The walrus sells a ticket.", "states");
    const state = textRow("screen:tickets~buy", "Tickets", "The walrus sells a ticket.", "states");
    const rows = [
      { ...page, url: "https://site.test/z" },
      { ...state, url: "https://site.test/a" },
    ];
    await temporary.store.write([{ op: "put", table: "page_text", rows }]);
    const found = await temporary.store.search("states", "walrus ticket", 5);
    expect(found.map(({ kind, id }) => [kind, id])).toEqual([
      ["page", expect.any(String)],
      ["screen", "tickets~buy"],
    ]);
  });

  test("ranks words in the opening of a page above frequent mentions", async () => {
    const filler = "Something else altogether is told here at some length. ".repeat(10);
    await temporary.store.write([
      {
        op: "put",
        table: "page_text",
        rows: [
          textRow(
            "clean",
            "clean(1)",
            `# clean(1)\n\nclean - Remove untracked files\n\n${filler}`,
            "openings",
          ),
          textRow("rm", "rm(1)", `# rm(1)\n\n${filler} ${"Remove untracked files. ".repeat(4)}`, "openings"),
          textRow(
            "guide",
            "Guide",
            `# Guide\n\n${filler} ${"Remove untracked files. ".repeat(9)}`,
            "openings",
          ),
        ],
      },
    ]);
    expect((await urls("remove untracked files", "openings"))[0]).toBe("clean");
  });

  test("ranks a page with most words of a question in one place above a page that repeats a word", async () => {
    const filler = "Something else altogether is told here at some length. ".repeat(10);
    await temporary.store.write([
      {
        op: "put",
        table: "page_text",
        rows: [
          textRow("first", "One", `# One\n\n${filler} ${"A table of contents. ".repeat(6)}`, "questions"),
          textRow("second", "Two", `# Two\n\n${filler} Split. ${filler} Big. ${filler} Table.`, "questions"),
          textRow(
            "third",
            "Three",
            `# Three\n\n${filler} To split a big table helps. ${filler}${filler}`,
            "questions",
          ),
        ],
      },
    ]);
    expect(await urls("how do I split a big table", "questions")).toEqual(["third", "second", "first"]);
  });

  test("finds other word forms, other accents and parts of identifiers", async () => {
    expect(await urls("refunding")).toEqual(["invoices", "orders"]);
    expect(await urls("naive ubersicht")).toEqual(["naive"]);
    expect(await urls("billing.refund_all")).toContain("invoices");
    expect(await urls("自动化")).toEqual(["chinese"]);
  });

  test("finds pages only in the given map, and in all maps if no map is given", async () => {
    expect(await urls("elsewhere")).toEqual([]);
    expect((await temporary.store.search(undefined, "elsewhere", 5)).map(({ title }) => title)).toEqual([
      "Orders elsewhere",
    ]);
  });

  test("finds a rewritten page by its new words, and not by its old words", async () => {
    await temporary.store.write([
      { op: "put", table: "page_text", rows: [textRow("changing", "Draft", "walrus")] },
    ]);
    expect(await urls("walrus")).toEqual(["changing"]);
    await temporary.store.write([
      { op: "put", table: "page_text", rows: [textRow("changing", "Final", "otter")] },
    ]);
    expect(await urls("walrus")).toEqual([]);
    expect(await urls("otter")).toEqual(["changing"]);
    await temporary.store.write([{ op: "remove", table: "page_text", ids: [[MAP, "changing"]] }]);
    expect(await urls("otter")).toEqual([]);
  });

  test("finds nothing for punctuation or for words that occur nowhere", async () => {
    for (const query of ["", "  ", "?!", "' OR 1=1; REMOVE TABLE page", "zzzz"]) {
      expect((await urls(query)).filter((url) => url === "zzzz")).toEqual([]);
    }
    expect(await urls("?! ''")).toEqual([]);
    expect(await temporary.store.search(MAP, "orders", 0)).toEqual([]);
  });
});

test("a search for a rare and a common word finds the page with both, and a search for the common word finds pages with it", async () => {
  const map = "harbours";
  const rows = Array.from({ length: 240 }, (_, at) => {
    const isLit = at < 40;
    const body = isLit ? `A lantern stands at place ${at}.` : `The harbour at place ${at} is open.`;
    return textRow(
      `place-${at}`,
      `Place ${at}`,
      at === 39 ? `${body} Each lantern shows the harbour.` : body,
      map,
    );
  });
  for (let at = 0; at < rows.length; at += 40)
    await temporary.store.write([{ op: "put", table: "page_text", rows: rows.slice(at, at + 40) }]);
  const urls = async (query: string) =>
    (await temporary.store.search(map, query, 5)).map(({ url }) => url.slice("https://site.test/".length));
  // The first search for "harbour" counts the pages that contain this word. Later searches use the stored
  // number.
  for (let time = 0; time < 2; time += 1) {
    expect(await urls("harbour")).toHaveLength(5);
    expect((await urls("lantern harbour"))[0]).toBe("place-39");
  }
  await temporary.store.write([
    { op: "put", table: "page_text", rows: [textRow("quay", "Quay", "A walrus swims in the harbour.", map)] },
  ]);
  const found = await urls("walrus harbour");
  expect(found[0]).toBe("quay");
  expect(found).toHaveLength(5);
});

describe("the search in a real manual", () => {
  const map = "manual";
  const texts: PageTextRecord[] = [];
  /** The pages that answer the queries. They are searched in both tiers. */
  const ANSWERS = new Set(manualQueries.flatMap(([, wanted]) => wanted));
  /**
   * Pages that answer no query are searched too: each of them in the full tier, and every twelfth in the fast
   * tier.
   */
  const SHARE = isFull ? 1 : 12;

  beforeAll(async () => {
    const folder = await pythonManual();
    const pages: PageRecord[] = [];
    const all = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".html")).sort();
    const files = all.filter((file, at) => at % SHARE === 0 || ANSWERS.has(file.slice(0, -".html".length)));
    for (const file of files) {
      const url = `http://manual.test/${file}`;
      const page = readPage({ url, html: await readFile(join(folder, file), "utf8") });
      const key = file.slice(0, -".html".length);
      pages.push(
        pageRow(key, { knowledge_id: map, id: [map, key], url, title: page.title, content: page.content }),
      );
      texts.push({
        id: [map, key],
        knowledge_id: map,
        url,
        title: page.title,
        headings: page.headings.join("\n"),
        url_words: wordsOf(new URL(url).pathname).join(" "),
        body: page.content,
      });
    }
    for (let at = 0; at < pages.length; at += knowledgeLimits.indexBatch) {
      await temporary.store.write([
        { op: "put", table: "page", rows: pages.slice(at, at + knowledgeLimits.indexBatch) },
        { op: "put", table: "page_text", rows: texts.slice(at, at + knowledgeLimits.indexBatch) },
      ]);
    }
  }, 120_000);

  test.if(isFull)(
    "has the right page among the first three hits, in all but one of twenty queries",
    async () => {
      expect(texts.length).toBeGreaterThan(400);
      const missed: string[] = [];
      let first = 0;
      for (const [query, wanted] of manualQueries) {
        const hits = await temporary.store.search(map, query, 5);
        const found = hits.map(({ url }) => url.slice("http://manual.test/".length, -".html".length));
        const place = found.findIndex((page) => wanted.includes(page));
        if (place === 0) first += 1;
        if (place < 0 || place > 2) missed.push(`${query}: ${found.slice(0, 3).join(", ")}`);
      }
      expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(manualQueries.length / 20);
      expect(first).toBeGreaterThanOrEqual(manualQueries.length * 0.7);
    },
    60_000,
  );

  test("returns plain-text snippets with the query words, best hit first", async () => {
    const hits = await temporary.store.search(map, "temporary files", 10);
    expect(hits).toHaveLength(10);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
    for (const { snippet } of hits) {
      expect(snippet.length).toBeLessThanOrEqual(storeLimits.snippet);
      expect(snippet).not.toMatch(/\]\(|\n/);
    }
    expect(hits[0]?.snippet.toLowerCase()).toMatch(/temporary file/);
  });
});
