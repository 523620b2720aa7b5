/** Makes pages for the tests of the grouping of pages into screens, and groups them. */

import {
  groupScreens,
  type ScreenInstance,
} from "../../../../machines/knowledge/page-groups/group-pages-into-screens.ts";
import { sketchOf } from "../../../../machines/knowledge/screens/page-feature-sketch.ts";

export const features = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} ${at}`);

/**
 * Creates a page with 30 features of its template, 10 features of the site, and `own` features that no other
 * page has.
 */
export function page(path: string, template: string, own = 0, siteWide = false): ScreenInstance {
  return {
    screen_id: path,
    url: `https://a.example${path}`,
    structure: sketchOf([...features("site", 10), ...features(template, 30), ...features(path, own)]),
    site_wide: siteWide,
  };
}

/**
 * Creates a page of a site whose pages all have the same header and menu: 40 features of structure. `kind`:
 * features of all pages of this kind. `own`: features of this page alone.
 */
export function framed(path: string, kind: readonly string[], own: readonly string[] = []): ScreenInstance {
  return { ...page(path, ""), structure: sketchOf([...features("frame", 40), ...kind, ...own]) };
}

/**
 * Groups pages into screens. Returns one text for each screen: the ids of its pages. The texts are sorted.
 */
export const paths = (...instances: readonly ScreenInstance[]) =>
  groupScreens(instances)
    .map((group) => group.instances.map(({ screen_id }) => screen_id).join(" "))
    .sort();
