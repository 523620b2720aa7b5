/** Tests how much of a page counts as new. Numbers, dates and words of the URL are masked before pages are compared. */
import { describe, expect, test } from "bun:test";
import {
  noveltyShare,
  pageLines,
} from "../../../../machines/exploration/crawl/masked-line-hashes-of-pages.ts";

function lines(url: string, content: string, title = "") {
  return pageLines({
    url: `http://e.com${url}`,
    title,
    content,
    isRelative: (href) => href.startsWith("/list"),
  });
}
const share = (page: ReturnType<typeof lines>, ...known: ReturnType<typeof lines>[]) =>
  noveltyShare(page, new Set(known.flatMap((each) => [...each.keys()])));

describe("the lines of a page, compared with earlier pages,", () => {
  test("do not count as new if only numbers, dates or words of the URL differ from earlier pages", () => {
    const one = lines("/shoes?colour=red&page=2", "# Red shoes, page 2\n\nSince Monday, 5 May 2031");
    const other = lines(
      "/shoes?colour=green&page=31",
      "# Green shoes, page 31\n\nSince Friday, 12 December 1999",
    );
    expect(share(other, one)).toBe(0);
  });

  test("do not count as new if only German or Russian names of months and weekdays differ from earlier pages", () => {
    const one = lines("/k/2031/05", "Mai 2031\nMontag\nдекабрь");
    expect(share(lines("/k/2031/12", "Dezember 2031\nFreitag\nянварь"), one)).toBe(0);
  });

  test("count as new in proportion to the number of words that differ from earlier pages", () => {
    const one = lines("/a", "first line here\nsecond line here");
    expect(share(lines("/b", "quite another text\nthat nobody wrote"), one)).toBe(1);
    expect(share(lines("/b", "first line here\nthird line here"), one)).toBe(0.5);
  });

  test("do not count as new if they contain only links to related pages, while other links are compared by their texts", () => {
    const one = lines(
      "/list?page=1",
      "Products\n- [Chair](/product/1)\n[2](/list?page=2) [next](/list?page=2)",
    );
    expect(share(lines("/list?page=2", "Products\n[more of it](/list?page=3)"), one)).toBe(0);
    expect(share(lines("/list?page=2", "Products\n- [Table](/product/2)"), one)).toBe(0.5);
  });

  test("count as new if they contain a new image, although the image's address differs from an earlier one only in a number", () => {
    const one = lines("/photo/1", "![photo](/images/1.jpg?size=m)");
    expect(share(lines("/photo/2", "![photo](/images/1.jpg?size=l)"), one)).toBe(0);
    expect(share(lines("/photo/2", "![photo](/images/2.jpg)"), one)).toBeGreaterThan(0.5);
  });

  test("do not count as new if they contain no words, such as a rule (---)", () => {
    expect(share(lines("/a", "---\n\n***"))).toBe(0);
  });
});
