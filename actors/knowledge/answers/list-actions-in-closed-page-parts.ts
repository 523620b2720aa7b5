/**
 * Lists the links and buttons in the parts of a page that are closed when the page opens, such as sections and
 * menus. Each action has in `requires` the presses that show its element.
 */

import { translateTransition } from "../../../machines/knowledge/formats/map-actions-to-browser-actions.ts";
import type { BrowserUseAction } from "../../../machines/knowledge/knowledge-protocol.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import type { TransitionRecord } from "../../../machines/records/map-records.ts";
import type { AgentRequest } from "./agent-answer-builders.ts";

/**
 * Returns the links and buttons in closed parts of a screen as actions.
 *
 * @param own the transitions of the screen's page itself
 */
export async function actionsInParts(
  { atlas, source, knowledgeId, context }: AgentRequest,
  screenId: string,
  own: readonly TransitionRecord[],
): Promise<readonly BrowserUseAction[]> {
  const parts = atlas.partsOf(screenId).slice(0, knowledgeLimits.partsOfActions);
  const read = await source.screens.transitionsFromEach(knowledgeId, parts);
  const leaving = new Map([[screenId, own], ...parts.map((id, at) => [id, read[at] ?? []] as const)]);
  const translate = (transition: TransitionRecord) => {
    const leadsTo = atlas.routes.resolve(transition.out[1]);
    const next = leadsTo === undefined ? undefined : atlas.get(leadsTo);
    return translateTransition(transition, next, context.prefer ?? "click");
  };
  const showing = (part: string): readonly BrowserUseAction[] => {
    const whole = atlas.wholeOf(part);
    const press = whole && leaving.get(whole)?.find(({ out }) => out[1] === part);
    const action = press && translate(press);
    return whole && action ? [...showing(whole), action] : [];
  };
  const known = new Set(own.map(linkKey));
  return parts.flatMap((part) => {
    const requires = [...showing(part)];
    if (requires.length === 0) return [];
    return (leaving.get(part) ?? []).flatMap((transition) => {
      const key = linkKey(transition);
      const action = known.has(key) ? undefined : translate(transition);
      known.add(key);
      return action ? [{ ...action, requires }] : [];
    });
  });
}

/**
 * Returns a key for a link, made of its target and its element. The state of a page with an opened part, such
 * as a section, also contains the links of the whole page. Links with the same key are listed only once.
 */
function linkKey({ out, via }: TransitionRecord): string {
  return `${out[1]}\n${via}`;
}
