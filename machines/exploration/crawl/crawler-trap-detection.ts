/**
 * Detects crawler traps, such as endless calendars, by comparing pages whose URLs have the same template
 * (`crawl-url-template.ts`). A page has *no new content* if its text is known from similar pages
 * (`masked-line-hashes-of-pages.ts`) and its links stay within its template. After enough such pages, further URLs of
 * the template are not followed.
 */

import type { CrawlNoteRecord } from "../../records/exploration-records.ts";
import { explorationLimits } from "../exploration-limits.ts";
import { LIST_VIEWS, type Template, type TemplateKind, templateName } from "./crawl-url-template.ts";
import { noveltyShare, type PageLines } from "./masked-line-hashes-of-pages.ts";

/** A crawler trap in the report of a job: a set of URLs that seems endless, such as a calendar. */
export interface TrapReport {
  readonly kind: TemplateKind | "soft_404" | "redirect_loop";
  /**
   * The template of the trap's URLs: their address with the varying parts masked, such as
   * `e.com/calendar/{n}/{n}`.
   */
  readonly pattern: string;
  /** Number of pages of the crawler trap that were read. */
  readonly pages: number;
  /** Number of URLs of this trap (endless similar pages) that are known but not followed. */
  readonly left_out: number;
  readonly examples: readonly string[];
}

interface Variant {
  kind: TrapReport["kind"];
  /**
   * Number of pages with this URL template (address with masked parts) that had no new content, minus the number of
   * those that had some.
   */
  barren: number;
  /**
   * Length of a chain of pages that seems endless. A page extends the chain if the page has no new content
   * and links to exactly one new page of the same URL template. A page with new content shortens the chain by
   * one.
   */
  chain: number;
  /** Number of pages with this URL template (address with masked parts) that had new content. */
  fresh: number;
  pages: number;
  /**
   * Number of known URLs with this template (address with masked parts) that are not read yet, because they are
   * queued or held back.
   */
  pending: number;
  left: number;
  examples: string[];
}

interface Family {
  barren: number;
  /**
   * Hashes of lines of text that were read last in the URL family (the pages with one host and path pattern). New
   * pages are compared with them. The hash that was not seen for the longest time is first.
   */
  lines: Set<number>;
  variants: Map<string, Variant>;
  /** Whether this record has changed since the job last stored it. */
  changed: boolean;
}

/** The data of a URL family as the job stores it in a note, as JSON. */
interface StoredFamily {
  readonly barren: number;
  readonly lines: readonly number[];
  readonly variants: Readonly<Record<string, Variant>>;
}

export interface ReadPage {
  readonly template: Template;
  readonly url: string;
  readonly lines: PageLines;
  /** True if the page's own URL was queued; false if the crawl reached the page by a redirect. */
  readonly queued: boolean;
  /**
   * Number of new URLs on the page that have the same URL template (address with masked parts) as the page itself.
   */
  readonly newWithin: number;
  /**
   * Number of new URLs on the page outside of the template's family. URLs whose kind of template is always on
   * probation (with few queued URLs at a time), such as a calendar, do not count.
   */
  readonly newBeyond: number;
}

const FAMILY = "family:";
const ODDITIES = "oddities";
/**
 * Name that stands for all further variants of a URL family (same host and path pattern), after the family has its
 * maximum number of variants.
 */
const OVERFLOW_VARIANT = "?…";
/**
 * Maximum number of first URLs of a template that are tried until one of them is a page. They are tried even
 * if similar URLs have no new content. Some first URLs return no page: MediaWiki answers 404 for
 * `Special:WhatLinksHere/{page}` if no page links to `{page}`, and gitweb answers with a file for `a=blob` of
 * an image.
 */
const MOST_FIRST_URLS = 5;
/** The variants that show a list again, in another order or with a filter. */
const VIEWS_OF_LIST: ReadonlySet<string> = new Set(Object.values(LIST_VIEWS));
const {
  pagesWithoutNovelty: maxPagesWithoutNovelty,
  specialPagesWithoutNovelty: maxSpecialPagesWithoutNovelty,
  viewsOfListWithoutNovelty: maxViewsOfList,
  families: mostFamilies,
  familyLines,
  trapExamples,
  noveltyShare: newsShare,
} = explorationLimits;

/**
 * Decides for each URL template (address with the varying parts masked) when to stop reading its pages:
 *
 * - Reading stops after ten pages without new content. Each page with new content reduces this count by one,
 *   so real content is read without limit.
 *
 * - Some templates are on probation from their first URL: parameters, dates, special pages, repeated folders.
 *   The number of their URLs in the queue is limited to the number of pages without new content that are still
 *   allowed: ten at first. The other URLs are stored as left out. Templates of one family without new content
 *   share the ten pages.
 *
 * - Orders, lengths and filters of a list (`order-and-filter-parameters.ts`) are on probation too. Two pages of each
 *   suffice. Another order never counts as new content.
 *
 * - Special pages of wikis and source code browsers never have new text. Reading stops after three of them
 *   that link to no new pages.
 *
 * - Random ids are on probation if the page that links to them has no new content.
 *
 * - URLs with numbers are read longest, because most pages of the web have such URLs. Reading stops after a
 *   chain of ten pages. Each of them has no new content, and links to exactly one new page of its template.
 *
 * The state has a limited size. It is committed together with the pages from which it was derived
 * (`CrawlNoteRecord`), so a restarted job continues with it. URLs that are left out are not part of
 * `completed + queued + failed`.
 */
export class TrapWatch {
  readonly #jobId: string;
  /** Families of similar URLs in order of use, least recently used first. */
  readonly #families = new Map<string, Family>();
  readonly #oddities = new Map<TrapReport["kind"], Variant>();
  #oddChanged = false;

  constructor(jobId: string, notes: readonly CrawlNoteRecord[]) {
    this.#jobId = jobId;
    for (const { id, note } of notes) {
      if (id[1] === ODDITIES) {
        // The cast is safe: `changes` wrote the note as JSON of `Variant`s.
        for (const odd of JSON.parse(note) as Variant[]) this.#oddities.set(odd.kind, odd);
      } else if (id[1].startsWith(FAMILY)) {
        const { barren, lines, variants } = JSON.parse(note) as StoredFamily;
        this.#families.set(id[1].slice(FAMILY.length), {
          barren,
          lines: new Set(lines),
          variants: new Map(Object.entries(variants)),
          changed: false,
        });
      }
    }
  }

  knows(family: string): boolean {
    return this.#families.has(family);
  }

  /**
   * Returns the template (address with masked parts) under which the job counts a URL. Each URL family has a maximum
   * number of variants. All URLs of further variants share one template.
   */
  place(template: Template): Template {
    const variants = this.#families.get(template.family)?.variants;
    const full = variants && variants.size >= explorationLimits.variants && !variants.has(template.variant);
    return full ? { ...template, variant: OVERFLOW_VARIANT } : template;
  }

  /**
   * Stores the text lines of a page whose URL has no parameters, such as `/shop`. Pages such as
   * `/shop?color=red` are compared with these lines.
   */
  remember(family: string, lines: PageLines): void {
    this.#keep(this.#family(family), lines);
  }

  /**
   * Records the content of a page. Returns whether the page had new content. Must be called once for each
   * page, before `admits` is called for its links.
   */
  learn({ template, url, lines, queued, newWithin, newBeyond }: ReadPage): "fresh" | "barren" {
    const family = this.#family(template.family);
    const variant = this.#variant(family, template);
    const first = family.lines.size === 0;
    const text = template.textCounts && noveltyShare(lines, family.lines) >= newsShare;
    this.#keep(family, lines);
    family.changed = true;
    variant.pages += 1;
    if (queued) variant.pending = Math.max(0, variant.pending - 1);
    if (variant.examples.length < trapExamples) variant.examples.push(url);
    const beyond = newBeyond > 0 && template.variant !== LIST_VIEWS.order;
    if (beyond || (text && !first)) {
      variant.fresh += 1;
      variant.barren = Math.max(0, variant.barren - 1);
      variant.chain = Math.max(0, variant.chain - 1);
      family.barren = Math.max(0, family.barren - 1);
      return "fresh";
    }
    variant.barren += 1;
    family.barren += 1;
    if (newWithin === 1) variant.chain += 1;
    return first ? "fresh" : "barren";
  }

  /** Records that a URL with this template (address with masked parts) is not a page. */
  recordNoPage(template: Template): void {
    const family = this.#family(template.family);
    const variant = this.#variant(family, template);
    family.changed = true;
    variant.pending = Math.max(0, variant.pending - 1);
    if (!isOnProbation(template.kind)) return;
    variant.barren += 1;
    family.barren += 1;
  }

  /**
   * Whether a new URL may be queued. If the result is `true`, the URL counts as pending from now on. If it is
   * `false`, the caller must store the URL as left out.
   *
   * @param from the page that links to the URL: its template, and whether its content was new ("fresh"). A page
   * without a template counts as new.
   */
  admits(
    template: Template,
    from: { readonly template: Template | undefined; readonly is: "fresh" | "barren" },
  ): boolean {
    const family = this.#family(template.family);
    const variant = this.#variant(family, template);
    const chained = from.template !== undefined && templateName(from.template) === templateName(template);
    const onProbation = isOnProbation(template.kind) || (template.kind === "random" && from.is === "barren");
    const ended = chained && from.is === "barren" && variant.chain >= maxPagesWithoutNovelty;
    if (onProbation ? this.#slots(family, template.variant, variant) <= 0 : ended) return false;
    family.changed = true;
    variant.pending += 1;
    return true;
  }

  /**
   * Changes the number of a template's URLs that the crawl has left out. `count` is positive if URLs are left
   * out, and negative if they are queued later.
   */
  left(template: Template, count: number): void {
    const family = this.#family(template.family);
    const variant = this.#variant(family, template);
    variant.left = Math.max(0, variant.left + count);
    family.changed = true;
  }

  hasLeft(template: Template): boolean {
    return (this.#families.get(template.family)?.variants.get(template.variant)?.left ?? 0) > 0;
  }

  /**
   * Returns the URL templates on probation (not yet known to be a trap) that may queue some of their left-out
   * URLs now.
   *
   * @returns for each template, `slots` is the maximum number of URLs to queue
   */
  openings(): readonly { readonly name: string; readonly template: Template; readonly slots: number }[] {
    const open: { name: string; template: Template; slots: number }[] = [];
    for (const [name, family] of this.#families) {
      for (const [variantName, variant] of family.variants) {
        const { kind } = variant;
        if (variant.left === 0 || kind === "sequence" || kind === "soft_404" || kind === "redirect_loop")
          continue;
        const slots = Math.min(variant.left, this.#slots(family, variantName, variant));
        const template = { family: name, variant: variantName, kind, textCounts: true };
        if (slots > 0) open.push({ name: templateName(template), template, slots });
      }
    }
    return open;
  }

  /**
   * Records a URL that is not queued again: it is part of a redirect loop, or a soft 404 (a page that says
   * "not found", but has status 200).
   */
  odd(kind: "soft_404" | "redirect_loop", url: string): void {
    const odd = this.#oddities.get(kind) ?? newVariant(kind);
    this.#oddities.set(kind, odd);
    odd.left += 1;
    if (odd.examples.length < trapExamples) odd.examples.push(url);
    this.#oddChanged = true;
  }

  /** Returns the crawler traps found so far. Traps with the most left-out URLs come first. */
  reports(): readonly TrapReport[] {
    const all: TrapReport[] = [];
    for (const odd of this.#oddities.values()) all.push(report(odd, "*"));
    for (const [name, family] of this.#families) {
      for (const [variantName, variant] of family.variants) {
        if (variant.left > 0) all.push(report(variant, templateName({ family: name, variant: variantName })));
      }
    }
    all.sort((a, b) => b.left_out - a.left_out || (a.pattern < b.pattern ? -1 : 1));
    return all.slice(0, explorationLimits.traps);
  }

  /**
   * Returns the notes about URL families (similar URLs) to store with the next batch. A family is stored only
   * after two of its pages were read.
   */
  changes(): readonly CrawlNoteRecord[] {
    const notes: CrawlNoteRecord[] = [];
    const note = (name: string, value: unknown): void => {
      notes.push({ id: [this.#jobId, name], job_id: this.#jobId, note: JSON.stringify(value) });
    };
    if (this.#oddChanged) note(ODDITIES, [...this.#oddities.values()]);
    this.#oddChanged = false;
    for (const [name, family] of this.#families) {
      if (!family.changed || isSingle(family)) continue;
      family.changed = false;
      const stored: StoredFamily = {
        barren: family.barren,
        lines: [...family.lines],
        variants: Object.fromEntries(family.variants),
      };
      note(FAMILY + name, stored);
    }
    return notes;
  }

  /** Returns how many URLs of this template (address with masked parts) may still be queued. */
  #slots(family: Family, name: string, { kind, barren, fresh, pages, pending }: Variant): number {
    const allowed = kind === "wiki" ? maxSpecialPagesWithoutNovelty : maxPagesWithoutNovelty;
    const own = (VIEWS_OF_LIST.has(name) ? maxViewsOfList : allowed) - barren - pending;
    if (fresh > 0) return own;
    // Templates of one URL family that had no new content share one limit of pages. In any case, one page of
    // each template may be read. If the first URLs of a template are no pages, a few more are tried.
    let unproven = 0;
    // A template with new content does not count against this shared limit, so its pending pages are left out.
    for (const other of family.variants.values()) if (other.fresh === 0) unproven += other.pending;
    const isUnread = pages + pending === 0 && barren < MOST_FIRST_URLS;
    return Math.max(isUnread ? 1 : 0, Math.min(own, allowed - family.barren - unproven));
  }

  #family(name: string): Family {
    let family = this.#families.get(name);
    if (family) this.#families.delete(name);
    else family = { barren: 0, lines: new Set(), variants: new Map(), changed: false };
    this.#families.set(name, family);
    if (this.#families.size > mostFamilies) this.#forgetOne();
    return family;
  }

  /**
   * Removes the least recently used URL family (similar URLs) that has no left-out or pending URLs. If its
   * URLs occur again, they are counted from zero. The only possible harm is that more pages are read than
   * necessary.
   */
  #forgetOne(): void {
    for (const [name, family] of this.#families) {
      if ([...family.variants.values()].some(({ left, pending }) => left > 0 || pending > 0)) continue;
      this.#families.delete(name);
      return;
    }
  }

  #variant(family: Family, { variant: name, kind }: Template): Variant {
    let variant = family.variants.get(name);
    if (!variant) {
      variant = newVariant(kind);
      family.variants.set(name, variant);
    }
    return variant;
  }

  #keep(family: Family, lines: PageLines): void {
    for (const line of lines.keys()) {
      family.lines.delete(line);
      family.lines.add(line);
    }
    for (const oldest of family.lines) {
      if (family.lines.size <= familyLines) break;
      family.lines.delete(oldest);
    }
    family.changed = true;
  }
}

function newVariant(kind: TrapReport["kind"]): Variant {
  return { kind, barren: 0, chain: 0, fresh: 0, pages: 0, pending: 0, left: 0, examples: [] };
}

/**
 * Whether all templates of this kind are on probation (only a few of their URLs are queued at a time).
 * Templates of other kinds are on probation only if the linking page has no new content.
 */
function isOnProbation(kind: TemplateKind): boolean {
  return kind === "calendar" || kind === "parameters" || kind === "wiki" || kind === "loop";
}

function isSingle({ variants }: Family): boolean {
  let known = 0;
  for (const { pages, pending, left } of variants.values()) known += pages + pending + left;
  return known <= 1;
}

function report({ kind, pages, left, examples }: Variant, pattern: string): TrapReport {
  return { kind, pattern, pages, left_out: left, examples };
}
