/** Tests that the inline parser lets other work of its thread run between two documents. */
import { expect, test } from "bun:test";
import { setImmediate } from "node:timers";
import { InlineParser } from "../../../../actors/reading/parse/same-thread-page-parser.ts";

const page = (title: string) => ({
  url: `https://shop.example/${title}`,
  html: `<!doctype html><title>${title}</title><p>Something to read.</p>`,
  now: Date.parse("2026-11-01T00:00:00Z"),
  robot: "cairn",
});

test("the inline parser (in the caller's thread) parses simultaneous documents in order", async () => {
  const here = new InlineParser();
  const pages = await Promise.all(["one", "two", "three"].map((title) => here.read(page(title))));
  expect(pages.map(({ title }) => title)).toEqual(["one", "two", "three"]);
});

test("the inline parser (in the caller's thread) lets other work run between documents", async () => {
  const here = new InlineParser();
  const order: string[] = [];
  const read = async (title: string): Promise<void> => {
    await here.read(page(title));
    order.push(title);
    if (title === "one") setImmediate(() => order.push("something else"));
  };
  await Promise.all(["one", "two", "three", "four"].map(read));
  expect(order.indexOf("something else")).toBeGreaterThan(0);
  expect(order.indexOf("something else")).toBeLessThan(order.indexOf("four"));
});

test("a document that breaks the inline parser (in the caller's thread) fails without effect on other documents", async () => {
  const here = new InlineParser();
  const broken = here.read({ ...page("broken"), url: "no address" });
  const next = here.read(page("next"));
  await expect(broken).rejects.toThrow();
  expect((await next).title).toBe("next");
});
