/**
 * Derives the business functions of a site, which say what the site is for. Each folder of addresses, such as
 * `/orders/`, is a business function with operations, such as "Create order". The route to an operation is a
 * user flow.
 */
import { plural } from "../addresses/screen-address-template.ts";
import type { Atlas, AtlasScreen } from "../in-memory-map.ts";

export interface Operation {
  readonly name: string;
  readonly screen_id: string;
}

export interface BusinessFunction {
  readonly name: string;
  /**
   * The path that contains all screens of this function, such as `/orders` and `/-/admin`; `/` for the root of
   * the site.
   */
  readonly section: string;
  readonly operations: readonly Operation[];
}

export interface UserFlow {
  readonly name: string;
  readonly steps: readonly { readonly screen_id: string; readonly name: string }[];
}

/**
 * Maps the last word of an address to the name of an operation, such as `new` to "Create order". `%` stands
 * for the object of the section, here "order".
 */
const OPERATIONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:new|create|add|compose)$/, "Create %"],
  [/^(?:edit|update|change|modify)$/, "Edit %"],
  [/^(?:delete|remove|destroy)$/, "Delete %"],
  [/^(?:search|find)$/, "Search %s"],
  [/^(?:log-?in|sign-?in)$/, "Sign in"],
  [/^(?:log-?out|sign-?out)$/, "Sign out"],
  [/^(?:register|sign-?up|join)$/, "Register"],
  [/^(?:settings|preferences|configuration|config)$/, "Change settings"],
  [/^(?:export|download)$/, "Export %s"],
  [/^(?:import|upload)$/, "Import %s"],
  [/^(?:checkout|pay|payment)$/, "Pay"],
  [/^(?:print|preview)$/, "Preview %"],
];

/** Maximum number of clicks in a user flow. */
const FLOW_STEPS = 5;
/** Maximum number of operations, such as "Create order", in a business function. */
const MOST_OPERATIONS = 30;

interface SectionScreen {
  readonly id: string;
  readonly screen: AtlasScreen;
  readonly folders: readonly string[];
  readonly name: string;
  readonly several: boolean;
}

/** Returns the business functions of a website, derived from the folders of its addresses. */
export function businessFunctions(atlas: Atlas, websiteId: string): readonly BusinessFunction[] {
  return [...sectionsOf(atlas, websiteId)].map(([section, screens]) => {
    const thing = thingOf(section, screens);
    const operations = new Map<string, Operation>();
    const [only] = screens;
    const isSingle = only !== undefined && isOneScreen(section, screens);
    for (const one of screens) {
      const name = isSingle ? `Open ${one.name}` : operationOf(one, thing);
      if (!operations.has(name)) operations.set(name, { name, screen_id: one.id });
    }
    return {
      name: section === "/" ? "Start" : isSingle ? only.name : titled(lastFolder(section)),
      section,
      operations: [...operations.values()].slice(0, MOST_OPERATIONS),
    };
  });
}

/** The business function to which a screen belongs, such as that of the folder `/orders`. */
export function functionOf(
  functions: readonly BusinessFunction[],
  screenId: string,
  url: string,
): BusinessFunction | undefined {
  const section = sectionOf(foldersOf(url));
  return (
    functions.find(({ operations }) => operations.some(({ screen_id }) => screen_id === screenId)) ??
    functions.find((one) => one.section === section)
  );
}

/**
 * Returns the user flows of a business function: the shortest clicks from the first screen of its section to each
 * operation, such as "Create order". An operation that needs too many clicks has no flow.
 */
export function userFlows(atlas: Atlas, { section, operations }: BusinessFunction): readonly UserFlow[] {
  const at = (id: string): AtlasScreen | undefined => atlas.get(atlas.group(id)?.example ?? id);
  const [entry] = operations
    .flatMap(({ screen_id }) => at(screen_id) ?? [])
    .sort((a, b) => foldersOf(a.url).length - foldersOf(b.url).length);
  if (!entry) return [];
  return operations.flatMap(({ name, screen_id }): UserFlow[] => {
    const goal = at(screen_id);
    if (!goal || goal === entry || section === "/") return [];
    const members = atlas.members(screen_id);
    const hops = atlas.routes.routeToNearest(
      entry.screen_id,
      members.size > 0 ? members : [goal.screen_id],
      [],
    );
    if (!hops || hops.length === 0 || hops.length > FLOW_STEPS) return [];
    const steps = [entry.screen_id, ...hops.map((hop) => hop.to)].map((id) => {
      const screen = atlas.screenIdOf(id);
      return { screen_id: screen, name: atlas.group(screen)?.name ?? atlas.get(id)?.name ?? "" };
    });
    return [{ name, steps }];
  });
}

function sectionsOf(atlas: Atlas, websiteId: string): ReadonlyMap<string, readonly SectionScreen[]> {
  const sections = new Map<string, SectionScreen[]>();
  for (const id of atlas.screenIds()) {
    const group = atlas.group(id);
    const screen = atlas.get(group?.example ?? id);
    if (!screen || screen.website_id !== websiteId || !screen.is_actionable) continue;
    const folders = foldersOf(screen.url);
    const section = sectionOf(folders);
    const one = { id, screen, folders, name: group?.name ?? screen.name, several: group !== undefined };
    const known = sections.get(section);
    if (known) known.push(one);
    else sections.set(section, [one]);
  }
  return sections;
}

/**
 * Whether a folder of addresses is a single screen, as `/roadmap` or `/newticket` is. False for a folder with
 * a plural as its name, such as `/orders`, and for a known operation such as `/login`.
 */
function isOneScreen(section: string, screens: readonly SectionScreen[]): boolean {
  const [only] = screens;
  if (section === "/" || screens.length !== 1 || !only || only.several || !isFolderItself(only.folders))
    return false;
  const word = lastFolder(section).toLowerCase();
  return !/s$/.test(word) && !OPERATIONS.some(([pattern]) => pattern.test(word));
}

function operationOf({ folders, name, several }: SectionScreen, thing: string): string {
  const last = (folders.at(-1) ?? "").toLowerCase();
  const isFolder = isFolderItself(folders);
  for (const [pattern, operation] of OPERATIONS) {
    if (!pattern.test(last)) continue;
    // An address such as `/search` names no object, so its operation is only called "Open …".
    if (isFolder && operation.includes("%")) return `Open ${name}`;
    return operation.replace("%s", plural(thing)).replace("%", withArticle(thing));
  }
  if (isFolder && !several) return `Browse ${plural(thing)}`;
  return several ? `View ${withArticle(thing)}` : `View ${name}`;
}

/** Returns the object of a section, such as "order" for the folder `orders`. */
function thingOf(section: string, screens: readonly SectionScreen[]): string {
  if (section === "/") return screens[0]?.name ?? "page";
  return singular(titled(lastFolder(section)).toLowerCase());
}

/**
 * Returns the path up to and including the first folder with a word, such as `/-/admin`. OtterWiki and GitLab have
 * such pages below a folder `-`.
 */
function sectionOf(folders: readonly string[]): string {
  return `/${folders.slice(0, firstWord(folders) + 1).join("/")}`;
}

const lastFolder = (section: string): string => section.slice(section.lastIndexOf("/") + 1);

/**
 * Whether an address is the folder of its section itself, such as `/orders`, and not an address inside of
 * this folder.
 */
const isFolderItself = (folders: readonly string[]): boolean =>
  folders.length > 0 && folders.length === firstWord(folders) + 1;

function firstWord(folders: readonly string[]): number {
  const at = folders.findIndex((folder) => /[\p{L}\p{N}]/u.test(folder));
  return at < 0 ? folders.length - 1 : at;
}

function foldersOf(url: string): readonly string[] {
  const path = URL.parse(url)?.pathname ?? "";
  return path
    .replace(/\.[a-z0-9]{1,5}$/i, "")
    .split("/")
    .filter((part) => part !== "" && part !== "index");
}

function titled(folder: string): string {
  const words = folder.replace(/[-_.]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function singular(word: string): string {
  if (/ies$/.test(word)) return word.replace(/ies$/, "y");
  return word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function withArticle(word: string): string {
  return `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
}
