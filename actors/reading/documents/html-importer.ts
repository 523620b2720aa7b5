/** Imports a web page: the passages of its main content, and the addresses of its videos and their tracks. */

import { normaliseUrl } from "../../../machines/exploration/crawl/normalise-url.ts";
import { documentLimits } from "../../../machines/knowledge/documents/ingested-document-limits.ts";
import { passagesOf } from "../../../machines/knowledge/documents/split-passages.ts";
import { documentTasks } from "../../../machines/knowledge/documents/steps-written-in-documents.ts";
import type { HtmlElement } from "../parse/parse-html-document.ts";
import type { DocumentVideo, Importer } from "./document-importer-interface.ts";
import { textOfDocument, titleOfName, unreadable } from "./document-text-and-title.ts";

/** Host of the base URL for links in a file that has no address. Nothing can be fetched from it. */
export const NO_ADDRESS_HOST = "document.invalid";
const NO_ADDRESS = `http://${NO_ADDRESS_HOST}/`;

export const htmlImporter: Importer = {
  kind: "html",
  accepts: (type) => type === "text/html" || type === "application/xhtml+xml",
  async read(document) {
    const html = textOfDocument(document);
    if (!/<[a-z!][^>]*>/i.test(html)) throw unreadable(document, "it has no element");
    // The HTML parser is loaded when the first HTML document is read. This code runs in the main thread, which
    // does not need the parser for anything else.
    const { readPage } = await import("../content/extract-page-from-html.ts");
    const { parseHtml } = await import("../parse/parse-html-document.ts");
    const base = normaliseUrl(document.url) ?? NO_ADDRESS;
    const page = readPage({ url: base, html: { bytes: document.bytes, charset: undefined } });
    const passages = passagesOf(page.content);
    const title = page.title || page.headings[0] || titleOfName(document.name);
    const videos = videosOf(parseHtml(html).html, base);
    if (passages.length === 0 && videos.length === 0) throw unreadable(document, "it has no text");
    const tasks = documentTasks(passages, { source_id: document.source_id, title });
    return { title, passages, tasks, videos };
  },
};

/** Matches the kinds of text tracks that contain what is said. A track without a kind has subtitles. */
const SPEECH = /^(?:subtitles|captions|)$/i;

interface Player {
  readonly tag: string;
  readonly files: string[];
  readonly tracks: string[];
}

/** Returns the `<video>` elements of a page, and the `<audio>` elements with a text track. */
function videosOf(page: HtmlElement, base: string): readonly DocumentVideo[] {
  const players: Player[] = [];
  collectPlayers(page, base, players, undefined);
  return players
    .filter(({ tag, tracks }) => tag === "video" || tracks.length > 0)
    .slice(0, documentLimits.videos)
    .map(({ files, tracks }) => ({
      files: files.slice(0, documentLimits.videoFiles),
      tracks: tracks.slice(0, documentLimits.tracks),
    }));
}

/**
 * Adds the players inside of an element. A source or track belongs to the innermost player around it. If a
 * page does not close a player, the player also contains the later players of the page.
 *
 * @param around the innermost player around the children of the element
 */
function collectPlayers(
  element: HtmlElement,
  base: string,
  players: Player[],
  around: Player | undefined,
): void {
  for (const child of element.children) {
    if (typeof child === "string") continue;
    const { tag, attributes } = child;
    let player = around;
    if (tag === "video" || tag === "audio") {
      player = { tag, files: addressesOf(child, base), tracks: [] };
      players.push(player);
    } else if (tag === "source") player?.files.push(...addressesOf(child, base));
    else if (tag === "track" && SPEECH.test(attributes.kind ?? ""))
      player?.tracks.push(...addressesOf(child, base));
    collectPlayers(child, base, players, player);
  }
}

/** Returns the absolute address of a file as a list. The list is empty if the element names no file. */
function addressesOf({ attributes: { src = "" } }: HtmlElement, base: string): string[] {
  const url = src.trim() === "" ? undefined : URL.parse(src, base)?.href;
  return url === undefined ? [] : [url];
}
