/**
 * Asks a model the questions of a navigation run, with the prompts and limits of the protocol specification.
 * A question returns `undefined` when the model gives no valid answer; callers then decide from the structure
 * of the page.
 */
import { z } from "zod";
import { urlKey } from "../../machines/exploration/crawl/normalise-url.ts";
import type { Judged, RankedLink } from "../../machines/navigation/navigation-decision-without-model.ts";
import { navigationLimits as limits } from "../../machines/navigation/navigation-run-limits.ts";
import {
  type Article,
  decisionActionSchema,
  type Intent,
  intentSchema,
  pageTypeSchema,
  postSchema,
} from "../../machines/navigation/navigation-run-schemas.ts";
import type { EvidenceLink, PageEvidence } from "../../machines/navigation/page-facts-for-navigation-run.ts";
import { type ModelBudget, type Models, type Prompt, renderPrompt } from "../models/index.ts";
import { outputSchema } from "../models/model-output-schema.ts";

const dateSchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .nullable();

const decisionSchema = outputSchema(
  z.object({
    action: decisionActionSchema,
    reasoning: z.string(),
    confidence: z.number().min(0).max(1),
    page_type: pageTypeSchema,
    target_url: z.string().nullable(),
  }),
);
const contentSchema = outputSchema(
  z.object({
    title: z.string(),
    content: z.string(),
    publish_date: dateSchema,
    author: z.string().nullable(),
    posts: z.array(postSchema),
  }),
);
const linksSchema = outputSchema(
  z.object({
    links: z.array(
      z.object({
        url: z.string(),
        anchor_text: z.string(),
        relevance_score: z.number().min(0).max(1),
        detected_date: dateSchema,
      }),
    ),
  }),
);
const relevanceSchema = outputSchema(z.object({ is_relevant: z.boolean(), reason: z.string() }));
const wishSchema = outputSchema(intentSchema);

export interface ModelPolicyOptions {
  readonly models: Pick<Models, "configured" | "complete">;
  readonly budget: ModelBudget;
  /** The id of the navigation run. */
  readonly run: string;
  /** The time after which the run asks no further question to a model, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

export type ModelContent = Pick<Article, "title" | "content" | "publish_date" | "author" | "posts">;

export class ModelPolicy {
  readonly #options: ModelPolicyOptions;

  constructor(options: ModelPolicyOptions) {
    this.#options = options;
  }

  async intent(prompt: string, today: string): Promise<Intent | undefined> {
    return await this.#ask("fast", await renderPrompt("extract_intent", { prompt, today }), wishSchema);
  }

  /**
   * Asks the model what the run should do at a page. An address that is no link of the page is returned as
   * `rejected` and not opened.
   */
  async decide(
    page: PageEvidence,
    intent: Intent,
    {
      depth,
      max_depth,
      since,
    }: { readonly depth: number; readonly max_depth: number; readonly since: string | null },
  ): Promise<(Judged & { readonly rejected: string | null }) | undefined> {
    const prompt = await renderPrompt("analyze_and_decide", {
      ...wanted(intent, since),
      url: page.url,
      depth: String(depth),
      max_depth: String(max_depth),
      title: page.title,
    });
    const untrusted = [
      { label: "available links", text: linkLines([...(page.known ?? []), ...page.links]) },
      { label: page.url, text: page.content.slice(0, limits.decisionText) },
    ];
    const answer = await this.#ask("strong", { ...prompt, untrusted }, decisionSchema);
    if (answer?.action !== "NAVIGATE_TO") return answer && { ...answer, target_url: null, rejected: null };
    const target = linkOf(page, answer.target_url ?? "");
    return {
      ...answer,
      target_url: target ?? null,
      rejected: target === undefined ? (answer.target_url ?? "") : null,
    };
  }

  async content(page: PageEvidence, pageType: string, intent: Intent): Promise<ModelContent | undefined> {
    const prompt = await renderPrompt("extract_content", {
      page_type: pageType,
      url: page.url,
      topic: intent.topic,
    });
    const untrusted = [{ label: page.url, text: page.content.slice(0, limits.contentText) }];
    return await this.#ask("strong", { ...prompt, untrusted }, contentSchema);
  }

  async links(
    page: PageEvidence,
    intent: Intent,
    since: string | null,
    most: number,
  ): Promise<{ readonly links: readonly RankedLink[]; readonly rejected: readonly string[] } | undefined> {
    const prompt = await renderPrompt("extract_relevant_links", {
      ...wanted(intent, since),
      most: String(most),
    });
    const rows = page.rows.map(({ url, title, date }) => ({
      url,
      text: date ? `${title} (${date})` : title,
      landmark: "",
    }));
    const untrusted = [{ label: page.url, text: linkLines(rows.length > 0 ? rows : page.links) }];
    const answer = await this.#ask("strong", { ...prompt, untrusted }, linksSchema);
    if (!answer) return undefined;
    const known = answer.links.map((link) => ({ link, url: linkOf(page, link.url) }));
    return {
      links: known.flatMap(({ link, url }) => (url === undefined ? [] : [{ ...link, url }])),
      rejected: known.flatMap(({ link, url }) => (url === undefined ? [link.url] : [])),
    };
  }

  async relevance(
    { title, content, publish_date }: Pick<Article, "title" | "content" | "publish_date">,
    intent: Intent,
    since: string | null,
  ): Promise<{ readonly is_relevant: boolean; readonly reason: string } | undefined> {
    const prompt = await renderPrompt("is_relevant", {
      ...wanted(intent, since),
      title,
      date: publish_date ?? "unknown",
    });
    const untrusted = [{ label: "preview", text: content.slice(0, limits.previewText) }];
    return await this.#ask("fast", { ...prompt, untrusted }, relevanceSchema);
  }

  async #ask<T>(
    tier: "strong" | "fast",
    prompt: Prompt,
    schema: ReturnType<typeof outputSchema<T>>,
  ): Promise<T | undefined> {
    const { models, budget, run, deadline, signal } = this.#options;
    const within = Math.min(limits.callWithin, deadline - Date.now());
    if (!models.configured || budget.exhausted !== undefined || within <= 0) return undefined;
    const answer = await models.complete({ tier, prompt, schema, budget, run, within, signal });
    signal.throwIfAborted();
    return answer.ok ? answer.value : undefined;
  }
}

function wanted(intent: Intent, since: string | null) {
  return {
    topic: intent.topic === "" ? "anything" : intent.topic,
    target_section: intent.target_section === "" ? "none" : intent.target_section,
    time_range: since === null ? "any" : `since ${since}`,
  };
}

function linkLines(links: readonly Pick<EvidenceLink, "url" | "text">[]): string {
  return links
    .slice(0, limits.promptLinks)
    .map(({ url, text }) => `- ${text.slice(0, 120)}: ${url}`)
    .join("\n");
}

/**
 * Returns the address of a link as the page writes it. Returns `undefined` if no link of the page leads to
 * `url`.
 */
function linkOf({ links, rows, known = [] }: PageEvidence, url: string): string | undefined {
  const key = URL.canParse(url) ? urlKey(url) : url;
  return [...links, ...rows, ...known].find((link) => urlKey(link.url) === key)?.url;
}
