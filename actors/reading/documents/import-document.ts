/** Imports a document by the first importer that accepts the document's type. */
import { Refused } from "../../../machines/errors.ts";
import type { DocumentKind } from "../../../machines/records/ingested-document-records.ts";
import type { DocumentBytes, ImportedDocument, Importer } from "./document-importer-interface.ts";
import { unreadable } from "./document-text-and-title.ts";
import { htmlImporter } from "./html-importer.ts";
import { mapImporter } from "./map-importer.ts";
import { markdownImporter } from "./markdown-importer.ts";
import { openapiImporter } from "./openapi-importer.ts";
import { pdfImporter } from "./pdf-importer.ts";
import { recordingImporter } from "./recording-importer.ts";
import { textImporter } from "./text-importer.ts";
import { transcriptImporter } from "./video-transcript-importer.ts";

/** The importers, in the order in which Cairn tries them. */
const importers: readonly Importer[] = [
  markdownImporter,
  htmlImporter,
  pdfImporter,
  transcriptImporter,
  openapiImporter,
  recordingImporter,
  mapImporter,
  textImporter,
];

export async function importDocument(
  document: DocumentBytes,
): Promise<ImportedDocument & { readonly kind: DocumentKind }> {
  const { mediaType, name } = document;
  const importer = importers.find(({ accepts }) => accepts(mediaType));
  if (!importer) {
    throw new Refused(
      "document.unsupported_type",
      `${name} is ${mediaType || "of an unknown type"}, which no importer reads. There are ${importers.map(({ kind }) => kind).join(", ")}.`,
      { status: 415, details: { name, media_type: mediaType } },
    );
  }
  try {
    return { ...(await importer.read(document)), kind: importer.kind };
  } catch (error) {
    if (error instanceof SyntaxError) throw unreadable(document, error.message);
    throw error;
  }
}
