/**
 * Splits the pages of a site into its applications, such as a single-page administration beside a folder with
 * a manual. Each application has a frame and a menu of its own, so a question such as "Does the menu of most
 * pages contain this link?" is answered for each application separately.
 */
import { addressOf, withinApplication } from "../addresses/page-address-parts.ts";
import { parseSketch } from "../screens/page-feature-sketch.ts";

export interface SitePage {
  readonly screen_id: string;
  readonly url: string;
  /** The page's structure as a sketch (a compact signature); empty if the page has none. */
  readonly structure: string;
}

/**
 * Minimum number of pages in a folder that may be an application of its own. In a smaller folder, features
 * that all pages have may belong to the template of these pages, and not to the frame of an application (its
 * header and menu).
 */
const FEW_PAGES = 6;
/** Minimum number of pages to which most pages of an application link: the entries of its menu. */
const FEW_ENTRIES = 3;
/** Minimum number of structural features that most pages of an application have in common. */
const FEW_FEATURES = 10;
/**
 * A structural feature belongs to the frame of a folder (its header and menu) if at least this share (0 to 1) of the
 * folder's pages have the feature.
 */
const FRAME_SHARE = 0.8;
/**
 * Two folders are different applications only if their frames (such as headers), and also their menus, have
 * at most this share (0 to 1) in common. The share refers to the smaller frame or menu. On the measured
 * sites, folders of one application had at least 0.35 in common, and folders of two applications 0.
 */
const OVERLAP = 0.2;

interface Folder<Page> {
  readonly pages: readonly Page[];
  /** Ids of the pages to which more than half of the folder's pages link. */
  readonly menu: ReadonlySet<string>;
  /** Structural features (their hashes) that most pages of the folder have. */
  readonly frame: ReadonlySet<number>;
}

/**
 * Returns the pages of each application. Most sites are one application.
 *
 * @param countLinks returns how many of the given pages link to each page of the site, by the page's id
 */
export function applicationsOf<Page extends SitePage>(
  pages: readonly Page[],
  countLinks: (from: readonly Page[]) => ReadonlyMap<string, number>,
): readonly (readonly Page[])[] {
  const folders = foldersOf(pages).map((own) => folderOf(own, countLinks));
  let applications: (readonly Folder<Page>[])[] = [];
  for (const folder of folders.filter(mayBeApplication)) {
    const same = applications.filter((application) => application.some((other) => areOne(folder, other)));
    applications = [...applications.filter((one) => !same.includes(one)), [...same.flat(), folder]];
  }
  if (applications.length < 2) return [pages];
  const rest: Page[] = [];
  const found = applications.map((application) => application.flatMap((folder) => folder.pages));
  for (const folder of folders.filter((one) => !mayBeApplication(one))) {
    const at = applications.findIndex((application) =>
      application.some((other) => overlap(folder.frame, other.frame) > OVERLAP),
    );
    (found[at] ?? rest).push(...folder.pages);
  }
  return [...found, rest].filter((own) => own.length > 0);
}

/**
 * Returns the pages of each top folder. All routes of a single-page application (`/admin/#/users`) are one
 * folder, and so are all pages outside of folders.
 */
function foldersOf<Page extends SitePage>(pages: readonly Page[]): readonly (readonly Page[])[] {
  const read = pages.map((page) => {
    const address = addressOf(page.url);
    const inner = address && withinApplication(address);
    const top = inner?.path[0]?.value;
    const isRoute = address?.host !== inner?.host;
    return { page, host: inner?.host ?? "", top: isRoute ? "" : top, isDeep: (inner?.path.length ?? 0) > 1 };
  });
  const keyOf = ({ host, top }: (typeof read)[number]) => `${host}\n${top}`;
  const deep = new Set(read.filter(({ isDeep }) => isDeep).map(keyOf));
  const byFolder = Map.groupBy(read, (one) => (deep.has(keyOf(one)) ? keyOf(one) : one.host));
  return [...byFolder.values()].map((own) => own.map(({ page }) => page));
}

function folderOf<Page extends SitePage>(
  pages: readonly Page[],
  countLinks: (from: readonly Page[]) => ReadonlyMap<string, number>,
): Folder<Page> {
  const features = new Map<number, number>();
  for (const { structure } of pages) {
    const sketch = structure === "" ? [] : parseSketch(structure);
    for (const feature of sketch) features.set(feature, (features.get(feature) ?? 0) + 1);
  }
  const menu = [...countLinks(pages)].filter(([, count]) => count > pages.length / 2);
  const frame = [...features].filter(([, count]) => count >= FRAME_SHARE * pages.length);
  return { pages, menu: new Set(menu.map(([id]) => id)), frame: new Set(frame.map(([feature]) => feature)) };
}

function mayBeApplication({ pages, menu, frame }: Folder<SitePage>): boolean {
  return pages.length >= FEW_PAGES && menu.size >= FEW_ENTRIES && frame.size >= FEW_FEATURES;
}

/**
 * Whether two folders belong to one application: enough of their frames (such as headers) or of their menus
 * is equal.
 */
function areOne(a: Folder<SitePage>, b: Folder<SitePage>): boolean {
  return overlap(a.frame, b.frame) > OVERLAP || overlap(a.menu, b.menu) > OVERLAP;
}

/** Returns the share of the smaller set that is also in the other set. */
function overlap<Item>(a: ReadonlySet<Item>, b: ReadonlySet<Item>): number {
  const least = Math.min(a.size, b.size);
  return least === 0 ? 0 : a.intersection(b).size / least;
}
