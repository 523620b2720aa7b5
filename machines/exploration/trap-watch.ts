/**
 * Which endless-looking URLs are worth following: judged by what their relatives brought.
 *
 * A URL whose template (`template.ts`) can be made up without end is a trap only when its pages bring nothing: no
 * text that their relatives did not have already (`page-lines.ts`), and no new way out of their own template. Such
 * a page is *barren*, any other is *fresh*. The rule, for each template:
 *
 * - Ten barren pages are enough. The first page of a family counts as one of them, since nothing can be said of it
 *   yet; each fresh page takes one back, so real content goes on for ever: 3,000 documents, a listing whose pages
 *   name new products, years of posts.
 * - Variations (parameters, dates, wikis' special pages, repeated folders) are on trial from the first URL on: never
 *   more of them are queued than barren pages are still allowed. The others wait as `left` rows, and come up as
 *   the ones before them prove fresh. Variants of one family that have proven nothing share its ten pages, and get
 *   one each when those are spent: twelve facets have thousands of subsets.
 * - What wikis and sites of source code do with each page beside showing it brings nothing by its text, so three of
 *   them that lead nowhere are enough.
 * - Random ids are on trial when a barren page leads to them; what a fresh page lists is believed.
 * - Numbers are believed longest, because most pages of the web have one: products, posts, questions. What is
 *   endless about them is the chain, where each barren page leads to exactly one new page of its template. Ten links
 *   of a chain end it. A site of ten thousand thin pages is a tree and not a chain, and is read whole.
 *
 * What is kept is bounded, belongs to the job, and is committed with the pages it was learnt from (`CrawlNoteRecord`),
 * so a job that was killed goes on with the same judgement. Left URLs are no part of `completed + queued + failed`.
 */

import type { CrawlNoteRecord } from "../records.ts";
import { explorationLimits } from "./limits.ts";
import { type PageLines, shareOfNews } from "./page-lines.ts";
import { type Template, type TemplateKind, templateName } from "./template.ts";

/** A trap as a job reports it. */
export interface TrapReport {
  readonly kind: TemplateKind | "soft_404" | "redirect_loop";
  /** The template of its URLs: `e.com/calendar/{n}/{n}`. */
  readonly pattern: string;
  /** Pages of it that were read. */
  readonly pages: number;
  /** Known URLs of it that were left out. */
  readonly left_out: number;
  readonly examples: readonly string[];
}

interface Variant {
  kind: TrapReport["kind"];
  /** Barren pages, less the fresh ones. */
  barren: number;
  /** Barren pages that led to exactly one new page of the template, less the fresh ones. */
  chain: number;
  /** Pages that were fresh. */
  fresh: number;
  pages: number;
  /** Queued or held, and not settled. */
  pending: number;
  left: number;
  examples: string[];
}

interface Family {
  barren: number;
  /** Lines of its latest pages, the oldest first. */
  lines: Set<number>;
  variants: Map<string, Variant>;
  /** Differs from what is stored. */
  changed: boolean;
}

/** A `Family` as JSON. */
interface StoredFamily {
  readonly barren: number;
  readonly lines: readonly number[];
  readonly variants: Readonly<Record<string, Variant>>;
}

export interface Learnt {
  readonly template: Template;
  readonly url: string;
  readonly lines: PageLines;
  /** It was queued under its own URL, and is settled by this: not so where a redirect led. */
  readonly queued: boolean;
  /** URLs new to the job that the page leads to: in its own template, and beyond it where no trial awaits them. */
  readonly newWithin: number;
  readonly newBeyond: number;
}

const FAMILY = "family:";
const ODDITIES = "oddities";
/** Stands for all variants of a family that came after `explorationLimits.variants`. */
const OTHER_VARIANTS = "?…";
const {
  barrenPages,
  barrenSpecialPages,
  families: mostFamilies,
  familyLines,
  trapExamples,
  newsShare,
} = explorationLimits;

export class TrapWatch {
  readonly #jobId: string;
  /** In the order of use, the longest unused first. */
  readonly #families = new Map<string, Family>();
  readonly #oddities = new Map<TrapReport["kind"], Variant>();
  #oddChanged = false;

  constructor(jobId: string, notes: readonly CrawlNoteRecord[]) {
    this.#jobId = jobId;
    for (const { id, note } of notes) {
      if (id[1] === ODDITIES) {
        // Written by `changes`, as below.
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

  /** The template under the name by which it is kept: a family has a bounded number of variants. */
  place(template: Template): Template {
    const variants = this.#families.get(template.family)?.variants;
    const full = variants && variants.size >= explorationLimits.variants && !variants.has(template.variant);
    return full ? { ...template, variant: OTHER_VARIANTS } : template;
  }

  /** What the page showed that all the family's URLs vary: `/shop` of `/shop?color=red`. */
  remember(family: string, lines: PageLines): void {
    this.#keep(this.#family(family), lines);
  }

  /**
   * Whether a page of a template brought something. Call it once for each page that is stored, before `admits` for
   * what the page leads to.
   */
  learn({ template, url, lines, queued, newWithin, newBeyond }: Learnt): "fresh" | "barren" {
    const family = this.#family(template.family);
    const variant = this.#variant(family, template);
    const first = family.lines.size === 0;
    const text = template.textCounts && shareOfNews(lines, family.lines) >= newsShare;
    this.#keep(family, lines);
    family.changed = true;
    variant.pages += 1;
    if (queued) variant.pending = Math.max(0, variant.pending - 1);
    if (variant.examples.length < trapExamples) variant.examples.push(url);
    const beyond = newBeyond > 0;
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

  /** A URL of the template turned out to be no page of its own, for good. */
  wasNone(template: Template): void {
    const family = this.#family(template.family);
    const variant = this.#variant(family, template);
    family.changed = true;
    variant.pending = Math.max(0, variant.pending - 1);
    if (!isOnTrial(template.kind)) return;
    variant.barren += 1;
    family.barren += 1;
  }

  /**
   * Whether a URL new to the job may be queued; if not, it is to be left. What is queued is counted as pending.
   *
   * @param from what `learn` said of the page that leads there; pages without a template are fresh
   */
  admits(
    template: Template,
    from: { readonly template: Template | undefined; readonly is: "fresh" | "barren" },
  ): boolean {
    const family = this.#family(template.family);
    const variant = this.#variant(family, template);
    const chained = from.template !== undefined && templateName(from.template) === templateName(template);
    const trial = isOnTrial(template.kind) || (template.kind === "random" && from.is === "barren");
    const ended = chained && from.is === "barren" && variant.chain >= barrenPages;
    if (trial ? this.#slots(family, variant) <= 0 : ended) return false;
    family.changed = true;
    variant.pending += 1;
    return true;
  }

  /** Rows that were left, as the store counts them: found left (`+`), or taken up again (`-`). */
  left(template: Template, count: number): void {
    const family = this.#family(template.family);
    const variant = this.#variant(family, template);
    variant.left = Math.max(0, variant.left + count);
    family.changed = true;
  }

  hasLeft(template: Template): boolean {
    return (this.#families.get(template.family)?.variants.get(template.variant)?.left ?? 0) > 0;
  }

  /** Variants on trial that have room for some of the URLs they left: how many. */
  openings(): readonly { readonly name: string; readonly template: Template; readonly slots: number }[] {
    const open: { name: string; template: Template; slots: number }[] = [];
    for (const [name, family] of this.#families) {
      for (const [variantName, variant] of family.variants) {
        const { kind } = variant;
        if (variant.left === 0 || kind === "sequence" || kind === "soft_404" || kind === "redirect_loop")
          continue;
        const slots = Math.min(variant.left, this.#slots(family, variant));
        const template = { family: name, variant: variantName, kind, textCounts: true };
        if (slots > 0) open.push({ name: templateName(template), template, slots });
      }
    }
    return open;
  }

  /** Something that is recorded and never queued again: a soft 404, a circle of redirects. */
  odd(kind: "soft_404" | "redirect_loop", url: string): void {
    const odd = this.#oddities.get(kind) ?? newVariant(kind);
    this.#oddities.set(kind, odd);
    odd.left += 1;
    if (odd.examples.length < trapExamples) odd.examples.push(url);
    this.#oddChanged = true;
  }

  /** The traps found so far, those that left most out first. */
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

  /** What is to be stored with the next batch. Families of one page are not worth it yet. */
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

  /** How many more pages of a variant may be on their way. */
  #slots(family: Family, { kind, barren, fresh, pending }: Variant): number {
    const allowed = kind === "wiki" ? barrenSpecialPages : barrenPages;
    const own = allowed - barren - pending;
    if (fresh > 0) return own;
    // What has proven nothing shares its family's allowance, and has one page of its own in any case.
    let unproven = 0;
    for (const other of family.variants.values()) if (other.fresh === 0) unproven += other.pending;
    // What its relatives bring gives it no more than its own ten.
    return Math.max(barren + pending === 0 ? 1 : 0, Math.min(own, allowed - family.barren - unproven));
  }

  #family(name: string): Family {
    let family = this.#families.get(name);
    if (family) this.#families.delete(name);
    else family = { barren: 0, lines: new Set(), variants: new Map(), changed: false };
    this.#families.set(name, family);
    if (this.#families.size > mostFamilies) this.#forgetOne();
    return family;
  }

  /** The longest unused that left nothing out: what is forgotten is judged afresh, and more is read, never less. */
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

/** Kinds of which every URL has to prove itself, whoever leads to it. */
function isOnTrial(kind: TemplateKind): boolean {
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
