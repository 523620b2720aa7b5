/**
 * The gateway's interface to documents: ingest from bytes or from an address, list, read, remove. A document
 * is read completely before any part is sent to its map, so that an unreadable document changes nothing.
 */
import { createHash } from "node:crypto";
import { assertUrlAllowed, type EgressPolicy } from "../../machines/egress/egress-policy.ts";
import { Refused, Unavailable } from "../../machines/errors.ts";
import { parseStartUrl } from "../../machines/exploration/crawl/normalise-url.ts";
import type {
  ChunkList,
  DocumentSource,
  GivenDocument,
  IngestDocument,
  Ingested,
} from "../../machines/knowledge/documents/document-ingest-schemas.ts";
import { documentLimits } from "../../machines/knowledge/documents/ingested-document-limits.ts";
import type {
  ChunkPart,
  DocumentPart,
  SourceHead,
} from "../../machines/knowledge/documents/ingested-document-part.ts";
import {
  classify,
  mainContentType,
  statisticsOf,
} from "../../machines/knowledge/documents/passage-classification.ts";
import type { MapFile } from "../../machines/knowledge/formats/map-file-schema.ts";
import { mapNotFound } from "../../machines/knowledge/map-not-found-error.ts";
import { shortHash, slug } from "../../machines/knowledge/screens/screen-id.ts";
import type { TaskDefinition } from "../../machines/knowledge/tasks/task-definition.ts";
import type { DocumentKind, SourceRecord } from "../../machines/records/ingested-document-records.ts";
import type { Store } from "../../store/index.ts";
import {
  type DocumentVideo,
  documentType,
  extensionOf,
  type ImportedDocument,
  importDocument,
  isTranscript,
  NO_ADDRESS_HOST,
} from "../reading/documents/index.ts";
import type { Reader } from "../reading/index.ts";
import { pause, systemClock } from "../runtime/index.ts";
import type { CairnSystem } from "../typed-actor-system.ts";

/** Reports the progress of an ingest: `done` of `total` parts are stored. */
export type DocumentProgress = (done: number, total: number, message: string) => void;

/** A document that was uploaded or fetched, with its bytes. */
interface Received {
  readonly name: string;
  readonly url: string;
  readonly declared: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

type Imported = ImportedDocument & { readonly kind: DocumentKind };

/** A transcript that belongs to a video of a page. */
interface Transcript {
  readonly received: Received;
  readonly imported: Imported;
  readonly type: string;
}

/** Extensions of the transcripts that are expected next to a video. */
const TRANSCRIPT_EXTENSIONS = ["vtt", "srt", "sbv"];

/** Milliseconds between two checks whether a document is searchable. */
const POLL = 50;
const CHUNKS = 100;
const FETCH_WITHIN = 60_000;

export class DocumentService {
  readonly #system: CairnSystem;
  readonly #store: Store;
  readonly #egress: EgressPolicy;
  readonly #reader: Pick<Reader, "readBytes">;
  readonly #importMap: (knowledgeId: string, file: MapFile) => Promise<unknown>;

  constructor(
    system: CairnSystem,
    store: Store,
    egress: EgressPolicy,
    reader: Pick<Reader, "readBytes">,
    importMap: (knowledgeId: string, file: MapFile) => Promise<unknown>,
  ) {
    this.#system = system;
    this.#store = store;
    this.#egress = egress;
    this.#reader = reader;
    this.#importMap = importMap;
  }

  /** Ingests a document that the request contains, or whose address the request names. */
  async ingest(
    { knowledge_id, url, content, encoding, name, media_type = "" }: IngestDocument,
    progress?: DocumentProgress,
  ): Promise<Ingested> {
    if (url !== undefined)
      return await this.#keep(knowledge_id, await this.#fetch(url, name, media_type), progress);
    const bytes =
      encoding === "base64" ? Buffer.from(content ?? "", "base64") : new TextEncoder().encode(content ?? "");
    const given = { name: name ?? "document", url: "", declared: media_type, bytes };
    return await this.#keep(knowledge_id, given, progress);
  }

  /** Ingests an uploaded file, given by its bytes. */
  async upload({ knowledge_id, name, media_type = "", bytes }: GivenDocument): Promise<Ingested> {
    return await this.#keep(knowledge_id, { name, url: "", declared: media_type, bytes });
  }

  async #keep(knowledgeId: string, received: Received, progress?: DocumentProgress): Promise<Ingested> {
    await this.#store.ping();
    const sourceId = sourceIdOf(received);
    const type = documentType(received.name, received.declared, received.bytes);
    const isVideo = type.startsWith("video/");
    if (isVideo && received.url === "") throw transcriptNeeded(received.name);
    if (isVideo) return await this.#keep(knowledgeId, await this.#transcriptOf(received), progress);
    const imported = await importDocument({
      source_id: sourceId,
      name: received.name,
      url: received.url,
      mediaType: type,
      bytes: received.bytes,
    });
    const { transcripts, problems } = await this.#transcripts(imported.videos ?? [], received);
    const documents = [{ received, imported, type }, ...transcripts].filter(
      ({ imported: { passages, map } }) => passages.length > 0 || map !== undefined,
    );
    if (documents.length === 0) throw transcriptNeeded(received.name);
    const sources: DocumentSource[] = [];
    for (const document of documents) sources.push(await this.#send(knowledgeId, document, progress));
    return { knowledge_id: knowledgeId, sources, problems };
  }

  /**
   * Reads the transcripts of the videos on a page: their text tracks, or else a transcript next to the
   * video's file. A video without a transcript is only reported as a problem, because the page can be read
   * without it.
   */
  async #transcripts(videos: readonly DocumentVideo[], page: Received) {
    const transcripts: Transcript[] = [];
    const problems: Ingested["problems"] = [];
    const known = new Set<string>();
    for (const { files, tracks } of videos) {
      const attempts =
        tracks.length > 0
          ? tracks.map((url) => () => this.#trackOf(url, page))
          : [() => this.#transcriptOfFiles(files, page)];
      for (const attempt of attempts) {
        try {
          const found = await attempt();
          if (!known.has(found.received.url)) transcripts.push(found);
          known.add(found.received.url);
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          problems.push({ code: error.code, message: error.message });
        }
      }
    }
    return { transcripts, problems };
  }

  async #trackOf(url: string, { name }: Received): Promise<Transcript> {
    if (isWithoutAddress(url)) throw transcriptNeeded(name);
    const received = await this.#fetch(url, undefined, "");
    return await transcriptIn({ ...received, name: `${name}: ${received.name}` });
  }

  async #transcriptOfFiles(files: readonly string[], { name }: Received): Promise<Transcript> {
    for (const url of files.filter((file) => !isWithoutAddress(file))) {
      const found = await this.#neighbouringTranscript(url);
      if (found) return await transcriptIn({ ...found, name: `${name}: ${found.name}` });
    }
    throw transcriptNeeded(`The page ${name}`);
  }

  /** Fetches the transcript of a video whose address was given. */
  async #transcriptOf({ url, name }: Received): Promise<Received> {
    const found = await this.#neighbouringTranscript(url);
    if (found) return found;
    throw transcriptNeeded(name);
  }

  /**
   * Fetches the transcript of a video. The transcript has the address of the video, but the file extension of
   * a transcript. Returns `undefined` when there is none.
   */
  async #neighbouringTranscript(video: string): Promise<Received | undefined> {
    const ending = extensionOf(video);
    for (const other of TRANSCRIPT_EXTENSIONS) {
      const place = video.replace(new RegExp(`\\.${ending}(?=[?#]|$)`, "i"), `.${other}`);
      if (ending === "" || place === video) break;
      const found = await this.#fetch(place, undefined, "").catch((error: unknown) => {
        if (error instanceof Refused) return undefined;
        throw error;
      });
      const type = found && documentType(found.name, found.declared, found.bytes);
      if (found && isTranscript(type ?? "")) return found;
    }
    return undefined;
  }

  async #fetch(given: string, name: string | undefined, declared: string): Promise<Received> {
    const url = parseStartUrl(given);
    assertUrlAllowed(new URL(url), this.#egress);
    const outcome = await this.#reader.readBytes(url, {
      signal: AbortSignal.timeout(FETCH_WITHIN),
      inScope: () => true,
      respectRobots: false,
    });
    if (outcome.kind === "bytes") {
      const own =
        name ?? new URL(outcome.url).pathname.split("/").findLast((part) => part !== "") ?? outcome.url;
      return { name: own, url, declared: declared || outcome.mediaType, bytes: outcome.bytes };
    }
    const message = outcome.kind === "skipped" ? outcome.detail : outcome.message;
    const code = outcome.kind === "failed" ? outcome.code : "document.not_fetched";
    if (outcome.kind === "failed" && outcome.retryable) throw new Unavailable(code, message);
    throw new Refused(code, message, { status: 422, details: { url } });
  }

  /** Sends a document to its map in parts, and waits until it is searchable. */
  async #send(
    knowledgeId: string,
    { received, imported, type }: { received: Received; imported: Imported; type: string },
    progress: DocumentProgress | undefined,
  ): Promise<DocumentSource> {
    const { chunks, source } = rowsOf(received, imported, type);
    if (imported.map) await this.#importMap(knowledgeId, imported.map);
    const parts = [...partsOf(chunks, imported.tasks)];
    for (const [at, part] of parts.entries()) {
      const last = at === parts.length - 1;
      await this.#system.ask("knowledge", knowledgeId, {
        type: "DOCUMENT",
        part: { source, ...part, last } satisfies DocumentPart,
      });
      progress?.(at + 1, parts.length, `${received.name}: ${chunks.length} passages`);
    }
    const until = performance.now() + documentLimits.waitWithin;
    for (;;) {
      const stored = await this.#store.documents.get(knowledgeId, source.source_id);
      if (stored && (stored.status === "ready" || performance.now() > until)) return described(stored);
      if (!stored)
        throw new Unavailable("document.gone", `${received.name} was removed while it was stored.`);
      await pause(systemClock, POLL);
    }
  }

  async list(knowledgeId: string): Promise<{ sources: DocumentSource[] }> {
    await this.#assertMap(knowledgeId);
    const rows = await this.#store.documents.list(knowledgeId);
    return { sources: rows.filter(({ status }) => status !== "removed").map(described) };
  }

  /** Returns the passages of a document in their order. */
  async chunks(knowledgeId: string, sourceId: string, cursor: string | undefined): Promise<ChunkList> {
    const source = await this.#source(knowledgeId, sourceId);
    const all = await this.#store.documents.chunkKeys(knowledgeId, sourceId);
    const keys = all.filter(
      (key) => key.startsWith(`${sourceId}:${source.revision}:`) && (cursor === undefined || key > cursor),
    );
    const shown = keys.slice(0, CHUNKS);
    const rows = new Map(
      (await this.#store.documents.chunks(knowledgeId, shown)).map((row) => [row.id[1], row]),
    );
    const chunks = await Promise.all(
      shown
        .flatMap((key) => {
          const row = rows.get(key);
          return row ? [row] : [];
        })
        .map(async ({ id, title, content, content_type, is_actionable, location, url }) => ({
          chunk_id: id[1],
          title,
          content,
          content_type,
          is_actionable,
          location,
          url,
          screen_ids: [...(await this.#store.documents.screensOf(knowledgeId, id[1]))],
        })),
    );
    return { chunks, next_cursor: keys.length > shown.length ? (shown.at(-1) ?? null) : null };
  }

  async remove(knowledgeId: string, sourceId: string): Promise<void> {
    await this.#source(knowledgeId, sourceId);
    await this.#system.ask("knowledge", knowledgeId, { type: "FORGET_DOCUMENT", source_id: sourceId });
  }

  async #source(knowledgeId: string, sourceId: string): Promise<SourceRecord> {
    await this.#assertMap(knowledgeId);
    const source = await this.#store.documents.get(knowledgeId, sourceId);
    if (source && source.status !== "removed") return source;
    throw new Refused(
      "document.not_found",
      `The map ${knowledgeId} has no document ${sourceId}. list_sources lists them.`,
      { status: 404 },
    );
  }

  async #assertMap(knowledgeId: string): Promise<void> {
    if (await this.#store.maps.get(knowledgeId)) return;
    throw mapNotFound(knowledgeId);
  }
}

/**
 * Computes the id of a document from its address, or else from its name. A document that is ingested again
 * thereby replaces its earlier version.
 */
function sourceIdOf({ url, name }: Pick<Received, "url" | "name">): string {
  return `${slug(name) || "document"}_${shortHash(url || name)}`;
}

/**
 * Whether a relative URL comes from a page that was uploaded without an address. Nothing can be fetched from
 * such a URL.
 */
function isWithoutAddress(url: string): boolean {
  return URL.parse(url)?.hostname === NO_ADDRESS_HOST;
}

async function transcriptIn(received: Received): Promise<Transcript> {
  const { name, url, declared, bytes } = received;
  const type = documentType(url, declared, bytes);
  if (!isTranscript(type))
    throw new Refused(
      "document.unreadable",
      `${name} is ${type || "of an unknown type"}, not a transcript.`,
      {
        status: 422,
        details: { name, media_type: type },
      },
    );
  const source = { source_id: sourceIdOf(received), name, url, mediaType: type };
  return { received, imported: await importDocument({ ...source, bytes }), type };
}

function transcriptNeeded(name: string): Refused {
  return new Refused(
    "document.transcript_needed",
    `${name} has a video without a transcript. Give one as VTT, SRT or SBV, or put it beside the video under the same name.`,
    { status: 422, details: { name } },
  );
}

function rowsOf(received: Received, imported: Imported, type: string) {
  const { name, url, bytes } = received;
  const { kind, title, passages, tasks, content_type } = imported;
  const revision = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  const chunk_type = kind === "transcript" ? "transcript" : kind === "openapi" ? "api" : "document";
  const chunks = passages.slice(0, documentLimits.passages).map((passage, seq): ChunkPart => {
    const headings = passage.headings.length > 0 ? passage.headings : [title];
    const own = headings[0] === title ? headings : [title, ...headings];
    const text = own.join(" › ").slice(0, documentLimits.title);
    return {
      seq,
      chunk_type,
      ...classify(passage.content, headings.at(-1) ?? title, content_type),
      title: text,
      content: passage.content,
      location: passage.location,
      url: url === "" || !passage.fragment ? url : `${url.replace(/#.*$/, "")}#${passage.fragment}`,
    };
  });
  const statistics = statisticsOf(chunks);
  const source: SourceHead = {
    source_id: sourceIdOf(received),
    name,
    url,
    kind,
    media_type: type,
    title: title.slice(0, documentLimits.title),
    content_type: chunks.length > 0 ? mainContentType(statistics) : (content_type ?? "unknown"),
    revision,
    bytes: bytes.byteLength,
    chunks: chunks.length,
    tasks: tasks.length,
    statistics: JSON.stringify(statistics),
  };
  return { chunks, source };
}

/** Splits a document into parts, at least one. Each part fits into one command. */
function* partsOf(
  chunks: readonly ChunkPart[],
  tasks: readonly TaskDefinition[],
): Generator<Pick<DocumentPart, "chunks" | "tasks">> {
  const { partText, partRows } = documentLimits;
  let part: ChunkPart[] = [];
  let size = 0;
  for (const chunk of chunks) {
    if (part.length > 0 && (size + chunk.content.length > partText || part.length >= partRows)) {
      yield { chunks: part, tasks: [] };
      part = [];
      size = 0;
    }
    part.push(chunk);
    size += chunk.content.length;
  }
  if (tasks.length === 0) {
    yield { chunks: part, tasks: [] };
    return;
  }
  if (part.length > 0) yield { chunks: part, tasks: [] };
  for (let at = 0; at < tasks.length; at += TASKS_OF_PART)
    yield { chunks: [], tasks: tasks.slice(at, at + TASKS_OF_PART) };
}

/** Maximum number of tasks in one part of a document. A task has up to a hundred steps of 500 characters. */
const TASKS_OF_PART = 10;

function described({
  id: _,
  knowledge_id: __,
  statistics,
  ingested_at,
  ...source
}: SourceRecord): DocumentSource {
  return {
    ...source,
    // `rowsOf` wrote the statistics as JSON of `DocumentStatistics`, so the cast is safe.
    statistics: JSON.parse(statistics) as DocumentSource["statistics"],
    ingested_at: new Date(ingested_at).toISOString(),
  };
}
