/** Imports a map's JSON. Its screens, actions and transitions are merged; it has no passages. */
import { mapFileSchema } from "../../../machines/knowledge/map-file.ts";
import { textOfDocument, titleOfName, unreadable } from "./document-text.ts";
import type { Importer } from "./importer.ts";

export const mapType = "application/vnd.cairn.map+json";

export const mapImporter: Importer = {
  kind: "map",
  accepts: (type) => type === mapType,
  async read(document) {
    const parsed = mapFileSchema.safeParse(JSON.parse(textOfDocument(document)));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw unreadable(document, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "it is no map"}`);
    }
    return {
      title: titleOfName(document.name),
      passages: [],
      tasks: [],
      map: parsed.data,
      content_type: "web_ui",
    };
  },
};
