/**
 * Compares two maps of a site, such as those of two explorations: screens and transitions that were added,
 * removed or changed. Two screens count as the same if their ids are equal. For the other screens, the
 * addresses are compared, and then the names.
 */
import { z } from "zod";

/** The parts of a map that a comparison needs. */
export interface MapSketch {
  readonly screens: readonly SketchedScreen[];
  /** Transitions of the map, each as the ids of the screens where it starts and ends. */
  readonly transitions: readonly (readonly [from: string, to: string])[];
}

export interface SketchedScreen {
  readonly screen_id: string;
  readonly name: string;
  /**
   * Identifies a screen when two maps are compared: the template of its addresses without the host, and for a
   * state of a page also the names of the pressed controls.
   */
  readonly address: string;
  readonly instances: number;
  /** Texts by which this screen is recognised. */
  readonly texts: readonly string[];
  /** Names of the screen's actions, without links. */
  readonly actions: readonly string[];
}

const screenSchema = z.object({ screen_id: z.string(), name: z.string(), address: z.string() });
const transitionSchema = z.object({ from: z.string(), to: z.string() });
const changeSchema = z.object({ came: z.array(z.string()), went: z.array(z.string()) });

export const mapDiffSchema = z.object({
  knowledge_id: z.string(),
  against: z.string(),
  since: z
    .object({ job_id: z.string(), at: z.string() })
    .nullable()
    .optional()
    .describe(
      "Without against: the last exploration into this map, and when it began. null: no earlier state is known",
    ),
  equal: z.boolean(),
  screens: z.object({
    came: z.array(screenSchema),
    went: z.array(screenSchema),
    changed: z.array(
      screenSchema.extend({
        name_before: z.string().optional(),
        address_before: z.string().optional(),
        texts: changeSchema.optional().describe("Texts by which the screen is recognised"),
        actions: changeSchema.optional(),
      }),
    ),
  }),
  transitions: z
    .object({ came: z.array(transitionSchema), went: z.array(transitionSchema) })
    .describe("By the names of their screens"),
});
/**
 * The changes of a map since the start of an exploration, with the id and the start time of this exploration
 * (`since`).
 */
export type DriftedMap = MapDiff & Pick<z.infer<typeof mapDiffSchema>, "since">;
export type MapDiff = Omit<z.infer<typeof mapDiffSchema>, "knowledge_id" | "against" | "since">;

/**
 * Compares two states of a map, or two maps of the same site.
 *
 * @param after the later state
 * @param before the earlier state
 */
export function mapDiff(after: MapSketch, before: MapSketch): MapDiff {
  const matches = matchedScreens(after.screens, before.screens);
  const known = new Set([...matches.values()].map(({ screen_id }) => screen_id));
  const came = after.screens.filter(({ screen_id }) => !matches.has(screen_id));
  const went = before.screens.filter(({ screen_id }) => !known.has(screen_id));
  const changed = after.screens.flatMap((screen) => {
    const earlier = matches.get(screen.screen_id);
    const change = earlier && changeOf(screen, earlier);
    return change ? [change] : [];
  });
  const same = new Map([...matches].map(([id, { screen_id }]) => [screen_id, id]));
  const transitions = transitionChanges(after, before, same);
  return {
    equal:
      came.length + went.length + changed.length + transitions.came.length + transitions.went.length === 0,
    screens: { came: came.map(brief), went: went.map(brief), changed },
    transitions,
  };
}

function brief({ screen_id, name, address }: SketchedScreen) {
  return { screen_id, name, address };
}

/** Maps each screen of the later map to the equal screen of the earlier map. */
function matchedScreens(
  after: readonly SketchedScreen[],
  before: readonly SketchedScreen[],
): ReadonlyMap<string, SketchedScreen> {
  const matches = new Map<string, SketchedScreen>();
  const taken = new Set<string>();
  for (const keyOf of [
    (screen: SketchedScreen) => screen.screen_id,
    (screen: SketchedScreen) => screen.address,
    (screen: SketchedScreen) => screen.name,
  ]) {
    const left = before.filter(({ screen_id }) => !taken.has(screen_id));
    const open = after.filter(({ screen_id }) => !matches.has(screen_id));
    const [earlier, later] = [Map.groupBy(left, keyOf), Map.groupBy(open, keyOf)];
    for (const [key, [screen, ...others]] of later) {
      const [one, ...more] = earlier.get(key) ?? [];
      // Two screens are paired if their ids, addresses or names are equal. A name or an address that several
      // screens of one map have does not count.
      if (!screen || !one || others.length + more.length > 0) continue;
      matches.set(screen.screen_id, one);
      taken.add(one.screen_id);
    }
  }
  return matches;
}

function changeOf(screen: SketchedScreen, earlier: SketchedScreen) {
  const texts = listChange(screen.texts, earlier.texts);
  const actions = listChange(screen.actions, earlier.actions);
  const change = {
    ...(screen.name === earlier.name ? {} : { name_before: earlier.name }),
    ...(screen.address === earlier.address ? {} : { address_before: earlier.address }),
    ...(texts ? { texts } : {}),
    ...(actions ? { actions } : {}),
  };
  return Object.keys(change).length === 0 ? undefined : { ...brief(screen), ...change };
}

function listChange(after: readonly string[], before: readonly string[]) {
  const came = after.filter((one) => !before.includes(one));
  const went = before.filter((one) => !after.includes(one));
  return came.length + went.length === 0 ? undefined : { came, went };
}

/**
 * Compares the transitions of two maps.
 *
 * @param same maps the id of each screen of the earlier map to the id of the equal screen of the later map
 */
function transitionChanges(after: MapSketch, before: MapSketch, same: ReadonlyMap<string, string>) {
  const names = new Map(
    [...before.screens, ...after.screens].map(({ screen_id, name }) => [screen_id, name]),
  );
  const keyOf = ([from, to]: readonly [string, string]) => `${from}\n${to}`;
  const later = new Map(after.transitions.map((pair) => [keyOf(pair), pair]));
  const earlier = new Map(
    before.transitions.map(([from, to]) => {
      const pair = [same.get(from) ?? from, same.get(to) ?? to] as const;
      return [keyOf(pair), pair];
    }),
  );
  const named = ([from, to]: readonly [string, string]) => ({
    from: names.get(from) ?? from,
    to: names.get(to) ?? to,
  });
  return {
    came: [...later].flatMap(([key, pair]) => (earlier.has(key) ? [] : [named(pair)])),
    went: [...earlier].flatMap(([key, pair]) => (later.has(key) ? [] : [named(pair)])),
  };
}
