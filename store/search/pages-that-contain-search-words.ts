/**
 * Finds the pages with the words of a query in the database's full-text indexes, which contain the pages of
 * all maps. For each page with a word, the database reads a row, so the number of these pages is limited.
 */
import type { KnowledgeId, UrlKey } from "../../machines/records/record-ids.ts";
import type { Database } from "../connection/execute-database-statements.ts";
import { storeLimits } from "../store-limits.ts";
import { FIELDS, type Field, termKey } from "./search-ranking.ts";
import { PageSamples } from "./word-frequency-estimate.ts";

export type PageId = readonly [KnowledgeId, UrlKey];

/**
 * A word is common if at least this number of pages contain it. The database reads a row for each page that
 * contains a word, which takes about 40 µs of CPU time.
 */
const COMMON = 150;
/**
 * For each requested hit, this number of pages with a rare word of the query is enough. If there are fewer,
 * pages that contain only common words are read too.
 */
const ENOUGH = 4;
/** Maximum number of pages with a common word in their heads (title, URL, headings) that a search reads. */
const COMMON_HEADS = 300;
/** Maximum number of pages that are read because their bodies contain common words of the query. */
const COMMON_BODIES = 200;
/**
 * Each number n stands for one lookup: it finds the pages whose bodies contain all of the n rarest words of the
 * query.
 */
const TOGETHER = [2, 3, 12] as const;
/**
 * Maximum number of pairs of a rare and a common word that are looked up in the index. A lookup takes about 3
 * ms.
 */
const PAIRS = 6;
/**
 * If the estimated number of pages with a word is at least `COMMON` times this factor, the word counts as
 * common, and its pages are not counted exactly.
 */
const SURELY_COMMON = 2;
interface Term {
  readonly field: Field;
  readonly word: string;
}

/**
 * A lookup of the pages that contain all given terms. A term is a word in the head or in the body of a page.
 * The terms of one lookup are either all in heads or all in bodies.
 */
interface Lookup {
  readonly terms: readonly [Term, ...Term[]];
  readonly limit: number;
}

export interface Holders {
  readonly total: number;
  /**
   * For each term (a word in the head or body), pages that contain it. For a common term, these may be only
   * some of them.
   */
  readonly holders: ReadonlyMap<string, readonly PageId[]>;
  /**
   * For each term (a word in the head or body), the number of pages that contain the term. For a common term,
   * this number is estimated.
   */
  readonly counts: ReadonlyMap<string, number>;
}

/** For each term (a word in the head or body), the pages that are known to contain it. */
class Holding {
  readonly #byTerm = new Map<string, Map<string, PageId>>();
  readonly #pages = new Set<string>();

  /** Number of different pages that contain at least one of the terms. */
  get size(): number {
    return this.#pages.size;
  }

  get byTerm(): Holders["holders"] {
    return new Map([...this.#byTerm].map(([term, ids]) => [term, [...ids.values()]]));
  }

  /** Returns the known pages that contain the term; `undefined` if the term was never looked up. */
  of({ field, word }: Term): readonly PageId[] | undefined {
    const ids = this.#byTerm.get(termKey(field, word));
    return ids && [...ids.values()];
  }

  add({ field, word }: Term, ids: readonly PageId[]): void {
    const key = termKey(field, word);
    const known = this.#byTerm.get(key) ?? new Map<string, PageId>();
    for (const id of ids) {
      const name = JSON.stringify(id);
      known.set(name, id);
      this.#pages.add(name);
    }
    this.#byTerm.set(key, known);
  }
}

/**
 * Looks up the pages with the words of a query. Rare words are looked up alone, and common words mostly
 * together with other words.
 */
export class WordLookups {
  readonly #database: Database;
  readonly #samples: PageSamples;

  constructor(database: Database) {
    this.#database = database;
    this.#samples = new PageSamples(database);
  }

  /**
   * Returns the number of pages of the map, and for each word and field the pages that contain the word. For
   * a common word, only some of its pages are returned.
   */
  async holders(
    knowledgeId: KnowledgeId | undefined,
    words: readonly string[],
    topK: number,
  ): Promise<Holders> {
    const sample = await this.#samples.of(knowledgeId);
    const terms = FIELDS.flatMap((field) => words.map((word): Term => ({ field, word })));
    const expected = (term: Term) => sample.pagesWith(termKey(term.field, term.word));
    const unsure = terms.filter((term) => (expected(term) ?? 0) < SURELY_COMMON * COMMON);
    const lists = await this.#matching(
      knowledgeId,
      unsure.map((term) => lookup(term)),
    );
    const holders = new Holding();
    for (const [at, term] of unsure.entries()) {
      const ids = lists[at] ?? [];
      if (ids.length < COMMON) holders.add(term, ids);
    }
    const rare = terms.filter((term) => holders.of(term));
    const common = terms.filter((term) => !holders.of(term));
    // Without a sample, the number of pages with a common word is unknown. It is between `COMMON` and the
    // total number of pages, so the geometric mean of both is used.
    const guess = Math.sqrt(COMMON * sample.total);
    const countOf = (term: Term): number =>
      holders.of(term)?.length ?? Math.min(sample.total, Math.max(COMMON, expected(term) ?? guess));
    const counts = new Map(terms.map((term) => [termKey(term.field, term.word), countOf(term)]));
    if (common.length > 0) {
      const least = ENOUGH * topK;
      const found = holders.size;
      if (found < least) await this.#addCommon(knowledgeId, terms, countOf, holders, least);
      else if (found > Math.max(storeLimits.searchCandidates, 2 * topK))
        await this.#addPairs(knowledgeId, rare, common, holders);
    }
    return { total: sample.total, holders: holders.byTerm, counts };
  }

  /**
   * Called if too few pages contain the rare words of the query. Adds pages that contain several words of the
   * query, and pages that contain only its rarest word.
   */
  async #addCommon(
    knowledgeId: KnowledgeId | undefined,
    terms: readonly Term[],
    countOf: (term: Term) => number,
    holders: Holding,
    least: number,
  ): Promise<void> {
    const ordered = (field: Field) =>
      terms
        .filter((term) => term.field === field && countOf(term) > 0)
        .sort((a, b) => countOf(a) - countOf(b));
    const heads = ordered("head");
    const bodies = ordered("body");
    // Terms whose pages were not looked up yet. This set must be computed before the lookups below: they find some
    // pages with several terms, and these terms then count as looked up.
    const open = new Set(terms.filter((term) => !holders.of(term)));
    const isOpen = (term: Term) => open.has(term);
    const sizes = new Set(TOGETHER.map((size) => Math.min(size, bodies.length)).filter((size) => size > 1));
    const lookups: Lookup[] = [
      ...together(heads),
      ...[...sizes].flatMap((size) => together(bodies.slice(0, size))),
      ...withinRows(heads.filter(isOpen), countOf, COMMON_HEADS),
      ...withinRows(bodies.filter(isOpen), countOf, COMMON_BODIES),
    ];
    await this.#add(knowledgeId, lookups, holders);
    for (const [rarest] of [heads, bodies])
      if (holders.size < least && rarest && isOpen(rarest))
        await this.#add(knowledgeId, [lookup(rarest)], holders);
  }

  /**
   * Finds pages whose bodies contain both a rare and a common word of the query. They are added to the known pages
   * of the common word, because not all of its pages are looked up.
   */
  async #addPairs(
    knowledgeId: KnowledgeId | undefined,
    rare: readonly Term[],
    common: readonly Term[],
    holders: Holding,
  ): Promise<void> {
    const inBody = (terms: readonly Term[]) => terms.filter(({ field }) => field === "body");
    const held = (term: Term) => holders.of(term)?.length ?? 0;
    const rarest = inBody(rare)
      .filter((term) => held(term) > 0)
      .sort((a, b) => held(a) - held(b));
    const pairs = rarest.flatMap((term) => inBody(common).map((other) => lookup(term, other)));
    await this.#add(knowledgeId, pairs.slice(0, PAIRS), holders);
  }

  async #add(
    knowledgeId: KnowledgeId | undefined,
    lookups: readonly Lookup[],
    holders: Holding,
  ): Promise<void> {
    const lists = await this.#matching(knowledgeId, lookups);
    for (const [at, { terms }] of lookups.entries())
      for (const term of terms) holders.add(term, lists[at] ?? []);
  }

  /** Returns, for each lookup, the ids of the pages that the lookup has found. */
  async #matching(
    knowledgeId: KnowledgeId | undefined,
    lookups: readonly Lookup[],
  ): Promise<readonly (readonly PageId[])[]> {
    const inMap = knowledgeId === undefined ? "" : " AND knowledge_id = $knowledgeId";
    const lists = await this.#database.each<{ readonly id: PageId }>(
      lookups.map(
        ({ terms, limit }, at) =>
          `SELECT id FROM page_text WHERE ${terms[0].field} @@ $words${at}${inMap} LIMIT ${limit}`,
      ),
      {
        knowledgeId,
        ...Object.fromEntries(
          lookups.map(({ terms }, at) => [`words${at}`, terms.map(({ word }) => word).join(" ")]),
        ),
      },
    );
    return lists.map((rows) => rows.map(({ id }) => id));
  }
}

function lookup(term: Term, ...others: readonly Term[]): Lookup {
  return { terms: [term, ...others], limit: COMMON };
}

/**
 * Returns a lookup of the pages that contain all given terms, as a list with one entry. Returns an empty list for
 * fewer than two terms.
 */
function together([first, ...others]: readonly Term[]): readonly Lookup[] {
  return first && others.length > 0 ? [lookup(first, ...others)] : [];
}

/**
 * Returns one lookup for each of the rarest terms. It stops before a term with which all lookups together would
 * read more than `rows` pages.
 */
function withinRows(
  terms: readonly Term[],
  countOf: (term: Term) => number,
  rows: number,
): readonly Lookup[] {
  const chosen: Lookup[] = [];
  let left = rows;
  for (const term of terms) {
    left -= countOf(term);
    if (left < 0) break;
    chosen.push({ terms: [term], limit: rows });
  }
  return chosen;
}
