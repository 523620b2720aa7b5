/** Lists the screens of a map with their actions, in the shape of the protocol specification. */

import {
  translateControl,
  translateTransition,
} from "../../../machines/knowledge/formats/map-actions-to-browser-actions.ts";
import type { AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import type {
  BrowserUseAction,
  ScreenList,
  ScreensQuestion,
} from "../../../machines/knowledge/knowledge-protocol.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import type { RecognisableRecord } from "../../../machines/knowledge/screens/screen-recognition.ts";
import type { OpenMap } from "./recognise-screen.ts";

type Described = ScreenList["screens"][number];

/** A screen of the map, and one of its pages as an example. */
interface Listed {
  readonly screen_id: string;
  readonly example: AtlasScreen;
}

export async function listScreens(
  map: OpenMap,
  { content_type, actionable_only, website_id, limit, cursor }: ScreensQuestion,
): Promise<ScreenList> {
  const { knowledgeId, source } = map;
  const all = allScreens(map);
  const wanted = all.filter(
    ({ screen_id, example }) =>
      (content_type === undefined || example.content_type === content_type) &&
      (!actionable_only || example.is_actionable) &&
      (website_id === undefined || example.website_id === website_id) &&
      (cursor === undefined || screen_id > cursor),
  );
  const shown = wanted.slice(0, limit ?? knowledgeLimits.listedScreens);
  const last = shown.at(-1);
  const ids = shown.map(({ screen_id }) => screen_id);
  const records = new Map(
    (await source.screens.recognisable(knowledgeId, ids)).map((record) => [record.screen_id, record]),
  );
  const screens = shown.flatMap((listed) => {
    const record = records.get(listed.screen_id);
    return record ? [described(map, listed, record)] : [];
  });
  return {
    screens: await Promise.all(screens),
    statistics: statisticsOf(all),
    next_cursor: last && shown.length < wanted.length ? last.screen_id : null,
  };
}

/** Returns all screens in the order of their ids. */
function allScreens({ atlas }: OpenMap): readonly Listed[] {
  return atlas.screenIds().flatMap((screen_id) => {
    const example = atlas.get(atlas.group(screen_id)?.example ?? screen_id);
    return example ? [{ screen_id, example }] : [];
  });
}

function statisticsOf(screens: readonly Listed[]): ScreenList["statistics"] {
  const count = (matches: (example: AtlasScreen) => boolean) =>
    screens.filter(({ example }) => matches(example)).length;
  return {
    web_ui_screens: count(({ content_type }) => content_type === "web_ui"),
    documentation_screens: count(({ content_type }) => content_type === "documentation"),
    actionable_screens: count(({ is_actionable }) => is_actionable),
    non_actionable_screens: count(({ is_actionable }) => !is_actionable),
  };
}

async function described(
  { knowledgeId, source, atlas }: OpenMap,
  { screen_id, example }: Listed,
  record: RecognisableRecord,
): Promise<Described> {
  const offers = await source.screens.offers(knowledgeId, example.screen_id);
  const actions: readonly BrowserUseAction[] = [
    ...offers.actions.flatMap((control) => translateControl(control, screen_id) ?? []),
    ...offers.transitions.flatMap((transition) => {
      const leadsTo = atlas.routes.resolve(transition.out[1]);
      const next = leadsTo === undefined ? undefined : atlas.get(leadsTo);
      return translateTransition(transition, next, "click") ?? [];
    }),
  ];
  const members = [...atlas.members(screen_id)].filter((id) => atlas.wholeOf(id) === undefined).sort();
  return {
    screen_id,
    name: record.name,
    website_id: example.website_id,
    url: record.url,
    content_type: example.content_type,
    is_actionable: example.is_actionable,
    url_patterns: [...record.url_patterns],
    templates: [...(atlas.group(screen_id)?.templates ?? [])],
    instances: Math.max(members.length, 1),
    examples: members.slice(0, knowledgeLimits.listedExamples).flatMap((id) => {
      const instance = atlas.get(id);
      return instance ? [{ instance_id: id, name: instance.name, url: instance.url }] : [];
    }),
    // The map actor wrote the signature as JSON of `StateSignature`, so the cast is safe.
    state_signature: JSON.parse(record.state_signature) as Described["state_signature"],
    available_browser_use_actions: [...actions],
  };
}
