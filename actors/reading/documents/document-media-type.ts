/**
 * Determines the media type of a document: from its bytes where they show it, otherwise from the declared
 * type and the file name.
 */
import { decodeText } from "../parse/charset-decoding.ts";
import { mapType } from "./map-importer.ts";
import { openapiTypes } from "./openapi-importer.ts";
import { recordingType } from "./recording-importer.ts";
import { isSbv, isTimedText, sbvType } from "./video-transcript-importer.ts";

const EXTENSIONS: Readonly<Record<string, string>> = {
  md: "text/markdown",
  markdown: "text/markdown",
  mdx: "text/markdown",
  html: "text/html",
  htm: "text/html",
  xhtml: "application/xhtml+xml",
  txt: "text/plain",
  text: "text/plain",
  rst: "text/x-rst",
  log: "text/plain",
  pdf: "application/pdf",
  vtt: "text/vtt",
  srt: "application/x-subrip",
  sbv: sbvType,
  json: "application/json",
  yaml: "application/yaml",
  yml: "application/yaml",
  mp4: "video/mp4",
  webm: "video/webm",
  mov: "video/quicktime",
  mkv: "video/x-matroska",
};

/**
 * Declared media types that are too general. For a document with such a type, the extension of the file name
 * decides.
 */
const VAGUE: ReadonlySet<string> = new Set([
  "",
  "application/octet-stream",
  "text/plain",
  "binary/octet-stream",
]);
const SNIFFED = 4_096;

export function extensionOf(name: string): string {
  return /\.([A-Za-z0-9]{1,8})$/.exec(URL.parse(name)?.pathname ?? name)?.[1]?.toLowerCase() ?? "";
}

export function documentType(name: string, declared: string, bytes: Uint8Array): string {
  const given = declared.split(";")[0]?.trim().toLowerCase() ?? "";
  const named = EXTENSIONS[extensionOf(name)];
  const type = VAGUE.has(given) ? (named ?? given) : given;
  const start = decodeText(bytes.subarray(0, SNIFFED), undefined);
  if (start.startsWith("%PDF-")) return "application/pdf";
  if (/^video\//.test(type) || type === "application/pdf") return type;
  if (/^\uFEFF?WEBVTT\b/.test(start)) return "text/vtt";
  if (/json$/.test(type)) return jsonType(decodeText(bytes, undefined));
  if (/yaml$/.test(type))
    return /^\s*["']?(?:openapi|swagger)["']?\s*:/m.test(start) ? openapiTypes[1] : type;
  if (type === "text/plain" || type === "") {
    if (/^\s*\d+\r?\n\s*\d{1,2}:\d{2}:\d{2}[.,]\d{1,3}\s+-->/.test(start)) return "application/x-subrip";
    if (isSbv(start)) return sbvType;
    if (isTimedText(start)) return "text/x-transcript";
    if (/^\s*<(?:!doctype\s+html|html)\b/i.test(start)) return "text/html";
    if (type === "" && !start.includes("\0")) return "text/plain";
  }
  return type;
}

/**
 * Returns the media type of a JSON document, by the fields in it. Other text, even invalid JSON, keeps the
 * type JSON, and its importer refuses it.
 */
function jsonType(text: string): string {
  if (/^\s*\{[\s\S]*"(?:openapi|swagger)"\s*:\s*"/.test(text) && /"paths"\s*:/.test(text))
    return openapiTypes[0];
  if (/"format"\s*:\s*"cairn-map"/.test(text)) return mapType;
  if (/"screens"\s*:\s*\[/.test(text) && /"screen_id"\s*:/.test(text)) return mapType;
  if (/"recording_id"\s*:/.test(text) && /"steps"\s*:/.test(text)) return recordingType;
  return "application/json";
}
