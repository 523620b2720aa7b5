/**
 * The interface of the importers. Each importer accepts some media types, and converts the bytes of a
 * document to passages.
 */

import type { Passage } from "../../../machines/knowledge/documents/split-passages.ts";
import type { MapFile } from "../../../machines/knowledge/formats/map-file-schema.ts";
import type { TaskDefinition } from "../../../machines/knowledge/tasks/task-definition.ts";
import type { DocumentKind } from "../../../machines/records/ingested-document-records.ts";
import type { ContentType } from "../../../machines/records/map-records.ts";

export interface DocumentBytes {
  readonly source_id: string;
  /** The name of the file, or the address of the document. */
  readonly name: string;
  /** The address of the document. It is empty for an upload. */
  readonly url: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A video that a page shows. Its addresses are absolute if the address of the page is known. */
export interface DocumentVideo {
  /** Addresses of the video's files; empty if only a script knows them. */
  readonly files: readonly string[];
  /** Addresses of the text tracks that contain speech. */
  readonly tracks: readonly string[];
}

export interface ImportedDocument {
  readonly title: string;
  readonly passages: readonly Passage[];
  readonly tasks: readonly TaskDefinition[];
  /**
   * The content type of all passages. If it is absent, the type of each passage is determined from its text.
   */
  readonly content_type?: ContentType;
  /** The videos that the document shows. */
  readonly videos?: readonly DocumentVideo[];
  readonly map?: MapFile;
}

export interface Importer {
  readonly kind: DocumentKind;
  accepts(mediaType: string): boolean;
  /** Reads a document. Throws `document.unreadable` when the bytes do not have the declared type. */
  read(document: DocumentBytes): Promise<ImportedDocument>;
}
