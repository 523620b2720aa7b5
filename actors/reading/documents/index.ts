/** Importers of documents. Apart from the reader, because some load zod, which workers do not need. */
export { documentType, extensionOf } from "./document-type.ts";
export { importDocument } from "./import-document.ts";
export type { DocumentBytes, ImportedDocument } from "./importer.ts";
