/**
 * The pages of one path as topics: parted by the parameters of their queries.
 *
 * Applications on one script say in a few parameters what a page is about and in others which thing it shows. The
 * first kind is known by its values: few, and shared by several pages. So the parameter of the fewest values parts
 * the pages first, then the next one within each part; one whose values are all different parts nothing. Pure;
 * `topics.ts` puts the parts into the site's tree.
 */
import type { AtlasScreen } from "./atlas.ts";
import type { Topic } from "./topics.ts";

/** A page with a query. */
export interface Asked {
  readonly screen: AtlasScreen;
  readonly parameters: ReadonlyMap<string, string>;
}

export interface Parted {
  /** The page that has no parameters but those of its part. */
  readonly index: AtlasScreen | undefined;
  readonly screens: readonly AtlasScreen[];
  readonly children: readonly Topic[];
}

/** Levels of topics that one path gets at most. */
const MOST_LEVELS = 4;
/** A parameter that fewer of the pages have says what some of them are, not what they all are about. */
const ENOUGH_HAVE = 1 / 2;

/** @param path the address of what is parted, without the parameters that part it */
export function partedByQuery(asked: readonly Asked[], path: string, level = 0): Parted {
  const name = level < MOST_LEVELS ? partingParameter(asked) : undefined;
  if (name === undefined) {
    const index = asked.find(({ parameters }) => parameters.size === 0)?.screen;
    return {
      index,
      screens: asked.flatMap(({ screen }) => (screen === index ? [] : [screen])),
      children: [],
    };
  }
  const byValue = new Map<string, Asked[]>();
  const without: Asked[] = [];
  for (const one of asked) {
    const value = one.parameters.get(name);
    if (value === undefined) {
      without.push(one);
      continue;
    }
    const rest = new Map(one.parameters);
    rest.delete(name);
    const known = byValue.get(value);
    if (known) known.push({ screen: one.screen, parameters: rest });
    else byValue.set(value, [{ screen: one.screen, parameters: rest }]);
  }
  const others = without.length > 0 ? partedByQuery(without, path, level + 1) : undefined;
  const children = [...byValue].map(([value, pages]) => {
    const query = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    return topicOf(
      pages,
      `${path}${path.includes("?") ? "&" : "?"}${query}`,
      titleOf(name, value),
      level + 1,
    );
  });
  const [only] = children;
  // What all pages have tells nothing apart.
  if (only && children.length === 1 && without.length === 0) {
    return { index: only.index, screens: only.screens, children: only.children };
  }
  return {
    index: others?.index,
    screens: others?.screens ?? [],
    children: [...children, ...(others?.children ?? [])],
  };
}

function topicOf(pages: readonly Asked[], path: string, name: string, level: number): Topic {
  const { index, screens, children } = partedByQuery(pages, path, level);
  return { name: index?.name ?? name, path, pages: pages.length, index, screens, children };
}

/** The one with the fewest values, of those that enough of the pages have and that pages share. */
function partingParameter(asked: readonly Asked[]): string | undefined {
  const values = new Map<string, { readonly different: Set<string>; have: number }>();
  for (const { parameters } of asked) {
    for (const [name, value] of parameters) {
      const known = values.get(name) ?? { different: new Set(), have: 0 };
      known.different.add(value);
      known.have += 1;
      values.set(name, known);
    }
  }
  let best: { readonly name: string; readonly different: number } | undefined;
  for (const [name, { different, have }] of values) {
    if (have < ENOUGH_HAVE * asked.length || different.size === have) continue;
    if (!best || different.size < best.different || (different.size === best.different && name < best.name)) {
      best = { name, different: different.size };
    }
  }
  return best?.name;
}

/** A value that is a word speaks for itself, a number does not. */
function titleOf(name: string, value: string): string {
  return /\p{L}/u.test(value) ? value : `${name} ${value}`;
}
