/** Computes precision, recall and F1 of a map's screens against the true screens. */

/**
 * A page (or a state of a page) with two screens: its screen on the map, and its screen in a list that a person made.
 */
export interface LabelledInstance {
  readonly instance: string;
  readonly screen: string;
  /**
   * The true screen of this instance, according to the list that a person made; `undefined` if that list contains no
   * screen for it.
   */
  readonly truth: string | undefined;
}

export interface ScreenScore {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Screens of the map that are no screens of the application. */
  readonly wrong: readonly string[];
  /** Screens of the application that the map lacks. */
  readonly missing: readonly string[];
}

/**
 * A screen of the map is right if two conditions hold. At least this share (0 to 1) of its pages show the same true
 * screen. At least this share of the true screen's pages are on this screen of the map.
 */
const WHOLE = 0.9;

/**
 * Scores the screens of a map.
 *
 * @param truth the names of the application's real screens
 */
export function scoreScreens(instances: readonly LabelledInstance[], truth: readonly string[]): ScreenScore {
  const byScreen = Map.groupBy(instances, ({ screen }) => screen);
  const sizes = new Map<string, number>();
  for (const { truth: label } of instances) {
    if (label !== undefined) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  }
  const found = new Set<string>();
  const wrong: string[] = [];
  for (const [screen, own] of byScreen) {
    const counts = new Map<string, number>();
    for (const { truth: label } of own)
      if (label !== undefined) counts.set(label, (counts.get(label) ?? 0) + 1);
    const [best] = [...counts].sort((a, b) => b[1] - a[1]);
    const right =
      best !== undefined &&
      truth.includes(best[0]) &&
      !found.has(best[0]) &&
      best[1] >= WHOLE * own.length &&
      best[1] >= WHOLE * (sizes.get(best[0]) ?? 0);
    if (right && best) found.add(best[0]);
    else {
      const parts = [...counts].map(([label, count]) => `${label} ${count} of ${sizes.get(label)}`);
      const others = own.filter((one) => one.truth === undefined).map(({ instance }) => instance);
      wrong.push(`${screen} (${[...parts, ...others.slice(0, 3)].join(", ")})`);
    }
  }
  const precision = byScreen.size === 0 ? 0 : found.size / byScreen.size;
  const recall = truth.length === 0 ? 1 : found.size / truth.length;
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { precision, recall, f1, wrong, missing: truth.filter((label) => !found.has(label)) };
}
