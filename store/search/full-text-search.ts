/**
 * Full-text search over a map's pages, best first, each with a snippet. Indexes in memory or in the database
 * find the pages that contain a query word. This module ranks the pages itself, because the database's score
 * is zero for common words and includes other maps.
 */

import type { SearchHit } from "../../machines/knowledge/knowledge-protocol.ts";
import { originalOf } from "../../machines/knowledge/screens/keys-of-searchable-texts.ts";
import { screenIdOf } from "../../machines/knowledge/screens/screen-id.ts";
import type { TaskDefinition } from "../../machines/knowledge/tasks/task-definition.ts";
import type { KnowledgeId } from "../../machines/records/record-ids.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";
import { storeLimits } from "../store-limits.ts";
import { copyText } from "./pages-that-are-copies.ts";
import { type PageId, WordLookups } from "./pages-that-contain-search-words.ts";
import { IndexCache } from "./search-index-cache.ts";
import { FIELDS, type Rarity, rank, termKey, WEIGHT } from "./search-ranking.ts";
import { snippet } from "./search-snippet.ts";
import type { TextIndex } from "./search-word-index.ts";
import { plainText, searchWords } from "./search-words.ts";

/**
 * Words that occur in any question, such as "what" and "how". They are removed from a query that also
 * contains other words.
 */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  "a an the i my me we you it do doe is ar be can how what where which".split(" "),
);
/** Maximum number of words of a query that are used. Further words cost time and add little. */
const MAX_WORDS = 12;

/**
 * Factor for the score of a page state, such as an open dialog. A state has few words. Without this factor, a word
 * in a state would count more than the same word on a page.
 */
const STATE_WEIGHT = 0.7;

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

/** The pages that a search reads and ranks, and a function that says how rare each word of the query is. */
interface Chosen {
  readonly ids: readonly PageId[];
  readonly rarity: Rarity;
}

/**
 * Finds the pages that contain the rarest words of the query, and ranks them (`search-ranking.ts`). The common words
 * of a question occur in many pages, but only the page that answers it contains most of its words.
 */
export class SearchReader {
  readonly #database: Database;
  readonly #indexes: IndexCache;
  readonly #lookups: WordLookups;

  constructor(database: Database) {
    this.#database = database;
    this.#indexes = new IndexCache(database);
    this.#lookups = new WordLookups(database);
  }

  /** Estimated size of the indexes in memory, in bytes. */
  get indexBytes(): number {
    return this.#indexes.bytes;
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
   * Ranks pages as `search` does, but without reading their texts. It returns all ranked pages, which may be
   * more than `topK`.
   */
  async rank(knowledgeId: KnowledgeId, query: string, topK: number): Promise<readonly RankedText[]> {
    const ranked = await this.#ranked(knowledgeId, queryWords(query), topK);
    return ranked.map(({ page: { id }, score }) => ({ id, score }));
  }

  /** Returns search hits for ranked pages, in the given order. Their snippets show words of the query. */
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
    const most = Math.max(storeLimits.searchCandidates, 2 * topK);
    const index = knowledgeId === undefined ? undefined : await this.#indexes.current(knowledgeId);
    const { ids, rarity } =
      index && knowledgeId !== undefined
        ? chosenFrom(index, knowledgeId, words, most)
        : await this.#chosen(knowledgeId, words, topK, most);
    const candidates = await this.#candidates(ids);
    const scores = rank(candidates, words, rarity);
    const ranked = candidates
      .map((page, at) => ({ page, score: weightOf(page.id) * (scores[at] ?? 0) }))
      .sort((a, b) => b.score - a.score || (a.page.url < b.page.url ? -1 : 1));
    return copiesLast(ranked);
  }

  /** Returns the pages that contain the rarest words, found by the indexes of the database. */
  async #chosen(
    knowledgeId: KnowledgeId | undefined,
    words: readonly string[],
    topK: number,
    most: number,
  ): Promise<Chosen> {
    const { total, holders, counts } = await this.#lookups.holders(knowledgeId, words, topK);
    const rarity = rarityOf(total, counts);
    const pages = new Map<string, { readonly id: PageId; weight: number }>();
    for (const field of FIELDS)
      for (const word of words) {
        const term = termKey(field, word);
        const weight = WEIGHT[field] * (rarity.get(term) ?? 0);
        for (const id of holders.get(term) ?? []) {
          const name = JSON.stringify(id);
          const known = pages.get(name);
          if (known) known.weight += weight;
          else pages.set(name, { id, weight });
        }
      }
    const best = [...pages.values()].sort((a, b) => b.weight - a.weight).slice(0, most);
    return { ids: best.map(({ id }) => id), rarity };
  }

  async #candidates(ids: readonly PageId[]): Promise<readonly Candidate[]> {
    if (ids.length === 0) return [];
    return await this.#database.rows<Candidate>(
      "SELECT id, url, title, head, words ?? body AS body FROM $ids WHERE id",
      { ids: ids.map((id) => record("page_text", id)) },
    );
  }

  /** Returns the title and the beginning of each given searchable text, by the text's key. */
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

/**
 * Returns the pages with the rarest of the given words, from an index in memory. A word that occurs often in
 * a page counts twice.
 */
function chosenFrom(
  index: TextIndex,
  knowledgeId: KnowledgeId,
  words: readonly string[],
  most: number,
): Chosen {
  const terms = FIELDS.flatMap((field) => words.map((word) => ({ field, word, key: termKey(field, word) })));
  const counts = new Map(terms.map(({ field, word, key }) => [key, index.pagesWith(field, word)]));
  const rarity = rarityOf(index.total, counts);
  const weighted = terms.flatMap(({ field, word, key }) => {
    const weight = WEIGHT[field] * (rarity.get(key) ?? 0);
    const own = { list: field, word, weight };
    return field === "body" ? [own, { list: "often" as const, word, weight }] : [own];
  });
  return { ids: index.best(weighted, most).map((key) => [knowledgeId, key] as const), rarity };
}

/**
 * Moves pages that are copies of others (`pages-that-are-copies.ts`) to the end of the list. The best page of each
 * group of copies keeps its place.
 */
function copiesLast<T extends { readonly page: Pick<Candidate, "title" | "body"> }>(
  ranked: readonly T[],
): readonly T[] {
  const seen = new Set<string>();
  const copies: T[] = [];
  const others = ranked.filter((each) => {
    const text = copyText(each.page.title, each.page.body);
    if (text === undefined) return true;
    const isCopy = seen.has(text);
    if (isCopy) copies.push(each);
    seen.add(text);
    return !isCopy;
  });
  return [...others, ...copies];
}

/** Returns the rarity (inverse document frequency) of each term that occurs on at least one page. */
function rarityOf(total: number, counts: ReadonlyMap<string, number>): Rarity {
  return new Map(
    [...counts].flatMap(([key, pages]) => (pages > 0 ? [[key, idf(total, pages)] as const] : [])),
  );
}

/**
 * Returns the kind and id of a search hit, as callers receive them. A hit that is a page gets the id of the
 * page's screen.
 */
function foundOf([, key]: PageId): Pick<SearchHit, "kind" | "id"> {
  const { kind, id } = originalOf(key);
  return { kind, id: kind === "page" ? screenIdOf(key) : id };
}

/** The table of each kind of search hit. */
const TABLES = { page: "page", passage: "chunk", task: "task", screen: "screen" } as const;
/** For each of these tables, the field that contains the text. */
const TEXTS = { page: "content", chunk: "content", task: "body", screen: "added_texts ?? name" } as const;

function weightOf([, key]: PageId): number {
  return originalOf(key).kind === "screen" ? STATE_WEIGHT : 1;
}

function taskText(body: string | null): string {
  // The cast is safe: the map's actor wrote the body of the task as JSON of `TaskDefinition`.
  const task = body === null ? undefined : (JSON.parse(body) as TaskDefinition);
  return task?.steps.map(({ order, description }) => `${order}. ${description}`).join(" ") ?? "";
}

function queryWords(query: string): readonly string[] {
  const all = [...new Set(searchWords(query))];
  const meant = all.filter((word) => !QUESTION_WORDS.has(word));
  return (meant.length > 0 ? meant : all).slice(0, MAX_WORDS);
}

/** Returns the inverse document frequency, by the variant of BM25's formula that is never negative. */
function idf(total: number, holders: number): number {
  return Math.log(1 + (Math.max(0, total - holders) + 0.5) / (holders + 0.5));
}
