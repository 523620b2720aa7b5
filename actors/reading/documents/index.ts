/**
 * The importers of documents. They are separate from the page reader, because some of them load zod, which
 * workers do not need.
 */
export { documentType, extensionOf } from "./document-type.ts";
export { importDocument } from "./import-document.ts";
export type { DocumentBytes, ImportedDocument } from "./importer.ts";
