/**
 * Files that a session's pages gave, or that were made of them: their records, and names that are safe anywhere.
 *
 * Pure. Neighbours: `actors/browser/session/downloads.ts` takes them in, `actors/browser/session/shelf.ts` keeps them.
 */
import { downloadLimits } from "./limits.ts";

export interface DownloadRecord {
  readonly id: string;
  /** Safe on every file system; that of the file in the room's folder ends so. */
  readonly name: string;
  /** As the page called it. */
  readonly suggested_name: string;
  readonly url: string;
  readonly kind: "download" | "pdf";
  readonly state: "in_progress" | "completed" | "canceled" | "refused";
  readonly bytes: number;
  readonly mime_type: string;
  /** ISO 8601. */
  readonly started_at: string;
  readonly finished_at: string | null;
  /** Why it was refused or came to nothing. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

const TYPES: Readonly<Record<string, string>> = {
  csv: "text/csv",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  gif: "image/gif",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  md: "text/markdown",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain",
  webp: "image/webp",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
  zip: "application/zip",
};

/** By the ending of a name. */
export function mimeTypeOf(name: string): string {
  return TYPES[/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ""] ?? "application/octet-stream";
}

/** Names that Windows keeps for devices. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * A file name without folders, control characters, signs that turn the reading direction, and what file systems refuse;
 * never empty, hidden, or longer than `downloadLimits.nameLength`.
 */
export function safeName(suggested: string): string {
  const last = suggested.split(/[/\\]/).findLast((part) => part.trim() !== "") ?? "";
  const plain = last
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu, "_")
    .replace(/\s+/g, " ")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  const named = plain === "" ? "download" : DEVICES.test(plain) ? `_${plain}` : plain;
  const { nameLength } = downloadLimits;
  if (named.length <= nameLength) return named;
  const ending = /\.[a-z0-9]{1,10}$/i.exec(named)?.[0] ?? "";
  return named.slice(0, nameLength - ending.length).trimEnd() + ending;
}
