/** Rows of maps: sites, screens and their groups, actions, and transitions between screens. */
import type { KnowledgeId, UrlKey } from "./record-ids.ts";

/** A map of an application. It covers one or several sites. */
export interface KnowledgeRecord {
  readonly id: KnowledgeId;
  readonly name: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A site inside a map. A map may contain several sites. */
export interface WebsiteRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly website_id: string;
  readonly base_url: string;
}

export const contentTypes = ["web_ui", "documentation", "video_transcript", "api_docs", "unknown"] as const;

export type ContentType = (typeof contentTypes)[number];

export interface Indicator {
  readonly type: "dom_contains" | "url_matches";
  readonly value?: string;
  readonly pattern?: string;
  readonly selector?: string;
  readonly reason: string;
}

export interface StateSignature {
  readonly required_indicators: readonly Indicator[];
  readonly optional_indicators: readonly Indicator[];
}

/**
 * One instance of a screen: the page at one address. Several instances of one screen form a group. A caller
 * may use the `screen_id` of an instance as an id of its group.
 */
export interface ScreenRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly website_id: string;
  readonly screen_id: string;
  readonly name: string;
  readonly content_type: ContentType;
  readonly is_actionable: boolean;
  readonly url: string;
  readonly page_key: UrlKey;
  readonly url_patterns: readonly string[];
  /** The texts and patterns by which the screen is recognised, as JSON of `StateSignature`. */
  readonly state_signature: string;
  /** JSON of the page's breadcrumbs (`Crumb`); empty without breadcrumbs. */
  readonly trail: string;
  /**
   * A sketch (compact signature) of the page's structure, as `knowledge/screens/page-feature-sketch.ts` makes
   * it. Absent in older rows.
   */
  readonly structure?: string;
  /**
   * Set if this state shows only a part of another page or state, such as an open section: the id of that page
   * or state. It and this state are instances of the same screen.
   */
  readonly part_of?: string;
  /** The texts that the last press to this state has added to the page, one a line. Absent for pages. */
  readonly added_texts?: string;
  readonly updated_at: number;
}

/**
 * A screen with several instances (pages or states), which a person would regard as one screen. A screen with
 * a single instance has only a `screen` row, and no row in this table.
 */
export interface ScreenGroupRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly website_id: string;
  readonly screen_id: string;
  readonly name: string;
  readonly content_type: ContentType;
  readonly is_actionable: boolean;
  /** The address of the page (instance) that represents the screen. */
  readonly url: string;
  /** The id of the page (instance) that is the example of the screen. */
  readonly example: string;
  readonly url_patterns: readonly string[];
  /** For each of `url_patterns`, the same pattern in readable form, such as `/orders/{order}`. */
  readonly templates: readonly string[];
  /** The texts and patterns by which the screen is recognised, as JSON of `StateSignature`. */
  readonly state_signature: string;
  readonly instances: number;
  /** Former ids of the screens and groups that were merged into this group. */
  readonly aliases: readonly string[];
  readonly updated_at: number;
}

/** The edge screen -instance_of-> screen_group, from an instance to its group. */
export interface InstanceOfRecord {
  readonly in: readonly [KnowledgeId, string];
  readonly out: readonly [KnowledgeId, string];
}

/** The edge "shows" leads from a stored page to the screen that the page shows. */
export interface ShowsRecord {
  readonly in: readonly [KnowledgeId, UrlKey];
  readonly out: readonly [KnowledgeId, string];
}

/**
 * An action that a screen offers by a button, an input or a form. Plain links are stored as transitions, not
 * as actions.
 */
export interface ActionRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly action_id: string;
  readonly action_type: string;
  readonly name: string;
  /** The control of the action, as JSON of `Control`. */
  readonly target: string;
  /**
   * The parameters of an imported action as JSON, except those that describe its control. Absent if there are
   * none.
   */
  readonly parameters?: string;
  /** The roles of accounts for which the action exists. Absent if every account has it. */
  readonly roles?: readonly string[];
}

/** The edge screen -offers-> action, from a screen to one of its actions. */
export interface OffersRecord {
  readonly in: readonly [KnowledgeId, string];
  readonly out: readonly [KnowledgeId, string];
}

/** The edge screen -transition-> screen, with the action that leads from the first screen to the second. */
export interface TransitionRecord {
  readonly in: readonly [KnowledgeId, string];
  readonly out: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  /** The action that leads to the target, as JSON of `{ action_type, name, target: Control, url }`. */
  readonly action: string;
  readonly successes: number;
  readonly failures: number;
  readonly inferred: boolean;
  readonly confidence: number;
  /** The reason for an inferred transition; absent for an observed one. */
  readonly reasoning?: string;
  /**
   * The action that an inferred action has replaced. It is restored if the inferred action turns out to be
   * wrong. Absent if the transition is new, or had no action.
   */
  readonly before?: string;
  /**
   * The `edgeId` that distinguishes several transitions between the same two screens, as a part of the row's
   * id (knowledge/screens/transition-id.ts). Absent for the first transition to a target, whose row id
   * contains the target's id instead.
   */
  readonly via?: string;
  /** How the transition was first observed; absent in older rows. */
  readonly source?: TransitionSource;
  /**
   * Time at which the link or control was last seen or the transition was last used, in milliseconds since
   * the epoch. Absent in older rows.
   */
  readonly seen_at?: number;
  /** The roles of accounts for which the transition exists; absent if it exists for everybody. */
  readonly roles?: readonly string[];
}

/**
 * How a transition was observed. `http` and `rendered`: as a link of a page. `interactive`: by pressing a
 * control during an exploration.
 */
export const transitionSources = [
  "http",
  "rendered",
  "interactive",
  "recorded",
  "ingested",
  "inferred",
] as const;

export type TransitionSource = (typeof transitionSources)[number];
