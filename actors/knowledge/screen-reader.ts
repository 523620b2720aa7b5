/** Lists the screens of a map in the shape of the protocol specification, with their actions. */

import { translateControl, translateTransition } from "../../machines/knowledge/browser-actions.ts";
import { knowledgeLimits } from "../../machines/knowledge/limits.ts";
import type { BrowserUseAction, ScreenList, ScreensQuestion } from "../../machines/knowledge/protocol.ts";
import type { KnowledgeId, ScreenRecord } from "../../machines/records.ts";
import type { MapSource } from "./map-source.ts";

export async function listScreens(
  knowledgeId: KnowledgeId,
  source: MapSource,
  { content_type, actionable_only, website_id, limit, cursor }: ScreensQuestion,
): Promise<ScreenList> {
  const slice = await source.screens.list(
    knowledgeId,
    { contentType: content_type, actionableOnly: actionable_only, websiteId: website_id },
    { limit: limit ?? knowledgeLimits.listedScreens, cursor },
  );
  return {
    screens: await Promise.all(slice.items.map((screen) => described(knowledgeId, source, screen))),
    statistics: await source.screens.statistics(knowledgeId),
    next_cursor: slice.cursor,
  };
}

type Described = ScreenList["screens"][number];

async function described(
  knowledgeId: KnowledgeId,
  source: MapSource,
  screen: ScreenRecord,
): Promise<Described> {
  const { screen_id } = screen;
  const [controls, transitions] = await Promise.all([
    source.screens.actions(knowledgeId, screen_id),
    source.screens.transitionsFrom(knowledgeId, screen_id),
  ]);
  const actions: readonly BrowserUseAction[] = [
    ...controls.flatMap((control) => translateControl(control, screen_id) ?? []),
    ...transitions.flatMap((transition) => translateTransition(transition, undefined, "click") ?? []),
  ];
  return {
    screen_id,
    name: screen.name,
    website_id: screen.website_id,
    url: screen.url,
    content_type: screen.content_type,
    is_actionable: screen.is_actionable,
    url_patterns: [...screen.url_patterns],
    // This kind wrote it as JSON of `StateSignature`.
    state_signature: JSON.parse(screen.state_signature) as Described["state_signature"],
    available_browser_use_actions: [...actions],
  };
}
