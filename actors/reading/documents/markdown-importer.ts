/** Imports Markdown: its sections as passages, and its numbered lists as tasks. */
import { passagesOf } from "../../../machines/knowledge/documents/split-passages.ts";
import { documentTasks } from "../../../machines/knowledge/documents/steps-written-in-documents.ts";
import type { Importer } from "./document-importer-interface.ts";
import { textOfDocument, titleOfName, unreadable } from "./document-text-and-title.ts";

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)\r?\n/;

export const markdownImporter: Importer = {
  kind: "markdown",
  accepts: (type) => type === "text/markdown" || type === "text/x-markdown",
  async read(document) {
    const text = textOfDocument(document);
    const [whole = "", front = ""] = FRONT_MATTER.exec(text) ?? [];
    const passages = passagesOf(withoutComments(text.slice(whole.length)));
    if (passages.length === 0) throw unreadable(document, "it has no text");
    const [, named] = /^title:\s*["']?(.+?)["']?\s*$/m.exec(front) ?? [];
    const title = named ?? passages[0]?.headings[0] ?? titleOfName(document.name);
    const tasks = documentTasks(passages, { source_id: document.source_id, title });
    return { title, passages, tasks };
  },
};

function withoutComments(text: string): string {
  return text.replace(/<!--[\s\S]*?-->/g, (comment) => "\n".repeat(comment.split("\n").length - 1));
}
