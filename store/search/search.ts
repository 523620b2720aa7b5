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
/** Maximum number of words of a query that are used. Further words cost time and add little. */
const MAX_WORDS = 12;

interface Candidate {
  readonly id: PageId;
  readonly url: string;
  readonly title: string;
  readonly head: string;
  readonly body: string;
}

/**
 * Finds the pages that contain the rarest words of the query, and ranks them (`ranking.ts`). The common words
 * of a question occur in many pages, but only the page that answers it contains most of its words.
 */
export class SearchReader {
  readonly #database: Database;

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
    if (words.length === 0 || topK <= 0) return [];
    const { total, holders } = await this.#holders(knowledgeId, words);
    const rarity = new Map(
      [...holders].flatMap(([key, ids]) => (ids.length > 0 ? [[key, idf(total, ids.length)] as const] : [])),
    );
    const candidates = await this.#candidates(holders, rarity, topK);
    const scores = rank(candidates, words, rarity);
    const best = candidates
      .map((page, at) => ({ page, score: scores[at] ?? 0 }))
      .sort((a, b) => b.score - a.score || (a.page.url < b.page.url ? -1 : 1))
      .slice(0, topK);
    return await this.#hits(best, words);
  }

  /**
   * Describes search hits that another ranking has found, in the given order. The snippets show words of the
   * query.
   */
  async describe(ids: readonly PageId[], query: string): Promise<readonly SearchHit[]> {
    if (ids.length === 0) return [];
    const rows = await this.#database.rows<Pick<Candidate, "id" | "url" | "title">>(
      "SELECT id, url, title FROM $ids WHERE id",
      { ids: ids.map((id) => record("page_text", id)) },
    );
    const byKey = new Map(rows.map((row) => [row.id[1], row]));
    const found = ids.flatMap(([, key]) => byKey.get(key) ?? []);
    return await this.#hits(
      found.map((page) => ({ page, score: 0 })),
      queryWords(query),
    );
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
   * Returns in one request the number of pages, and for each field and word the pages that contain the word.
   */
  async #holders(
    knowledgeId: KnowledgeId | undefined,
    words: readonly string[],
  ): Promise<{ readonly total: number; readonly holders: ReadonlyMap<string, readonly PageId[]> }> {
    const isAll = knowledgeId === undefined;
    const asked = FIELDS.flatMap((field) => words.map((word, at) => ({ field, word, at })));
    const range = isAll ? "page_text" : "page_text:[$knowledgeId, NONE]..=[$knowledgeId, ..]";
    const inMap = isAll ? "" : " AND knowledge_id = $knowledgeId";
    const [counted, ...lists] = await this.#database.each<{ readonly count?: number; readonly id: PageId }>(
      [
        `SELECT count() FROM ${range} GROUP ALL`,
        ...asked.map(({ field, at }) => `SELECT id FROM page_text WHERE ${field} @@ $word${at}${inMap}`),
      ],
      { knowledgeId, ...Object.fromEntries(words.map((word, at) => [`word${at}`, word])) },
    );
    return {
      total: counted?.[0]?.count ?? 0,
      holders: new Map(
        asked.map(({ field, word }, at) => [termKey(field, word), (lists[at] ?? []).map(({ id }) => id)]),
      ),
    };
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
