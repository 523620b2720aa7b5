/**
 * Builds the answers to an agent's instruction: a successful answer, a refusal, and suggestions of screens. Also
 * defines the input from which an answer is made.
 */

import { templateParameters } from "../../../machines/knowledge/addresses/screen-address-template.ts";
import { expectedResult } from "../../../machines/knowledge/formats/map-actions-to-browser-actions.ts";
import type { Atlas, AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import type {
  AgentContext,
  AgentResponse,
  BrowserUseAction,
} from "../../../machines/knowledge/knowledge-protocol.ts";
import type { RecognisableRecord } from "../../../machines/knowledge/screens/screen-recognition.ts";
import type { TravelRule } from "../../../machines/knowledge/transitions/transition-success-and-failure-counts.ts";
import type { OpenMap } from "./recognise-screen.ts";
import { suggestions } from "./resolve-target-screen.ts";

/**
 * The input for the answer to an agent's instruction: the target and context of the instruction, the map, and
 * the rules that choose a route.
 */
export interface AgentRequest extends OpenMap {
  readonly target: string;
  /** Rules by which recent successes and failures of transitions change the choice of a route. */
  readonly rules: readonly TravelRule[];
  readonly context: AgentContext;
}

/** A screen that an answer suggests when the screen that the agent wants was not found or is ambiguous. */
export type Suggestion = Pick<AtlasScreen, "screen_id" | "name" | "url">;

export function success(
  actions: readonly BrowserUseAction[],
  expected: Record<string, unknown>,
  metadata: Record<string, unknown>,
): AgentResponse {
  return { success: true, actions: [...actions], expected_result: expected, error: null, metadata };
}

export function refusal(code: string, message: string): AgentResponse {
  return { success: false, actions: [], expected_result: {}, error: message, metadata: { code } };
}

export function unknownTarget(
  atlas: Atlas,
  target: string,
  near: readonly AtlasScreen[] = suggestions(atlas, target),
): AgentResponse {
  const hint =
    near.length > 0
      ? ` Did you mean ${near.map((screen) => `${screen.name} (${screen.screen_id})`).join(", ")}?`
      : " query_knowledge with sitemap_semantic lists the screens.";
  const answer = refusal("screen.not_found", `This map has no screen "${target}".${hint}`);
  return {
    ...answer,
    metadata: { ...answer.metadata, suggestions: near.map((screen) => brief(atlas, screen)) },
  };
}

export function brief(atlas: Atlas, instance: Suggestion | undefined) {
  if (!instance) return undefined;
  const { screen_id, name, url } = instance;
  const screen = atlas.screenIdOf(screen_id);
  return {
    screen_id: screen,
    name,
    url,
    ...(screen === screen_id ? {} : { instance_id: screen_id }),
    ...partMark(atlas, screen_id),
  };
}

/**
 * Returns `part: true` for a state that only shows a part of its screen, such as an open section; otherwise an
 * empty object.
 */
function partMark(atlas: Atlas, id: string): { readonly part?: true } {
  return atlas.wholeOf(id) === undefined ? {} : { part: true };
}

/**
 * Returns the facts by which a caller recognises that it has reached the target page: its address, its texts,
 * and its screen.
 */
export function arrivalAt(atlas: Atlas, goal: RecognisableRecord): Record<string, unknown> {
  const expected = expectedResult(goal);
  const group = atlas.groupOf(goal.screen_id);
  if (!group) return expected;
  return {
    ...expected,
    screen_id: group.screen_id,
    instance_id: goal.screen_id,
    parameters: templateParameters(group, goal.url),
    ...partMark(atlas, goal.screen_id),
  };
}
