/**
 * Full-text search over a map's pages, best first, each with a snippet.
 *
 * The database's full-text indexes find the pages for each word, in their heads (title, URL, headings) and
 * bodies. Ranking happens here (see `SearchReader`): the database's score is zero for a word in more than
 * half of all pages, and counts pages of other maps.
 */
import type { SearchHit } from "../../machines/knowledge/protocol.ts";
import { screenIdOf } from "../../machines/knowledge/screen-id.ts";
import { originalOf } from "../../machines/knowledge/searchable-key.ts";
import type { TaskDefinition } from "../../machines/knowledge/task-definition.ts";
import type { KnowledgeId, UrlKey } from "../../machines/records.ts";
import { type Database, record } from "../connection/database.ts";
import { storeLimits } from "../limits.ts";
import { plainText, searchWords } from "./search-words.ts";
import { snippet } from "./snippet.ts";

const FIELDS = ["head", "body"] as const;
type Field = (typeof FIELDS)[number];
type PageId = readonly [KnowledgeId, UrlKey];

const WEIGHT: Readonly<Record<Field, number>> = { head: 2, body: 1 };
const K1 = 1.2;
const B = 0.75;
/** Share of the score that depends on how much of the query, weighted by rarity, a page contains. */
const COVERAGE = 0.7;
/** A page that contains the whole query within this many words of its body scores double. */
const PROXIMITY_WORDS = 16;

/** Words that form a question without content. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  "a an the i my me we you it do doe is ar be can how what where which".split(" "),
);
/** Maximum words of a query; further words add time, not meaning. */
const MAX_WORDS = 12;

interface Candidate {
  readonly id: PageId;
  readonly url: string;
  readonly title: string;
  readonly head: string;
  readonly body: string;
}

/**
 * Ranks the pages with the rarest words: BM25 (Robertson and Zaragoza, k1 = 1.2, b = 0.75), with the head at twice the
 * weight of the body.
 *
 * The score also depends on how much of the query the page contains, and how close together. A question in natural
 * language shares a few common words with many pages, but most of its words only with the page that answers it.
 */
export class SearchReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Pages that contain any of the words, best first, in one map or (`undefined`) in all maps. */
  async search(
    knowledgeId: KnowledgeId | undefined,
    query: string,
    topK: number,
  ): Promise<readonly SearchHit[]> {
    const words = queryWords(query);
    if (words.length === 0 || topK <= 0) return [];
    const [total, holders] = await Promise.all([this.#pages(knowledgeId), this.#holders(knowledgeId, words)]);
    const rarity = new Map(
      [...holders].flatMap(([key, ids]) => (ids.length > 0 ? [[key, idf(total, ids.length)] as const] : [])),
    );
    const candidates = await this.#candidates(holders, rarity, topK);
    const best = weigh(candidates, words, rarity)
      .sort((a, b) => b.score - a.score || (a.page.url < b.page.url ? -1 : 1))
      .slice(0, topK);
    const contents = await this.#contents(best.map(({ page }) => page.id));
    return best.map(({ page, score }) => ({
      ...foundOf(page.id),
      url: page.url,
      title: page.title,
      snippet: snippet(plainText(contents.get(JSON.stringify(page.id)) ?? ""), words, storeLimits.snippet),
      score,
    }));
  }

  async #pages(knowledgeId: KnowledgeId | undefined): Promise<number> {
    const source =
      knowledgeId === undefined ? "page_text" : "page_text:[$knowledgeId, NONE]..=[$knowledgeId, ..]";
    const row = await this.#database.row<{ count: number }>(`SELECT count() FROM ${source} GROUP ALL`, {
      knowledgeId,
    });
    return row?.count ?? 0;
  }

  /** The pages that contain each word, by field and word. */
  async #holders(
    knowledgeId: KnowledgeId | undefined,
    words: readonly string[],
  ): Promise<ReadonlyMap<string, readonly PageId[]>> {
    const inMap = knowledgeId === undefined ? "" : " AND knowledge_id = $knowledgeId";
    const asked = FIELDS.flatMap((field) => words.map((word) => ({ field, word })));
    const lists = await Promise.all(
      asked.map(async ({ field, word }) => {
        const rows = await this.#database.rows<{ id: PageId }>(
          `SELECT id FROM page_text WHERE ${field} @@ $word${inMap}`,
          { word, knowledgeId },
        );
        return [termKey(field, word), rows.map(({ id }) => id)] as const;
      }),
    );
    return new Map(lists);
  }

  /** The pages with the rarest words, limited to the number that is ranked. */
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
    return await this.#database.rows<Candidate>("SELECT id, url, title, head, body FROM $ids WHERE id", {
      ids: chosen.map(({ id }) => record("page_text", id)),
    });
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

/** What a hit is, for callers. A page is a screen to them. */
function foundOf([, key]: PageId): Pick<SearchHit, "kind" | "id"> {
  const { kind, id } = originalOf(key);
  return { kind, id: kind === "page" ? screenIdOf(key) : id };
}

/** The table of the original of each kind, and its text. */
const TABLES = { page: "page", passage: "chunk", task: "task", screen: "screen" } as const;
const TEXTS = { page: "content", chunk: "content", task: "body", screen: "name" } as const;

function taskText(body: string | null): string {
  // The knowledge kind wrote it as JSON of `TaskDefinition`.
  const task = body === null ? undefined : (JSON.parse(body) as TaskDefinition);
  return task?.steps.map(({ order, description }) => `${order}. ${description}`).join(" ") ?? "";
}

function queryWords(query: string): readonly string[] {
  const all = [...new Set(searchWords(query))];
  const meant = all.filter((word) => !QUESTION_WORDS.has(word));
  return (meant.length > 0 ? meant : all).slice(0, MAX_WORDS);
}

function termKey(field: Field, word: string): string {
  return `${field} ${word}`;
}

function fieldOf(term: string): Field {
  return term.startsWith("head ") ? "head" : "body";
}

/** Inverse document frequency, in the form that is never negative. */
function idf(total: number, holders: number): number {
  return Math.log(1 + (Math.max(0, total - holders) + 0.5) / (holders + 0.5));
}

function weigh(
  candidates: readonly Candidate[],
  words: readonly string[],
  rarity: ReadonlyMap<string, number>,
): { readonly page: Candidate; readonly score: number }[] {
  const scores = candidates.map(() => 0);
  const held = candidates.map(() => new Set<string>());
  const worth = weightsOf(words, rarity);
  const near: number[] = [];
  for (const field of FIELDS) {
    const texts = candidates.map((page) => page[field].split(" "));
    const average = texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length);
    texts.forEach((text, at) => {
      const relative = 1 - B + (B * text.length) / average;
      const places = positionsOf(text, worth);
      const counts = new Map<string, number>();
      for (const { word } of places) counts.set(word, (counts.get(word) ?? 0) + 1);
      let score = 0;
      for (const [word, times] of counts) {
        held[at]?.add(word);
        score += ((rarity.get(termKey(field, word)) ?? 0) * times * (K1 + 1)) / (times + K1 * relative);
      }
      scores[at] = (scores[at] ?? 0) + WEIGHT[field] * score;
      if (field === "body") near[at] = shareOf(closestWords(places, worth), worth);
    });
  }
  return candidates.map((page, at) => {
    const coverage = shareOf(held[at] ?? [], worth);
    const score = (scores[at] ?? 0) * (1 - COVERAGE + COVERAGE * coverage) * (1 + (near[at] ?? 0));
    return { page, score };
  });
}

/** The weight of each query word that any page contains: its rarity in the field where it is more common. */
function weightsOf(
  words: readonly string[],
  rarity: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  return new Map(
    words.flatMap((word) => {
      const found = FIELDS.flatMap((field) => rarity.get(termKey(field, word)) ?? []);
      return found.length > 0 ? [[word, Math.min(...found)] as const] : [];
    }),
  );
}

/** The weighted share of the query that these words cover. */
function shareOf(words: Iterable<string>, worth: ReadonlyMap<string, number>): number {
  let all = 0;
  for (const each of worth.values()) all += each;
  let sum = 0;
  for (const word of words) sum += worth.get(word) ?? 0;
  return all === 0 ? 0 : sum / all;
}

interface WordPosition {
  readonly word: string;
  readonly at: number;
}

function positionsOf(text: readonly string[], worth: ReadonlyMap<string, number>): readonly WordPosition[] {
  const places: WordPosition[] = [];
  text.forEach((word, at) => {
    if (worth.has(word)) places.push({ word, at });
  });
  return places;
}

/** The words with the greatest total weight within `PROXIMITY_WORDS` words of each other; empty for a query of one word. */
function closestWords(
  places: readonly WordPosition[],
  worth: ReadonlyMap<string, number>,
): readonly string[] {
  if (worth.size < 2) return [];
  const within = new Map<string, number>();
  let sum = 0;
  let most = 0;
  let best: readonly string[] = [];
  let first = 0;
  for (const { word, at } of places) {
    const times = within.get(word) ?? 0;
    within.set(word, times + 1);
    if (times === 0) sum += worth.get(word) ?? 0;
    for (let gone = places[first]; gone && at - gone.at >= PROXIMITY_WORDS; gone = places[++first]) {
      const left = (within.get(gone.word) ?? 1) - 1;
      if (left > 0) {
        within.set(gone.word, left);
      } else {
        within.delete(gone.word);
        sum -= worth.get(gone.word) ?? 0;
      }
    }
    if (sum <= most) continue;
    most = sum;
    best = [...within.keys()];
  }
  return best;
}
