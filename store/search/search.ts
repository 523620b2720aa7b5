/**
 * Full-text search over a map's pages, best first, each with a snippet. The database's indexes find the pages
 * that contain a word in their head (title, URL, headings) or body. This module ranks them itself, because
 * the database's score is zero for a word in more than half of all pages, and it counts pages of other maps.
 */
import type { SearchHit } from "../../machines/knowledge/protocol.ts";
import { screenIdOf } from "../../machines/knowledge/screen-id.ts";
import { originalOf } from "../../machines/knowledge/searchable-key.ts";
import type { TaskDefinition } from "../../machines/knowledge/task-definition.ts";
import type { KnowledgeId, UrlKey } from "../../machines/records.ts";
import { type Database, record } from "../connection/database.ts";
import { storeLimits } from "../limits.ts";
import { PageSamples } from "./page-sample.ts";
import { type Field, rank, termKey, WEIGHT } from "./ranking.ts";
import { plainText, searchWords } from "./search-words.ts";
import { snippet } from "./snippet.ts";

const FIELDS: readonly Field[] = ["head", "body"];
type PageId = readonly [KnowledgeId, UrlKey];

/**
 * Words that occur in any question, such as "what" and "how". They are removed from a query that also
 * contains other words.
 */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  "a an the i my me we you it do doe is ar be can how what where which".split(" "),
);
/**
 * Number of pages that makes a word common: a word in at least this many pages. The database reads a row for
 * each page that contains a word, which takes about 40 µs of CPU time.
 */
const COMMON = 150;
/**
 * Minimum number of pages with a rare word for each requested hit. If there are fewer, pages that have only
 * common words are read too.
 */
const ENOUGH = 4;
/**
 * Maximum number of pages that are read for the common words of a query in their heads (title, URL,
 * headings).
 */
const COMMON_HEADS = 300;
/** Maximum number of pages that are read for the common words of a query in their bodies. */
const COMMON_BODIES = 200;
/**
 * Sizes of the sets of words that are looked up together in bodies. A set has the rarest words of the query,
 * and its lookup finds pages that contain all of them.
 */
const TOGETHER = [2, 3, 12] as const;
/** Maximum number of pairs of a rare and a common word that are looked up. Each takes about 3 ms. */
const PAIRS = 6;
/**
 * A word is surely common if it is in at least this multiple of `COMMON` pages, as estimated from a sample.
 * Its pages are then not read to count them.
 */
const SURELY_COMMON = 2;
/** Maximum number of words of a query that are used. Further words cost time and add little. */
const MAX_WORDS = 12;

/** A page that a ranking has found. */
export interface RankedText {
  readonly id: PageId;
  readonly score: number;
}

interface Candidate {
  readonly id: PageId;
  readonly url: string;
  readonly title: string;
  readonly head: string;
  readonly body: string;
}

interface Term {
  readonly field: Field;
  readonly word: string;
}

/** A lookup of the pages whose head or body contains all terms. The terms have the same field. */
interface Lookup {
  readonly terms: readonly [Term, ...Term[]];
  readonly limit: number;
}

interface Holders {
  readonly total: number;
  /** Pages that contain a term. Of a common term, not all pages may be listed. */
  readonly holders: ReadonlyMap<string, readonly PageId[]>;
  /** Number of pages that contain each term. For a common term it is estimated. */
  readonly counts: ReadonlyMap<string, number>;
}

/** The pages that are known to contain each term. */
class Holding {
  readonly #byTerm = new Map<string, Map<string, PageId>>();
  readonly #pages = new Set<string>();

  /** Number of pages that contain at least one term. */
  get size(): number {
    return this.#pages.size;
  }

  get byTerm(): Holders["holders"] {
    return new Map([...this.#byTerm].map(([term, ids]) => [term, [...ids.values()]]));
  }

  /** Returns the pages with the term; `undefined` if `add` was never called for it. */
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
 * Finds the pages that contain the rarest words of the query, and ranks them (`ranking.ts`). The common words
 * of a question occur in many pages, but only the page that answers it contains most of its words.
 */
export class SearchReader {
  readonly #database: Database;
  readonly #samples: PageSamples;

  constructor(database: Database) {
    this.#database = database;
    this.#samples = new PageSamples(database);
  }

  /** Finds pages that contain any of the words, best first, in one map or (`undefined`) in all maps. */
  async search(
    knowledgeId: KnowledgeId | undefined,
    query: string,
    topK: number,
  ): Promise<readonly SearchHit[]> {
    const words = queryWords(query);
    const ranked = await this.#ranked(knowledgeId, words, topK);
    return await this.#hits(ranked.slice(0, topK), words);
  }

  /**
   * Ranks pages like `search`, but does not read their contents. It returns all ranked pages, so it may return
   * more than `topK`.
   */
  async rank(knowledgeId: KnowledgeId, query: string, topK: number): Promise<readonly RankedText[]> {
    const ranked = await this.#ranked(knowledgeId, queryWords(query), topK);
    return ranked.map(({ page: { id }, score }) => ({ id, score }));
  }

  /** Describes ranked pages in the given order. The snippets show words of the query. */
  async describe(ranked: readonly RankedText[], query: string): Promise<readonly SearchHit[]> {
    if (ranked.length === 0) return [];
    const rows = await this.#database.rows<Pick<Candidate, "id" | "url" | "title">>(
      "SELECT id, url, title FROM $ids WHERE id",
      { ids: ranked.map(({ id }) => record("page_text", id)) },
    );
    const byId = new Map(rows.map((row) => [JSON.stringify(row.id), row]));
    const found = ranked.flatMap(({ id, score }) => {
      const page = byId.get(JSON.stringify(id));
      return page ? [{ page, score }] : [];
    });
    return await this.#hits(found, queryWords(query));
  }

  async #ranked(knowledgeId: KnowledgeId | undefined, words: readonly string[], topK: number) {
    if (words.length === 0 || topK <= 0) return [];
    const { total, holders, counts } = await this.#holders(knowledgeId, words, topK);
    const rarity = new Map(
      [...counts].flatMap(([key, pages]) => (pages > 0 ? [[key, idf(total, pages)] as const] : [])),
    );
    const candidates = await this.#candidates(holders, rarity, topK);
    const scores = rank(candidates, words, rarity);
    return candidates
      .map((page, at) => ({ page, score: scores[at] ?? 0 }))
      .sort((a, b) => b.score - a.score || (a.page.url < b.page.url ? -1 : 1));
  }

  /** Returns the title and the beginning of each text, by the text's key. */
  async beginnings(ids: readonly PageId[], length: number): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const titles = await this.#database.rows<Pick<Candidate, "id" | "title">>(
      "SELECT id, title FROM $ids WHERE id",
      {
        ids: ids.map((id) => record("page_text", id)),
      },
    );
    const contents = await this.#contents(ids);
    return new Map(
      titles.map(({ id, title }) => {
        const start = (contents.get(JSON.stringify(id)) ?? "").slice(0, 2 * length);
        return [id[1], `${title}\n${plainText(start)}`.slice(0, length)] as const;
      }),
    );
  }

  async #hits(
    best: readonly { readonly page: Pick<Candidate, "id" | "url" | "title">; readonly score: number }[],
    words: readonly string[],
  ): Promise<readonly SearchHit[]> {
    if (best.length === 0) return [];
    const contents = await this.#contents(best.map(({ page }) => page.id));
    return best.map(({ page, score }) => ({
      ...foundOf(page.id),
      url: page.url,
      title: page.title,
      snippet: snippet(contents.get(JSON.stringify(page.id)) ?? "", words, storeLimits.snippet),
      score,
    }));
  }

  /**
   * Returns the number of pages, and for each field and word the pages that contain the word. The number of
   * pages that are read is limited. So the list for a common word may only have pages that also contain other
   * words of the query.
   */
  async #holders(
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
    // Without a sample, a common word gets a number between the smallest and the largest possible one.
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
   * Adds pages for a query with too few pages for its rare words. They contain several words of the query, or
   * one of its rarer words. If there are too few, adds any pages with the rarest word.
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
    // Decided before the lookups: afterwards each term has a list, but of a common term it lacks most pages.
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

  /** Adds the pages whose body contains both a rare and a common word, as pages with the common word. */
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

  /** Returns a list of pages for each lookup. */
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

  /**
   * Returns the pages that contain the rarest words. Their number is limited to the number of pages that are
   * ranked.
   */
  async #candidates(
    holders: ReadonlyMap<string, readonly PageId[]>,
    rarity: ReadonlyMap<string, number>,
    topK: number,
  ): Promise<readonly Candidate[]> {
    const promise = new Map<string, { readonly id: PageId; worth: number }>();
    for (const [term, ids] of holders) {
      const worth = WEIGHT[fieldOf(term)] * (rarity.get(term) ?? 0);
      for (const id of ids) {
        const name = JSON.stringify(id);
        const known = promise.get(name);
        if (known) known.worth += worth;
        else promise.set(name, { id, worth });
      }
    }
    const chosen = [...promise.values()]
      .sort((a, b) => b.worth - a.worth)
      .slice(0, Math.max(storeLimits.searchCandidates, 2 * topK));
    if (chosen.length === 0) return [];
    return await this.#database.rows<Candidate>(
      "SELECT id, url, title, head, words ?? body AS body FROM $ids WHERE id",
      {
        ids: chosen.map(({ id }) => record("page_text", id)),
      },
    );
  }

  async #contents(ids: readonly PageId[]): Promise<ReadonlyMap<string, string>> {
    const contents = new Map<string, string>();
    for (const [table, some] of Map.groupBy(ids, ([, key]) => TABLES[originalOf(key).kind])) {
      const originals = new Map(some.map((id) => [originalOf(id[1]).id, id]));
      const rows = await this.#database.rows<{ id: PageId; text: string | null }>(
        `SELECT id, ${TEXTS[table]} AS text FROM $ids WHERE id`,
        { ids: some.map(([knowledgeId, key]) => record(table, [knowledgeId, originalOf(key).id])) },
      );
      for (const { id, text } of rows) {
        const copy = originals.get(id[1]);
        if (copy) contents.set(JSON.stringify(copy), (table === "task" ? taskText(text) : text) ?? "");
      }
    }
    return contents;
  }
}

function lookup(term: Term, ...others: readonly Term[]): Lookup {
  return { terms: [term, ...others], limit: COMMON };
}

/** Returns a lookup of the pages with all terms; none for a single term. */
function together([first, ...others]: readonly Term[]): readonly Lookup[] {
  return first && others.length > 0 ? [lookup(first, ...others)] : [];
}

/** Returns lookups of single terms, the rarest first, as long as they read at most `rows` pages together. */
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

/** Returns the kind and id of a hit for callers. For a page, callers use the id of its screen. */
function foundOf([, key]: PageId): Pick<SearchHit, "kind" | "id"> {
  const { kind, id } = originalOf(key);
  return { kind, id: kind === "page" ? screenIdOf(key) : id };
}

/**
 * The table of the record that contains the text of each kind of hit. `TEXTS` names the field with the text.
 */
const TABLES = { page: "page", passage: "chunk", task: "task", screen: "screen" } as const;
const TEXTS = { page: "content", chunk: "content", task: "body", screen: "name" } as const;

function taskText(body: string | null): string {
  // The cast is safe: the map's actor wrote this field as JSON of `TaskDefinition`.
  const task = body === null ? undefined : (JSON.parse(body) as TaskDefinition);
  return task?.steps.map(({ order, description }) => `${order}. ${description}`).join(" ") ?? "";
}

function queryWords(query: string): readonly string[] {
  const all = [...new Set(searchWords(query))];
  const meant = all.filter((word) => !QUESTION_WORDS.has(word));
  return (meant.length > 0 ? meant : all).slice(0, MAX_WORDS);
}

function fieldOf(term: string): Field {
  return term.startsWith("head ") ? "head" : "body";
}

/** Returns the inverse document frequency, by the variant of BM25's formula that is never negative. */
function idf(total: number, holders: number): number {
  return Math.log(1 + (Math.max(0, total - holders) + 0.5) / (holders + 0.5));
}
