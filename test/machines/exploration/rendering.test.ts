import { describe, expect, test } from "bun:test";
import { explorationLimits } from "../../../machines/exploration/limits.ts";
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
} from "../../../machines/exploration/rendering.ts";

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

describe("what HTML says of its scripts", () => {
  test("a page without scripts needs no browser, however little it says", () => {
    expect(level({ scripts: 0, text: 0, links: 0, mounts: 1 })).toBe("none");
  });

  test("a page with text and links is taken as it is, whatever scripts it has", () => {
    expect(level({})).toBe("none");
    expect(level({ mounts: 3, noscript: 80, hydration: true })).toBe("none");
  });

  test("a page with neither text nor links is made by its scripts", () => {
    expect(level({ text: 0, links: 0 })).toBe("strong");
    expect(level({ text: 20, links: 1, mounts: 1 })).toBe("strong");
    expect(level({ text: 20, links: 1, noscript: 40 })).toBe("strong");
  });

  test("little text beside an application's element, noscript text or embedded data is suspicious", () => {
    expect(level({ text: 600, mounts: 1 })).toBe("weak");
    expect(level({ text: 600, noscript: 40 })).toBe("weak");
    expect(level({ text: 600, hydration: true })).toBe("weak");
    expect(level({ text: 600 })).toBe("none");
  });

  test("hardly any links, or links that only scripts follow, are suspicious", () => {
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
])("the kind of %s is %s", (url, kind) => {
  expect(kindOf(url)).toBe(kind);
});

describe("a kind of pages", () => {
  const none = evidenceOf(plain);
  const weak = evidenceOf({ ...plain, links: 1 });
  const strong = evidenceOf({ ...plain, text: 0, links: 0 });
  const times = (count: number, step: (kind: PageKind) => PageKind, from = newKind) =>
    Array.from({ length: count }).reduce<PageKind>(step, from);
  const { samples, giveUpAfter, recheckEvery } = explorationLimits.rendering;

  test("is not rendered while its pages show nothing suspicious", () => {
    expect(
      chooseRendering(
        times(100, (kind) => countPage(kind, none)),
        none,
      ).render,
    ).toBe(false);
  });

  test("is rendered from then on when samples brought more, also where a page looks complete", () => {
    const kind = times(samples, (before) => countRendered(before, weak, true));
    expect(kind.by).toBe("browser");
    expect(chooseRendering(kind, none)).toEqual({ render: true, reason: kind.reason });
  });

  test("is read over HTTP when samples brought nothing, and looked at again now and then", () => {
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

  test("comes back to HTTP when rendering has stopped to bring anything", () => {
    const rendered = times(samples, (kind) => countRendered(kind, strong, true));
    const almost = times(giveUpAfter - 1, (kind) => countRendered(kind, none, false), rendered);
    expect(almost.by).toBe("browser");
    const over = countRendered(almost, none, false);
    expect(over.by).toBe("http");
    // … and a look that finds something again begins a new trial, not a verdict.
    expect(countRendered(over, strong, true).by).toBe("http");
    expect(times(samples, (kind) => countRendered(kind, strong, true), over).by).toBe("browser");
  });

  test("is not rendered for one bare page among many that have everything", () => {
    const kind = times(5, (before) => countPage(before, none));
    expect(chooseRendering(kind, weak).render).toBe(false);
    expect(chooseRendering(kind, strong).render).toBe(true);
    expect(chooseRendering(newKind, weak).render).toBe(true);
  });
});

test("rendering gained when it shows a new link, a good deal more text, or other text than next to none", () => {
  const held = (text: number, links = ["a", "b"], hash = "same") => ({ text, hash, links: new Set(links) });
  expect(hasGained(held(1_000), held(1_000))).toBe(false);
  expect(hasGained(held(1_000), held(10, ["a"], "other"))).toBe(false);
  expect(hasGained(held(1_000), held(1_000, ["a", "c"]))).toBe(true);
  expect(hasGained(held(1_000), held(1_150, [], "other"))).toBe(false);
  expect(hasGained(held(1_000), held(1_300, [], "other"))).toBe(true);
  expect(hasGained(held(40), held(15, [], "other"))).toBe(true);
  expect(hasGained(held(40), held(40))).toBe(false);
});
