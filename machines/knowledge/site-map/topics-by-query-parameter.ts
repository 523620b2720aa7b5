/**
 * Groups the pages of one path into topics by their query parameters. A parameter that names a topic has few
 * values, each on several pages (`?category=books`). A parameter that names an item has many values
 * (`?id=17`).
 */
import type { AtlasScreen } from "../in-memory-map.ts";
import type { Topic } from "./topic-tree-node.ts";

/** A screen whose address has query parameters, and these parameters. */
export interface QueryPage {
  readonly screen: AtlasScreen;
  readonly parameters: ReadonlyMap<string, string>;
}

export interface QueryGroups {
  /**
   * The start page of the group: the screen whose address is only the path (`/books`), or the path with the
   * parameters that select the topic (`/books?category=novels`).
   */
  readonly index: AtlasScreen | undefined;
  readonly screens: readonly AtlasScreen[];
  readonly children: readonly Topic[];
}

/** Maximum depth of the topics below one path. Each level uses one query parameter. */
const MOST_LEVELS = 4;
/**
 * Minimum share (0 to 1) of the pages of a path that must have a query parameter, so that the parameter forms
 * topics.
 */
const ENOUGH_HAVE = 1 / 2;

/** @param path the common path of the pages, with the parameters that all their addresses have */
export function groupByQuery(asked: readonly QueryPage[], path: string, level = 0): QueryGroups {
  const name = level < MOST_LEVELS ? splittingParameter(asked) : undefined;
  if (name === undefined) {
    const index = asked.find(({ parameters }) => parameters.size === 0)?.screen;
    return {
      index,
      screens: asked.flatMap(({ screen }) => (screen === index ? [] : [screen])),
      children: [],
    };
  }
  const byValue = new Map<string, QueryPage[]>();
  const without: QueryPage[] = [];
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
  const others = without.length > 0 ? groupByQuery(without, path, level + 1) : undefined;
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
  // If all pages have the same value of the parameter, the value does not distinguish pages. So it forms no
  // topic.
  if (only && children.length === 1 && without.length === 0) {
    return { index: only.index, screens: only.screens, children: only.children };
  }
  return {
    index: others?.index,
    screens: others?.screens ?? [],
    children: [...children, ...(others?.children ?? [])],
  };
}

function topicOf(pages: readonly QueryPage[], path: string, name: string, level: number): Topic {
  const { index, screens, children } = groupByQuery(pages, path, level);
  return { name: index?.name ?? name, path, pages: pages.length, index, screens, children };
}

/**
 * Returns the query parameter by which the pages are grouped; `undefined` if none is suitable. Enough pages
 * must have the parameter, and some of them the same value. Of several such parameters, it is the one with
 * the fewest values.
 */
function splittingParameter(asked: readonly QueryPage[]): string | undefined {
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

/**
 * Returns the title of a topic from a query parameter and its value. A value with letters is the title, such
 * as `books`. Otherwise the parameter's name precedes the value: `page 2`.
 */
function titleOf(name: string, value: string): string {
  return /\p{L}/u.test(value) ? value : `${name} ${value}`;
}
