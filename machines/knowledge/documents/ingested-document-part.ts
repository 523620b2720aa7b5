/**
 * One part of an ingested document. A document is stored in several commands, each with the rows of one part,
 * and becomes visible with the last part.
 */
import type { StoreWrite } from "../../machine-emissions.ts";
import type { ChunkRecord, SourceRecord, TaskRecord } from "../../records/ingested-document-records.ts";
import type { KnowledgeId } from "../../records/record-ids.ts";
import type { TaskDefinition } from "../tasks/task-definition.ts";

export type SourceHead = Omit<SourceRecord, "id" | "knowledge_id" | "status" | "ingested_at">;
export type ChunkPart = Omit<ChunkRecord, "id" | "knowledge_id" | "source_id" | "revision"> & {
  /** Position of the passage in the document, counted from 0. */
  readonly seq: number;
};

export interface DocumentPart {
  readonly source: SourceHead;
  readonly chunks: readonly ChunkPart[];
  readonly tasks: readonly TaskDefinition[];
  readonly last: boolean;
}

/**
 * In keys, the position of a passage in its document is padded with zeros to this number of digits, so that
 * keys sort by position.
 */
const DIGITS = 6;

/**
 * Returns the range of keys that the passages of a source have. All these keys start with the source's id and
 * `:`. The range ends before the id and `;`, the character after `:`.
 */
export function chunkRange(sourceId: string): { readonly from: string; readonly to: string } {
  return { from: `${sourceId}:`, to: `${sourceId};` };
}

function chunkKey(sourceId: string, revision: string, seq: number): string {
  return `${sourceId}:${revision}:${String(seq).padStart(DIGITS, "0")}`;
}

export function documentWrites(
  knowledgeId: KnowledgeId,
  { source, chunks, tasks, last }: DocumentPart,
  at: number,
): readonly StoreWrite[] {
  const { source_id, revision } = source;
  const writes: StoreWrite[] = [];
  const rows = chunks.map(
    ({ seq, ...chunk }): ChunkRecord => ({
      ...chunk,
      id: [knowledgeId, chunkKey(source_id, revision, seq)],
      knowledge_id: knowledgeId,
      source_id,
      revision,
    }),
  );
  if (rows.length > 0) writes.push({ op: "put", table: "chunk", rows });
  const described = tasks.map(
    (task): TaskRecord => ({
      id: [knowledgeId, task.task_id],
      knowledge_id: knowledgeId,
      task_id: task.task_id,
      source_id,
      revision,
      name: task.name,
      body: JSON.stringify(task),
    }),
  );
  if (described.length > 0) writes.push({ op: "put", table: "task", rows: described });
  if (last) {
    const row: SourceRecord = {
      ...source,
      id: [knowledgeId, source_id],
      knowledge_id: knowledgeId,
      status: "stored",
      ingested_at: at,
    };
    writes.push({ op: "put", table: "source", rows: [row] });
  }
  return writes;
}
