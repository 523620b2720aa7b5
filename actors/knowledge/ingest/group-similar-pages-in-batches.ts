/**
 * Groups similar pages of a map as instances of one screen, and chooses the texts that distinguish each
 * screen from the other screens.
 */

import { templatesOf, templateText } from "../../../machines/knowledge/addresses/screen-address-template.ts";
import type { Atlas, AtlasGroup, AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import {
  groupScreens,
  type ScreenGroup,
} from "../../../machines/knowledge/page-groups/group-pages-into-screens.ts";
import { pagesInFolderMenus } from "../../../machines/knowledge/page-groups/pages-in-folder-menus.ts";
import { applicationsOf } from "../../../machines/knowledge/page-groups/split-site-into-applications.ts";
import { type Batch, emptyBatch } from "../../../machines/knowledge/rows-of-one-map-commit.ts";
import {
  openerOfState,
  stateOfId,
} from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import { groupName, identify } from "../../../machines/knowledge/screens/screen-ids-after-regrouping.ts";
import {
  chooseIndicators,
  type ScreenTexts,
  TextFrequencies,
  textKey,
} from "../../../machines/knowledge/screens/screen-indicator-choice.ts";
import {
  groupNamesByTitle,
  type TitledScreen,
} from "../../../machines/knowledge/screens/screen-name-from-shared-title-part.ts";
import type { Indicator, ScreenGroupRecord, StateSignature } from "../../../machines/records/map-records.ts";
import type { Crumb } from "../../../machines/records/page-records.ts";
import type { KnowledgeId } from "../../../machines/records/record-ids.ts";
import type { MapSource } from "../map-store-interface.ts";
import { evenly, inParts } from "./array-batches-and-samples.ts";

/** A screen with the pages (instances) that the new grouping assigns to it. */
interface FoundScreen {
  readonly screen_id: string;
  readonly instances: readonly AtlasScreen[];
  /** States that differ from these pages only in a part, such as an opened section. */
  readonly parts: readonly AtlasScreen[];
  readonly aliases: readonly string[];
}

/**
 * Returns the changes that replace the stored groups of pages and their texts by the new ones, as batches
 * that are committed one by one. The list is empty when nothing changes.
 */
export async function groupBatches(
  source: MapSource,
  knowledgeId: KnowledgeId,
  atlas: Atlas,
  at: number,
): Promise<readonly Batch[]> {
  const screens = await foundScreens(source, knowledgeId, atlas);
  const texts = await screenTexts(source, knowledgeId, screens);
  const frequencies = new TextFrequencies();
  for (const own of texts.values()) frequencies.add(own);
  const several = screens.filter(isGroup);
  const stored = new Map<string, ScreenGroupRecord>();
  for (const some of inParts([...atlas.groups()], knowledgeLimits.nameBatch)) {
    const ids = some.map(({ screen_id }) => screen_id);
    for (const group of await source.screens.groupsOf(knowledgeId, ids)) stored.set(group.screen_id, group);
  }
  const names = new Set(
    screens.flatMap((screen) => (isGroup(screen) ? [] : screen.instances.map(({ name }) => name))),
  );
  const titled = groupNamesByTitle(screens.flatMap(titledPages));
  const groups: ScreenGroupRecord[] = [];
  const signatures: Batch["signatures"][number][] = [];
  for (const screen of screens) {
    const own = texts.get(screen.screen_id);
    const [first] = screen.instances;
    if (!own || !first) continue;
    if (!isGroup(screen)) {
      const chosen = JSON.stringify(
        chooseIndicators(own, { patterns: first.url_patterns, frequencies, around: own.around }),
      );
      if (chosen !== own.stored)
        signatures.push({ id: [knowledgeId, first.screen_id], state_signature: chosen });
      continue;
    }
    const group = withOwnName(
      groupRecord(knowledgeId, screen, own, { frequencies, name: titled.get(screen.screen_id) }, at),
      screen.instances,
      names,
    );
    names.add(group.name);
    if (!sameGroup(stored.get(group.screen_id), group)) groups.push(group);
  }
  const kept = new Set(several.map(({ screen_id }) => screen_id));
  const home = new Map(
    several.flatMap(({ screen_id, instances, parts }) =>
      [...instances, ...parts].map((one) => [one.screen_id, screen_id] as const),
    ),
  );
  const moved = [...atlas.screens()]
    .map(({ screen_id }) => screen_id)
    .filter((id) => (atlas.groupOf(id)?.screen_id ?? undefined) !== home.get(id));
  const batches: Batch[] = [
    ...inParts(groups, knowledgeLimits.nameBatch).map((some) => ({ ...emptyBatch, groups: some })),
    ...inParts(moved, knowledgeLimits.mapEdges).map((some) => membershipBatch(knowledgeId, some, home)),
    ...inParts(signatures, knowledgeLimits.nameBatch).map((some) => ({ ...emptyBatch, signatures: some })),
  ];
  // The last batch removes the groups that no longer exist. Until the earlier batches are committed, pages
  // still belong to these groups.
  const dissolved = atlas.groups().filter(({ screen_id }) => !kept.has(screen_id));
  if (dissolved.length === 0) return batches;
  const ids = dissolved.map(({ screen_id }) => [knowledgeId, screen_id] as const);
  return [...batches, { ...emptyBatch, dissolved: ids }];
}

/**
 * Whether the screen needs a screen group, because it consists of several pages, or of a page and states that
 * show it with an opened part.
 */
function isGroup({ instances, parts }: FoundScreen): boolean {
  return instances.length + parts.length > 1;
}

function membershipBatch(
  knowledgeId: KnowledgeId,
  instances: readonly string[],
  home: ReadonlyMap<string, string>,
): Batch {
  return {
    ...emptyBatch,
    regrouped: instances.map((id) => [knowledgeId, id] as const),
    memberships: instances.flatMap((id) => {
      const group = home.get(id);
      return group === undefined
        ? []
        : [{ in: [knowledgeId, id] as const, out: [knowledgeId, group] as const }];
    }),
  };
}

async function foundScreens(
  source: MapSource,
  knowledgeId: KnowledgeId,
  atlas: Atlas,
): Promise<readonly FoundScreen[]> {
  const structures = new Map(await source.screens.structures(knowledgeId));
  // In an imported map, `part_of` may be any id. It is used only if it is the id of the page or state from
  // which the last press led to this state. The id of a state begins with that id.
  const marked = (await source.screens.parts(knowledgeId)).filter(
    ([id, whole]) => whole === openerOfState(id),
  );
  const parts = partsOfWholes(atlas, new Set(marked.map(([id]) => id)));
  const partIds = new Set([...parts.values()].flatMap((some) => some.map(({ screen_id }) => screen_id)));
  const visited = [...atlas.screens()].filter(
    ({ content_type, screen_id }) => content_type === "web_ui" && !partIds.has(screen_id),
  );
  const found: FoundScreen[] = [];
  const grouped: (readonly AtlasScreen[])[] = [];
  for (const screens of Map.groupBy(visited, (screen) => screen.website_id).values()) {
    for (const { instances: members } of groupedPages(screens, structures, atlas)) {
      const own = members.flatMap(({ screen_id }) => atlas.get(screen_id) ?? []);
      const [only] = own;
      if (own.length > 1 || own.some(({ screen_id }) => parts.has(screen_id))) grouped.push(own);
      else if (only) found.push({ screen_id: only.screen_id, instances: own, parts: [], aliases: [] });
    }
  }
  const identities = identify(
    grouped.map((own) => ({
      members: own.map(({ screen_id }) => screen_id),
      urls: own.map(({ url }) => url),
    })),
    atlas.groups().map(({ screen_id, aliases }: AtlasGroup) => ({
      screen_id,
      aliases,
      members: [...atlas.members(screen_id)],
    })),
  );
  for (const [index, own] of grouped.entries()) {
    const identity = identities[index];
    const ownParts = own.flatMap(({ screen_id }) => parts.get(screen_id) ?? []);
    if (identity) found.push({ ...identity, instances: own, parts: ownParts });
  }
  return found;
}

/**
 * Groups the pages of a site into screens. A site may consist of several applications, and pages of different
 * applications are never one screen.
 */
function groupedPages(
  screens: readonly AtlasScreen[],
  structures: ReadonlyMap<string, string>,
  atlas: Atlas,
): readonly ScreenGroup[] {
  const idsOf = (pages: readonly { readonly screen_id: string }[]) => pages.map(({ screen_id }) => screen_id);
  const pages = screens.map(({ screen_id, url, name }) => ({
    screen_id,
    url,
    name,
    structure: structures.get(screen_id) ?? "",
    unread: !structures.has(screen_id),
    state: stateOfId(screen_id),
  }));
  const countLinks = atlas.routes.linkCounter(idsOf(pages));
  const applications = applicationsOf(pages, (from) => countLinks(idsOf(from)));
  return applications.flatMap((own) => {
    const linking = atlas.routes.countLinking(idsOf(own));
    const inMenus = pagesInFolderMenus(own, atlas.routes.linkCounter(idsOf(own)));
    return groupScreens(
      own.map((page) => ({
        ...page,
        site_wide: (linking.get(page.screen_id) ?? 0) > own.length / 2 || inMenus.has(page.screen_id),
      })),
    );
  });
}

/**
 * Returns for each page or state the states that differ from it only by opened parts, such as a section. If
 * the page itself is not on the map, as in some imported maps, its states are left out.
 *
 * @param marked ids of the states that differ only by an open part from the state before the last press
 */
function partsOfWholes(
  atlas: Atlas,
  marked: ReadonlySet<string>,
): ReadonlyMap<string, readonly AtlasScreen[]> {
  const parts = new Map<string, AtlasScreen[]>();
  for (const id of marked) {
    let whole = openerOfState(id);
    while (whole !== undefined && marked.has(whole)) whole = openerOfState(whole);
    const part = atlas.get(id);
    if (!part || whole === undefined || atlas.get(whole)?.content_type !== "web_ui") continue;
    const known = parts.get(whole);
    if (known) known.push(part);
    else parts.set(whole, [part]);
  }
  return parts;
}

interface OwnTexts extends ScreenTexts {
  /** The signature (JSON of `StateSignature`) that is stored for the first of the group's sampled pages. */
  readonly stored: string;
  /**
   * Texts of the page, and of the states through which presses lead to the sampled states. The sampled states
   * may show these texts too, so the texts do not distinguish them.
   */
  readonly around: ReadonlySet<string>;
}

/** Returns for each screen the texts that its pages show. Only some pages of each screen are read. */
async function screenTexts(
  source: MapSource,
  knowledgeId: KnowledgeId,
  screens: readonly FoundScreen[],
): Promise<ReadonlyMap<string, OwnTexts>> {
  const texts = new Map<string, OwnTexts>();
  for (const some of inParts(screens, knowledgeLimits.nameBatch)) {
    const samples = new Map(
      some.map((screen) => [screen.screen_id, evenly(screen.instances, knowledgeLimits.screenSamples)]),
    );
    const sampled = [...samples.values()].flat().map(({ screen_id }) => screen_id);
    const ids = [...new Set(sampled.flatMap((id) => [id, ...openersOf(id)]))];
    const records = await source.screens.recognisable(knowledgeId, ids);
    const byId = new Map(records.map((record) => [record.screen_id, record.state_signature]));
    const read = (from: readonly string[]) => from.flatMap((id) => byId.get(id) ?? []);
    for (const [screen_id, instances] of samples) {
      const ownIds = instances.map((instance) => instance.screen_id);
      const own = read(ownIds);
      const [stored] = own;
      if (stored === undefined) continue;
      const around = read(ownIds.flatMap(openersOf)).flatMap(textsOf).map(textKey);
      texts.set(screen_id, { screen_id, samples: own.map(textsOf), stored, around: new Set(around) });
    }
  }
  return texts;
}

/**
 * Returns the ids of the states through which presses lead to this state, the nearest first. The last id is
 * that of the page.
 */
function openersOf(id: string): readonly string[] {
  const opener = openerOfState(id);
  return opener === undefined ? [] : [opener, ...openersOf(opener)];
}

function textsOf(signature: string): readonly Indicator[] {
  // The map actor wrote the signature as JSON of `StateSignature`, so the cast is safe.
  const { required_indicators, optional_indicators } = JSON.parse(signature) as StateSignature;
  return [...required_indicators, ...optional_indicators].filter(({ type }) => type === "dom_contains");
}

function groupRecord(
  knowledgeId: KnowledgeId,
  { screen_id, instances, aliases }: FoundScreen,
  texts: OwnTexts,
  { frequencies, name }: { readonly frequencies: TextFrequencies; readonly name: string | undefined },
  at: number,
): ScreenGroupRecord {
  const urls = instances.map(({ url }) => url);
  const templates = templatesOf(urls);
  const patterns = templates.map(({ pattern }) => pattern);
  const [example] = [...instances].sort((a, b) => a.url.length - b.url.length || (a.url < b.url ? -1 : 1));
  const one = new Set(instances.map(({ name }) => name)).size === 1;
  return {
    id: [knowledgeId, screen_id],
    knowledge_id: knowledgeId,
    website_id: example?.website_id ?? "",
    screen_id,
    // If the pages of a screen have one name, the screen gets this name. Otherwise the name is the part that their
    // titles share, or it is derived from their addresses.
    name: one
      ? (example?.name ?? "")
      : (name ??
        groupName(
          urls,
          instances.map((instance) => instance.name),
          crumbAbove(instances),
        )),
    content_type: "web_ui",
    is_actionable: true,
    url: example?.url ?? "",
    example: example?.screen_id ?? "",
    url_patterns: patterns,
    templates: templates.map(({ template }) => template),
    state_signature: JSON.stringify(chooseIndicators(texts, { patterns, frequencies, around: texts.around })),
    instances: instances.length,
    aliases,
    updated_at: at,
  };
}

/**
 * Returns the pages of a screen with their titles. The list is empty for a screen with states of pages,
 * because a state is named after the control that was pressed.
 */
function titledPages({ screen_id, instances }: FoundScreen): readonly TitledScreen[] {
  const pages = instances.filter((instance) => stateOfId(instance.screen_id) === undefined);
  if (pages.length < instances.length) return [];
  return [{ screen_id, urls: pages.map(({ url }) => url), names: pages.map(({ name }) => name) }];
}

/**
 * Returns the group with a name that no other screen has. If its name is taken, the pattern of its addresses
 * is appended.
 */
function withOwnName(
  group: ScreenGroupRecord,
  instances: readonly AtlasScreen[],
  taken: ReadonlySet<string>,
): ScreenGroupRecord {
  if (!taken.has(group.name)) return group;
  return { ...group, name: `${group.name} ${templateText(instances.map(({ url }) => url))}` };
}

/** Returns the last breadcrumb if all pages of the group have the same one. */
function crumbAbove(instances: readonly AtlasScreen[]): string | undefined {
  const names = new Set(
    instances.map(({ trail }) => {
      // `page-to-screen.ts` wrote the breadcrumbs as JSON of `Crumb[]`, so the cast is safe.
      const crumbs = trail === "" ? [] : (JSON.parse(trail) as readonly Crumb[]);
      return crumbs.at(-1)?.name;
    }),
  );
  const [name] = names;
  return names.size === 1 ? name : undefined;
}

/** Whether two groups of pages are equal, apart from their ids and the time of their last change. */
function sameGroup(stored: ScreenGroupRecord | undefined, found: ScreenGroupRecord): boolean {
  if (!stored) return false;
  const plain = ({ id: _, updated_at: __, ...group }: ScreenGroupRecord) =>
    JSON.stringify(Object.entries(group).sort(([a], [b]) => (a < b ? -1 : 1)));
  return plain(stored) === plain(found);
}
