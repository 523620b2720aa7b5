/**
 * Imports JSON of a map, in the current or the first format, into a map. The JSON contains screens, actions
 * and transitions, but no passages.
 */
import {
  type FirstFormat,
  firstFormatSchema,
  upgraded,
} from "../../../machines/knowledge/formats/first-map-format.ts";
import { type MapFile, mapFileSchema } from "../../../machines/knowledge/formats/map-file-schema.ts";
import type { Importer } from "./document-importer-interface.ts";
import { textOfDocument, titleOfName, unreadable } from "./document-text-and-title.ts";

export const mapType = "application/vnd.cairn.map+json";

export const mapImporter: Importer = {
  kind: "map",
  accepts: (type) => type === mapType,
  async read(document) {
    const value: unknown = JSON.parse(textOfDocument(document));
    const isCurrent = typeof value === "object" && value !== null && "format" in value;
    const parsed = isCurrent ? mapFileSchema.safeParse(value) : firstFormatSchema.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw unreadable(document, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "it is no map"}`);
    }
    const { data } = parsed;
    return {
      title: titleOfName(document.name),
      passages: [],
      tasks: [],
      // The current format has the field `format`; the first format did not have it.
      map: "format" in data ? (data as MapFile) : upgraded(data as FirstFormat),
      content_type: "web_ui",
    };
  },
};
