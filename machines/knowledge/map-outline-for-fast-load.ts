/**
 * The outline of a map: a copy of its screens and transitions in a few texts, from which a large map loads
 * fast after a start. The store returns the outline only if the map's version and numbers of rows are
 * unchanged since the copy was made.
 */

import { Atlas, type AtlasGroup, type AtlasScreen } from "./in-memory-map.ts";
import { knowledgeLimits } from "./map-limits.ts";
import { USUAL_COST } from "./transitions/transition-cost.ts";

export interface Outline {
  /** The version of the map from which the outline was made. */
  readonly version: number;
  readonly parts: readonly string[];
}

type ScreenRow = readonly [
  website: string,
  name: string,
  url: string,
  type: AtlasScreen["content_type"],
  actionable: 0 | 1,
  patterns: readonly string[],
  trail: string,
];

/**
 * The last part of a map's outline (its compact copy): the map's screen groups, each with its pages
 * (instances).
 */
interface GroupPart {
  readonly groups: readonly (AtlasGroup & { readonly members: readonly string[] })[];
}

/**
 * A row of a map's outline (compact copy), for a screen or a redirect. A screen has the transitions that
 * start at it; a redirect has its target. Transitions contain numbers instead of ids.
 */
type Row = readonly [
  id: string,
  screen: ScreenRow | 0,
  to: readonly number[],
  redirect: number | -1,
  /** The costs of the transitions in routes. Absent if all of them have the usual cost. */
  costs?: readonly number[],
];

export function outlineOf(atlas: Atlas, version: number): Outline {
  const numbers = new Map<string, number>();
  for (const id of [...atlas.routes.ids(), ...[...atlas.screens()].map((screen) => screen.screen_id)]) {
    if (!numbers.has(id)) numbers.set(id, numbers.size);
  }
  const number = (id: string) => numbers.get(id) ?? -1;
  const parts: string[] = [];
  let rows: Row[] = [];
  for (const id of numbers.keys()) {
    const own = atlas.ownTransitions(id);
    const to = own.map(({ via }) => via);
    const redirect = atlas.routes.redirect(id);
    const costs = own.map(({ cost }) => cost);
    const row = [
      id,
      screenRow(atlas.get(id)),
      to.map(number),
      redirect === undefined ? -1 : number(redirect),
    ] as const;
    rows.push(costs.some((cost) => cost !== USUAL_COST) ? [...row, costs] : row);
    if (rows.length < knowledgeLimits.outlinePart) continue;
    parts.push(JSON.stringify(rows));
    rows = [];
  }
  if (rows.length > 0) parts.push(JSON.stringify(rows));
  const groups = atlas.groups().map((group) => ({ ...group, members: [...atlas.members(group.screen_id)] }));
  parts.push(JSON.stringify({ groups } satisfies GroupPart));
  return { version, parts };
}

function screenRow(screen: AtlasScreen | undefined): ScreenRow | 0 {
  if (!screen) return 0;
  const { website_id, name, url, content_type, is_actionable, url_patterns, trail } = screen;
  return [website_id, name, url, content_type, is_actionable ? 1 : 0, url_patterns, trail];
}

/** Builds the in-memory map from its stored outline (compact copy). */
export function atlasOf({ parts }: Outline): Atlas {
  // The cast is safe: `outlineOf` wrote these texts. A release that changes their format deletes the stored
  // outlines.
  const rows = parts.slice(0, -1).flatMap((part) => JSON.parse(part) as Row[]);
  const { groups } = JSON.parse(parts.at(-1) ?? '{"groups":[]}') as GroupPart;
  const atlas = new Atlas();
  const screens: AtlasScreen[] = [];
  for (const [screen_id, screen] of rows) {
    if (screen === 0) continue;
    const [website_id, name, url, content_type, actionable, url_patterns, trail] = screen;
    const is_actionable = actionable === 1;
    screens.push({ screen_id, website_id, name, url, content_type, is_actionable, url_patterns, trail });
  }
  const id = (number: number) => rows[number]?.[0] ?? "";
  atlas.change({
    screens,
    transitions: rows.flatMap(([from, , to, , costs]) =>
      to.length > 0
        ? [{ from, to: to.map((number, at) => ({ via: id(number), cost: costs?.[at] ?? USUAL_COST })) }]
        : [],
    ),
    groups,
    memberships: groups.flatMap(({ screen_id, members }) =>
      members.map((instance) => ({ instance, group: screen_id })),
    ),
    redirects: rows.flatMap(([from, , , to]) => (to === -1 ? [] : [{ from, to: id(to) }])),
  });
  return atlas;
}
