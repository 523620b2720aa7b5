/**
 * Imports plain text and reStructuredText: underlined headings and paragraphs as passages, and numbered lists
 * as tasks.
 */
import { passagesOf } from "../../../machines/knowledge/documents/split-passages.ts";
import { documentTasks } from "../../../machines/knowledge/documents/steps-written-in-documents.ts";
import type { Importer } from "./document-importer-interface.ts";
import { textOfDocument, titleOfName } from "./document-text-and-title.ts";

export const textImporter: Importer = {
  kind: "text",
  accepts: (type) => type.startsWith("text/") && !/html|vtt|markdown/.test(type),
  async read(document) {
    const passages = passagesOf(textOfDocument(document));
    const title = passages[0]?.headings[0] ?? titleOfName(document.name);
    return { title, passages, tasks: documentTasks(passages, { source_id: document.source_id, title }) };
  },
};
