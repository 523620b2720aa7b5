/** Names of downloaded files, made safe for every file system, and the records of downloads. */
import { downloadLimits } from "../session-limits.ts";

export interface DownloadRecord {
  readonly id: string;
  /**
   * The name of the downloaded file in a form that is safe on every file system. The stored file's name ends
   * with it.
   */
  readonly name: string;
  /** The file name that the page suggested for the download. */
  readonly suggested_name: string;
  readonly url: string;
  readonly kind: "download" | "pdf";
  readonly state: "in_progress" | "completed" | "canceled" | "refused";
  readonly bytes: number;
  readonly mime_type: string;
  /** Start time of the download in ISO 8601. */
  readonly started_at: string;
  readonly finished_at: string | null;
  /** Why the download was refused or failed; `null` otherwise. */
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

/** Returns the MIME type for the extension of a file name, or `unknown` for another extension. */
export function mimeTypeOf(name: string, unknown = "application/octet-stream"): string {
  return TYPES[/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ""] ?? unknown;
}

/** Device names that Windows reserves, such as `CON`. No file may have such a name. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * A file name without folders, control characters, bidirectional marks and reserved characters. It is never
 * empty or hidden, nor longer than `downloadLimits.nameLength`.
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
