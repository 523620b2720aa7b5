/** Tests that facts about a large group of pages are cached, and are updated when pages are added to the group. */
import { describe, expect, test } from "bun:test";
import { addressOf } from "../../../../machines/knowledge/addresses/page-address-parts.ts";
import {
  areFilesAndFolders,
  itemFolders,
} from "../../../../machines/knowledge/page-groups/folders-that-are-items.ts";
import type { Group, Member } from "../../../../machines/knowledge/page-groups/page-group.ts";
import { add } from "../../../../machines/knowledge/page-groups/page-group-merge.ts";
import {
  hasAddressOf,
  isNearTemplate,
  showsOneItem,
} from "../../../../machines/knowledge/page-groups/pages-of-one-template.ts";
import { ALIKE, pairThreshold } from "../../../../machines/knowledge/page-groups/same-screen-threshold.ts";
import { pageTrees } from "../../../../machines/knowledge/page-groups/trees-of-wiki-pages.ts";
import { parseSketch, sketchOf } from "../../../../machines/knowledge/screens/page-feature-sketch.ts";

const structure = sketchOf(Array.from({ length: 20 }, (_, at) => `part ${at}`));
let reads = 0;

function member(path: string): Member {
  const address = addressOf(`https://a.example${path}`);
  if (!address) throw new Error(`${path} is no path.`);
  return {
    screen_id: path,
    url: `https://a.example${path}`,
    structure,
    site_wide: false,
    isOperation: false,
    get address() {
      reads += 1;
      return address;
    },
    sketch: parseSketch(structure),
    data: new Set(),
    weights: [],
  };
}

/** Creates a group of pages. `*` stands for a position of the path that varies. */
function group(path: string, ...pages: readonly string[]): Group {
  const values = path.split("/").slice(1);
  return {
    members: pages.map(member),
    path: values.map((value) => ({ name: "", value: value === "*" ? undefined : value })),
    query: [],
  };
}

describe("40 comparisons with a large group of pages read each address fewer than six times on average,", () => {
  const names = Array.from({ length: 100 }, (_, at) => `name-${String.fromCharCode(97 + (at % 26))}${at}x`);
  const readsOf = (large: Group, compare: (other: Group) => unknown, other: (at: number) => string) => {
    const others = Array.from({ length: 40 }, (_, at) => group(other(at), other(at)));
    reads = 0;
    for (const one of others) compare(one);
    return reads / large.members.length;
  };

  test("if they compare folders", () => {
    const pages = group("/a/docs/*", ...names.map((name) => `/a/docs/${name}`));
    expect(
      readsOf(
        pages,
        (other) => isNearTemplate(other, pages),
        (at) => `/k${at}/l/m/n`,
      ),
    ).toBeLessThan(6);
    expect(
      readsOf(
        pages,
        (other) => hasAddressOf(pages, other),
        (at) => `/a/docs/p${at}`,
      ),
    ).toBeLessThan(6);
    expect(
      readsOf(
        pages,
        (other) => showsOneItem(pages, other),
        (at) => `/a/k${at}/p`,
      ),
    ).toBeLessThan(6);
  });

  test("if they compare files and folders", () => {
    const pages = group("/a/*", ...names.map((name) => `/a/${name}.html`));
    expect(
      readsOf(
        pages,
        (other) => areFilesAndFolders(pages, other),
        (at) => `/a/k${at}`,
      ),
    ).toBeLessThan(6);
  });

  test("if they compare folders and operations", () => {
    const pages = group("/a/*/b", ...names.map((name) => `/a/${name}/b`));
    expect(
      readsOf(
        pages,
        (other) => pairThreshold(pages, other),
        (at) => `/a/k${at % 2 ? "x" : "y"}/b`,
      ),
    ).toBeLessThan(6);
    expect(
      readsOf(
        pages,
        (other) => pairThreshold(pages, other),
        (at) => `/a/{n}/b/k${at}`,
      ),
    ).toBeLessThan(6);
  });
});

describe("a comparison of two groups of pages includes pages that were added after an earlier comparison", () => {
  test("if it compares folders inside of folders", () => {
    const outer = group("/*", "/birds", "/rivers/south");
    const inner = group("/*/*", "/rivers/north");
    const need = itemFolders([outer, inner]);
    expect(need(outer, inner)).toBeUndefined();
    add(outer, group("/*", "/rivers"));
    expect(need(outer, inner)?.least).toBe(ALIKE.folders);
  });

  test("if it compares trees of pages", () => {
    const tree = ["/a/b/c", "/a/b/d", "/a/b/c/e", "/a/b/d/f", "/a/b/c/e/g"].map((path) => group(path, path));
    const outside = group("/x/y", "/x/y");
    const [first] = tree;
    if (!first) throw new Error("The tree has no page.");
    const haveOneTree = pageTrees([...tree, outside]);
    expect(haveOneTree(first, outside)).toBe(false);
    add(outside, group("/a/b/h", "/a/b/h"));
    expect(haveOneTree(first, outside)).toBe(true);
  });
});
