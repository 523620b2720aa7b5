/**
 * The commands, queries, results and events of the actor kind `exploration`, as zod schemas. Names and shapes
 * are those of the protocol specification, with additional fields.
 */
import { z } from "zod";
import { defineProtocol, noFields, noParams, typed } from "../actor-kind-protocol.ts";
import { riskClasses } from "../risk/risk-classes.ts";
import { loginSchema } from "../session/state/login-recipe.ts";
import { isUrlPattern } from "./crawl/wildcard-match.ts";
import { explorationLimits } from "./exploration-limits.ts";
import {
  type ExplorationRequest,
  modeSchema,
  renderingSchema,
  strategySchema,
} from "./exploration-request.ts";

export const jobStatusSchema = z.enum(["queued", "running", "paused", "completed", "cancelled", "failed"]);

/**
 * Only certain characters are allowed in a job id, because ids are parts of URLs, log lines and message
 * subjects.
 */
export const jobIdSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    "letters, digits, dot, dash and underscore; starts with a letter or digit",
  );

export const knowledgeIdSchema = jobIdSchema;

/**
 * The role of an account, such as `admin`. A map stores which links and controls exist for accounts of this
 * role.
 */
export const accountRoleSchema = jobIdSchema;

const patternsSchema = z
  .array(
    z
      .string()
      .min(1)
      .max(explorationLimits.patternLength)
      .refine(isUrlPattern, "a pattern begins with /, *, http:// or https:// and has no space and no #"),
  )
  .max(explorationLimits.patterns)
  .default([]);

export const startExplorationSchema = z
  .object({
    start_url: z.string().min(1).describe("Starting URL for exploration"),
    max_pages: z
      .number()
      .int()
      .min(1)
      .max(1_000_000)
      .default(100)
      .describe("Maximum number of pages to explore"),
    max_depth: z
      .number()
      .int()
      .min(0)
      .max(1_000)
      .default(3)
      .describe("Maximum exploration depth; the start page has depth 0"),
    strategy: strategySchema.default("BFS").describe("BFS (breadth-first) or DFS (depth-first)"),
    job_id: jobIdSchema.optional().describe("Optional job ID (auto-generated if not provided)"),
    knowledge_id: knowledgeIdSchema
      .optional()
      .describe("Map to add to; by default one map per site, named after the host"),
    website_id: knowledgeIdSchema.optional().describe("Site within the map; by default named after the host"),
    respect_robots: z
      .boolean()
      .default(true)
      .describe("Obey robots.txt (RFC 9309), its crawl-delay, and nofollow of pages and links"),
    scope: z
      .enum(["host", "subdomains", "path"])
      .default("host")
      .describe(
        "What belongs to the site: the start URL's host, every host of its registrable domain, or its folder",
      ),
    include: patternsSchema.describe(
      "Follow only URLs that match one of these: * stands for anything, /docs/* is held against path and query, " +
        "https://… and *… against the whole URL. The start page is read all the same",
    ),
    exclude: patternsSchema.describe("Never follow URLs that match one of these; written like include"),
    render: renderingSchema
      .default("auto")
      .describe(
        "auto reads over HTTP and renders in a browser the kinds of pages that scripts make; http never renders; " +
          "browser renders every page",
      ),
    mode: modeSchema
      .default("auto")
      .describe(
        "auto follows links, then presses what is safe to press (tabs, menus, dialogs) on the kinds of pages that " +
          "have buttons or tabs of their own or content made by scripts, such as those of single-page " +
          "applications, and holds back requests that would write; interactive presses on every kind of page; " +
          "links never presses",
      ),
    max_actions: z
      .number()
      .int()
      .min(1)
      .max(explorationLimits.pressing.mostActions)
      .default(explorationLimits.pressing.actions)
      .describe("Most presses"),
    max_seconds: z
      .number()
      .int()
      .min(1)
      .max(explorationLimits.pressing.mostSeconds)
      .default(explorationLimits.pressing.seconds)
      .describe("Time for the presses"),
    login: loginSchema
      .optional()
      .describe(
        "How to sign in before pages are read, and again when the session has expired; a recipe as of sessions",
      ),
    role: accountRoleSchema
      .optional()
      .describe(
        "Role of the account that signs in, such as admin: the map remembers which links and controls exist for " +
          "which role. Explorations of several roles can add to one map",
      ),
    allow: z
      .array(z.enum(riskClasses))
      .max(riskClasses.length)
      .optional()
      .describe(
        "What presses may do although it changes something; nothing by default. Requests that write are let " +
          "through while such an element is pressed",
      ),
    sitemaps: z
      .boolean()
      .default(true)
      .describe(
        "When no link is left to follow, go on with pages that only a sitemap or a feed names; they have depth 1",
      ),
  })
  .strict();
export type StartExploration = z.infer<typeof startExplorationSchema>;

export const jobRefSchema = z.object({ job_id: jobIdSchema.describe("Job ID") }).strict();

export const startedSchema = z.object({
  job_id: z.string(),
  status: jobStatusSchema,
  message: z.string(),
  knowledge_id: z.string(),
  website_id: z.string(),
});
export type Started = z.infer<typeof startedSchema>;

export const jobStateSchema = z.object({ job_id: z.string(), status: jobStatusSchema });
export type JobState = z.infer<typeof jobStateSchema>;

export const progressSchema = z.object({
  completed: z.number().int(),
  queued: z.number().int(),
  failed: z.number().int(),
  current_url: z.string().nullable(),
  /** Number of pages of the job that are searchable. */
  searchable: z.number().int(),
  skipped: z.number().int(),
  external_links: z.number().int(),
  /** Number of internal links that are not followed only because they are marked `nofollow`. */
  nofollow_links: z.number().int(),
});

export const trapSchema = z.object({
  kind: z
    .enum(["sequence", "random", "calendar", "parameters", "wiki", "loop", "soft_404", "redirect_loop"])
    .describe("What goes on without end, or is no page at all"),
  pattern: z.string().describe("Its URLs, with what varies masked"),
  pages: z.number().int().describe("Pages of it that were read"),
  left_out: z.number().int().describe("Known URLs of it that were left out"),
  examples: z.array(z.string()),
});

export const heldBackSchema = z.object({
  reason: z
    .enum([
      "robots",
      "nofollow",
      "crawl_delay",
      "redirected_out_of_scope",
      "too_large",
      "redirected",
      "same_page",
      "soft_404",
      "not_html",
      "download",
      "no_content",
      "bad_redirect",
      "left_http",
      "not_http",
      "no_listing",
    ])
    .describe("Why addresses that were found became no pages of their own, or why the job is slow"),
  count: z.number().describe("Addresses or links that it concerns; of crawl_delay the seconds asked for"),
  examples: z.array(z.string()),
  message: z.string().describe("The same in words, and what can be done about it"),
});
export type HeldBack = z.infer<typeof heldBackSchema>;
export type HeldBackReason = HeldBack["reason"];

const pressedSchema = z.object({
  actions: z.number().int().describe("Elements that were pressed"),
  states: z.number().int().describe("States found beside the pages"),
  unsafe: z.number().int().optional().describe("Elements left alone because they may change something"),
  held: z.number().int().optional().describe("Requests held back because they would have written"),
  lost: z.number().int().optional().describe("Presses in states that could not be reached again"),
  failed_pictures: z.number().int().optional().describe("Pictures of states that could not be stored"),
  seconds: z.number().optional().describe("Time that the last round of presses took"),
  stopped_by: z.string().optional(),
  reason: z.string().optional().describe("Why it stopped, in words of the site"),
  last: z.string().optional().describe("The last press, in words"),
  decisions: z
    .array(z.object({ url: z.string(), pressed: z.boolean(), reason: z.string() }))
    .readonly()
    .optional()
    .describe("One page of each kind: whether its elements were pressed, and why"),
});

export const statusSchema = z.object({
  job_id: z.string(),
  status: jobStatusSchema,
  progress: progressSchema,
  knowledge_id: z.string(),
  website_id: z.string(),
  start_url: z.string(),
  started_at: z.string(),
  updated_at: z.string(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  traps: z.array(trapSchema).describe("Endless parts of the site, sampled and then left"),
  held_back: z
    .array(heldBackSchema)
    .describe("What kept the job from reading more, or from reading faster: why only one page came, say"),
  interactive: pressedSchema
    .nullable()
    .describe("Of the presses, once the links are followed; null in mode links and before"),
});
export type ExplorationStatus = z.infer<typeof statusSchema>;

export const resultsRequestSchema = z
  .object({
    job_id: jobIdSchema,
    partial: z
      .boolean()
      .default(false)
      .describe("If true, return partial results even if the job is still running"),
  })
  .strict();

/**
 * Schema of `PageMetadata` (page-records.ts): facts that a page states about itself, such as its description, its
 * authors and its dates.
 */
export const pageMetadataSchema = z.object({
  description: z.string().nullable(),
  authors: z.array(z.string()).readonly(),
  site_name: z.string().nullable(),
  published_at: z.string().nullable().describe("ISO 8601, as exact as the page says it"),
  modified_at: z.string().nullable(),
  image: z.string().nullable().describe("The image that stands for the page"),
  images: z
    .array(z.object({ url: z.string(), alt: z.string() }))
    .readonly()
    .describe("Described images of the content"),
  tables: z
    .array(
      z.object({
        caption: z.string().nullable(),
        columns: z.array(z.string()).readonly(),
        rows: z.number().int(),
      }),
    )
    .readonly()
    .describe("Tables of the content; their cells are in its Markdown"),
  breadcrumbs: z
    .array(z.object({ name: z.string(), url: z.string().nullable() }))
    .readonly()
    .describe("From the site's start to the page, itself left out, as the page shows it"),
  structured: z
    .object({
      open_graph: z.record(z.string(), z.unknown()),
      twitter: z.record(z.string(), z.unknown()),
      json_ld: z.array(z.unknown()).readonly(),
      microdata: z.array(z.unknown()).readonly(),
    })
    .describe("What the page tells machines about itself, as it says it"),
});

export const resultPageSchema = z.object({
  url: z.string(),
  title: z.string(),
  content: z.string().describe("Main content as Markdown"),
  language: z.string().nullable().optional(),
  headings: z.array(z.string()).readonly().optional(),
  content_hash: z.string().optional().describe("SHA-256 of content: equal content, equal hash"),
  rendered_by: z.enum(["http", "browser"]).optional().describe("How the page was read"),
  render_reason: z.string().optional().describe("Why it was read so"),
  signature: z
    .string()
    .nullable()
    .optional()
    .describe("64-bit SimHash of content in hex: nearly equal content differs in at most 6 bits"),
  media_type: z.string().optional(),
  http_status: z.number().int().optional(),
  depth: z.number().int().optional(),
  fetched_at: z.string().optional(),
  metadata: pageMetadataSchema.optional(),
});
export type ResultPage = z.infer<typeof resultPageSchema>;
export const resultLinkSchema = z.object({
  from: z.string(),
  to: z.string(),
  type: z.enum(["internal", "external"]),
});
export const resultErrorSchema = z.object({
  url: z.string(),
  error: z.string(),
  code: z.string().describe("What kind of failure it was, such as http.404"),
  attempts: z.number().int().describe("How often the page was asked for"),
});

export const resultsSchema = z.object({
  job_id: z.string(),
  status: jobStatusSchema,
  results: z.object({
    pages_stored: z.number().int(),
    links_stored: z.number().int(),
    external_links_detected: z.number().int(),
    errors: z.array(resultErrorSchema),
    traps: z.array(trapSchema),
  }),
  pages: z.array(resultPageSchema),
  links: z.array(resultLinkSchema),
  next_cursor: z.string().nullable().optional(),
});

export const jobsSchema = z.object({
  jobs: z.array(
    z.object({
      job_id: z.string(),
      status: jobStatusSchema,
      start_url: z.string(),
      started_at: z.string(),
      knowledge_id: z.string(),
      website_id: z.string(),
    }),
  ),
});
export type JobList = z.infer<typeof jobsSchema>;

/**
 * Builds the schema of an event as the protocol specification defines it. The payload appears twice: its
 * fields at the top level, and again in `data`.
 */
function eventSchema<Type extends string, Payload extends z.ZodRawShape>(type: Type, payload: Payload) {
  return z.object({
    type: z.literal(type),
    ...payload,
    data: z.object(payload).describe("The same payload once more"),
    timestamp: z.number().describe("Seconds since the epoch, with fraction"),
  });
}

/**
 * The progress of a job. It is published at each change of status, and otherwise at most once in
 * `explorationLimits.progressEvery`.
 */
export const progressEventSchema = eventSchema("exploration_progress", {
  job_id: z.string(),
  status: jobStatusSchema,
  completed: z.number().int(),
  queued: z.number().int(),
  failed: z.number().int(),
  current_url: z.string().nullable(),
  knowledge_id: z.string(),
  searchable: z.number().int(),
  external_links: z.number().int(),
});

/**
 * The crawl has finished a page and stored it. With `success: false`, the page could not be read and will not
 * be tried again.
 */
export const pageCompletedSchema = eventSchema("page_completed", {
  job_id: z.string(),
  url: z.string(),
  success: z.boolean(),
  title: z.string().nullable(),
  depth: z.number().int(),
});

/** The event that reports a link from a page to another site. The exploration does not follow the link. */
export const externalLinkSchema = eventSchema("external_link_detected", {
  job_id: z.string(),
  from_url: z.string(),
  external_url: z.string(),
});

/** A page could not be read, or the job failed. */
export const explorationErrorSchema = eventSchema("exploration_error", {
  job_id: z.string(),
  url: z.string(),
  error: z.string(),
  code: z.string(),
  attempts: z.number().int().describe("Reads of this URL up to now; 0 when it is the job that failed"),
  will_retry: z.boolean(),
});

export const explorationEventSchema = z.discriminatedUnion("type", [
  progressEventSchema,
  pageCompletedSchema,
  externalLinkSchema,
  explorationErrorSchema,
]);
export type ExplorationEvent = z.infer<typeof explorationEventSchema>;

/** `existing`: an earlier call has already started the job with the same parameters. */
export type StartReply = { readonly job_id: string; readonly existing: true } | JobState;

/** A validated request for an exploration: the addresses are normalised, and the map is chosen. */
const explorationRequestSchema: z.ZodType<ExplorationRequest> = z.object({
  start_url: z.string().min(1),
  max_pages: z.number().int().positive(),
  max_depth: z.number().int().nonnegative(),
  strategy: strategySchema,
  knowledge_id: z.string().min(1),
  website_id: z.string().min(1),
  respect_robots: z.boolean(),
  scope: z.enum(["host", "subdomains", "path"]),
  include: z.array(z.string()).readonly(),
  exclude: z.array(z.string()).readonly(),
  render: renderingSchema,
  sitemaps: z.boolean(),
  mode: modeSchema.exactOptional(),
  max_actions: z.number().int().positive().exactOptional(),
  max_seconds: z.number().int().positive().exactOptional(),
  login: z.string().exactOptional(),
  login_digest: z.string().exactOptional(),
  role: accountRoleSchema.exactOptional(),
  allow: z.array(z.enum(riskClasses)).readonly().exactOptional(),
});

/** The commands and queries of `exploration/<job_id>`. */
export const explorationProtocol = defineProtocol({
  commands: {
    START: { fields: z.object({ request: explorationRequestSchema }), reply: typed<StartReply>() },
    PAUSE: { fields: noFields, reply: jobStateSchema },
    RESUME: { fields: noFields, reply: jobStateSchema },
    CANCEL: { fields: noFields, reply: jobStateSchema },
    DELETE: { fields: noFields, reply: typed<unknown>() },
    /** The map reports that `count` more pages of the job have become searchable. */
    PAGES_SEARCHABLE: { fields: z.object({ count: z.number().int() }), reply: typed<unknown>() },
  },
  queries: {
    /** The status of the job; `null` when the job does not exist. */
    status: { params: noParams, result: typed<ExplorationStatus | null>() },
  },
});
export type ExplorationProtocol = typeof explorationProtocol;
