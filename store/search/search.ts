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
import { MINUTE } from "../../machines/units.ts";
import { type Database, record } from "../connection/database.ts";
import { storeLimits } from "../limits.ts";
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
 * each page that contains a word, which takes about 40 µs.
 */
const COMMON = 150;
/**
 * Minimum number of pages with a rare word, per requested hit, at which common words are not searched in all
 * pages. Pages without a rare word are then left out.
 */
const ENOUGH = 4;
/**
 * How long the numbers of pages with a term are remembered, in milliseconds. The numbers only weigh the words
 * of a query, so old numbers do little harm.
 */
const REMEMBERED_FOR = 5 * MINUTE;
/** Maximum number of remembered counts. A site has a few hundred common words. */
const REMEMBERED = 20_000;
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

interface Holders {
  readonly total: number;
  /** Pages that contain a term. Of a common term, only pages that also contain a rare word may be listed. */
  readonly holders: ReadonlyMap<string, readonly PageId[]>;
  /** Number of pages that contain each term. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Finds the pages that contain the rarest words of the query, and ranks them (`ranking.ts`). The common words
 * of a question occur in many pages, but only the page that answers it contains most of its words.
 */
export class SearchReader {
  readonly #database: Database;
  /**
   * Numbers of pages by map and term (a field and a word), for common terms only. The number for the empty
   * term counts all pages of the map.
   */
  readonly #counts = new Map<string, { readonly pages: number; readonly at: number }>();

  constructor(database: Database) {
    this.#database = database;
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
   * Returns the number of pages, and for each field and word the pages that contain the word. When the rare
   * words of a query are in enough pages, common words are looked up only in those pages.
   */
  async #holders(
    knowledgeId: KnowledgeId | undefined,
    words: readonly string[],
    topK: number,
  ): Promise<Holders> {
    const terms = FIELDS.flatMap((field) => words.map((word): Term => ({ field, word })));
    const common = terms.filter((term) => this.#remembered(knowledgeId, term) !== undefined);
    const rare = terms.filter((term) => !common.includes(term));
    const holders = new Map<string, readonly PageId[]>();
    await this.#read(knowledgeId, rare, holders);
    const found = new Set([...holders.values()].flat().map((id) => JSON.stringify(id)));
    if (found.size < ENOUGH * topK) {
      await this.#read(knowledgeId, common, holders);
    } else if (found.size > Math.max(storeLimits.searchCandidates, 2 * topK)) {
      await this.#readWithin(knowledgeId, rare, common, holders);
    }
    const counts = terms.map((term) => {
      const key = termKey(term.field, term.word);
      return [key, this.#remembered(knowledgeId, term) ?? holders.get(key)?.length ?? 0] as const;
    });
    return { total: await this.#total(knowledgeId), holders, counts: new Map(counts) };
  }

  /** Reads the pages that contain each term, in one request. */
  async #read(
    knowledgeId: KnowledgeId | undefined,
    terms: readonly Term[],
    holders: Map<string, readonly PageId[]>,
  ): Promise<void> {
    const lists = await this.#matching(
      knowledgeId,
      terms.map(({ field, word }) => [field, word] as const),
    );
    for (const [at, { field, word }] of terms.entries()) {
      const ids = lists[at] ?? [];
      holders.set(termKey(field, word), ids);
      if (ids.length >= COMMON) this.#remember(knowledgeId, termKey(field, word), ids.length);
    }
  }

  /** Reads which pages with a rare word in their body also contain common words there. */
  async #readWithin(
    knowledgeId: KnowledgeId | undefined,
    rare: readonly Term[],
    common: readonly Term[],
    holders: Map<string, readonly PageId[]>,
  ): Promise<void> {
    const pairs = common
      .filter(({ field }) => field === "body")
      .flatMap(({ word }) =>
        rare.filter(({ field }) => field === "body").map((term) => ({ word, both: `${term.word} ${word}` })),
      );
    const lists = await this.#matching(
      knowledgeId,
      pairs.map(({ both }) => ["body", both] as const),
    );
    for (const [word, some] of Map.groupBy(pairs.entries(), ([, pair]) => pair.word)) {
      const ids = some.flatMap(([at]) => lists[at] ?? []);
      holders.set(termKey("body", word), [...new Map(ids.map((id) => [JSON.stringify(id), id])).values()]);
    }
  }

  /**
   * Returns a list of pages for each given pair of a field and words: the pages whose field contains all of
   * these words.
   */
  async #matching(
    knowledgeId: KnowledgeId | undefined,
    wanted: readonly (readonly [Field, string])[],
  ): Promise<readonly (readonly PageId[])[]> {
    const inMap = knowledgeId === undefined ? "" : " AND knowledge_id = $knowledgeId";
    const lists = await this.#database.each<{ readonly id: PageId }>(
      wanted.map(([field], at) => `SELECT id FROM page_text WHERE ${field} @@ $words${at}${inMap}`),
      { knowledgeId, ...Object.fromEntries(wanted.map(([, words], at) => [`words${at}`, words])) },
    );
    return lists.map((rows) => rows.map(({ id }) => id));
  }

  async #total(knowledgeId: KnowledgeId | undefined): Promise<number> {
    const known = this.#recall(knowledgeId, "");
    if (known !== undefined) return known;
    const range =
      knowledgeId === undefined ? "page_text" : "page_text:[$knowledgeId, NONE]..=[$knowledgeId, ..]";
    const row = await this.#database.row<{ readonly count: number }>(
      `SELECT count() FROM ${range} GROUP ALL`,
      { knowledgeId },
    );
    const total = row?.count ?? 0;
    // A small map is counted again each time, because a few new pages change its weights much.
    if (total >= COMMON) this.#remember(knowledgeId, "", total);
    return total;
  }

  #remembered(knowledgeId: KnowledgeId | undefined, { field, word }: Term): number | undefined {
    return this.#recall(knowledgeId, termKey(field, word));
  }

  #recall(knowledgeId: KnowledgeId | undefined, term: string): number | undefined {
    const known = this.#counts.get(JSON.stringify([knowledgeId ?? null, term]));
    return known && performance.now() - known.at < REMEMBERED_FOR ? known.pages : undefined;
  }

  #remember(knowledgeId: KnowledgeId | undefined, term: string, pages: number): void {
    if (this.#counts.size >= REMEMBERED) this.#counts.clear();
    this.#counts.set(JSON.stringify([knowledgeId ?? null, term]), { pages, at: performance.now() });
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
