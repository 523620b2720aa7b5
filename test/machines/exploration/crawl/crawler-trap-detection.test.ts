import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Template, templateOf } from "../../../../machines/exploration/crawl/crawl-url-template.ts";
import { TrapWatch } from "../../../../machines/exploration/crawl/crawler-trap-detection.ts";
import { pageLines } from "../../../../machines/exploration/crawl/masked-line-hashes-of-pages.ts";
import { explorationLimits } from "../../../../machines/exploration/exploration-limits.ts";

const MOST = explorationLimits.pagesWithoutNovelty;
const FRESH = { template: undefined, is: "fresh" } as const;

function template(path: string): Template {
  const found = templateOf(`http://e.com${path}`);
  if (!found) throw new Error(`${path} has no template.`);
  return found;
}

function lines(path: string, content: string) {
  return pageLines({ url: `http://e.com${path}`, title: "", content, isRelative: () => false });
}

/**
 * Reports a stored page to the crawler-trap detection. The page links to `newWithin` new URLs of its own URL
 * template, and to `newBeyond` new URLs of other templates.
 */
function learn(watch: TrapWatch, path: string, content: string, newWithin = 1, newBeyond = 0) {
  return watch.learn({
    template: template(path),
    url: `http://e.com${path}`,
    lines: lines(path, content),
    queued: true,
    newWithin,
    newBeyond,
  });
}

describe("the detection of crawler traps (endless generated URLs)", () => {
  test("admits at first only a limited number of variations of a URL", () => {
    const watch = new TrapWatch("job", []);
    const admitted = Array.from({ length: 30 }, (_, n) => watch.admits(template(`/c?month=${n}`), FRESH));
    expect(admitted.filter(Boolean)).toHaveLength(MOST);
  });

  test("admits variations of a URL that were left out at first, after other variations had new content", () => {
    const watch = new TrapWatch("job", []);
    const months = template("/c?month=1");
    for (let n = 0; n < 10; n++) watch.admits(months, FRESH);
    watch.left(months, 5);
    expect(watch.openings()).toEqual([]);
    learn(watch, "/c?month=1", "nothing to compare with");
    for (let n = 2; n <= 10; n++)
      expect(learn(watch, `/c?month=${n}`, `words of chapter ${"abcdefghij"[n - 1]}x`)).toBe("fresh");
    expect(watch.openings()).toMatchObject([{ slots: 5 }]);
  });

  test("admits URLs with increasing numbers until many pages in a chain have no new content", () => {
    const watch = new TrapWatch("job", []);
    for (let n = 1; n <= MOST; n++) {
      expect(
        watch.admits(
          template(`/list/${n}`),
          n === 1 ? FRESH : { template: template(`/list/${n - 1}`), is: "barren" },
        ),
      ).toBe(true);
      learn(watch, `/list/${n}`, "nothing on this page");
    }
    const last = { template: template("/list/10"), is: "barren" } as const;
    expect(watch.admits(template("/list/11"), last)).toBe(false);
    // `FRESH` means that the link was found on a page with new content. Such a link is followed, although the chain
    // of pages before it had no new content.
    expect(watch.admits(template("/list/500"), FRESH)).toBe(true);
  });

  test("does not treat pages as a chain if each links to several new pages or to none", () => {
    const watch = new TrapWatch("job", []);
    for (let n = 1; n <= 200; n++) learn(watch, `/p/${n}`, "thin page", n % 2 === 0 ? 2 : 0);
    expect(watch.admits(template("/p/999"), { template: template("/p/200"), is: "barren" })).toBe(true);
    expect(watch.reports()).toEqual([]);
  });

  test("still admits one page of each further variant of a URL after other variants had no new content", () => {
    const watch = new TrapWatch("job", []);
    for (let n = 0; n < MOST; n++) {
      watch.admits(template(`/s?a=x${n}`), FRESH);
      learn(watch, `/s?a=x${n}`, "the same list of shoes");
    }
    expect(watch.admits(template("/s?a=y"), FRESH)).toBe(false);
    expect([1, 2, 3].map(() => watch.admits(template("/s?a=1&b=2"), FRESH))).toEqual([true, false, false]);
  });

  test("admits more URLs of a variant (/Special:LinksTo/…) if its first URL returned no page, up to a limit", () => {
    const watch = new TrapWatch("job", []);
    for (let n = 0; n < MOST; n++) {
      watch.admits(template(`/Special:Report${"abcdefghij"[n]}`), FRESH);
      learn(watch, `/Special:Report${"abcdefghij"[n]}`, "an empty report");
    }
    const links = (name: string) => template(`/Special:LinksTo/${name}`);
    expect(watch.admits(links("Mill"), FRESH)).toBe(true);
    expect(watch.admits(links("Tower"), FRESH)).toBe(false);
    watch.recordNoPage(links("Mill"));
    expect(watch.admits(links("Tower"), FRESH)).toBe(true);
    learn(watch, "/Special:LinksTo/Tower", "pages that link to Tower");
    expect(watch.admits(links("Bridge"), FRESH)).toBe(false);

    const missing = () => watch.admits(template("/Special:Missing/Mill"), FRESH);
    let tried = 0;
    for (; missing(); tried++) watch.recordNoPage(template("/Special:Missing/Mill"));
    expect(tried).toBeGreaterThan(1);
    expect(tried).toBeLessThan(MOST);
  });

  test("does not count the text of the history pages of a wiki as new", () => {
    const watch = new TrapWatch("job", []);
    learn(watch, "/w/A?action=history", "what happened to A");
    expect(learn(watch, "/w/B?action=history", "something quite different")).toBe("barren");
    expect(learn(watch, "/w/Special:AllPages", "all pages", 0, 7)).toBe("fresh");
  });

  test("reports traps with examples, the largest first", () => {
    const watch = new TrapWatch("job", []);
    learn(watch, "/c?month=1", "x");
    watch.left(template("/c?month=2"), 3);
    watch.left(template("/d?a=1&b=2"), 9);
    watch.odd("soft_404", "http://e.com/gone");
    expect(watch.reports()).toEqual([
      { kind: "parameters", pattern: "e.com/d ?a&b", pages: 0, left_out: 9, examples: [] },
      {
        kind: "calendar",
        pattern: "e.com/c ?month",
        pages: 1,
        left_out: 3,
        examples: ["http://e.com/c?month=1"],
      },
      { kind: "soft_404", pattern: "*", pages: 0, left_out: 1, examples: ["http://e.com/gone"] },
    ]);
  });

  test("makes the same decisions after it is restored from its stored state", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.constantFrom("/l/", "/c?month=", "/s?a=x&b="), fc.nat({ max: 40 }), fc.boolean()),
          { maxLength: 60 },
        ),
        fc.nat({ max: 60 }),
        (steps, stop) => {
          const going = new TrapWatch("job", []);
          let stopped = new TrapWatch("job", []);
          // A URL family (URLs that differ only in a variable part) is stored only after its second page. So
          // both `TrapWatch` objects first learn two pages of each family.
          for (const watch of [going, stopped])
            for (const path of ["/l/", "/c?month=", "/s?a=x&b="])
              for (const n of [98, 99]) learn(watch, path + n, "same");
          const kept = new Map(stopped.changes().map((note) => [note.id[1], note]));
          for (const [at, [path, n, fresh]] of steps.entries()) {
            const verdicts = [going, stopped].map((watch) => {
              const admitted = watch.admits(template(path + n), FRESH);
              return [
                admitted,
                admitted && learn(watch, path + n, fresh ? `text ${"abcdefghijklmnop"[n % 16]}` : "same"),
              ];
            });
            expect(verdicts[0]).toEqual(verdicts[1] ?? []);
            for (const note of stopped.changes()) kept.set(note.id[1], note);
            if (at === stop) stopped = new TrapWatch("job", [...kept.values()]);
          }
          expect(stopped.reports()).toEqual(going.reports());
        },
      ),
    );
  });

  test("remembers a limited number of variants of a URL", () => {
    const watch = new TrapWatch("job", []);
    for (let n = 0; n < explorationLimits.variants + 50; n++) {
      const variant = watch.place(
        template(`/v?${"abcdefghij"[n % 10]}${"abcdefghijklmnopqrst"[Math.floor(n / 10)]}=x`),
      );
      watch.admits(variant, FRESH);
    }
    const [note] = watch.changes();
    expect(Object.keys(JSON.parse(note?.note ?? "{}").variants).length).toBeLessThanOrEqual(
      explorationLimits.variants + 1,
    );
  });
});
