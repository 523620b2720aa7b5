/**
 * The tables, their fields, and the conversion of records to rows. The fields are the same as in
 * `schema/*.surql`. They are listed here again, because a statement that replaces a row must name each field.
 */
import type { EdgeTables, NodeTables } from "../../machines/records/record-tables.ts";
import type { PageTextRecord } from "../../machines/records/search-text-records.ts";
import { type Key, record } from "../connection/execute-database-statements.ts";
import { searchableBody, searchableHead, searchWords } from "../search/search-words.ts";

export type NodeTable = keyof NodeTables;
export type EdgeTable = keyof EdgeTables;

/** Fields of each node table, without the id. */
export const nodeFields: Readonly<Record<NodeTable, readonly string[]>> = {
  knowledge: ["name", "created_at", "updated_at"],
  website: ["knowledge_id", "website_id", "base_url"],
  job: ["knowledge_id", "website_id", "status", "start_url", "role", "started_at", "updated_at"],
  crawl_note: ["job_id", "note"],
  left_url: ["job_id", "url", "depth"],
  frontier: ["job_id", "url", "depth", "seq", "state", "attempts", "not_before", "page_key", "error"],
  page: [
    "knowledge_id",
    "website_id",
    "job_id",
    "url",
    "title",
    "language",
    "headings",
    "content",
    "content_hash",
    "signature",
    "chunk_type",
    "media_type",
    "http_status",
    "depth",
    "bytes",
    "fetched_at",
    "controls",
    "structure",
    "links",
    "internal_links",
    "external_links",
    "relatives",
    "rendered_by",
    "render_reason",
    "metadata",
    "role",
  ],
  ingest: ["knowledge_id", "job_id", "page_key", "phase", "seq"],
  screen: [
    "knowledge_id",
    "website_id",
    "screen_id",
    "name",
    "content_type",
    "is_actionable",
    "url",
    "page_key",
    "url_patterns",
    "state_signature",
    "trail",
    "structure",
    "part_of",
    "added_texts",
    "updated_at",
  ],
  screen_group: [
    "knowledge_id",
    "website_id",
    "screen_id",
    "name",
    "content_type",
    "is_actionable",
    "url",
    "example",
    "url_patterns",
    "templates",
    "state_signature",
    "instances",
    "aliases",
    "updated_at",
  ],
  action: ["knowledge_id", "action_id", "action_type", "name", "target", "parameters", "roles"],
  page_text: ["knowledge_id", "url", "title", "head", "body", "words"],
  text_vector: ["knowledge_id", "vector"],
  source: [
    "knowledge_id",
    "source_id",
    "name",
    "url",
    "kind",
    "media_type",
    "title",
    "content_type",
    "revision",
    "bytes",
    "chunks",
    "tasks",
    "statistics",
    "status",
    "ingested_at",
  ],
  chunk: [
    "knowledge_id",
    "source_id",
    "revision",
    "chunk_type",
    "content_type",
    "is_actionable",
    "title",
    "content",
    "location",
    "url",
  ],
  task: ["knowledge_id", "task_id", "source_id", "revision", "name", "body"],
  session_state: ["epoch", "open", "sealed", "at"],
  action_outcome: ["body", "at"],
  dialogue_message: ["body", "at"],
  navigation_article: ["body", "at"],
  navigation_decision: ["body", "at"],
  recording: ["room_name", "name", "started_at", "ended_at"],
  recording_step: ["body", "at"],
};

/** Fields of each edge table (without `id`, `in` and `out`), and the two tables that it connects. */
export const edges: Readonly<
  Record<EdgeTable, { readonly in: NodeTable; readonly out: NodeTable; readonly fields: readonly string[] }>
> = {
  links_to: {
    in: "page",
    out: "page",
    fields: ["kind", "from_url", "to_url", "text"],
  },
  shows: { in: "page", out: "screen", fields: [] },
  instance_of: { in: "screen", out: "screen_group", fields: [] },
  offers: { in: "screen", out: "action", fields: [] },
  about: { in: "chunk", out: "screen", fields: [] },
  transition: {
    in: "screen",
    out: "screen",
    fields: [
      "knowledge_id",
      "action",
      "successes",
      "failures",
      "inferred",
      "confidence",
      "reasoning",
      "before",
      "source",
      "seen_at",
      "roles",
    ],
  },
};

/**
 * Fields of tables into which no `StoreWrite` writes: the tables of the actor runtime, of stored results and
 * of pictures.
 */
export const runtimeFields = {
  shard: ["fence", "step"],
  actor: ["shard", "version", "data", "wake_at", "state", "updated_at"],
  dead_letter: ["kind", "actor_id", "message", "error_code", "error_message", "attempts", "at"],
  result: ["body", "at"],
  map_sketch: ["job_id", "body", "at"],
  screen_picture: ["data", "width", "height", "taken_at"],
  repeat: ["sealed", "mark", "at"],
  audit: ["at", "caller", "act", "detail", "subject", "outcome", "code", "request_id", "ms"],
} as const;

/**
 * Tables whose ids start with the id of a map, in the order in which they are emptied when the map is
 * deleted.
 */
export const tablesOfMap = [
  "transition",
  "about",
  "offers",
  "shows",
  "links_to",
  "ingest",
  "outline",
  "page_text",
  "text_change",
  "text_version",
  "text_vector",
  "action",
  "instance_of",
  "screen_group",
  "screen_picture",
  "map_sketch",
  "screen",
  "page",
  "task",
  "chunk",
  "source",
  "website",
] as const;

/**
 * Converts a record to a row of the database. A page's searchable text is split into words; other records
 * stay unchanged.
 */
export function nodeRow(table: NodeTable, source: { readonly id: Key }): Record<string, unknown> {
  // The cast is safe: `StoreWrite` allows for each table only records of the table's type.
  if (table === "page_text") return textRow(source as PageTextRecord);
  return { ...source, id: record(table, source.id) };
}

function textRow(text: PageTextRecord): Record<string, unknown> {
  const words = [...searchableBody(text.body), ...searchWords(text.controls ?? "")];
  return {
    id: record("page_text", text.id),
    knowledge_id: text.knowledge_id,
    url: text.url,
    title: text.title,
    head: searchableHead(text),
    // The full-text index stores each word once, without order. Ranking needs the order, which the field
    // `words` stores.
    body: [...new Set(words)].join(" "),
    words: words.join(" "),
  };
}

/** Returns the id of an edge. Both ends are on the same map, so the map's id is contained once. */
function edgeKey(edge: {
  readonly in: readonly [string, string];
  readonly out: readonly [string, string];
  /**
   * The third part of the edge's id, which distinguishes several edges between the same two rows. If it is absent,
   * the id of the target is used instead.
   */
  readonly via?: string;
}) {
  return [edge.in[0], edge.in[1], edge.via ?? edge.out[1]] as const;
}

export function edgeRow<E extends EdgeTable>(table: E, source: EdgeTables[E]): Record<string, unknown> {
  const { in: from, out: to } = edges[table];
  const { via: _, ...fields }: EdgeTables[E] & { readonly via?: string } = source;
  return {
    ...fields,
    id: record(table, edgeKey(source)),
    in: record(from, source.in),
    out: record(to, source.out),
  };
}
