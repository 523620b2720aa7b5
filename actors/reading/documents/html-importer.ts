/** Imports a web page: the passages of its main content, and the addresses of its videos and their tracks. */
import { normaliseUrl } from "../../../machines/exploration/normalise-url.ts";
import { documentLimits } from "../../../machines/knowledge/ingested-document-limits.ts";
import { passagesOf } from "../../../machines/knowledge/split-passages.ts";
import { documentTasks } from "../../../machines/knowledge/steps-written-in-documents.ts";
import { textOfDocument, titleOfName, unreadable } from "./document-decoding.ts";
import type { DocumentVideo, Importer } from "./document-importer-interface.ts";

/** Host of the base URL for links in a file that has no address. Nothing can be fetched from it. */
export const NO_ADDRESS_HOST = "document.invalid";
const NO_ADDRESS = `http://${NO_ADDRESS_HOST}/`;

export const htmlImporter: Importer = {
  kind: "html",
  accepts: (type) => type === "text/html" || type === "application/xhtml+xml",
  async read(document) {
    const html = textOfDocument(document);
    if (!/<[a-z!][^>]*>/i.test(html)) throw unreadable(document, "it has no element");
    // The HTML parser is loaded only here. The main thread imports documents, and otherwise needs no parser.
    const { readPage } = await import("../content/extract-page-from-html.ts");
    const base = normaliseUrl(document.url) ?? NO_ADDRESS;
    const page = readPage({ url: base, html: { bytes: document.bytes, charset: undefined } });
    const passages = passagesOf(page.content);
    const title = page.title || page.headings[0] || titleOfName(document.name);
    const videos = videosOf(html, base);
    if (passages.length === 0 && videos.length === 0) throw unreadable(document, "it has no text");
    const tasks = documentTasks(passages, { source_id: document.source_id, title });
    return { title, passages, tasks, videos };
  },
};

const MEDIA = /<(video|audio)\b([^>]*)>([\s\S]*?)(?:<\/\1\s*>|(?=<(?:video|audio)\b)|$)/gi;

/** Returns the `<video>` elements of a page, and the `<audio>` elements with a text track. */
function videosOf(html: string, base: string): readonly DocumentVideo[] {
  return [...html.replace(/<!--[\s\S]*?-->/g, "").matchAll(MEDIA)]
    .map(([, tag = "", attributes = "", content = ""]) => {
      const tracks = [...content.matchAll(/<track\b([^>]*)>/gi)].flatMap(([, own = ""]) =>
        /^(subtitles|captions|descriptions)$/i.test(attribute(own, "kind") || "subtitles")
          ? addressOf(own, base)
          : [],
      );
      const sources = [...content.matchAll(/<source\b([^>]*)>/gi)].map(([, own = ""]) => own);
      const files = [attributes, ...sources].flatMap((own) => addressOf(own, base));
      return { tag: tag.toLowerCase(), files, tracks };
    })
    .filter(({ tag, tracks }) => tag === "video" || tracks.length > 0)
    .slice(0, documentLimits.videos)
    .map(({ files, tracks }) => ({
      files: files.slice(0, documentLimits.videoFiles),
      tracks: tracks.slice(0, documentLimits.tracks),
    }));
}

function attribute(attributes: string, name: string): string {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(
    attributes,
  );
  return (found?.[1] ?? found?.[2] ?? found?.[3] ?? "").replace(/&amp;/g, "&").trim();
}

function addressOf(attributes: string, base: string): readonly string[] {
  const src = attribute(attributes, "src");
  const url = src === "" ? undefined : URL.parse(src, base)?.href;
  return url === undefined ? [] : [url];
}
