/**
 * Complete rows for tests of the store. A test states only the fields that matter to it, and the others have
 * default values.
 */
import type { FrontierRecord, IngestRecord } from "../../machines/records/exploration-records.ts";
import type { ScreenRecord, TransitionRecord } from "../../machines/records/map-records.ts";
import type { LinkRecord, PageLink, PageRecord } from "../../machines/records/page-records.ts";
import type { PageTextRecord } from "../../machines/records/search-text-records.ts";
import type { ActorRow, CommitUnit, DeadLetterRow } from "../../store/index.ts";

export const MAP = "map-1";
export const JOB = "job-1";

export function frontierRow(key: string, seq: number, fields: Partial<FrontierRecord> = {}): FrontierRecord {
  return {
    id: [fields.job_id ?? JOB, key],
    job_id: JOB,
    url: `https://site.test/${key}`,
    depth: 1,
    seq,
    state: "queued",
    attempts: 0,
    not_before: 0,
    page_key: null,
    error: null,
    ...fields,
  };
}

export function pageRow(key: string, fields: Partial<PageRecord> = {}): PageRecord {
  return {
    id: [fields.knowledge_id ?? MAP, key],
    knowledge_id: MAP,
    website_id: "site.test",
    job_id: JOB,
    url: `https://site.test/${key}`,
    title: `Page ${key}`,
    language: null,
    headings: [`Heading of ${key}`],
    content: `Content of ${key}`,
    content_hash: "hash",
    chunk_type: "webpage",
    media_type: "text/html",
    http_status: 200,
    depth: 1,
    bytes: 100,
    fetched_at: 1_000,
    controls: "{}",
    links: "[]",
    internal_links: 0,
    external_links: 0,
    metadata: JSON.stringify({ description: `About ${key}` }),
    signature: "0123456789abcdef",
    ...fields,
  };
}

export function pageLink(to: string, kind: PageLink["kind"] = "internal"): PageLink {
  const control = { role: "link", name: `to ${to}`, selector: "a", xpath: "//a", attributes: {} };
  return { url: `https://site.test/${to}`, kind, text: `to ${to}`, control };
}

/**
 * Returns the fields of a page row that contain its links.
 *
 * @param internal names of the linked pages of the same site
 * @param external names of the linked pages of other sites
 */
export function leadingTo(internal: readonly string[], external: readonly string[] = []) {
  const links = [...internal.map((to) => pageLink(to)), ...external.map((to) => pageLink(to, "external"))];
  return {
    links: JSON.stringify(links),
    internal_links: internal.length,
    external_links: external.length,
  };
}

export function linkRow(from: string, to: string, fields: Partial<LinkRecord> = {}): LinkRecord {
  return {
    in: [MAP, from],
    out: [MAP, to],
    kind: "internal",
    from_url: `https://site.test/${from}`,
    to_url: `https://site.test/${to}`,
    text: `to ${to}`,
    ...fields,
  };
}

export function ingestRow(key: string, seq: number, fields: Partial<IngestRecord> = {}): IngestRecord {
  return {
    id: [fields.knowledge_id ?? MAP, fields.job_id ?? JOB, key],
    knowledge_id: MAP,
    job_id: JOB,
    page_key: key,
    phase: "map",
    seq,
    ...fields,
  };
}

export function screenRow(id: string, fields: Partial<ScreenRecord> = {}): ScreenRecord {
  return {
    id: [fields.knowledge_id ?? MAP, id],
    knowledge_id: MAP,
    website_id: "site.test",
    screen_id: id,
    name: `Screen ${id}`,
    content_type: "web_ui",
    is_actionable: true,
    url: `https://site.test/${id}`,
    page_key: `site.test/${id}`,
    url_patterns: [`^https?://site\\.test/${id}$`],
    state_signature: "{}",
    trail: "",
    updated_at: 1_000,
    ...fields,
  };
}

export function transitionRow(
  from: string,
  to: string,
  fields: Partial<TransitionRecord> = {},
): TransitionRecord {
  return {
    in: [MAP, from],
    out: [MAP, to],
    knowledge_id: MAP,
    action: "{}",
    successes: 0,
    failures: 0,
    inferred: true,
    confidence: 0.5,
    ...fields,
  };
}

export function textRow(key: string, title: string, body: string, knowledge_id = MAP): PageTextRecord {
  return {
    id: [knowledge_id, key],
    knowledge_id,
    url: `https://site.test/${key}`,
    title,
    headings: "",
    url_words: key,
    body,
  };
}

export function actorRow(id: string, shard: number, fields: Partial<ActorRow> = {}): ActorRow {
  return {
    kind: "thing",
    id,
    shard,
    version: 1,
    data: "{}",
    wake_at: null,
    state: "idle",
    updated_at: 1,
    ...fields,
  };
}

let steps = 0;

/**
 * Returns a commit for a test. Its step number is higher than that of every earlier commit of this process.
 */
export function unit(shard: number, fence: number, fields: Partial<CommitUnit> = {}): CommitUnit {
  steps += 1;
  return { shard, fence, step: steps, rows: [], writes: [], deadLetters: [], ...fields };
}

export function deadLetter(id: string, at = 1): DeadLetterRow {
  return {
    id,
    kind: "thing",
    actor_id: "a",
    message: "{}",
    error_code: "thing.broken",
    error_message: "It broke.",
    attempts: 3,
    at,
  };
}
