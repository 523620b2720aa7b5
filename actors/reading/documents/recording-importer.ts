/**
 * Imports recordings of sessions in the format of `get_recording`. Each recording becomes a task with
 * variables.
 */
import { recordedTask } from "../../../machines/knowledge/tasks/recording-to-task.ts";
import { recordingSchema } from "../../../machines/session/session-recording-schemas.ts";
import type { Importer } from "./document-importer-interface.ts";
import { textOfDocument, unreadable } from "./document-text-and-title.ts";

export const recordingType = "application/vnd.cairn.recording+json";

export const recordingImporter: Importer = {
  kind: "recording",
  accepts: (type) => type === recordingType,
  async read(document) {
    const parsed = recordingSchema.safeParse(JSON.parse(textOfDocument(document)));
    if (!parsed.success) throw unreadable(document, parsed.error.issues[0]?.message ?? "it is no recording");
    const task = recordedTask(parsed.data, document.source_id);
    if (!task) throw unreadable(document, "it has no steps");
    const content = task.steps
      .map(({ order, description, url }) => `${order}. ${description} (${url})`)
      .join("\n");
    return {
      title: task.name,
      passages: [{ headings: [task.name], content, location: "steps" }],
      tasks: [task],
      content_type: "web_ui",
    };
  },
};
