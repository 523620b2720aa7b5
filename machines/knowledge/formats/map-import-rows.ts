/** Converts an imported part of a map to rows. */

import { urlKey } from "../../exploration/crawl/normalise-url.ts";
import type { StoreWrite } from "../../machine-emissions.ts";
import type { ActionRecord, ScreenRecord, TransitionRecord } from "../../records/map-records.ts";
import type { KnowledgeId } from "../../records/record-ids.ts";
import { patternText, specificPattern } from "../addresses/screen-url-pattern.ts";
import type { MapFile } from "./map-file-schema.ts";

export type MapPart = Pick<MapFile, "websites" | "screens" | "actions" | "transitions">;

export function importWrites(knowledgeId: KnowledgeId, part: MapPart, at: number): readonly StoreWrite[] {
  const writes: StoreWrite[] = [];
  const { websites, screens, actions, transitions } = part;
  if (websites.length > 0) {
    const rows = websites.map((site) => ({
      ...site,
      id: [knowledgeId, site.website_id] as const,
      knowledge_id: knowledgeId,
    }));
    writes.push({ op: "put", table: "website", rows });
  }
  if (screens.length > 0) {
    writes.push({
      op: "put",
      table: "screen",
      rows: screens.map((screen) => screenRow(knowledgeId, screen, at)),
    });
  }
  if (actions.length > 0) {
    writes.push({
      op: "put",
      table: "action",
      rows: actions.map((action) => actionRow(knowledgeId, action)),
    });
    const offers = actions.map(({ screen_id, action_id }) => ({
      in: [knowledgeId, screen_id] as const,
      out: [knowledgeId, action_id] as const,
    }));
    writes.push({ op: "relate", edge: "offers", rows: offers });
  }
  if (transitions.length > 0) {
    const rows = transitions.map((transition) => transitionRow(knowledgeId, transition));
    writes.push({ op: "relate", edge: "transition", rows });
  }
  return writes;
}

function screenRow(knowledgeId: KnowledgeId, screen: MapPart["screens"][number], at: number): ScreenRecord {
  const { screen_id, name, content_type, is_actionable, url_patterns, state_signature, structure } = screen;
  const url = screen.url ?? addressOf(url_patterns);
  return {
    id: [knowledgeId, screen_id],
    knowledge_id: knowledgeId,
    website_id: screen.website_id ?? URL.parse(url)?.host ?? "imported",
    screen_id,
    name,
    content_type,
    is_actionable,
    url,
    page_key: URL.canParse(url) ? urlKey(url) : url,
    url_patterns: url_patterns.length > 0 ? url_patterns : url === "" ? [] : [specificPattern(url)],
    state_signature: JSON.stringify(state_signature),
    trail: screen.breadcrumbs.length > 0 ? JSON.stringify(screen.breadcrumbs) : "",
    ...(structure === undefined ? {} : { structure }),
    ...(screen.part_of === undefined ? {} : { part_of: screen.part_of }),
    updated_at: at,
  };
}

/**
 * Derives an address for an imported screen from its URL patterns: from the first pattern that begins with a
 * literal text.
 */
function addressOf(patterns: readonly string[]): string {
  for (const pattern of patterns) {
    const literal = patternText(pattern);
    if (literal && literal.text !== "") return `https://${literal.text}`;
  }
  return "";
}

function actionRow(knowledgeId: KnowledgeId, action: MapPart["actions"][number]): ActionRecord {
  const { action_id, action_type, name, target, parameters, roles } = action;
  return {
    id: [knowledgeId, action_id],
    knowledge_id: knowledgeId,
    action_id,
    action_type,
    name,
    target: target === null ? "" : JSON.stringify(target),
    ...(parameters === undefined ? {} : { parameters: JSON.stringify(parameters) }),
    ...(roles === undefined ? {} : { roles }),
  };
}

function transitionRow(knowledgeId: KnowledgeId, given: MapPart["transitions"][number]): TransitionRecord {
  const { from, to, action, via, seen_at, roles, ...counts } = given;
  return {
    ...counts,
    ...(via === undefined ? {} : { via }),
    ...(seen_at === undefined ? {} : { seen_at }),
    ...(roles === undefined ? {} : { roles }),
    in: [knowledgeId, from],
    out: [knowledgeId, to],
    knowledge_id: knowledgeId,
    action: JSON.stringify(action),
  };
}
