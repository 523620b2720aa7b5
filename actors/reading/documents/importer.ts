/** The seam of importers: each accepts some media types, and turns the bytes of a document into passages. */

import type { MapFile } from "../../../machines/knowledge/map-file.ts";
import type { Passage } from "../../../machines/knowledge/passages.ts";
import type { TaskDefinition } from "../../../machines/knowledge/task-definition.ts";
import type { ContentType, DocumentKind } from "../../../machines/records.ts";

export interface DocumentBytes {
  readonly source_id: string;
  /** Name of the file, or the address. */
  readonly name: string;
  /** Empty for an upload. */
  readonly url: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface ImportedDocument {
  readonly title: string;
  readonly passages: readonly Passage[];
  readonly tasks: readonly TaskDefinition[];
  /** What all passages are; absent for prose, which is classified passage by passage. */
  readonly content_type?: ContentType;
  /** Addresses of transcripts that belong to it, such as the tracks of a video. */
  readonly tracks?: readonly string[];
  /** The document shows a video and has no other content. */
  readonly video?: boolean;
  readonly map?: MapFile;
}

export interface Importer {
  readonly kind: DocumentKind;
  accepts(mediaType: string): boolean;
  /** Throws `document.unreadable` for bytes that are not of the type. */
  read(document: DocumentBytes): Promise<ImportedDocument>;
}
