/**
 * Creates the batches that ingest a stored document. They link its passages and tasks to screens, index them,
 * and remove those of earlier revisions. Each batch can be repeated, and the last one marks the document as
 * done.
 */

import { documentLimits } from "../../../machines/knowledge/documents/ingested-document-limits.ts";
import { Mentions } from "../../../machines/knowledge/documents/screens-mentioned-in-text.ts";
import type { Atlas } from "../../../machines/knowledge/in-memory-map.ts";
import { type Batch, emptyBatch } from "../../../machines/knowledge/rows-of-one-map-commit.ts";
import { searchableKey } from "../../../machines/knowledge/screens/keys-of-searchable-texts.ts";
import { screenOfAction } from "../../../machines/knowledge/screens/page-to-screen.ts";
import { wordsOf } from "../../../machines/knowledge/screens/screen-name-index.ts";
import type { TaskDefinition } from "../../../machines/knowledge/tasks/task-definition.ts";
import type {
  ChunkRecord,
  SourceRecord,
  TaskRecord,
} from "../../../machines/records/ingested-document-records.ts";
import type { KnowledgeId } from "../../../machines/records/record-ids.ts";
import type { MapSource } from "../map-store-interface.ts";
import { inParts } from "./array-batches-and-samples.ts";

/**
 * Returns the names and labels of the map's screens, which are then searched for in the passages of
 * documents.
 */
export async function mentionsOn(
  source: MapSource,
  knowledgeId: KnowledgeId,
  atlas: Atlas,
): Promise<Mentions> {
  const screens = [...atlas.screens()].filter(({ content_type }) => content_type === "web_ui");
  const labels = new Map<string, Set<string>>();
  const ids = screens.map(({ screen_id }) => screen_id).sort();
  for await (const actions of source.screens.offered(knowledgeId, ids)) {
    for (const { action_id, name } of actions) {
      const label = wordsOf(name).join(" ");
      if (label === "") continue;
      const known = labels.get(label) ?? new Set<string>();
      labels.set(label, known.add(screenOfAction(action_id)));
    }
  }
  return new Mentions(screens, (url) => atlas.byUrl(url)?.screen_id, labels);
}

const { indexBatch } = documentLimits;

export async function* documentBatches(
  source: MapSource,
  knowledgeId: KnowledgeId,
  document: SourceRecord,
  mentions: Mentions,
): AsyncGenerator<Batch> {
  const { source_id, revision, status } = document;
  const keys = await source.documents.chunkKeys(knowledgeId, source_id);
  const current = (key: string) => status !== "removed" && key.startsWith(`${source_id}:${revision}:`);
  const outdated = keys.filter((key) => !current(key));
  for (const some of inParts(outdated, indexBatch)) {
    yield {
      ...emptyBatch,
      staleChunks: some.map((key) => [knowledgeId, key]),
      staleTexts: some.map((key) => [knowledgeId, searchableKey("passage", key)]),
    };
  }
  const tasks = (await source.documents.tasks(knowledgeId)).filter((task) => task.source_id === source_id);
  const stale = tasks.filter((task) => status === "removed" || task.revision !== revision);
  for (const some of inParts(stale, indexBatch)) {
    yield {
      ...emptyBatch,
      staleTasks: some.map(({ id }) => id),
      staleTexts: some.map(({ task_id }) => [knowledgeId, searchableKey("task", task_id)]),
    };
  }
  if (status === "removed") {
    yield { ...emptyBatch, forgotten: [document.id] };
    return;
  }
  for (const some of inParts(keys.filter(current), indexBatch)) {
    const chunks = await source.documents.chunks(knowledgeId, some);
    yield {
      ...emptyBatch,
      relinkedChunks: chunks.map(({ id }) => id),
      about: chunks.flatMap((chunk) => linksOf(chunk, mentions)),
      texts: chunks.map(passageText),
    };
  }
  const described = tasks.filter((task) => !stale.includes(task));
  yield { ...emptyBatch, texts: described.map(taskText), indexed: [document.id] };
}

/** Links the passages of a map to its screens again, after the screens have changed. */
export async function* relinkBatches(
  source: MapSource,
  knowledgeId: KnowledgeId,
  mentions: Mentions,
): AsyncGenerator<Batch> {
  for (const { source_id, status } of await source.documents.list(knowledgeId)) {
    if (status !== "ready") continue;
    for (const some of inParts(await source.documents.chunkKeys(knowledgeId, source_id), indexBatch)) {
      const chunks = await source.documents.chunks(knowledgeId, some);
      yield {
        ...emptyBatch,
        relinkedChunks: chunks.map(({ id }) => id),
        about: chunks.flatMap((chunk) => linksOf(chunk, mentions)),
      };
    }
  }
}

function linksOf(chunk: ChunkRecord, mentions: Mentions): Batch["about"] {
  const [knowledgeId] = chunk.id;
  return mentions
    .in(chunk.title, chunk.content)
    .map((screenId) => ({ in: chunk.id, out: [knowledgeId, screenId] as const }));
}

function passageText(chunk: ChunkRecord): Batch["texts"][number] {
  const [knowledgeId, key] = chunk.id;
  const headings = chunk.title.split(" › ");
  return {
    id: [knowledgeId, searchableKey("passage", key)],
    knowledge_id: knowledgeId,
    url: chunk.url,
    title: headings.at(-1) ?? chunk.title,
    headings: headings.slice(0, -1).join("\n"),
    url_words: "",
    body: chunk.content,
  };
}

function taskText(task: TaskRecord): Batch["texts"][number] {
  // `ingested-document-part.ts` wrote the task as JSON of `TaskDefinition`, so the cast is safe.
  const { description, steps, variables } = JSON.parse(task.body) as TaskDefinition;
  return {
    id: [task.knowledge_id, searchableKey("task", task.task_id)],
    knowledge_id: task.knowledge_id,
    url: "",
    title: task.name,
    headings: variables.map(({ label }) => label).join("\n"),
    url_words: "",
    body: [description, ...steps.map((step) => step.description)].join("\n"),
  };
}
