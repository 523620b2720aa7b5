/**
 * Visits one page of a navigation run: reads it, decides what to do, then extracts its content or its links.
 * A model decides only where the page's structure gives no clear answer, within the budget of the run.
 */
import { urlKey } from "../../machines/exploration/crawl/normalise-url.ts";
import {
  decide,
  type Judged,
  type RankedLink,
  rankLinks,
} from "../../machines/navigation/navigation-decision-without-model.ts";
import type {
  PendingPage,
  VisitInput,
  VisitOutput,
} from "../../machines/navigation/navigation-run-context.ts";
import { navigationLimits as limits } from "../../machines/navigation/navigation-run-limits.ts";
import type { Article, Decision, PageType } from "../../machines/navigation/navigation-run-schemas.ts";
import { firstDay } from "../../machines/navigation/navigation-run-summary.ts";
import type { PageEvidence } from "../../machines/navigation/page-facts-for-navigation-run.ts";
import { asList, isNextInSeries } from "../../machines/navigation/pages-that-continue-list.ts";
import { subjectOf, withoutReply } from "../../machines/navigation/subject-of-reply.ts";
import { judgeRelevance } from "../../machines/navigation/text-relevance-score.ts";
import { isWritingAddress } from "../../machines/risk/risk-classes.ts";
import { ModelBudget } from "../models/index.ts";
import { type CrawledPage, type CrawlOutcome, PageReader } from "../pages/index.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";
import { evidenceOf } from "./collect-page-facts-for-navigation-run.ts";
import { knownSections, mapPage } from "./map-pages-for-navigation-run.ts";
import type { ModelPolicy } from "./navigation-run-model-decisions.ts";
import { runSessions, signInOf } from "./navigation-run-sessions.ts";
import { VisitJournal } from "./stored-responses-of-navigation-run-visit.ts";

/** If a decision by the page's structure has at least this confidence (0 to 1), no model is asked. */
const SURE = 0.85;
/**
 * Minimum number of characters of content that the page's structure alone must provide. With less, a model is
 * asked to extract the content.
 */
const ENOUGH_CONTENT = 200;

type Found = Pick<VisitOutput, "article" | "irrelevant" | "links" | "rejected">;

const NOTHING: Found = { article: null, irrelevant: null, links: [], rejected: [] };

export async function visit(input: VisitInput, scope: EffectScope<CairnServices>): Promise<VisitOutput> {
  const { reader, browser, models } = scope.services;
  const { max_llm_calls, max_cost_usd, render } = input.request;
  const budget = new ModelBudget({ max_calls: max_llm_calls, max_cost_usd }, input.usage);
  const { id: runId } = scope.address;
  const { signal } = scope;
  const visited = { visit: input.page.url, resumed: scope.resumed, signal };
  const journal = await VisitJournal.open(scope.services.store.results, runId, visited);
  // When the run moves to another node, the visit first waits for the end of the running request to the
  // model. Otherwise the other node would send it again.
  scope.beforeLeaving(() => journal.leave());
  const policy = await modelPolicy({
    models: {
      configured: models.configured,
      complete: (request) => journal.finished(() => models.complete(request)),
    },
    budget,
    run: runId,
    deadline: input.deadline,
    signal,
  });
  const signIn = signInOf(runId, input.request);
  const sessions = runSessions(scope.services);
  const session = signIn && sessions.take(runId, signIn);
  const open = session && ((url: string) => session.visit(url, scope));
  const pages = new PageReader({ render, reader, browser, kinds: {}, visit: open });
  try {
    return await new Visit(input, scope, { pages, journal }, budget, policy).run();
  } finally {
    await pages.close();
    sessions.rest(runId);
    if (scope.signal.aborted) await sessions.close(runId);
  }
}

/**
 * Creates the policy that asks a model how to handle a page. Returns `undefined` when no model is configured
 * or the budget is exhausted. The policy's module is loaded only here, because it imports zod, which most
 * workers do not need.
 */
export async function modelPolicy(
  options: ConstructorParameters<typeof ModelPolicy>[0],
): Promise<ModelPolicy | undefined> {
  if (!options.models.configured || options.budget.exhausted !== undefined) return undefined;
  const { ModelPolicy: Policy } = await import("./navigation-run-model-decisions.ts");
  return new Policy(options);
}

class Visit {
  readonly #input: VisitInput;
  readonly #scope: EffectScope<CairnServices>;
  readonly #reading: { readonly pages: PageReader; readonly journal: VisitJournal };
  readonly #budget: ModelBudget;
  readonly #policy: ModelPolicy | undefined;
  readonly #since: string | null;
  readonly #read = new Set<string>();
  /** The pages that this visit has read. `url` is the requested address, before any redirect. */
  readonly #arrived: { readonly url: string; readonly read: CrawledPage }[] = [];
  #fetched = 0;

  constructor(
    input: VisitInput,
    scope: EffectScope<CairnServices>,
    reading: { readonly pages: PageReader; readonly journal: VisitJournal },
    budget: ModelBudget,
    policy: ModelPolicy | undefined,
  ) {
    this.#input = input;
    this.#scope = scope;
    this.#reading = reading;
    this.#budget = budget;
    this.#policy = policy;
    this.#since = firstDay(input.request.time_range_days ?? input.intent.time_range_days, Date.now());
  }

  async run(): Promise<VisitOutput> {
    const { page } = this.#input;
    this.#read.add(urlKey(page.url));
    const outcome = await this.#readPage(page.url);
    if (outcome.kind !== "page") {
      const [code, message] =
        outcome.kind === "failed" ? [outcome.code, outcome.message] : [outcome.reason, outcome.detail];
      return this.#output({ decision: null, ...NOTHING }, { code, message });
    }
    const finalKey = urlKey(outcome.page.finalUrl);
    // The page redirects to a page that the run has already read. So the visit returns no result.
    if (finalKey !== urlKey(page.url) && this.#input.visited.includes(finalKey)) {
      return this.#output({ decision: null, ...NOTHING });
    }
    this.#read.add(finalKey);
    const evidence = await this.#plain(await this.#evidence(outcome));
    const { decision, rejected } = await this.#decide(evidence);
    if (
      decision.confidence < limits.confidence ||
      decision.action === "STOP" ||
      this.#input.request.preview
    ) {
      return this.#output({ decision, ...NOTHING, rejected });
    }
    const found = await this.#follow(decision, evidence, outcome);
    return this.#output({ decision, ...found, rejected: [...rejected, ...found.rejected] });
  }

  #output(
    found: Found & { readonly decision: Decision | null },
    failure: VisitOutput["failure"] = null,
  ): VisitOutput {
    const { knowledge_id, respect_robots } = this.#input.request;
    const { depth } = this.#input.page;
    const ended = {
      ...found,
      failure,
      read: [...this.#read],
      fetched: this.#fetched,
      usage: this.#budget.spent,
    };
    if (knowledge_id === undefined) return { ...ended, pages: [], redirects: [] };
    const job = { depth, respect_robots };
    return {
      ...ended,
      pages: this.#arrived.map(({ read }) => mapPage(this.#scope.address.id, knowledge_id, read, job)),
      redirects: this.#arrived.flatMap(({ url, read }) => {
        const [from, to] = [urlKey(url), urlKey(read.page.finalUrl)];
        return from === to ? [] : [[from, to] as const];
      }),
    };
  }

  async #readPage(url: string): Promise<CrawlOutcome> {
    this.#fetched += 1;
    const { pages, journal } = this.#reading;
    const outcome = await pages.read(url, {
      signal: this.#scope.signal,
      // A navigation run may leave the site, so every address is in scope. The egress policy still applies.
      inScope: () => true,
      respectRobots: this.#input.request.respect_robots,
      blocks: true,
      received: journal,
    });
    if (outcome.kind === "page") this.#arrived.push({ url, read: outcome });
    return outcome;
  }

  async #evidence({ page }: CrawledPage): Promise<PageEvidence> {
    const { request, intent, page: here } = this.#input;
    const evidence = evidenceOf(page);
    const isSignedIn = request.login !== undefined || request.room_name !== undefined;
    // If the session is signed in, links that change data are left out. Such a link may also sign out the
    // session.
    const keeps = ({ url }: { readonly url: string }) => !isSignedIn || !isWritingAddress(url);
    const own = { ...evidence, links: evidence.links.filter(keeps), rows: evidence.rows.filter(keeps) };
    if (request.knowledge_id === undefined || here.depth > 0) return own;
    const known = await knownSections(request.knowledge_id, page.finalUrl, intent, this.#scope);
    return { ...own, known: known.filter(keeps) };
  }

  async #decide(
    page: PageEvidence,
  ): Promise<{ readonly decision: Decision; readonly rejected: readonly string[] }> {
    const { intent, request } = this.#input;
    const { depth } = this.#input.page;
    const own = (judged: Judged, decided_by: Decision["decided_by"]): Decision => ({
      url: page.url,
      depth,
      action: judged.action,
      page_type: judged.page_type,
      confidence: judged.confidence,
      reasoning: judged.reasoning,
      target_url: judged.target_url,
      decided_by,
    });
    if (!request.use_smart_navigation) {
      const { page_type } = decide(page, intent);
      const reasoning = "Asked for without decisions.";
      return {
        decision: own(
          { action: "EXTRACT_CONTENT", page_type, confidence: 1, reasoning, target_url: null },
          "structure",
        ),
        rejected: [],
      };
    }
    const structural = asList(decide(page, intent), this.#input.page.list);
    if (structural.confidence >= SURE) return { decision: own(structural, "structure"), rejected: [] };
    const asked = await this.#policy?.decide(page, intent, {
      depth,
      max_depth: request.max_depth,
      since: this.#since,
    });
    if (!asked) return { decision: own(structural, "structure"), rejected: [] };
    if (asked.rejected === null) return { decision: own(asked, "model"), rejected: [] };
    // The model chose an address that the page does not link to. The address is not opened, and the run
    // follows no link from this page.
    const reasoning = `The chosen address is no link of the page. ${asked.reasoning}`;
    return {
      decision: own({ ...asked, action: "STOP", reasoning, target_url: null }, "model"),
      rejected: [asked.rejected],
    };
  }

  async #follow(decision: Decision, page: PageEvidence, read: CrawledPage): Promise<Found> {
    switch (decision.action) {
      case "EXTRACT_CONTENT":
        return { ...NOTHING, ...(await this.#article(decision, page, read)) };
      case "EXTRACT_LINKS":
        return { ...NOTHING, ...(await this.#links(page, decision.page_type)) };
      case "NAVIGATE_TO": {
        const { target_url } = decision;
        const links = target_url === null ? [] : this.#below(page, [{ url: target_url, anchor_text: "" }]);
        return { ...NOTHING, links };
      }
      case "STOP":
        return NOTHING;
    }
  }

  /**
   * Returns the pages to which the links lead, one level deeper than this page. Returns none if this page is
   * already at the maximum depth.
   */
  #below(
    page: PageEvidence,
    links: readonly Pick<RankedLink, "url" | "anchor_text" | "members">[],
  ): readonly PendingPage[] {
    const { depth, seed, path, about } = this.#input.page;
    if (depth + 1 > this.#input.request.max_depth) return [];
    return links.map(({ url, anchor_text, members }) => ({
      url,
      depth: depth + 1,
      seed,
      path: [...path, page.url],
      about: [about, page.title, anchor_text].filter((text) => text !== "").join("\n"),
      further: 0,
      ...(members ? { members } : {}),
    }));
  }

  async #links(page: PageEvidence, type: PageType): Promise<Pick<Found, "links" | "rejected">> {
    const { intent, request, page: here } = this.#input;
    const most = request.max_links_per_page;
    const asked = await this.#policy?.links(page, intent, this.#since, most);
    const all = asked?.links ?? rankLinks(page, intent, this.#since);
    const ranked = here.fitting ? all.filter(({ fits }) => fits !== false) : all;
    const hasFitting = here.fitting || ranked.some(({ fits }) => fits);
    const below = this.#below(page, ranked.slice(0, most));
    const goesOn = below.length > 0 || here.fitting === true;
    const further = (goesOn ? this.#restOfList(page) : []).map((next) => ({
      ...next,
      ...(next.months === undefined && !isNextInSeries(next.url, page.url) ? {} : { list: type }),
      ...(hasFitting ? { fitting: true as const } : {}),
    }));
    return { links: [...below, ...further], rejected: asked?.rejected ?? [] };
  }

  /**
   * Returns the pages that continue a list: its next page and, for the first page of a list, the list of the
   * month before. The month must be in the time range of the question. The returned pages get the same depth
   * as the list.
   */
  #restOfList({ next, earlier }: PageEvidence): readonly PendingPage[] {
    const here = this.#input.page;
    const months = (here.months ?? 0) + 1;
    const isInRange = this.#since === null || (earlier?.month ?? "") >= this.#since.slice(0, 7);
    return [
      ...(next !== null && here.further < limits.furtherListings
        ? [{ ...here, url: next, further: here.further + 1 }]
        : []),
      ...(earlier !== null && here.further === 0 && isInRange && months <= limits.earlierMonths
        ? [{ ...here, url: earlier.url, months }]
        : []),
    ];
  }

  async #article(
    decision: Decision,
    first: PageEvidence,
    { page, by }: CrawledPage,
  ): Promise<Pick<Found, "article" | "irrelevant">> {
    const { intent, request, page: here } = this.#input;
    const thread =
      decision.page_type === "forum_thread" || (first.posts.length > 1 && decision.page_type !== "article");
    const posts = thread ? await this.#postsOf(first) : [];
    const dates = posts.flatMap(({ date }) => date ?? []).sort();
    let found: Pick<Article, "title" | "content" | "publish_date" | "author" | "posts"> = {
      title: first.message ? withoutReply(first.subject ?? first.title) : first.title,
      content: posts.length > 0 ? postsText(posts) : first.content,
      publish_date: dates.at(-1) ?? first.published,
      author: posts[0]?.author ?? first.authors[0] ?? null,
      posts: [...posts],
    };
    if (posts.length === 0 && first.text < ENOUGH_CONTENT) {
      found = (await this.#policy?.content(first, decision.page_type, intent)) ?? found;
    }
    const { publish_date, content, title } = found;
    if (content.trim() === "") return { article: null, irrelevant: "The page has no content." };
    if (this.#since !== null && publish_date !== null && publish_date < this.#since) {
      return { article: null, irrelevant: `It is of ${publish_date}, before ${this.#since}.` };
    }
    const judged = judgeRelevance(intent, { title, content, about: here.about });
    const certain = !request.use_smart_navigation || (judged.relevant && judged.score >= SURE);
    const asked = certain ? undefined : await this.#policy?.relevance(found, intent, this.#since);
    const relevant = !request.use_smart_navigation || (asked?.is_relevant ?? judged.relevant);
    const reason = asked?.reason ?? judged.reason;
    if (!relevant) return { article: null, irrelevant: reason };
    return {
      irrelevant: null,
      article: {
        ...found,
        url: page.finalUrl,
        content: content.slice(0, limits.articleLength),
        posts: [...found.posts],
        page_type: decision.page_type,
        relevance_score: judged.score,
        relevance_reason: reason,
        metadata: {
          post_count: found.posts.length,
          author: found.author,
          ...(first.message ? { single_messages: true } : {}),
        },
        provenance: {
          seed_url: here.seed,
          path: [...here.path],
          depth: here.depth,
          rendered_by: by,
          decided_by: decision.decided_by,
          fetched_at: new Date().toISOString(),
        },
      },
    };
  }

  /**
   * Collects the posts of a thread: those on the page, on its further pages, and on separate pages of single
   * messages.
   */
  async #postsOf(first: PageEvidence): Promise<PageEvidence["posts"]> {
    if (first.message) return await this.#messages(first);
    const posts = await this.#allPosts(first);
    const { published: date, authors, content } = first;
    // A thread with a single post has no repeated blocks, so its main content is the post.
    const [author] = authors;
    if (posts.length > 0 || date === null || author === undefined) return posts;
    const text = content.replace(/^#.*$/gm, "").trim();
    return text === "" ? [] : [{ author, date, text }];
  }

  /**
   * A page may offer a version for visitors without scripts. Returns the facts of that version if it has more
   * posts; otherwise the facts of the page.
   */
  async #plain(page: PageEvidence): Promise<PageEvidence> {
    if (page.plain === null || this.#read.has(urlKey(page.plain))) return page;
    this.#read.add(urlKey(page.plain));
    const outcome = await this.#readPage(page.plain);
    if (outcome.kind !== "page") return page;
    const plain = await this.#evidence(outcome);
    return plain.posts.length > page.posts.length ? { ...plain, url: page.url } : page;
  }

  /**
   * Reads the messages of a thread that has a page for each message: the pages that the list names, and
   * further pages with the same subject.
   */
  async #messages(first: PageEvidence): Promise<PageEvidence["posts"]> {
    const posts = [...first.posts];
    const subject = subjectOf(first.subject ?? first.headings[0] ?? first.title);
    const sameSubject = ({ links }: PageEvidence) =>
      links.filter(({ text }) => subjectOf(text) === subject).map(({ url }) => url);
    const waiting = [...(this.#input.page.members ?? []), ...sameSubject(first)];
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      if (posts.length > limits.furtherMessages || Date.now() > this.#input.deadline) break;
      const key = urlKey(url);
      if (this.#read.has(key) || this.#input.visited.includes(key)) continue;
      this.#read.add(key);
      const outcome = await this.#readPage(url);
      if (outcome.kind !== "page") continue;
      const evidence = evidenceOf(outcome.page);
      if (!evidence.message) continue;
      posts.push(...evidence.posts);
      waiting.push(...sameSubject(evidence));
    }
    return posts.sort((a, b) => (a.date ?? "").localeCompare(b.date ?? ""));
  }

  /** Collects the posts of a forum thread, including those on the thread's further pages. */
  async #allPosts(first: PageEvidence): Promise<PageEvidence["posts"]> {
    const posts = [...first.posts];
    const seen = new Set(posts.map(postKey));
    let next = first.next;
    for (let page = 0; page < limits.furtherPages && next !== null; page++) {
      const key = urlKey(next);
      if (this.#read.has(key) || this.#input.visited.includes(key) || Date.now() > this.#input.deadline)
        break;
      this.#read.add(key);
      const outcome = await this.#readPage(next);
      if (outcome.kind !== "page") break;
      const evidence = evidenceOf(outcome.page);
      const fresh = evidence.posts.filter((post) => !seen.has(postKey(post)));
      if (fresh.length === 0) break;
      for (const post of fresh) seen.add(postKey(post));
      posts.push(...fresh);
      next = evidence.next;
    }
    return posts;
  }
}

function postKey({ author, date, text }: PageEvidence["posts"][number]): string {
  return `${author}\n${date}\n${text}`;
}

function postsText(posts: PageEvidence["posts"]): string {
  return posts.map(({ author, date, text }) => `**${author ?? "?"}** (${date ?? "?"}): ${text}`).join("\n\n");
}
