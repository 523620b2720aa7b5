/**
 * Restricts a map to what accounts of one role can use. Links and controls that do not exist for this role,
 * such as those of an administrator, are left out.
 */
import { existsFor, UNNAMED_ROLE } from "../../machines/knowledge/account-roles-that-see-controls.ts";
import type { Atlas } from "../../machines/knowledge/in-memory-map.ts";
import type { AvoidedTransitions, Pair } from "../../machines/knowledge/transitions/shortest-route.ts";
import type { OpenMap } from "./answers/recognise-screen.ts";
import type { MapSource } from "./map-store-interface.ts";

/**
 * A transition that exists only for certain roles: the screen where it starts, the key of the transition
 * (`edgeId`), and the roles.
 */
type RoleBoundTransition = readonly [from: string, via: string, roles: readonly string[]];

interface Cached {
  /**
   * Change counter of the atlas (the map's in-memory index) at the time at which these rows were read. If the
   * counter is now different, the rows are read again.
   */
  readonly since: number;
  readonly rows: readonly RoleBoundTransition[];
  /** For each role for which the map was queried: the transitions that the role cannot use. */
  readonly hidden: Map<string, AvoidedTransitions>;
}

const cache = new WeakMap<Atlas, Cached>();

/** Returns the names of all roles of a map, in alphabetical order. */
export async function rolesOfMap(map: OpenMap): Promise<readonly string[]> {
  const explored = await map.source.jobs.rolesOf(map.knowledgeId);
  const roles = new Set([...explored, ...(await roleBound(map)).rows.flatMap(([, , found]) => found)]);
  roles.delete(UNNAMED_ROLE);
  return [...roles].sort();
}

/** Returns the map without the rows that are hidden from a role. */
export async function mapForRole(map: OpenMap, role: string): Promise<OpenMap> {
  const { rows, hidden } = await roleBound(map);
  const known = hidden.get(role) ?? map.atlas.routes.avoiding(pairsHiddenFrom(role, rows, map.atlas));
  hidden.set(role, known);
  return { ...map, source: sourceForRole(map.source, role), hidden: known };
}

/**
 * Returns the transitions that a role cannot use, as pairs of a screen or page state and a transition.
 * States, such as an open menu, inherit the transitions of their pages.
 */
function pairsHiddenFrom(role: string, rows: readonly RoleBoundTransition[], atlas: Atlas): readonly Pair[] {
  return rows.flatMap(([from, via, roles]): readonly Pair[] =>
    existsFor({ roles }, role) ? [] : [from, ...atlas.inheriting(from, via)].map((id) => [id, via] as const),
  );
}

async function roleBound({ atlas, source, knowledgeId }: OpenMap): Promise<Cached> {
  const since = atlas.steps.changes;
  const cached = cache.get(atlas);
  if (cached?.since === since) return cached;
  const read = { since, rows: await source.screens.roleBound(knowledgeId), hidden: new Map() };
  cache.set(atlas, read);
  return read;
}

/** Returns the store of a map without the rows that do not exist for a role. */
function sourceForRole(source: MapSource, role: string): MapSource {
  const { screens } = source;
  const own = <Row extends { readonly roles?: readonly string[] }>(rows: readonly Row[]): readonly Row[] =>
    rows.filter((row) => existsFor(row, role));
  const filtered: Partial<MapSource["screens"]> = {
    transitionsFrom: async (map, id) => own(await screens.transitionsFrom(map, id)),
    transitionsFromEach: async (map, ids) => (await screens.transitionsFromEach(map, ids)).map(own),
    transitionsTo: async (map, id) => own(await screens.transitionsTo(map, id)),
    forms: async (map) => own(await screens.forms(map)),
    actions: async (map, id) => own(await screens.actions(map, id)),
    offers: async (map, id) => ownOffers(await screens.offers(map, id)),
    recognisableAndOffers: async (map, ids, id) => {
      const read = await screens.recognisableAndOffers(map, ids, id);
      return { ...read, offers: ownOffers(read.offers) };
    },
    offered: async function* (map, ids) {
      for await (const actions of screens.offered(map, ids)) yield own(actions);
    },
  };
  function ownOffers({ transitions, actions }: Awaited<ReturnType<typeof screens.offers>>) {
    return { transitions: own(transitions), actions: own(actions) };
  }
  return withOwn(source, { screens: withOwn(screens, filtered) });
}

/**
 * Returns a copy of an object with some fields replaced. Methods that are not replaced run on the original
 * object.
 */
function withOwn<Original extends object>(original: Original, own: Partial<Original>): Original {
  return new Proxy(original, {
    get(target, name) {
      const value: unknown = Reflect.get(name in own ? own : target, name);
      return typeof value === "function" ? value.bind(name in own ? own : target) : value;
    },
  });
}
