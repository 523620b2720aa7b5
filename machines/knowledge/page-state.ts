/**
 * Converts states that a press shows (a tab, a dialog, an open menu), and screens that only a press leads to,
 * into instances of the map. The transition that leads to each is added.
 */
import type {
  Control,
  Indicator,
  KnowledgeId,
  ScreenRecord,
  StateSignature,
  TransitionRecord,
  UrlKey,
} from "../records.ts";
import { edgeId } from "./edge-id.ts";
import { indicatorText, OBSERVED_LINK, type TransitionAction } from "./page-screen.ts";
import { screenIdOf, slug } from "./screen-id.ts";
import { specificPattern } from "./url-pattern.ts";

/** A state that an exploration has found. */
export interface FoundState {
  readonly website_id: string;
  readonly url: string;
  readonly key: UrlKey;
  /** Names of the controls pressed to show the state, starting at the page; empty for a page itself. */
  readonly path: readonly string[];
  readonly name: string;
  readonly texts: readonly string[];
  /** A sketch of the state's features (structure-sketch.ts). */
  readonly structure: string;
}

/** An action that led from one state to another. */
export interface FoundTransition {
  readonly from: string;
  readonly to: string;
  readonly name: string;
  readonly control: Control;
  /** `click` when the field is absent. */
  readonly action_type?: "hover";
  /** Whether the transition was only inferred, because the control led there from other states. */
  readonly inferred?: boolean;
  /**
   * The address of the link that the control is. The state showed the link, so it was not pressed. Absent for
   * other controls.
   */
  readonly url?: string;
}

/** Confidence of a transition that was observed once. */
const PRESSED = 0.9;
/** Confidence of a transition that was inferred from presses of its control in other states. */
const INFERRED = 0.7;
const MARK = "~";

/** The id of a state: the id of its page and the names of the pressed controls. */
export function stateIdOf(key: UrlKey, path: readonly string[]): string {
  const page = screenIdOf(key);
  return path.length === 0 ? page : `${page}${MARK}${path.map((name) => slug(name) || "state").join(MARK)}`;
}

/** The controls pressed to show a state; `undefined` for the id of a page. */
export function stateOfId(screenId: string): string | undefined {
  const at = screenId.indexOf(MARK);
  return at < 0 ? undefined : screenId.slice(at + 1);
}

/** The id of the page to which a state belongs; the id itself for a page. */
export function pageOfState(screenId: string): string {
  const at = screenId.indexOf(MARK);
  return at < 0 ? screenId : screenId.slice(0, at);
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
    updated_at: at,
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
    // The control is part of the id, because another control may lead to the same screen.
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
 * Whether the transition is kept when the page's links are read again. It is when it comes from a press or an
 * import, because the links do not show it.
 */
export function isKeptByLinks({ action, source }: Pick<TransitionRecord, "action" | "source">): boolean {
  if (source !== undefined) return source !== "http" && source !== "rendered";
  // The cast is safe: the map wrote this field as JSON of `TransitionAction`.
  const { url, action_type } = JSON.parse(action) as TransitionAction;
  return url === "" && action_type !== "redirect";
}
