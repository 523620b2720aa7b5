/**
 * Finds the transitions of a map that do not exist for a role of accounts, such as links that only an
 * administrator sees.
 */
import { existsFor } from "../../machines/knowledge/account-roles-of-rows.ts";
import type { Atlas } from "../../machines/knowledge/in-memory-map.ts";
import type { Pair } from "../../machines/knowledge/shortest-route.ts";
import type { OpenMap } from "./recognise-screen.ts";

/**
 * A transition that exists only for some roles: the screen where it starts, its id (`edgeId`), and the roles.
 */
type RoleBoundTransition = readonly [from: string, via: string, roles: readonly string[]];

interface Cached {
  /**
   * Number of changes that the map's in-memory index (atlas) had when these rows were read. When the number
   * is higher now, the rows are outdated.
   */
  readonly since: number;
  readonly rows: readonly RoleBoundTransition[];
}

const cache = new WeakMap<Atlas, Cached>();

/** The transitions that do not exist for a role, and all roles that the map knows. */
export interface RoleView {
  readonly hidden: readonly Pair[];
  readonly roles: readonly string[];
}

export async function viewOfRole(map: OpenMap, role: string): Promise<RoleView> {
  const rows = await roleBound(map);
  return {
    hidden: rows.flatMap(([from, via, roles]): readonly Pair[] =>
      existsFor({ roles }, role) ? [] : [[from, via]],
    ),
    roles: [...new Set(rows.flatMap(([, , roles]) => roles))].sort(),
  };
}

async function roleBound({ atlas, source, knowledgeId }: OpenMap): Promise<readonly RoleBoundTransition[]> {
  const since = atlas.steps.changes;
  const cached = cache.get(atlas);
  if (cached?.since === since) return cached.rows;
  const rows = await source.screens.roleBound(knowledgeId);
  cache.set(atlas, { since, rows });
  return rows;
}
