/**
 * Tests the parser thread: it returns the same results for long documents as the inline parser, and each
 * document has a time limit.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { readPage } from "../../../../actors/reading/index.ts";
import { ParseWorker } from "../../../../actors/reading/parse/page-parse-worker.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";

const source = (html: string) => ({ url: "http://example.com/long", html, now: 0 });
const page = `<title>Long</title><main><h1>Words</h1>${'<p>Some <a href="/x">words</a> and more.</p>'.repeat(20_000)}</main>`;
/**
 * None of the three million end tags matches one of the 19,999 open tags. The parser takes far longer than
 * any time limit to compare each end tag with each open tag.
 */
const hostile = "<b>".repeat(19_999) + "</i>".repeat(3_000_000);

describe("the parser thread", () => {
  let apart: ParseWorker;
  afterEach(() => apart.close());

  test.if(isFull)(
    "returns the same page as the inline parser, which runs in the caller's thread",
    async () => {
      apart = new ParseWorker();
      // The parser thread returns a page as JSON, which has no undefined fields. So the expected page is
      // converted to JSON and back, too.
      const here = JSON.parse(JSON.stringify(readPage(source(page))));
      expect(await apart.read(source(page))).toEqual(here);
    },
  );

  test.if(isFull)("parses documents one at a time without blocking the calling thread", async () => {
    apart = new ParseWorker();
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const read = await Promise.all([1, 2, 3].map(() => apart.read(source(page))));
    clearInterval(timer);
    expect(read.map((one) => "title" in one && one.title)).toEqual(["Long", "Long", "Long"]);
    expect(turns).toBeGreaterThan(10);
  });

  test("fails a document after its time limit, and parses the next", async () => {
    apart = new ParseWorker(2_000);
    const [late, next] = await Promise.all([
      apart.read(source(hostile)),
      apart.read(source("<title>Next</title>")),
    ]);
    expect(late).toMatchObject({ kind: "failed", code: "reading.too_complex", retryable: false });
    expect(next).toMatchObject({ title: "Next" });
  });

  test.if(isFull)("reports that it is idle after the last document, or after a maximum time", async () => {
    apart = new ParseWorker(60_000);
    await apart.whenIdle();
    await apart.read(source("<title>First</title>"));
    let read = false;
    void apart.read(source("<title>Short</title>")).then(() => {
      read = true;
    });
    await apart.whenIdle();
    expect(read).toBe(true);
    let late = false;
    void apart.read(source(hostile)).then(() => {
      late = true;
    });
    await apart.whenIdle();
    expect(late).toBe(false);
  });

  test("fails pending documents when it is closed", async () => {
    apart = new ParseWorker();
    const both = [apart.read(source(page)), apart.read(source(page))];
    apart.close();
    for (const one of await Promise.all(both)) expect(one).toMatchObject({ code: "reading.too_complex" });
  });
});
