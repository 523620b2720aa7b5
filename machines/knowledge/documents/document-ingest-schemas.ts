/** The schemas of a request that ingests a document, and of its answer. */
import { z } from "zod";
import { knowledgeIdSchema } from "../../exploration/exploration-protocol.ts";
import { documentKinds } from "../../records/ingested-document-records.ts";
import { contentTypes } from "../../records/map-records.ts";

const sourceId = z.string().min(1).max(200);

export const ingestDocumentSchema = z
  .object({
    knowledge_id: knowledgeIdSchema.describe("Map to add it to; it is created if need be"),
    url: z.string().optional().describe("Address of the document, to be fetched"),
    content: z.string().optional().describe("The document itself, in place of url"),
    encoding: z.enum(["text", "base64"]).default("text").describe("How content is written"),
    name: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe("Name of the file, needed with content. A document of the same name or url is replaced"),
    media_type: z.string().max(200).optional().describe("Default: by the name and the bytes"),
  })
  .strict()
  .refine(({ url, content }) => (url === undefined) !== (content === undefined), {
    path: ["url"],
    message: "either url or content is needed",
  })
  .refine(({ content, name }) => content === undefined || name !== undefined, {
    path: ["name"],
    message: "content needs the name of the file",
  });
export type IngestDocument = z.output<typeof ingestDocumentSchema>;

export const documentStatisticsSchema = z.object({
  web_ui_screens: z.number().int(),
  documentation_screens: z.number().int(),
  actionable_screens: z.number().int(),
  non_actionable_screens: z.number().int(),
  by_content_type: z.record(z.string(), z.number().int()),
});

export const sourceSchema = z.object({
  source_id: z.string(),
  name: z.string(),
  url: z.string(),
  kind: z.enum(documentKinds),
  media_type: z.string(),
  title: z.string(),
  content_type: z.enum(contentTypes),
  revision: z.string(),
  bytes: z.number().int(),
  chunks: z.number().int().describe("Passages that can be found"),
  tasks: z.number().int(),
  statistics: documentStatisticsSchema.describe("Passages by the rules of the specification"),
  status: z.enum(["stored", "ready", "removed"]).describe("stored: it can be found in a moment"),
  ingested_at: z.string(),
});
export type DocumentSource = z.infer<typeof sourceSchema>;

export const ingestedSchema = z.object({
  knowledge_id: z.string(),
  sources: z.array(sourceSchema).describe("The document, and transcripts that belong to it"),
  problems: z
    .array(z.object({ code: z.string(), message: z.string() }))
    .describe("Transcripts of videos on the page that are missing or unreadable"),
});
export type Ingested = z.infer<typeof ingestedSchema>;

export const sourceListSchema = z.object({ sources: z.array(sourceSchema) });

export const sourceRefSchema = z
  .object({ knowledge_id: knowledgeIdSchema.describe("Knowledge ID"), source_id: sourceId })
  .strict();

export const chunkListSchema = z.object({
  chunks: z.array(
    z.object({
      chunk_id: z.string(),
      title: z.string(),
      content: z.string(),
      content_type: z.enum(contentTypes),
      is_actionable: z.boolean(),
      location: z.string(),
      url: z.string(),
      screen_ids: z.array(z.string()).describe("Screens that it names"),
    }),
  ),
  next_cursor: z.string().nullable(),
});
export type ChunkList = z.infer<typeof chunkListSchema>;

/** A document to ingest: its bytes and name, and the map that receives it. */
export interface GivenDocument {
  readonly knowledge_id: string;
  readonly name: string;
  readonly media_type?: string | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
}
