/**
 * Imports transcripts of videos: WebVTT, SubRip, SBV, and text with times. A passage covers about a
 * minute. The instructions in the text become the steps of one task.
 */
import { documentLimits } from "../../../machines/knowledge/documents/ingested-document-limits.ts";
import type { Passage } from "../../../machines/knowledge/documents/split-passages.ts";
import { narratedTask } from "../../../machines/knowledge/documents/steps-written-in-documents.ts";
import type { Importer } from "./document-importer-interface.ts";
import { textOfDocument, titleOfName, unreadable } from "./document-text-and-title.ts";

interface Cue {
  /** Start time of the cue in seconds from the beginning of the video. */
  readonly start: number;
  readonly text: string;
}

/** The media type of SBV, the format in which YouTube exports captions. Each cue begins with two times. */
export const sbvType = "text/x-sbv";

const transcriptTypes = ["text/vtt", "application/x-subrip", sbvType, "text/x-transcript"] as const;

export function isTranscript(mediaType: string): boolean {
  return transcriptTypes.some((known) => known === mediaType);
}

export const transcriptImporter: Importer = {
  kind: "transcript",
  accepts: isTranscript,
  async read(document) {
    const text = textOfDocument(document);
    if (document.mediaType === "text/vtt" && !/^\uFEFF?WEBVTT(?:[ \t\r\n]|$)/.test(text))
      throw unreadable(document, "it does not begin with WEBVTT");
    const encoded = document.mediaType === "text/x-transcript" ? timedLines(text) : cuesOf(text);
    // Character references without a semicolon are kept, because they are parts of addresses: `?a=1&region=2`
    // contains `&reg`.
    const { decodeHTMLStrict } = await import("entities");
    const cues = encoded
      .map(({ start, text }) => ({ start, text: collapse(decodeHTMLStrict(text)) }))
      .filter((cue) => cue.text !== "");
    if (cues.length === 0) throw unreadable(document, "it has no cue with a time and a text");
    const title = titleOfName(document.name);
    const task = narratedTask(sentencesOf(cues), { source_id: document.source_id, title });
    return { title, passages: passagesOf(cues), tasks: task ? [task] : [], content_type: "video_transcript" };
  },
};

const TIMES =
  /^\s*((?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3})(?:\s+-->\s+|,)((?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3})/;

/** Whether a text begins with a cue of SBV: `0:00:01.000,0:00:04.500`. */
export function isSbv(text: string): boolean {
  return /^\uFEFF?\s*\d{1,2}:\d{2}:\d{2}\.\d{3},\d{1,2}:\d{2}:\d{2}\.\d{3}\s*\n/.test(text);
}

/**
 * Parses the cues (timed texts) of WebVTT, SubRip and SBV. A cue is a line with times, followed by lines of
 * text up to an empty line.
 */
function cuesOf(text: string): readonly Cue[] {
  const cues: Cue[] = [];
  for (const block of text.split(/\r?\n\s*\r?\n/)) {
    const lines = block.split(/\r?\n/);
    const at = lines.findIndex((line) => TIMES.test(line));
    if (at < 0) continue;
    const said = withoutMarkup(lines.slice(at + 1).join(" "));
    // Rolling captions repeat the last line of the previous cue. Such a line is skipped.
    if (said !== "" && said !== cues.at(-1)?.text)
      cues.push({ start: secondsOf(TIMES.exec(lines[at] ?? "")?.[1] ?? ""), text: said });
  }
  return cues;
}

const TIMED = /^\s*[[(]?((?:\d{1,2}:)?\d{1,2}:\d{2})(?:[.,]\d{1,3})?[\])]?\s*(?:[-–:]\s*)?(.*)$/;

/**
 * Parses lines such as `00:12 text` and `[00:12.50] text`. A line without a time continues the previous one.
 */
function timedLines(text: string): readonly Cue[] {
  const cues: { start: number; text: string }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, time, said = ""] = TIMED.exec(line) ?? [];
    const last = cues.at(-1);
    if (time !== undefined) cues.push({ start: secondsOf(time), text: withoutMarkup(said) });
    else if (last && line.trim() !== "") last.text = `${last.text} ${withoutMarkup(line)}`.trim();
  }
  return cues.filter((cue) => cue.text !== "");
}

/** Minimum number of lines with a time that make a text a transcript. */
const LEAST_TIMED = 3;

/** Whether a text is a transcript: most of its first lines begin with times, and the times increase. */
export function isTimedText(text: string): boolean {
  const lines = text.split(/\r?\n/, 40).filter((line) => line.trim() !== "");
  const times = lines.flatMap((line) => TIMED.exec(line)?.[1] ?? []).map(secondsOf);
  const grows = times.every((time, at) => at === 0 || time >= (times[at - 1] ?? 0));
  return times.length >= LEAST_TIMED && grows && times.length * 3 >= lines.length;
}

function secondsOf(time: string): number {
  return time
    .replace(",", ".")
    .split(":")
    .reduce((sum, part) => sum * 60 + Number(part), 0);
}

function withoutMarkup(text: string): string {
  return collapse(text.replace(/<[^>]*>|\{\\[^}]*\}/g, ""));
}

/** Collapses white space and direction marks to single spaces. */
function collapse(text: string): string {
  return text.replace(/[\s\u200e\u200f]+/g, " ").trim();
}

function passagesOf(cues: readonly Cue[]): readonly Passage[] {
  const passages: { headings: readonly string[]; content: string; location: string; fragment: string }[] = [];
  for (const { start, text } of cues) {
    const last = passages.at(-1);
    if (last && last.content.length + text.length < documentLimits.transcriptPassage)
      last.content += ` ${text}`;
    else
      passages.push({
        headings: [],
        content: text,
        location: clock(start),
        fragment: `t=${Math.floor(start)}`,
      });
  }
  return passages;
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/**
 * Returns the sentences of a transcript. The texts of all cues are joined first, because a sentence may begin
 * in one cue and end in the next.
 */
function sentencesOf(cues: readonly Cue[]): readonly string[] {
  return cues
    .map(({ text }) => text.replace(/^(?:[A-Z][\w .]{0,30}|>>):\s+/, ""))
    .join(" ")
    .split(/(?<=[.!?])\s+|,\s+(?=(?:then|and then|and)\s)/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
