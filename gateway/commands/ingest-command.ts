/** `cairn ingest`: adds files and web addresses to a map, one at a time, and prints the result of each. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { asCairnError, Refused } from "../../machines/errors.ts";
import type { DocumentSource, Ingested } from "../../machines/knowledge/documents/document-ingest-schemas.ts";
import { type CliClient, openCliClient } from "../cli-client.ts";
import { loadConfig } from "../config.ts";
import {
  type Command,
  type CommandContext,
  ExitCode,
  flag,
  gatewayUrl,
  text,
} from "./cli-command-interface.ts";

const DEFAULT_MAP = "documents";
const VIDEO = /\.(?:mp4|m4v|webm|mov|mkv|avi)$/i;
const TRANSCRIPTS = ["vtt", "srt", "sbv"];

function isUrl(given: string): boolean {
  return /^https?:\/\//i.test(given);
}

/**
 * Reads the file. For a video, reads its transcript instead: the file with the same name, but with the
 * extension of a transcript.
 */
async function fileOf(
  path: string,
): Promise<{ readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }> {
  const candidates = VIDEO.test(path)
    ? TRANSCRIPTS.map((ending) => path.replace(VIDEO, `.${ending}`))
    : [path];
  for (const candidate of candidates) {
    try {
      return { name: basename(candidate), bytes: new Uint8Array(await readFile(candidate)) };
    } catch (cause) {
      const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
      if (missing && candidates.length > 1) continue;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Refused("usage.invalid", `${path} cannot be read: ${reason}.`, { cause });
    }
  }
  throw new Refused(
    "document.transcript_needed",
    `${path} is a video without a transcript. Put one beside it: ${candidates.map((one) => basename(one)).join(" or ")}.`,
    { status: 422 },
  );
}

async function ingestOne(client: CliClient, knowledge_id: string, given: string): Promise<Ingested> {
  if (isUrl(given)) return await client.ingest({ knowledge_id, url: given, encoding: "text" });
  return await client.upload({ knowledge_id, ...(await fileOf(given)) });
}

function lineOf({ title, kind, chunks, tasks, content_type, status }: DocumentSource): string {
  const ready = status === "ready" ? "" : ", not searchable yet";
  return `${title}: ${kind}, ${chunks} passages (${content_type}), ${tasks} tasks${ready}`;
}

async function run(context: CommandContext): Promise<number> {
  const { positionals, terminal } = context;
  if (positionals.length === 0)
    throw new Refused("usage.invalid", "Say what to ingest: `cairn ingest <file|url> …`.");
  const json = flag(context, "json");
  const knowledgeId = text(context, "knowledge-id") ?? DEFAULT_MAP;
  const loaded = loadConfig(context.env);
  const client = await openCliClient(loaded, {
    command: "ingest",
    url: gatewayUrl(context),
  });
  let failed = 0;
  try {
    for (const [at, given] of positionals.entries()) {
      if (!json) terminal.err(`[${at + 1}/${positionals.length}] ${given}`);
      try {
        const { sources, problems } = await ingestOne(client, knowledgeId, given);
        for (const source of sources)
          terminal.out(json ? JSON.stringify({ type: "source", given, ...source }) : `  ${lineOf(source)}`);
        for (const problem of problems) {
          if (json) terminal.out(JSON.stringify({ type: "problem", given, ...problem }));
          else terminal.err(`  ${problem.message}`);
        }
      } catch (thrown) {
        failed += 1;
        const { code, message } = asCairnError(thrown);
        if (json) terminal.out(JSON.stringify({ type: "error", given, code, message }));
        else terminal.err(`  ${message}`);
      }
    }
  } finally {
    await client.close();
  }
  if (!json)
    terminal.out(`${positionals.length - failed} of ${positionals.length} are in the map ${knowledgeId}.`);
  return failed === 0 ? ExitCode.done : ExitCode.failed;
}

export const ingest: Command = {
  usage: "<file|url> … [options]",
  description:
    "Reads Markdown, HTML, text, PDF, transcripts (VTT, SRT, SBV), OpenAPI, recordings and maps as JSON. Their passages and\n" +
    "tasks can be found by `cairn query`. A document that is ingested again replaces itself. Of a video the transcript\n" +
    "under the same name is read.",
  options: {
    "knowledge-id": { type: "string", value: "id", description: `the map (${DEFAULT_MAP})` },
    url: { type: "string", value: "gateway", description: "use the gateway at this URL" },
    json: { type: "boolean", description: "one JSON line for each document" },
  },
  run,
};
