/** Schemas of navigation runs. Names and shapes are those of the protocol specification. */
import { z } from "zod";
import { jobIdSchema, knowledgeIdSchema } from "../exploration/exploration-protocol.ts";
import { renderingSchema } from "../exploration/exploration-request.ts";
import { roomNameSchema } from "../session/session-name-in-request.ts";
import { loginSchema } from "../session/state/login-recipe.ts";
import { navigationLimits as limits } from "./navigation-run-limits.ts";

export const runIdSchema = jobIdSchema.describe("Id of a navigation run");

export const pageTypes = [
  "article",
  "forum_thread",
  "forum_listing",
  "news_listing",
  "company_profile",
  "other",
] as const;
export const pageTypeSchema = z.enum(pageTypes);
export type PageType = z.infer<typeof pageTypeSchema>;

export const decisionActions = ["EXTRACT_CONTENT", "EXTRACT_LINKS", "NAVIGATE_TO", "STOP"] as const;
export const decisionActionSchema = z.enum(decisionActions);

export const stoppedReasons = [
  "max_articles",
  "no_more_pages",
  "budget_calls",
  "budget_seconds",
  "budget_cost",
  "low_confidence",
  "cancelled",
  "failed",
] as const;
export const stoppedReasonSchema = z.enum(stoppedReasons);
export type StoppedReason = z.infer<typeof stoppedReasonSchema>;

const requestShape = {
  prompt: z.string().trim().min(1).max(4_000).describe("What to find, in words"),
  seed_links: z.array(z.url()).min(1).max(limits.mostSeeds).describe("Where to begin"),
  run_id: runIdSchema.optional(),
  knowledge_id: knowledgeIdSchema
    .optional()
    .describe(
      "Map that the pages are added to. When it has the section that is asked for, the run goes there directly",
    ),
  max_articles: z.number().int().min(1).max(limits.mostArticles).default(limits.articles),
  max_depth: z
    .number()
    .int()
    .min(0)
    .max(limits.mostDepth)
    .default(limits.depth)
    .describe("Steps from a seed page, which is 0"),
  max_links_per_page: z.number().int().min(1).max(limits.linksPerPage).default(limits.linksPerPage),
  time_range_days: z.number().int().min(1).max(36_500).optional().describe("Default: as the prompt says"),
  max_llm_calls: z.number().int().min(0).max(limits.mostCalls).default(limits.calls),
  max_seconds: z.number().min(1).max(limits.mostSeconds).default(limits.seconds),
  max_cost_usd: z.number().min(0).max(100).default(limits.costUsd),
  render: renderingSchema.default("auto"),
  use_smart_navigation: z
    .boolean()
    .default(true)
    .describe("false: the content of the seed pages, without decisions"),
  respect_robots: z.boolean().default(true),
  preview: z.boolean().default(false).describe("true: the decisions on the seed pages; follow nothing"),
};

export const startNavigationSchema = z
  .object({
    ...requestShape,
    login: loginSchema
      .optional()
      .describe("How to sign in before pages are read, in a browser; a recipe as of sessions"),
    room_name: roomNameSchema
      .optional()
      .describe("Read pages with the cookies and storage of this session, in a browser of the run's own"),
    session_id: roomNameSchema.optional().describe("The same, by its other name"),
  })
  .strict()
  .refine(
    ({ login, room_name, session_id }) => login === undefined || (room_name ?? session_id) === undefined,
    { path: ["login"], message: "give login or room_name, not both" },
  );
export type StartNavigation = z.infer<typeof startNavigationSchema>;

/**
 * A request in the form in which it is stored: the login recipe is encrypted, and the session is named only by
 * `room_name`.
 */
export const navigationRequestSchema = z
  .object({
    ...requestShape,
    login: z.string().optional(),
    /**
     * A digest of the login recipe. Recipes are compared by their digests, because encrypting one recipe
     * twice gives two different texts.
     */
    login_digest: z.string().optional(),
    room_name: roomNameSchema.optional(),
  })
  .strict();
export type NavigationRequest = z.infer<typeof navigationRequestSchema>;

export const intentSchema = z.object({
  topic: z.string(),
  target_section: z.enum(["forum", "news", ""]),
  time_range_days: z.number().int().nullable(),
  entities: z.array(z.string()),
  max_articles: z.number().int().nullable(),
  output: z.enum(["summary", "list"]),
});
export type Intent = z.infer<typeof intentSchema>;

export const postSchema = z.object({
  author: z.string().nullable(),
  date: z.string().nullable(),
  text: z.string(),
});

export const articleSchema = z.object({
  url: z.string(),
  title: z.string(),
  content: z.string(),
  publish_date: z.string().nullable().describe("YYYY-MM-DD; of a thread its newest post"),
  author: z.string().nullable(),
  posts: z.array(postSchema),
  page_type: pageTypeSchema,
  relevance_score: z.number(),
  relevance_reason: z.string(),
  metadata: z.looseObject({ post_count: z.number().int() }),
  provenance: z.object({
    seed_url: z.string(),
    path: z.array(z.string()),
    depth: z.number().int(),
    rendered_by: z.string(),
    decided_by: z.enum(["model", "structure"]),
    fetched_at: z.string(),
  }),
});
export type Article = z.infer<typeof articleSchema>;

export const decisionSchema = z.object({
  url: z.string(),
  depth: z.number().int(),
  action: decisionActionSchema,
  page_type: pageTypeSchema,
  confidence: z.number(),
  reasoning: z.string(),
  target_url: z.string().nullable(),
  decided_by: z.enum(["model", "structure"]),
});
export type Decision = z.infer<typeof decisionSchema>;

export const usageSchema = z.object({
  llm_calls: z.number().int(),
  input_tokens: z.number().int(),
  output_tokens: z.number().int(),
  cost_usd: z.number().nullable(),
  seconds: z.number(),
  pages_fetched: z.number().int(),
});

export const navigationStatusSchema = z.enum(["queued", "running", "completed", "cancelled", "failed"]);
export type NavigationStatus = z.infer<typeof navigationStatusSchema>;

export const navigationResultSchema = z.object({
  run_id: z.string(),
  status: navigationStatusSchema,
  stopped_reason: stoppedReasonSchema.nullable(),
  intent: intentSchema.nullable(),
  articles: z.array(articleSchema),
  summary: z
    .object({ text: z.string(), sources: z.array(z.object({ url: z.string(), title: z.string() })) })
    .nullable(),
  decisions: z.array(decisionSchema),
  usage: usageSchema,
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type NavigationResult = z.infer<typeof navigationResultSchema>;

export const navigationStartedSchema = z.object({ run_id: z.string(), status: navigationStatusSchema });
