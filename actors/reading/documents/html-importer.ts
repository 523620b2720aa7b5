/**
 * Imports a saved web page: the passages of its main content, and the addresses of the transcripts of its
 * videos.
 */
import { normaliseUrl } from "../../../machines/exploration/normalise-url.ts";
import { documentLimits } from "../../../machines/knowledge/document-limits.ts";
import { passagesOf } from "../../../machines/knowledge/split-passages.ts";
import { documentTasks } from "../../../machines/knowledge/written-steps.ts";
import { readPage } from "../content/read-page.ts";
import { textOfDocument, titleOfName, unreadable } from "./document-text.ts";
import type { Importer } from "./importer.ts";

/** The base URL for links in a file that has no address. */
const NO_ADDRESS = "http://document.invalid/";

export const htmlImporter: Importer = {
  kind: "html",
  accepts: (type) => type === "text/html" || type === "application/xhtml+xml",
  async read(document) {
    const html = textOfDocument(document);
    if (!/<[a-z!][^>]*>/i.test(html)) throw unreadable(document, "it has no element");
    const base = normaliseUrl(document.url) ?? NO_ADDRESS;
    const page = readPage({ url: base, html: { bytes: document.bytes, charset: undefined } });
    const passages = passagesOf(page.content);
    const title = page.title || page.headings[0] || titleOfName(document.name);
    const tracks = tracksOf(html, base).slice(0, documentLimits.tracks);
    const video = /<video\b/i.test(html);
    if (passages.length === 0 && tracks.length === 0 && !video) throw unreadable(document, "it has no text");
    return {
      title,
      passages,
      tasks: documentTasks(passages, { source_id: document.source_id, title }),
      tracks,
      video,
    };
  },
};

/** Returns the addresses of the text tracks of `<video>` and `<audio>`. */
function tracksOf(html: string, base: string): readonly string[] {
  return [...html.matchAll(/<track\b[^>]*>/gi)].flatMap(([tag]) => {
    const [, kind = "subtitles"] = /\bkind\s*=\s*["']?(\w+)/i.exec(tag) ?? [];
    const [, src] = /\bsrc\s*=\s*["']?([^"'\s>]+)/i.exec(tag) ?? [];
    const url = src === undefined ? undefined : URL.parse(src, base)?.href;
    return url === undefined || !/^(subtitles|captions|descriptions)$/i.test(kind) ? [] : [url];
  });
}
