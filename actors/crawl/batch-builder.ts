/**
 * From pages that were read to one `CrawlBatch`: records, edges, and which links are news to the job.
 *
 * It looks into the store for what the job knows already, and remembers the answers in a bounded cache. A known
 * URL that a shorter way leads to gets its smaller depth, and, if it was read already, so do the pages behind
 * it: however the reads overlap, the set of pages within `max_depth` is the same.
 */
import type { CrawlBatch, Discovery, Settlement } from "../../machines/exploration/batch.ts";
import type { CrawlInput } from "../../machines/exploration/machine.ts";
import type { Scope } from "../../machines/exploration/scope.ts";
import { urlKey } from "../../machines/exploration/url.ts";
import { limits } from "../../machines/limits.ts";
import type { FrontierRecord, FrontierState, PageLink, PageRecord, UrlKey } from "../../machines/records.ts";
import type { Store } from "../../store/index.ts";
import { type FetchedPage, isOverload } from "../reading/index.ts";
import type { Read } from "./crawl.ts";
import type { CrawledPage, Unread } from "./page-reader.ts";

interface Known {
  readonly state: FrontierState;
  readonly depth: number;
}

/** A page that this batch stores. */
interface Stored {
  readonly page: FetchedPage;
  readonly by: CrawledPage["by"];
  readonly reason: string;
  readonly key: UrlKey;
  readonly depth: number;
}

/** Where a link leads. */
type Lead = Pick<Discovery, "key" | "url">;

type Shallower = CrawlBatch["shallower"][number];

export class BatchBuilder {
  readonly #input: CrawlInput;
  readonly #store: Store;
  /** The smallest depth at which each URL is known; a Map keeps the order in which entries were used last. */
  readonly #depths = new Map<UrlKey, number>();

  constructor(input: CrawlInput, store: Store) {
    this.#input = input;
    this.#store = store;
  }

  async build(
    reads: readonly Read[],
    { site, scope, kinds }: Pick<CrawlBatch, "site" | "kinds"> & { readonly scope: Scope },
  ): Promise<CrawlBatch> {
    const redirected = reads.flatMap(({ row, outcome }) =>
      outcome.kind === "page" && urlKey(outcome.page.finalUrl) !== row.id[1]
        ? [urlKey(outcome.page.finalUrl)]
        : [],
    );
    const targets =
      redirected.length > 0 ? await this.#store.frontier.known(this.#input.job_id, redirected) : new Map();
    const settled: Settlement[] = [];
    const arrived: CrawlBatch["arrived"][number][] = [];
    const stored: Stored[] = [];
    const storedKeys = new Set<UrlKey>(reads.map(({ row }) => row.id[1]));

    for (const { row, outcome } of reads) {
      if (outcome.kind !== "page") {
        settled.push(settleUnread(row, outcome));
        continue;
      }
      const key = urlKey(outcome.page.finalUrl);
      if (key === row.id[1]) {
        settled.push({ row, state: "done", page_key: key, error: null, not_before: 0 });
        // A shorter way may have been found while the page was being read.
        stored.push({
          ...outcome,
          key,
          depth: Math.min(row.depth, this.#depths.get(key) ?? row.depth),
        });
        continue;
      }
      const note = `redirects to ${outcome.page.finalUrl}`;
      settled.push({ row, state: "skipped", page_key: key, error: note, not_before: 0 });
      // A target that is known has, or will have, a read of its own; otherwise this was it.
      const target: Known | undefined = targets.get(key);
      if (storedKeys.has(key) || (target && target.state !== "held")) continue;
      storedKeys.add(key);
      arrived.push({ key, url: outcome.page.finalUrl, depth: row.depth, held: target?.state === "held" });
      stored.push({ ...outcome, key, depth: row.depth });
    }

    const pages = stored.map((one) => this.#pageRecord(one, scope));
    const news = await this.#discover(stored, scope);
    const freed = settled.filter(({ state }) => state === "skipped").length;
    const { job_id, request } = this.#input;
    return {
      pages,
      external: stored.flatMap(({ page }) =>
        page.links
          .filter((link) => !scope.isInternal(link.url))
          .map((link) => ({ from_url: page.finalUrl, to_url: link.url })),
      ),
      settled,
      arrived,
      ...news,
      waiting: freed > 0 ? await this.#store.frontier.heldInOrder(job_id, request.strategy, freed) : [],
      kinds,
      current_url: reads.at(-1)?.row.url ?? null,
      site,
    };
  }

  /** Remembers what a committed batch made known. */
  committed(batch: CrawlBatch): void {
    for (const { key, depth } of [...batch.discovered, ...batch.arrived]) this.#remember(key, depth);
    for (const { row, depth } of batch.shallower) this.#remember(row.id[1], depth);
  }

  #remember(key: UrlKey, depth: number): void {
    this.#depths.delete(key);
    this.#depths.set(key, depth);
    if (this.#depths.size <= limits.exploration.knownUrls) return;
    const oldest = this.#depths.keys().next();
    if (!oldest.done) this.#depths.delete(oldest.value);
  }

  /** New URLs and shorter ways, following known pages' stored links where a shorter way opens them. */
  async #discover(
    stored: readonly Stored[],
    scope: Scope,
  ): Promise<{ readonly discovered: readonly Discovery[]; readonly shallower: readonly Shallower[] }> {
    const { job_id, request } = this.#input;
    const fresh = new Map(stored.map(({ page, key }) => [key, this.#leadsOf(page)]));
    const discovered = new Map<UrlKey, Discovery>();
    const shallower = new Map<UrlKey, Shallower>();
    let open: Discovery[] = [];
    for (const { key, depth } of stored) {
      if (depth < request.max_depth) open.push(...followed(fresh.get(key) ?? [], depth + 1, scope));
    }
    const here = new Map<UrlKey, Known>(stored.map(({ key, depth }) => [key, { state: "done", depth }]));
    while (open.length > 0) {
      const wanted = open.filter(
        ({ key, depth }) => (this.#depths.get(key) ?? Number.POSITIVE_INFINITY) > depth,
      );
      const unknown = [...new Set(wanted.map(({ key }) => key))].filter((key) => !here.has(key));
      const known =
        unknown.length > 0 ? await this.#store.frontier.known(job_id, unknown) : new Map<UrlKey, Known>();
      for (const [key, { state, depth }] of known) {
        here.set(key, { state, depth });
        this.#remember(key, depth);
      }
      const reopened: { readonly key: UrlKey; readonly depth: number }[] = [];
      for (const candidate of wanted) {
        const before = here.get(candidate.key);
        if (before === undefined) {
          const first = discovered.get(candidate.key);
          // Set again keeps its place in the order of discovery.
          if (!first || first.depth > candidate.depth) discovered.set(candidate.key, candidate);
        } else if (before.depth > candidate.depth) {
          here.set(candidate.key, { ...before, depth: candidate.depth });
          shallower.set(candidate.key, { row: { id: [job_id, candidate.key] }, depth: candidate.depth });
          if (before.state === "done") reopened.push(candidate);
        }
      }
      open = await this.#behind(reopened, fresh, scope);
    }
    return { discovered: [...discovered.values()], shallower: [...shallower.values()] };
  }

  /** Where pages lead that were read before a shorter way to them was found. */
  async #behind(
    reopened: readonly { readonly key: UrlKey; readonly depth: number }[],
    fresh: ReadonlyMap<UrlKey, readonly Lead[]>,
    scope: Scope,
  ): Promise<Discovery[]> {
    const { request } = this.#input;
    const open: Discovery[] = [];
    for (const { key, depth } of reopened) {
      if (depth >= request.max_depth) continue;
      const leads = fresh.get(key) ?? (await this.#storedLeads(key));
      open.push(...followed(leads, depth + 1, scope));
    }
    return open;
  }

  /** Where a page leads, as far as it wishes to be followed. */
  #leadsOf(page: FetchedPage): readonly Lead[] {
    const heeded = this.#input.request.respect_robots;
    const links = page.links.filter((link) => !heeded || !(link.nofollow || page.relations.nofollow));
    return [...links, ...this.#relativesOf(page)];
  }

  /** A page that asks for none of its links to be followed means these too. */
  #relativesOf({ relations }: FetchedPage): FetchedPage["relations"]["relatives"] {
    return relations.nofollow && this.#input.request.respect_robots ? [] : relations.relatives;
  }

  /** The same for a page that was stored. */
  async #storedLeads(key: UrlKey): Promise<readonly Lead[]> {
    const { knowledge_id, respect_robots } = this.#input.request;
    const { links, relatives } = await this.#store.pages.leadsOf(knowledge_id, key);
    return [
      ...links.flatMap(({ url, nofollow }) => (nofollow && respect_robots ? [] : [url])),
      ...relatives,
    ].map((url) => ({ key: urlKey(url), url }));
  }

  #pageRecord({ page, by, reason, key, depth }: Stored, scope: Scope): PageRecord {
    const { job_id, request } = this.#input;
    const links = page.links.map(
      ({ url, text, control, framed, nofollow }): PageLink => ({
        url,
        kind: scope.isInternal(url) ? "internal" : "external",
        text,
        control,
        ...(framed ? { framed } : {}),
        ...(nofollow || page.relations.nofollow ? { nofollow: true } : {}),
      }),
    );
    const internal = links.filter(({ kind }) => kind === "internal").length;
    const relatives = this.#relativesOf(page);
    return {
      id: [request.knowledge_id, key],
      knowledge_id: request.knowledge_id,
      website_id: request.website_id,
      job_id,
      url: page.finalUrl,
      title: page.title,
      language: page.language,
      headings: page.headings,
      content: page.content,
      content_hash: page.contentHash,
      ...(page.signature === undefined ? {} : { signature: page.signature }),
      chunk_type: "webpage",
      media_type: page.mediaType,
      http_status: page.status,
      depth,
      bytes: page.bytes,
      fetched_at: Date.now(),
      controls: JSON.stringify(page.controls),
      links: JSON.stringify(links),
      internal_links: internal,
      external_links: links.length - internal,
      ...(relatives.length > 0 ? { relatives: JSON.stringify(relatives.map(({ url }) => url)) } : {}),
      metadata: JSON.stringify(page.metadata),
      rendered_by: by,
      render_reason: reason,
    };
  }
}

/** Where these leads lead that the job follows. */
function followed(leads: readonly Lead[], depth: number, scope: Scope): Discovery[] {
  return leads.flatMap(({ key, url }) => (scope.follows(url) ? [{ key, url, depth }] : []));
}

/** What becomes of a row without a page: skipped, failed, or tried again later. */
function settleUnread(row: FrontierRecord, outcome: Unread): Settlement {
  if (outcome.kind === "skipped") {
    return { row, state: "skipped", page_key: null, error: outcome.detail, not_before: 0 };
  }
  const { attempts, overloadAttempts, backoff, maxBackoff } = limits.exploration;
  const error = `${outcome.code}: ${outcome.message}`;
  if (!outcome.retryable || row.attempts + 1 >= (isOverload(outcome) ? overloadAttempts : attempts)) {
    return { row, state: "failed", page_key: null, error, not_before: 0 };
  }
  const asked = "retryAfter" in outcome ? outcome.retryAfter : undefined;
  const wait =
    asked === undefined
      ? Math.min(backoff * 2 ** row.attempts, maxBackoff)
      : Math.min(asked, limits.reading.retryAfter);
  return { row, state: "retry", page_key: null, error, not_before: Date.now() + wait };
}
