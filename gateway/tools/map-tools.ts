/**
 * The tools of maps: query stored knowledge, find routes, list and delete maps. The protocol specification
 * defines their names and shapes.
 */

import { z } from "zod";
import { knowledgeIdSchema } from "../../machines/exploration/exploration-protocol.ts";
import { mapFileSchema } from "../../machines/knowledge/formats/map-file-schema.ts";
import { documentScreensSchema, readMap } from "../../machines/knowledge/formats/older-screen-formats.ts";
import {
  extrapolationRequestSchema,
  extrapolationResultSchema,
} from "../../machines/knowledge/gaps/map-gap-schemas.ts";
import {
  agentQuerySchema,
  agentResponseSchema,
  knowledgeDetailsSchema,
  knowledgeListSchema,
  knowledgeQuerySchema,
  queryAnswerSchema,
  screenListSchema,
  screensQuestionSchema,
} from "../../machines/knowledge/knowledge-protocol.ts";
import { agentText, mapsText, queryText, screensText } from "../../machines/knowledge/map-answer-text.ts";
import { mapDiffSchema } from "../../machines/knowledge/map-diff.ts";
import { mapGraphSchema } from "../../machines/knowledge/map-drawing-graph.ts";
import {
  instructionAliases,
  instructionOf,
  instructionTypes,
} from "../../machines/knowledge/map-instruction-types.ts";
import { questionIn } from "../../machines/knowledge/map-question-schemas.ts";
import { gatewayLimits } from "../gateway-limits.ts";
import { defineTool } from "./define-tool.ts";
import { JsonDocument } from "./streamed-json-document.ts";
import { changesData, readsData } from "./tool-annotations.ts";

const queryKnowledge = defineTool({
  name: "query_knowledge",
  scope: "read",
  description:
    "Query stored knowledge. page {url}; search {query, top_k}; links {url, direction: from | to | both}; " +
    "sitemap_semantic {section, max_depth}: the site by topic; sitemap_functional {kind}: what can be done in it; " +
    "both {limit, cursor, format: json | text}; agent_query: an instruction, as query_knowledge_for_agent takes it, or " +
    "{question}: in words, answered with the task, the route and the passages",
  advice: {
    instead:
      "Ask what explorations stored. query_type and params: search {query, top_k}, page {url}, " +
      "links {url, direction: from | to | both}, sitemap_semantic {section, max_depth}, sitemap_functional {kind}, " +
      "agent_query {question} in words.",
    use: "search first, then page for a hit's url.",
  },
  sets: "always",
  http: {
    method: "POST",
    path: "/api/knowledge/query",
    operationId: "queryKnowledge",
    tag: "Knowledge",
    errors: [404, 504],
  },
  input: knowledgeQuerySchema,
  output: queryAnswerSchema,
  annotations: readsData,
  handle: (cairn, query) =>
    questionIn(query) ? cairn.questions.answer(query) : cairn.knowledge.query(query),
  forModel: queryText,
  failure: ({ message }) => ({ success: false, data: null, error: message }),
});

const instruction = z.enum([...instructionTypes, ...Object.keys(instructionAliases)]);

const agentInstructionSchema = agentQuerySchema
  .extend({
    knowledge_id: knowledgeIdSchema.describe("Knowledge ID to query"),
    instruction_type: instruction.optional().describe("What is wanted"),
    query_type: instruction.optional().describe("Alias of instruction_type"),
    response: z.unknown().optional().describe("Part of the specification's AgentInstruction; not read"),
  })
  .refine((query) => query.instruction_type !== undefined || query.query_type !== undefined, {
    path: ["instruction_type"],
    message: `one of ${instructionTypes.join(", ")} is needed`,
  });

const queryKnowledgeForAgent = defineTool({
  name: "query_knowledge_for_agent",
  scope: "read",
  // These queries run actions in a session or explore a website, so they need the scope `act`.
  scopeOf: (query) =>
    query.execute || instructionOf(query.instruction_type ?? query.query_type ?? "") === "explore_website"
      ? "act"
      : "read",
  description:
    "Agent-friendly knowledge query that returns browser actions: how to reach a screen (navigate_to_screen; with " +
    "execute it also goes there), which screen this is (find_screen), what can be done on it (get_actions), where an " +
    "element is (find_element), what a screen is for (get_screen_context), how to fill in and send a form (execute_task; " +
    "with execute it is also done), and explore_website",
  advice: {
    instead:
      "Ask a map for browser actions: navigate_to_screen, find_screen (which is this?), get_actions (what can be done here?), " +
      "find_element, execute_task (send a form; context.parameters has the values).",
    use:
      "target: screen, form, URL or words; context: {room_name} of a session, or {current_url, dom_summary}. execute: true does " +
      "it in that room; ask for a removal again with approve_risk. Else carry each action " +
      "out unchanged with execute_action (action_type: tool_name, params: parameters), then check expected_result.",
  },
  sets: "always",
  brief: {
    hidden: ["query_type", "response"],
    needed: ["instruction_type", "target"],
  },
  http: [
    {
      method: "POST",
      path: "/api/knowledge/:knowledge_id/query",
      operationId: "askKnowledge",
      tag: "Knowledge",
      errors: [404, 409, 504],
      undocumented: ["response"],
    },
    {
      method: "POST",
      path: "/knowledge/:knowledge_id/query",
      operationId: "askKnowledgeShort",
      tag: "Knowledge",
      errors: [404, 409, 504],
      undocumented: ["response"],
    },
  ],
  input: agentInstructionSchema,
  output: agentResponseSchema,
  annotations: readsData,
  handle: (cairn, { response: _unread, ...query }) => cairn.knowledge.ask(query.knowledge_id, query),
  forModel: agentText,
  failure: ({ code, message }) => ({
    success: false,
    actions: [],
    expected_result: {},
    error: message,
    metadata: { code },
  }),
});

const fillActionGaps = defineTool({
  name: "fill_action_gaps",
  scope: "act",
  description:
    "Infer the actions and transitions that a map lacks, between known actions and in tasks of documents. What is " +
    "certain enough is stored as inferred, and dropped when a session refutes it",
  advice: {
    instead: "Infer the actions between known ones that a map lacks.",
    use: "After explorations or ingested documents; errors name the gaps that stay open.",
  },
  sets: "always",
  brief: { hidden: ["gaps", "include_screens", "max_intermediate_steps"] },
  http: {
    method: "POST",
    path: "/api/knowledge/:knowledge_id/gaps",
    operationId: "fillActionGaps",
    tag: "Knowledge",
    errors: [404, 409, 504],
  },
  input: extrapolationRequestSchema,
  output: extrapolationResultSchema,
  annotations: changesData,
  handle: (cairn, request) => cairn.gaps.fill(request),
  failure: ({ message }) => ({
    gaps_filled: 0,
    inferred_actions: [],
    inferred_transitions: [],
    confidence_scores: {},
    errors: [],
    gaps_found: 0,
    stored: 0,
    status: "error" as const,
    error: message,
  }),
});

const mapRefSchema = z.object({ knowledge_id: knowledgeIdSchema.describe("Knowledge ID") }).strict();

const listKnowledge = defineTool({
  name: "list_knowledge",
  scope: "read",
  description: "List the maps that Cairn holds, with how much each knows",
  advice: { instead: "The maps there are, with their knowledge_id." },
  sets: ["core", "knowledge"],
  http: { method: "GET", path: "/api/knowledge", operationId: "listKnowledge", tag: "Knowledge" },
  input: z.object({}).strict(),
  output: knowledgeListSchema,
  annotations: readsData,
  handle: (cairn) => cairn.knowledge.list(),
  forModel: mapsText,
});

const describeKnowledge = defineTool({
  name: "describe_knowledge",
  scope: "read",
  description: "Describe one map: its sites, pages, screens and transitions, and whether it is being built",
  sets: ["knowledge"],
  http: {
    method: "GET",
    path: "/api/knowledge/:knowledge_id",
    operationId: "getKnowledge",
    tag: "Knowledge",
    errors: [404, 422],
  },
  input: mapRefSchema,
  output: knowledgeDetailsSchema,
  annotations: readsData,
  handle: (cairn, { knowledge_id }) => cairn.knowledge.get(knowledge_id),
});

const listScreens = defineTool({
  name: "list_screens",
  scope: "read",
  description: "List the screens of a map with their signatures and actions, and count them by kind",
  sets: ["knowledge"],
  http: {
    method: "GET",
    path: "/api/knowledge/:knowledge_id/screens",
    operationId: "listScreens",
    tag: "Knowledge",
    errors: [404, 422],
    query: ["content_type", "actionable_only", "website_id", "limit", "cursor"],
  },
  input: screensQuestionSchema.extend(mapRefSchema.shape),
  output: screenListSchema,
  annotations: readsData,
  handle: (cairn, { knowledge_id, ...question }) => cairn.knowledge.screens(knowledge_id, question),
  forModel: screensText,
});

const knowledgeGraph = defineTool({
  name: "get_knowledge_graph",
  scope: "read",
  description: "All screens of a map and the transitions between them, as a graph to draw",
  sets: ["knowledge"],
  http: {
    method: "GET",
    path: "/api/knowledge/:knowledge_id/graph",
    operationId: "getKnowledgeGraph",
    tag: "Knowledge",
    errors: [404, 422],
  },
  input: mapRefSchema,
  output: mapGraphSchema,
  annotations: readsData,
  handle: async (cairn, { knowledge_id }) =>
    new JsonDocument({ ...(await cairn.knowledge.graph(knowledge_id)) }),
});

const diffKnowledge = defineTool({
  name: "diff_knowledge",
  scope: "read",
  description:
    "What differs between two maps of a site, or between a map and its state before its last exploration: screens and transitions that came, went and changed",
  sets: ["knowledge"],
  http: {
    method: "GET",
    path: "/api/knowledge/:knowledge_id/diff",
    operationId: "diffKnowledge",
    tag: "Knowledge",
    errors: [404, 422],
    query: ["against"],
  },
  input: mapRefSchema.extend({
    against: knowledgeIdSchema
      .optional()
      .describe("The map to compare with, the earlier one. Without it: this map before its last exploration"),
  }),
  output: mapDiffSchema,
  annotations: readsData,
  handle: (cairn, { knowledge_id, against }) => cairn.knowledge.diff(knowledge_id, against),
});

const exportKnowledge = defineTool({
  name: "export_knowledge",
  scope: "read",
  description: "A map as one JSON document: screens, actions and transitions, for import_knowledge",
  sets: ["knowledge"],
  http: {
    method: "GET",
    path: "/api/knowledge/:knowledge_id/export",
    operationId: "exportKnowledge",
    tag: "Knowledge",
    errors: [404, 422],
  },
  input: mapRefSchema,
  output: mapFileSchema,
  annotations: readsData,
  handle: async (cairn, { knowledge_id }) => new JsonDocument(await cairn.knowledge.export(knowledge_id)),
});

const importKnowledge = defineTool({
  name: "import_knowledge",
  scope: "act",
  description:
    "Merge a map file into a map, which is created if need be. A large file is sent in several parts",
  sets: ["knowledge"],
  http: {
    method: "POST",
    path: "/api/knowledge/:knowledge_id/import",
    operationId: "importKnowledge",
    tag: "Knowledge",
    errors: [409],
    bodyBytes: gatewayLimits.mapBytes,
  },
  input: z
    .object({
      knowledge_id: knowledgeIdSchema.describe("Knowledge ID"),
      map: z
        .union([mapFileSchema, documentScreensSchema], {
          error:
            "send the whole document that export_knowledge answers, or a document with a list of screens",
        })
        .describe("A map file, or screens in the formats of the protocol specification"),
    })
    .strict(),
  output: z.object({
    knowledge_id: z.string(),
    screens: z.number().int(),
    actions: z.number().int(),
    transitions: z.number().int(),
  }),
  annotations: changesData,
  handle: (cairn, { knowledge_id, map }) => cairn.knowledge.import(knowledge_id, readMap(map)),
});

const deleteKnowledge = defineTool({
  name: "delete_knowledge",
  scope: "act",
  description: "Delete a map with everything in it",
  sets: ["knowledge"],
  http: {
    method: "DELETE",
    path: "/api/knowledge/:knowledge_id",
    operationId: "deleteKnowledge",
    tag: "Knowledge",
    errors: [404, 409, 422],
  },
  input: mapRefSchema,
  output: z.object({ knowledge_id: z.string(), deleted: z.literal(true) }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async handle(cairn, { knowledge_id }) {
    await cairn.knowledge.delete(knowledge_id);
    return { knowledge_id, deleted: true as const };
  },
});

export const knowledgeTools = [
  queryKnowledge,
  queryKnowledgeForAgent,
  fillActionGaps,
  listKnowledge,
  describeKnowledge,
  listScreens,
  knowledgeGraph,
  diffKnowledge,
  exportKnowledge,
  importKnowledge,
  deleteKnowledge,
];
