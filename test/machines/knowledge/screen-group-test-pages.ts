/** Makes pages for the tests of the grouping of pages into screens, and groups them. */
import { sketchOf } from "../../../machines/knowledge/page-feature-sketch.ts";
import { groupScreens, type ScreenInstance } from "../../../machines/knowledge/screen-groups.ts";

/**
 * Creates a page with 30 features of its template, 10 features of the site, and `own` features that no other
 * page has.
 */
export function page(path: string, template: string, own = 0, siteWide = false): ScreenInstance {
  const features = [
    ...Array.from({ length: 10 }, (_, at) => `site ${at}`),
    ...Array.from({ length: 30 }, (_, at) => `${template} ${at}`),
    ...Array.from({ length: own }, (_, at) => `${path} ${at}`),
  ];
  return {
    screen_id: path,
    url: `https://a.example${path}`,
    structure: sketchOf(features),
    site_wide: siteWide,
  };
}

/**
 * Groups pages into screens. Returns one text for each screen: the ids of its pages. The texts are sorted.
 */
export const paths = (...instances: readonly ScreenInstance[]) =>
  groupScreens(instances)
    .map((group) => group.instances.map(({ screen_id }) => screen_id).join(" "))
    .sort();
