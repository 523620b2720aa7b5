/**
 * The importers of documents. They are separate from the page reader, because some importers load zod. Worker
 * threads use the page reader and do not need zod.
 */

export type { DocumentBytes, DocumentVideo, ImportedDocument } from "./document-importer-interface.ts";
export { documentType, extensionOf } from "./document-media-type.ts";
export { NO_ADDRESS_HOST } from "./html-importer.ts";
export { importDocument } from "./import-document.ts";
export { isTranscript } from "./video-transcript-importer.ts";
