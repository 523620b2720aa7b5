/**
 * Finds in the links of a batch new URLs, shorter paths to known URLs, and URLs that are left out as traps
 * (endless similar pages). A shorter path reduces the depth of a URL and of all pages that are reached
 * through it. So the set of pages within `max_depth` does not depend on the order in which pages are read.
 */
import type { CrawlBatch, Discovery } from "../../../machines/exploration/crawl/crawl-batch-of-read-pages.ts";
import {
  type Template,
  templateName,
  templateOf,
} from "../../../machines/exploration/crawl/crawl-url-template.ts";
import type { TrapWatch } from "../../../machines/exploration/crawl/crawler-trap-detection.ts";
import { languageSwitches } from "../../../machines/exploration/crawl/language-switch-links.ts";
import {
  type PageLines,
  pageLines,
} from "../../../machines/exploration/crawl/masked-line-hashes-of-pages.ts";
import { normaliseUrl, urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { explorationLimits } from "../../../machines/exploration/exploration-limits.ts";
import type { CrawlInput } from "../../../machines/exploration/exploration-machine.ts";
import type { Scope } from "../../../machines/exploration/exploration-scope.ts";
import type { FrontierState, LeftRecord } from "../../../machines/records/exploration-records.ts";
import type { UrlKey } from "../../../machines/records/record-ids.ts";
import { hidesNotice } from "../../../machines/risk/links-that-hide-notices.ts";
import { commandPagesAmong } from "../../../machines/risk/manual-pages-named-after-commands.ts";
import type { Store } from "../../../store/index.ts";
import { type CrawledPage, relativesOf } from "../../pages/index.ts";
import type { FetchedPage } from "../../reading/index.ts";

interface Known {
  readonly state: FrontierState;
  readonly depth: number;
}

/**
 * A page that was read, with its depth (number of links from the start page) and the key of its URL. Two
 * spellings of one address have the same key.
 */
export interface StoredPage extends Omit<CrawledPage, "kind"> {
  readonly key: UrlKey;
  readonly depth: number;
  /** Whether the URL was in the crawl's queue. If so, its result is stored in its row of the queue. */
  readonly queued: boolean;
  /**
   * If this page is a copy of another page: the URL key of the original. A copy is not stored, but its links
   * are followed.
   */
  readonly same?: UrlKey;
}

type LinkTarget = Pick<Discovery, "key" | "url">;

/** A link's target, with the facts by which the crawl decides whether to read the target. */
interface Candidate extends Discovery {
  readonly from: { readonly template: Template | undefined; readonly is: "fresh" | "barren" };
}

export type Found = Pick<CrawlBatch, "discovered" | "shallower" | "left" | "taken">;

const FRESH = { template: undefined, is: "fresh" } as const;

export class Discoveries {
  readonly #input: CrawlInput;
  readonly #store: Store;
  readonly #watch: TrapWatch;
  /**
   * For each URL, the smallest known depth (number of links from the start page). The least recently used URL
   * is the first.
   */
  readonly #depths = new Map<UrlKey, number>();

  constructor(input: CrawlInput, store: Store, watch: TrapWatch) {
    this.#input = input;
    this.#store = store;
    this.#watch = watch;
  }

  /**
   * Returns the smallest known depth of a URL (number of links from the start page); `undefined` when it is
   * not cached.
   */
  depthOf(key: UrlKey): number | undefined {
    return this.#depths.get(key);
  }

  /** Updates the cached depths of URLs (numbers of links from the start page) after a batch is committed. */
  committed(batch: CrawlBatch): void {
    for (const { key, depth } of [...batch.discovered, ...batch.arrived]) this.#remember(key, depth);
    for (const { row, depth } of batch.shallower) this.#remember(row.id[1], depth);
  }

  /**
   * Finds those targets of the pages' links that the job does not know yet.
   *
   * @param named further URLs to follow, such as those of a sitemap
   */
  async find(stored: readonly StoredPage[], scope: Scope, named: readonly Discovery[] = []): Promise<Found> {
    const search = new Search(this.#input.job_id, this.#watch);
    for (const { key, depth } of stored) search.known.set(key, { state: "done", depth });
    const leads = new Map(stored.map(({ page, key }) => [key, this.#leadsOf(page)]));
    const { max_depth } = this.#input.request;
    const opened = stored.map((source) => ({
      source,
      candidates:
        source.depth < max_depth ? followed(leads.get(source.key) ?? [], source.depth + 1, scope) : [],
    }));
    await this.#check(search, [...opened.flatMap(({ candidates }) => candidates), ...named]);

    let reopened: Discovery[] = [];
    for (const { source, candidates } of opened) {
      const wanted = candidates.filter((candidate) => this.#isWanted(candidate));
      const from = source.same === undefined ? await this.#judge(source, wanted, search) : FRESH;
      for (const candidate of wanted) reopened.push(...search.take({ ...candidate, from }));
    }
    for (const candidate of named.filter((one) => this.#isWanted(one)))
      reopened.push(...search.take({ ...candidate, from: FRESH }));
    while (reopened.length > 0) {
      const behind = (await this.#behind(reopened, leads, scope)).filter((lead) => this.#isWanted(lead));
      await this.#check(search, behind);
      reopened = behind.flatMap((candidate) => search.take(candidate));
    }
    await this.#takeUp(search);
    return search.found();
  }

  /** Whether the URL is new, or known only with a greater depth. */
  #isWanted({ key, depth }: Discovery): boolean {
    return (this.#depths.get(key) ?? Number.POSITIVE_INFINITY) > depth;
  }

  /**
   * Reads from the store which of these URLs the job knows. URLs that the job has left out are also known.
   */
  async #check(search: Search, candidates: readonly Discovery[]): Promise<void> {
    const wanted = candidates.filter(
      (candidate) => this.#isWanted(candidate) && !search.known.has(candidate.key),
    );
    if (wanted.length === 0) return;
    const { job_id } = this.#input;
    const keys = [...new Set(wanted.map(({ key }) => key))];
    for (const [key, { state, depth }] of await this.#store.frontier.known(job_id, keys)) {
      search.known.set(key, { state, depth });
      this.#remember(key, depth);
    }
    const ids = new Map<UrlKey, LeftRecord["id"]>();
    for (const { key, url } of wanted) {
      const template = search.known.has(key) ? undefined : this.#templateOf(url);
      if (template && this.#watch.hasLeft(template)) ids.set(key, [job_id, templateName(template), key]);
    }
    for (const row of await this.#store.memory.left([...ids.values()])) search.left.set(row.id[2], row);
  }

  /**
   * Lets `TrapWatch` decide, by the text and the links of the page `source`, whether the site generates endless
   * pages with addresses like that of `source`.
   */
  async #judge(
    source: StoredPage,
    candidates: readonly Discovery[],
    search: Search,
  ): Promise<Candidate["from"]> {
    const { page, queued } = source;
    const template = this.#templateOf(page.finalUrl);
    if (!template) return FRESH;
    if (template.variant !== "" && !this.#watch.knows(template.family))
      await this.#recallBase(page.finalUrl, template);
    let newWithin = 0;
    let newBeyond = 0;
    const counted = new Set<UrlKey>();
    for (const { key, url } of candidates) {
      if (counted.has(key) || search.knows(key)) continue;
      counted.add(key);
      const other = this.#templateOf(url);
      if (other && templateName(other) === templateName(template)) newWithin += 1;
      else if (
        !other ||
        (other.family !== template.family && (other.kind === "sequence" || other.kind === "random"))
      )
        newBeyond += 1;
    }
    const lines = linesOf(page, template);
    const is = this.#watch.learn({ template, url: page.finalUrl, lines, queued, newWithin, newBeyond });
    return { template, is };
  }

  /**
   * Loads the stored page at this URL without its query parameters, if there is one. `TrapWatch` compares it
   * with the pages whose URLs have parameters.
   */
  async #recallBase(url: string, template: Template): Promise<void> {
    const base = url.slice(0, url.indexOf("?"));
    const [page] = await this.#store.pages.getMany(this.#input.request.knowledge_id, [urlKey(base)]);
    if (page) this.#watch.remember(template.family, linesOf({ ...page, finalUrl: page.url }, template));
  }

  /**
   * Queues some more of the URLs that were left out as a trap, because other URLs of the same pattern have
   * led to different pages.
   */
  async #takeUp(search: Search): Promise<void> {
    for (const { name, template, slots } of this.#watch.openings()) {
      const rows = await this.#store.memory.nextLeft(this.#input.job_id, name, slots + search.left.size);
      let room = slots;
      for (const row of rows) {
        if (room === 0) break;
        if (search.takeUp(row, template)) room -= 1;
      }
    }
  }

  #templateOf(url: string): Template | undefined {
    const template = templateOf(url);
    return template && this.#watch.place(template);
  }

  /**
   * Returns the links of those known pages to which a shorter path was found. The targets of these links may now be
   * within `max_depth`. The pages are not checked again for crawler traps (`TrapWatch`).
   */
  async #behind(
    reopened: readonly Discovery[],
    fresh: ReadonlyMap<UrlKey, readonly LinkTarget[]>,
    scope: Scope,
  ): Promise<Candidate[]> {
    const open: Candidate[] = [];
    for (const { key, url, depth } of reopened) {
      if (depth >= this.#input.request.max_depth) continue;
      const leads = fresh.get(key) ?? (await this.#storedLeads(key));
      const template = this.#templateOf(url);
      const from = template ? ({ template, is: "barren" } as const) : FRESH;
      for (const lead of followed(leads, depth + 1, scope)) open.push({ ...lead, from });
    }
    return open;
  }

  /**
   * Returns the URLs to which a page links, and the related URLs that the page declares, such as translations. Links
   * that switch the language of the session are left out, and so are those that hide a notice for the account. Links with `nofollow` are left out too, unless the job
   * ignores such marks.
   */
  #leadsOf(page: FetchedPage): readonly LinkTarget[] {
    const { respect_robots: heeded, login } = this.#input.request;
    const links = page.links.filter(
      (link) =>
        (!heeded || !(link.nofollow || page.relations.nofollow)) &&
        (login === undefined || !hidesNotice(link.text)),
    );
    const relatives = relativesOf(page, this.#input.request);
    return [...withoutLanguageSwitches(page.finalUrl, links, relatives), ...relatives];
  }

  /**
   * Returns the URLs to which a page in the store leads. The method `#leadsOf` does the same for a page that
   * was just read.
   */
  async #storedLeads(key: UrlKey): Promise<readonly LinkTarget[]> {
    const { knowledge_id, respect_robots } = this.#input.request;
    const { links, relatives } = await this.#store.pages.leadsOf(knowledge_id, key);
    const target = (url: string): LinkTarget => ({ key: urlKey(url), url });
    const open = links.flatMap(({ url, nofollow }) => (nofollow && respect_robots ? [] : [target(url)]));
    const related = relatives.map(target);
    return [...withoutLanguageSwitches(key, open, related), ...related];
  }

  #remember(key: UrlKey, depth: number): void {
    this.#depths.delete(key);
    this.#depths.set(key, depth);
    if (this.#depths.size <= explorationLimits.knownUrls) return;
    const oldest = this.#depths.keys().next();
    if (!oldest.done) this.#depths.delete(oldest.value);
  }
}

/**
 * The state of a search for new links in one batch of results. The links of the batch are not in the store
 * yet.
 */
class Search {
  readonly known = new Map<UrlKey, Known>();
  /**
   * URLs that were left out of an earlier batch of results, because their pattern looks endless (a trap).
   * They are loaded from the store.
   */
  readonly left = new Map<UrlKey, LeftRecord>();
  readonly #jobId: string;
  readonly #watch: TrapWatch;
  readonly #discovered = new Map<UrlKey, Discovery>();
  readonly #shallower = new Map<UrlKey, Found["shallower"][number]>();
  readonly #newlyLeft = new Map<UrlKey, LeftRecord>();
  readonly #taken = new Map<UrlKey, LeftRecord["id"]>();

  constructor(jobId: string, watch: TrapWatch) {
    this.#jobId = jobId;
    this.#watch = watch;
  }

  knows(key: UrlKey): boolean {
    return this.known.has(key) || this.#discovered.has(key) || this.left.has(key) || this.#newlyLeft.has(key);
  }

  /**
   * Adds a link target to the queue if it is new. A stored page that is now reachable over fewer links is
   * returned, because its own links may now be within the maximum depth.
   */
  take(candidate: Candidate): readonly Discovery[] {
    const { key, url, depth } = candidate;
    const before = this.known.get(key);
    if (before) {
      if (before.depth <= depth) return [];
      this.known.set(key, { ...before, depth });
      this.#shallower.set(key, { row: { id: [this.#jobId, key] }, depth });
      return before.state === "done" ? [{ key, url, depth }] : [];
    }
    const first = this.#discovered.get(key);
    if (first) {
      // If the URL is found again at a smaller depth, the smaller depth is stored. The order of the Map,
      // which is the order of discovery, does not change.
      if (first.depth > depth) this.#discovered.set(key, { key, url, depth });
      return [];
    }
    const found = templateOf(url);
    const template = found && this.#watch.place(found);
    const left = this.#newlyLeft.get(key) ?? this.left.get(key);
    if (!template || this.#watch.admits(template, candidate.from)) {
      this.#discovered.set(key, { key, url, depth: Math.min(depth, left?.depth ?? depth) });
      if (template && left) this.#unleave(key, template);
    } else if (!left || left.depth > depth) {
      if (!left) this.#watch.left(template, 1);
      const id = [this.#jobId, templateName(template), key] as const;
      this.#newlyLeft.set(key, { id, job_id: this.#jobId, url, depth });
    }
    return [];
  }

  /**
   * Queues a URL that was left out as a trap (endless similar pages). Returns false when the URL is known or
   * queued already, or when its pattern is still a trap.
   */
  takeUp(row: LeftRecord, template: Template): boolean {
    const key = row.id[2];
    if (this.known.has(key) || this.#discovered.has(key) || this.#taken.has(key)) return false;
    if (!this.#watch.admits(template, FRESH)) return false;
    const depth = Math.min(row.depth, this.#newlyLeft.get(key)?.depth ?? row.depth);
    this.#discovered.set(key, { key, url: row.url, depth });
    this.left.set(key, row);
    this.#unleave(key, template);
    return true;
  }

  #unleave(key: UrlKey, template: Template): void {
    this.#watch.left(template, -1);
    this.#newlyLeft.delete(key);
    const stored = this.left.get(key);
    if (stored) this.#taken.set(key, stored.id);
  }

  found(): Found {
    return {
      discovered: [...this.#discovered.values()],
      shallower: [...this.#shallower.values()],
      left: [...this.#newlyLeft.values()],
      taken: [...this.#taken.values()],
    };
  }
}

/**
 * Returns the links of a page, except those that switch the language of the session. Rendered pages share
 * their cookies, so after such a link, all later pages would be in the other language.
 *
 * @param relatives the URLs that the page declares, such as those of its translations, which are followed
 */
function withoutLanguageSwitches(
  url: string,
  links: readonly LinkTarget[],
  relatives: readonly LinkTarget[],
): readonly LinkTarget[] {
  const switches = languageSwitches({
    url,
    links: links.map((link) => link.url),
    translations: relatives.map((relative) => relative.url),
  });
  return switches.size === 0 ? links : links.filter((link) => !switches.has(link.url));
}

/** Returns the links whose targets are in the job's scope. */
function followed(leads: readonly LinkTarget[], depth: number, scope: Scope): Discovery[] {
  const manual = commandPagesAmong(leads.map(({ url }) => url));
  const isFollowed = (url: string) => scope.follows(url) || (manual.has(url) && scope.followsInManual(url));
  return leads.flatMap(({ key, url }) => (isFollowed(url) ? [{ key, url, depth }] : []));
}

function linesOf(page: Pick<FetchedPage, "finalUrl" | "title" | "content">, { family }: Template): PageLines {
  const relatives = new Map<string, boolean>();
  return pageLines({
    url: page.finalUrl,
    title: page.title,
    content: page.content,
    isRelative(href) {
      let relative = relatives.get(href);
      if (relative === undefined) {
        const url = normaliseUrl(href, page.finalUrl);
        relative = url !== undefined && templateOf(url)?.family === family;
        relatives.set(href, relative);
      }
      return relative;
    },
  });
}
