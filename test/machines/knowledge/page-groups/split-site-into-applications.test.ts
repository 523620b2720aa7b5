/** Tests the split of a site's pages into its applications, such as an administration beside a manual. */
import { describe, expect, test } from "bun:test";
import { applicationsOf } from "../../../../machines/knowledge/page-groups/split-site-into-applications.ts";
import { sketchOf } from "../../../../machines/knowledge/screens/page-feature-sketch.ts";

interface LinkedPage {
  readonly screen_id: string;
  readonly url: string;
  readonly structure: string;
  readonly links: readonly string[];
}

/**
 * Creates a page whose structure has 20 features of its template, and 10 features that no other page has.
 * @param frame the name of the template
 */
const page = (path: string, frame: string, links: readonly string[]): LinkedPage => ({
  screen_id: path,
  url: `https://a.example${path}`,
  structure: sketchOf([
    ...Array.from({ length: 20 }, (_, at) => `${frame} ${at}`),
    ...Array.from({ length: 10 }, (_, at) => `${path} ${at}`),
  ]),
  links,
});

const pagesIn = (base: string, frame: string, linked = base) =>
  ["users", "devices", "log", "settings", "update", "apps"].map((name, _, names) =>
    page(
      `${base}${name}`,
      frame,
      names.map((other) => `${linked}${other}`),
    ),
  );

/** Returns the number of pages of each application. */
const sizes = (pages: readonly LinkedPage[]) =>
  applicationsOf(pages, (from) => {
    const counts = new Map<string, number>();
    for (const { links } of from) for (const link of links) counts.set(link, (counts.get(link) ?? 0) + 1);
    return counts;
  })
    .map((own) => own.length)
    .sort((a, b) => a - b);

describe("folders of a site are two applications", () => {
  test("if neither their templates nor their menus have anything in common", () => {
    expect(sizes([...pagesIn("/admin/#/", "admin"), ...pagesIn("/manual/", "manual")])).toEqual([6, 6]);
  });

  test("if another page of the site has the template of only one of them, to which that page then belongs", () => {
    const pages = [...pagesIn("/admin/#/", "admin"), ...pagesIn("/manual/", "manual")];
    expect(sizes([...pages, page("/help", "manual", [])])).toEqual([6, 7]);
    expect(sizes([...pages, page("/help", "other", [])])).toEqual([1, 6, 6]);
  });
});

describe("folders of a site are one application", () => {
  test("if they have the same template, as the repositories of a code host have", () => {
    expect(sizes([...pagesIn("/town/", "code"), ...pagesIn("/mill/", "code")])).toEqual([12]);
  });

  test("if they have the same menu", () => {
    expect(sizes([...pagesIn("/town/", "a", "/town/"), ...pagesIn("/mill/", "b", "/town/")])).toEqual([12]);
  });

  test("if one of them has fewer than six pages, which are too few to know its template", () => {
    expect(sizes([...pagesIn("/town/", "a"), ...pagesIn("/mill/", "b").slice(0, 5)])).toEqual([11]);
  });
});
