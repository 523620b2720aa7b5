import { describe, expect, test } from "bun:test";
import {
  chooseRendering,
  countPage,
  countRendered,
  evidenceOf,
  hasGained,
  kindOf,
  newKind,
  type PageKind,
  type PageSigns,
} from "../../../../machines/exploration/crawl/rendering-decision.ts";
import { explorationLimits } from "../../../../machines/exploration/exploration-limits.ts";

const plain: PageSigns = {
  scripts: 2,
  mounts: 0,
  noscript: 0,
  deadLinks: 0,
  hydration: false,
  links: 20,
  text: 5_000,
};
const level = (signs: Partial<PageSigns>) => evidenceOf({ ...plain, ...signs }).level;

describe("signs in the HTML that a page needs a browser", () => {
  test("are absent if the page has no scripts, even if it is short", () => {
    expect(level({ scripts: 0, text: 0, links: 0, mounts: 1 })).toBe("none");
  });

  test("are absent if the page has text and links, even if it has scripts", () => {
    expect(level({})).toBe("none");
    expect(level({ mounts: 3, noscript: 80, hydration: true })).toBe("none");
  });

  test("are strong for a page with neither text nor links", () => {
    expect(level({ text: 0, links: 0 })).toBe("strong");
    expect(level({ text: 20, links: 1, mounts: 1 })).toBe("strong");
    expect(level({ text: 20, links: 1, noscript: 40 })).toBe("strong");
  });

  test("are weak for a page with little text that has a mount point, noscript text or embedded data", () => {
    expect(level({ text: 600, mounts: 1 })).toBe("weak");
    expect(level({ text: 600, noscript: 40 })).toBe("weak");
    expect(level({ text: 600, hydration: true })).toBe("weak");
    expect(level({ text: 600 })).toBe("none");
  });

  test("are weak for a page with hardly any links, or with links that need scripts", () => {
    expect(level({ links: 1 })).toBe("weak");
    expect(level({ links: 5, deadLinks: 9 })).toBe("weak");
    expect(level({ links: 50, deadLinks: 9 })).toBe("none");
  });
});

test.each([
  ["https://shop.test/", "shop.test/"],
  ["https://shop.test/p/1234?ref=a&size=2", "shop.test/p/*?ref&size"],
  ["https://shop.test/guide/intro.html", "shop.test/guide/*.html"],
  ["https://blog.test/2024/05/hello-world", "blog.test/*/*/*"],
  ["https://x.test/user/9f86d081884c7d65/edit", "x.test/user/*/*"],
])("a page with the URL %s is of the kind %s", (url, kind) => {
  expect(kindOf(url)).toBe(kind);
});

describe("pages of one kind", () => {
  const none = evidenceOf(plain);
  const weak = evidenceOf({ ...plain, links: 1 });
  const strong = evidenceOf({ ...plain, text: 0, links: 0 });
  const times = (count: number, step: (kind: PageKind) => PageKind, from = newKind) =>
    Array.from({ length: count }).reduce<PageKind>(step, from);
  const { samples, giveUpAfter, recheckEvery } = explorationLimits.rendering;

  test("are read over HTTP while no page has signs that it needs a browser", () => {
    expect(
      chooseRendering(
        times(100, (kind) => countPage(kind, none)),
        none,
      ).render,
    ).toBe(false);
  });

  test("are rendered if rendered samples had more content than their HTML, even if their HTML looks complete", () => {
    const kind = times(samples, (before) => countRendered(before, weak, true));
    expect(kind.by).toBe("browser");
    expect(chooseRendering(kind, none)).toEqual({ render: true, reason: kind.reason });
  });

  test("are read over HTTP after rendering added nothing to samples, except for occasional checks", () => {
    const kind = times(samples, (before) => countRendered(before, strong, false));
    expect(kind.by).toBe("http");
    let renders = 0;
    times(
      10 * recheckEvery,
      (before) => {
        if (chooseRendering(before, strong).render) renders++;
        return countPage(before, strong);
      },
      kind,
    );
    expect(renders).toBe(10);
  });

  test("are read over HTTP again when rendering no longer adds content", () => {
    const rendered = times(samples, (kind) => countRendered(kind, strong, true));
    const almost = times(giveUpAfter - 1, (kind) => countRendered(kind, none, false), rendered);
    expect(almost.by).toBe("browser");
    const over = countRendered(almost, none, false);
    expect(over.by).toBe("http");
    // The decision to read these pages without a browser is kept, even if one more rendered page has
    // additional content. Only the full number of samples with additional content changes the decision.
    expect(countRendered(over, strong, true).by).toBe("http");
    expect(times(samples, (kind) => countRendered(kind, strong, true), over).by).toBe("browser");
  });

  test("are read over HTTP after several complete pages even if one page has weak signs that it needs a browser, but a page with strong signs is rendered", () => {
    const kind = times(5, (before) => countPage(before, none));
    expect(chooseRendering(kind, weak).render).toBe(false);
    expect(chooseRendering(kind, strong).render).toBe(true);
    expect(chooseRendering(newKind, weak).render).toBe(true);
  });
});

test("rendering counts as useful if it adds a link or considerably more text, or text to an almost empty page", () => {
  const held = (text: number, links = ["a", "b"], hash = "same") => ({ text, hash, links: new Set(links) });
  expect(hasGained(held(1_000), held(1_000))).toBe(false);
  expect(hasGained(held(1_000), held(10, ["a"], "other"))).toBe(false);
  expect(hasGained(held(1_000), held(1_000, ["a", "c"]))).toBe(true);
  expect(hasGained(held(1_000), held(1_150, [], "other"))).toBe(false);
  expect(hasGained(held(1_000), held(1_300, [], "other"))).toBe(true);
  expect(hasGained(held(40), held(15, [], "other"))).toBe(true);
  expect(hasGained(held(40), held(40))).toBe(false);
});
