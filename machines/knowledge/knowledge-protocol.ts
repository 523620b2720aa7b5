/**
 * The protocol of the actor kind `knowledge`: instructions and queries of agents about a map, and their
 * answers. `AgentInstruction`, `AgentResponse` and `query` are those of the protocol specification, with
 * additional fields.
 */

import { z } from "zod";
import { defineProtocol, noFields, noParams, typed } from "../actor-kind-protocol.ts";
import { accountRoleSchema, knowledgeIdSchema } from "../exploration/exploration-protocol.ts";
import { contentTypes } from "../records/map-records.ts";
import { roomNameSchema } from "../session/session-name-in-request.ts";
import type { DocumentPart } from "./documents/ingested-document-part.ts";
import type { MapPart } from "./formats/map-import-rows.ts";
import type { GapContext } from "./gaps/known-facts-around-map-gap.ts";
import type { ExtrapolationRequest } from "./gaps/map-gap-schemas.ts";
import type { InferredPart } from "./gaps/rows-of-inferred-steps.ts";
import type { MapSketch } from "./map-diff.ts";
import { knowledgeLimits } from "./map-limits.ts";
import { foundKinds } from "./screens/keys-of-searchable-texts.ts";
import type { FoundState, FoundTransition } from "./screens/page-states-to-map-instances.ts";
import { functionKinds } from "./site-map/site-functions-list.ts";
import type { TravelOutcome } from "./transitions/transition-success-and-failure-counts.ts";
import type { SeenClick } from "./transitions/transition-used-by-click.ts";

export const agentContextSchema = z
  .object({
    current_url: z.string().optional(),
    /** The title of the page at `current_url`. */
    current_title: z.string().optional(),
    current_screen_id: z.string().optional(),
    dom_summary: z.string().optional(),
    /** With `url`, the answer may navigate to the address of a plain link instead of clicking the link. */
    prefer: z.enum(["click", "url"]).optional(),
    /** With `browser-use`, the answer names actions and parameters as the agent library browser-use does. */
    dialect: z.enum(["cairn", "browser-use"]).optional(),
    /**
     * Transitions that the route must avoid, each as the ids of the two pages (instances) that it connects.
     */
    avoid: z.array(z.array(z.string()).length(2).readonly()).readonly().optional(),
    /**
     * The role of the account that uses the application. The answer contains only links and controls that
     * exist for this role.
     */
    role: accountRoleSchema.optional(),
    /**
     * The name of a live session. The route starts at the session's current page, and the answer contains the
     * indexes of elements on that page.
     */
    room_name: roomNameSchema.optional(),
  })
  .loose();
export type AgentContext = z.infer<typeof agentContextSchema>;

export const agentQuerySchema = z
  .object({
    instruction_type: z.string().optional().describe("navigate_to_screen, find_screen or get_actions"),
    query_type: z.string().optional().describe("Alias of instruction_type"),
    target: z.string().default("").describe("Screen id, screen name, URL or description"),
    knowledge_id: knowledgeIdSchema.optional(),
    execute: z
      .boolean()
      .optional()
      .describe(
        "navigate_to_screen, execute_task: also do it in the session of context.room_name, and answer when it is done",
      ),
    id: knowledgeIdSchema.optional().describe("Of an execution: repeated with it, it is done once"),
    approve_risk: z
      .string()
      .max(100)
      .optional()
      .describe(
        "Approves a removal or a question of the page: metadata.approve_risk of the answer that asked",
      ),
    context: agentContextSchema.default({}),
  })
  .strict();

const plainActionSchema = z.object({
  tool_name: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  description: z.string(),
  confidence: z.number().min(0).max(1),
  screen_id: z.string().nullable(),
});
export const browserUseActionSchema = plainActionSchema.extend({
  requires: z
    .array(plainActionSchema)
    .exactOptional()
    .describe("Presses that show the element first: it is in a closed part of the page, such as a section"),
});
export type BrowserUseAction = z.infer<typeof browserUseActionSchema>;

export const agentResponseSchema = z.object({
  success: z.boolean(),
  actions: z.array(browserUseActionSchema),
  expected_result: z.record(z.string(), z.unknown()),
  error: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
});
export type AgentResponse = z.infer<typeof agentResponseSchema>;

export const queryTypeSchema = z.enum([
  "page",
  "search",
  "links",
  "sitemap_semantic",
  "sitemap_functional",
  "agent_query",
]);

export const knowledgeQuerySchema = z
  .object({
    query_type: queryTypeSchema,
    params: z.record(z.string(), z.unknown()).default({}),
    knowledge_id: knowledgeIdSchema.optional(),
  })
  .strict();

export const pageParamsSchema = z.object({ url: z.string() }).strict();
export const searchParamsSchema = z
  .object({ query: z.string().min(1), top_k: z.number().int().min(1).max(100).default(5) })
  .strict();
export const linksParamsSchema = z
  .object({ url: z.string(), direction: z.enum(["from", "to", "both"]).default("from") })
  .strict();

/** Parameters that the site map by topics and the site map by functions have in common. */
const sitemapParams = {
  limit: z
    .number()
    .int()
    .min(1)
    .max(knowledgeLimits.mostSitemapEntries)
    .default(knowledgeLimits.sitemapEntries)
    .describe("Entries of one answer"),
  cursor: z.string().regex(/^\d+$/, "a next_cursor of an earlier answer").optional(),
  format: z.enum(["json", "text"]).default("json").describe("text: the tree as lines, in data.text"),
};
export const semanticParamsSchema = z
  .object({
    ...sitemapParams,
    section: z.string().optional().describe("path of a section of an earlier answer: only that one"),
    max_depth: z.number().int().min(0).max(100).optional().describe("Levels of sections"),
  })
  .strict();
export const functionalParamsSchema = z
  .object({
    ...sitemapParams,
    kind: z.enum(functionKinds).optional().describe("Only functions of this kind"),
  })
  .strict();

/** A validated `query_knowledge` request. */
export const mapQuestionSchema = z.discriminatedUnion("query_type", [
  z.object({ query_type: z.literal("page"), params: pageParamsSchema }),
  z.object({ query_type: z.literal("search"), params: searchParamsSchema }),
  z.object({ query_type: z.literal("links"), params: linksParamsSchema }),
  z.object({ query_type: z.literal("sitemap_semantic"), params: semanticParamsSchema }),
  z.object({ query_type: z.literal("sitemap_functional"), params: functionalParamsSchema }),
]);
export type MapQuestion = z.infer<typeof mapQuestionSchema>;
/** The parameters of one query type. */
export type QuestionParams<Type extends MapQuestion["query_type"]> = Extract<
  MapQuestion,
  { query_type: Type }
>["params"];

export const queryAnswerSchema = z.object({
  success: z.boolean(),
  data: z.record(z.string(), z.unknown()).nullable(),
  error: z.string().nullable(),
});
export type QueryAnswer = z.infer<typeof queryAnswerSchema>;

export const searchHitSchema = z.object({
  kind: z.enum(foundKinds).describe("What was found"),
  id: z.string().describe("Of a page its screen; of a passage or a task its own id"),
  url: z.string(),
  title: z.string(),
  snippet: z.string(),
  score: z.number(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

export const knowledgeSummarySchema = z.object({
  knowledge_id: z.string(),
  name: z.string(),
  pages: z.number().int(),
  screens: z.number().int(),
  transitions: z.number().int(),
  searchable: z.number().int(),
  documents: z.number().int(),
  websites: z.array(z.object({ website_id: z.string(), base_url: z.string() })),
  created_at: z.string(),
  updated_at: z.string(),
});
export type KnowledgeSummary = z.infer<typeof knowledgeSummarySchema>;
export const knowledgeDetailsSchema = knowledgeSummarySchema.extend({
  building: z.boolean().describe("Whether pages are still being added, or grouped into screens"),
});
export type KnowledgeDetails = z.infer<typeof knowledgeDetailsSchema>;
export const knowledgeListSchema = z.object({ knowledge: z.array(knowledgeSummarySchema) });

/** An instruction of an agent in the form that REST, MCP and WebSocket accept. */
export interface AgentQuestion {
  readonly instruction_type?: string | undefined;
  readonly query_type?: string | undefined;
  readonly target: string;
  readonly knowledge_id?: string | undefined;
  readonly execute?: boolean | undefined;
  readonly id?: string | undefined;
  readonly approve_risk?: string | undefined;
  readonly context: Readonly<Record<string, unknown>>;
}

/** Parameters that select the screens to list. */
export const screensQuestionSchema = z
  .object({
    content_type: z.enum(contentTypes).optional().describe("Only screens of this content type"),
    actionable_only: z.stringbool().or(z.boolean()).optional().describe("Only screens that can be acted on"),
    website_id: z.string().min(1).optional().describe("Only screens of this website"),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(knowledgeLimits.listedScreens)
      .optional()
      .describe("Screens of one answer"),
    cursor: z.string().optional().describe("next_cursor of an earlier answer"),
  })
  .strict();
export type ScreensQuestion = z.infer<typeof screensQuestionSchema>;

const indicatorSchema = z.looseObject({ type: z.string() });

export const screenListSchema = z.object({
  screens: z.array(
    z.object({
      screen_id: z.string(),
      name: z.string(),
      website_id: z.string(),
      url: z.string(),
      content_type: z.string(),
      is_actionable: z.boolean(),
      url_patterns: z.array(z.string()),
      templates: z
        .array(z.string())
        .describe(
          "Of a screen with several instances: for each pattern the names of its groups, /orders/{order}",
        ),
      instances: z.number().int().describe("Pages and states that this screen shows"),
      examples: z
        .array(z.object({ instance_id: z.string(), name: z.string(), url: z.string() }))
        .describe("Some of the instances; empty for a screen with one"),
      state_signature: z.looseObject({
        required_indicators: z.array(indicatorSchema),
        optional_indicators: z.array(indicatorSchema),
      }),
      available_browser_use_actions: z.array(browserUseActionSchema),
    }),
  ),
  statistics: z.object({
    web_ui_screens: z.number().int(),
    documentation_screens: z.number().int(),
    actionable_screens: z.number().int(),
    non_actionable_screens: z.number().int(),
  }),
  next_cursor: z.string().nullable(),
});
export type ScreenList = z.infer<typeof screenListSchema>;

/**
 * The state of a map's ingest. A map that does not exist yet has a status too, so that a caller can wait for
 * it.
 */
export interface MapStatus {
  readonly exists: boolean;
  readonly deleting: boolean;
  readonly state: unknown;
  readonly crawling: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** The gaps (unknown actions) of a map, and the screens that a model may name in its proposals. */
export interface FoundGaps {
  readonly gaps: readonly GapContext[];
  readonly screen_ids: readonly string[];
  /** Names of the website's screens for the model's prompt, at most `gapLimits.namedScreens`. */
  readonly screen_names: readonly string[];
}

/** The commands and queries of `knowledge/<knowledge_id>`. */
export const knowledgeProtocol = defineProtocol({
  commands: {
    /**
     * An exploration announces that pages of the job `job_id` wait to be ingested. `crawling` states whether
     * more pages will follow.
     */
    INGEST: {
      fields: z.object({ job_id: z.string(), crawling: z.boolean() }),
      reply: typed<unknown>(),
    },
    /**
     * The exploration sends the states of pages that it found by pressing (clicking) controls, and the
     * transitions between these states.
     */
    STATES: {
      fields: z.object({
        states: z.array(typed<FoundState>()).readonly(),
        transitions: z.array(typed<FoundTransition>()).readonly(),
        /** The role of the account with which the exploration found the states and transitions. */
        role: accountRoleSchema.exactOptional(),
      }),
      reply: typed<unknown>(),
    },
    /** A part of a map file. The first part creates the map. */
    IMPORT: {
      fields: z.object({ part: typed<MapPart>() }),
      reply: z.object({ knowledge_id: z.string() }),
    },
    /**
     * A part of a document. The first part creates the map, and the last part makes the document visible to
     * callers.
     */
    DOCUMENT: {
      fields: z.object({ part: typed<DocumentPart>() }),
      reply: z.object({ knowledge_id: z.string() }),
    },
    FORGET_DOCUMENT: {
      fields: z.object({ source_id: z.string() }),
      reply: z.object({ knowledge_id: z.string() }),
    },
    /**
     * Stores inferred transitions and task steps that fill gaps (unknown actions). The map keeps them as
     * inferred until sessions confirm or refute them.
     */
    INFERRED: {
      fields: z.object({ part: typed<InferredPart>() }),
      reply: z.object({ knowledge_id: z.string() }),
    },
    /**
     * Sent by sessions and walks (executed routes): reports which transitions led to the expected screen, and
     * which failed. `via` is the `edgeId` of the transition.
     */
    TRAVELLED: {
      fields: z.object({
        outcomes: z.array(z.object({ from: z.string(), via: z.string(), ok: z.boolean() })).readonly(),
      }),
      reply: typed<unknown>(),
    },
    DELETE: {
      fields: noFields,
      reply: z.object({ knowledge_id: z.string(), status: z.literal("deleting") }),
    },
  },
  queries: {
    agent: { params: typed<AgentQuestion>(), result: agentResponseSchema },
    query: { params: mapQuestionSchema, result: queryAnswerSchema },
    /** The parts of a map that are needed to compare it with another map. */
    sketch: { params: noParams, result: typed<MapSketch>() },
    /** For each of the given clicks, the stored transition that it used, if the map knows one. */
    outcomes: {
      params: typed<{ readonly clicks: readonly SeenClick[] }>(),
      result: typed<readonly TravelOutcome[]>(),
    },
    /** The description of the map; `null` when the map does not exist. */
    summary: { params: noParams, result: typed<KnowledgeSummary | null>() },
    gaps: { params: typed<ExtrapolationRequest>(), result: typed<FoundGaps>() },
    screens: { params: screensQuestionSchema, result: screenListSchema },
    status: { params: noParams, result: typed<MapStatus>() },
  },
});
export type KnowledgeProtocol = typeof knowledgeProtocol;
