/**
 * Converts states of a page (a tab, a dialog, an open menu), which explorations find by pressing (clicking)
 * controls, to instances of the map with transitions to them. A screen that is only reachable by pressing a
 * control is converted too.
 */

import type {
  ActionRecord,
  Indicator,
  ScreenRecord,
  StateSignature,
  TransitionRecord,
} from "../../records/map-records.ts";
import type { Control } from "../../records/page-control-records.ts";
import type { KnowledgeId, UrlKey } from "../../records/record-ids.ts";
import type { PageTextRecord } from "../../records/search-text-records.ts";
import { specificPattern } from "../addresses/screen-url-pattern.ts";
import { searchableKey } from "./keys-of-searchable-texts.ts";
import {
  type ActionControls,
  actionsOfState,
  indicatorText,
  OBSERVED_LINK,
  type TransitionAction,
} from "./page-to-screen.ts";
import { screenIdOf, slug } from "./screen-id.ts";
import { edgeId } from "./transition-id.ts";

/** A state of a page that an exploration has found. */
export interface FoundState {
  readonly website_id: string;
  readonly url: string;
  readonly key: UrlKey;
  /**
   * Names of the controls that are pressed one after another to show the state, starting at the page. Empty
   * for the page itself.
   */
  readonly path: readonly string[];
  readonly name: string;
  readonly texts: readonly string[];
  /** A sketch (compact signature) of the features of the state's page (page-feature-sketch.ts). */
  readonly structure: string;
  /**
   * Whether the last press only showed a part of the page, such as a section. The state before the press and
   * this state are then instances of one screen.
   */
  readonly part?: true;
  /** The controls and forms that the last press has added, such as those of a dialog. */
  readonly controls?: ActionControls;
  /** The texts that the last press has added, by which a search finds the state. */
  readonly added?: readonly string[];
  /** Whether the map has this state from an earlier exploration. Then only its controls and texts are stored. */
  readonly known?: true;
}

/** An action that led an exploration from one state to another. */
export interface FoundTransition {
  readonly from: string;
  readonly to: string;
  readonly name: string;
  readonly control: Control;
  /** The kind of the action; `click` when the field is absent. */
  readonly action_type?: "hover";
  /**
   * True if the transition was not observed, but inferred: in other states, the same control led to this state or
   * page.
   */
  readonly inferred?: boolean;
  /**
   * The address of a link; absent for other controls. The exploration has seen such a link and not clicked
   * it.
   */
  readonly url?: string;
}

/** Confidence (0 to 1) of a transition that was observed once. */
const PRESSED = 0.9;
/**
 * Confidence (0 to 1) of an inferred transition: presses of the same control in other states have led to this state
 * or page.
 */
const INFERRED = 0.7;
const MARK = "~";
/** Separates the name of a page from the names of the pressed controls in the name of a state. */
export const STATE_NAME_SEPARATOR = ": ";

/** Returns the names of the controls in the name of a state: `["menu", "Users"]` for "Start: menu, Users". */
export function pressesOfStateName(name: string): readonly string[] {
  const at = name.lastIndexOf(STATE_NAME_SEPARATOR);
  return at < 0 ? [] : name.slice(at + STATE_NAME_SEPARATOR.length).split(", ");
}

/** Returns the id of a state. It consists of the page's id and the names of the pressed controls. */
export function stateIdOf(key: UrlKey, path: readonly string[]): string {
  const page = screenIdOf(key);
  return path.length === 0 ? page : `${page}${MARK}${path.map((name) => slug(name) || "state").join(MARK)}`;
}

/** Returns the names of the controls that are pressed to show a state; `undefined` for the id of a page. */
export function stateOfId(screenId: string): string | undefined {
  const at = screenId.indexOf(MARK);
  return at < 0 ? undefined : screenId.slice(at + 1);
}

/** Returns the id of the page of a state. For the id of a page, returns this id. */
export function pageOfState(screenId: string): string {
  const at = screenId.indexOf(MARK);
  return at < 0 ? screenId : screenId.slice(0, at);
}

/**
 * Returns the id of the page or state from which the last press led to this state. Returns `undefined` for a
 * page.
 */
export function openerOfState(screenId: string): string | undefined {
  const at = screenId.lastIndexOf(MARK);
  return at < 0 ? undefined : screenId.slice(0, at);
}

export function stateScreen(knowledgeId: KnowledgeId, state: FoundState, at: number): ScreenRecord {
  const screenId = stateIdOf(state.key, state.path);
  const indicators = state.texts.flatMap((text): readonly Indicator[] => {
    const value = indicatorText(text);
    return value === undefined ? [] : [{ type: "dom_contains", value, reason: "Text of the state" }];
  });
  const signature: StateSignature = {
    required_indicators: [
      ...indicators.slice(0, 5),
      {
        type: "url_matches",
        pattern: specificPattern(state.url),
        reason: "URL pattern for screen recognition",
      },
    ],
    optional_indicators: indicators.slice(5, 60),
  };
  return {
    id: [knowledgeId, screenId],
    knowledge_id: knowledgeId,
    website_id: state.website_id,
    screen_id: screenId,
    name: state.name,
    content_type: "web_ui",
    is_actionable: true,
    url: state.url,
    page_key: state.key,
    url_patterns: [specificPattern(state.url)],
    state_signature: JSON.stringify(signature),
    trail: "",
    structure: state.structure,
    ...(state.part ? { part_of: stateIdOf(state.key, state.path.slice(0, -1)) } : {}),
    ...addedTexts(state),
    updated_at: at,
  };
}

/** Returns the actions for the controls that the last press of a state has added. */
export function stateActions(
  knowledgeId: KnowledgeId,
  { key, path, controls }: FoundState,
): readonly ActionRecord[] {
  return controls ? actionsOfState(knowledgeId, stateIdOf(key, path), controls) : [];
}

/** Returns the field `added_texts` of a state: the texts that the last press has added. */
export function addedTexts({ path, added = [] }: FoundState): Pick<ScreenRecord, "added_texts"> {
  return path.length > 0 && added.length > 0 ? { added_texts: added.join("\n") } : {};
}

/** Returns the searchable text of a state; `undefined` for a page, and for a state without texts of its own. */
export function stateText(knowledgeId: KnowledgeId, state: FoundState): PageTextRecord | undefined {
  const { key, path, url, name } = state;
  const { added_texts } = addedTexts(state);
  if (added_texts === undefined) return undefined;
  return {
    id: [knowledgeId, searchableKey("screen", stateIdOf(key, path))],
    knowledge_id: knowledgeId,
    url,
    title: name,
    headings: "",
    url_words: "",
    // In a search, the first words of a `body` count as much as a heading. The words of a state should count
    // less, so they are stored as `controls`.
    controls: added_texts,
    body: "",
  };
}

export function pressTransition(
  knowledgeId: KnowledgeId,
  found: FoundTransition,
  at: number,
): TransitionRecord {
  const { inferred = false, action_type = "click", url = "" } = found;
  const action: TransitionAction = { action_type, name: found.name, target: found.control, url };
  const isLink = url !== "";
  const unpressed = isLink ? OBSERVED_LINK : INFERRED;
  return {
    in: [knowledgeId, found.from],
    out: [knowledgeId, found.to],
    // The id of a transition contains the control, because two controls on one screen may lead to the same
    // target.
    via: edgeId(found.to, `${found.control.role} ${found.name}`),
    knowledge_id: knowledgeId,
    action: JSON.stringify(action),
    successes: inferred || isLink ? 0 : 1,
    failures: 0,
    inferred,
    confidence: inferred || isLink ? unpressed : PRESSED,
    source: isLink ? "rendered" : inferred ? "inferred" : "interactive",
    seen_at: at,
  };
}

/**
 * Whether a transition is kept when the links of its page are read again. Transitions of pressed controls and
 * of imports are kept, because they are not links.
 */
export function isKeptByLinks({ action, source }: Pick<TransitionRecord, "action" | "source">): boolean {
  if (source !== undefined) return source !== "http" && source !== "rendered";
  // The cast is safe: the map wrote this field as JSON of `TransitionAction`.
  const { url, action_type } = JSON.parse(action) as TransitionAction;
  return url === "" && action_type !== "redirect";
}
