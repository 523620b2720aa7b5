/** The tools that read the output of a session: page content, console, network log, files, storage. */

import { z } from "zod";
import { actionText } from "../../machines/session/actions/action-outcome-text.ts";
import { actionSchemas } from "../../machines/session/actions/browser-action-parameters.ts";
import {
  consoleLogSchema,
  consoleRequestSchema,
  networkLogSchema,
  networkRequestSchema,
} from "../../machines/session/outputs/console-and-network-log-schemas.ts";
import { consoleText, networkText } from "../../machines/session/outputs/console-and-network-log-text.ts";
import type { DownloadRecord } from "../../machines/session/outputs/download-names.ts";
import {
  extractedSchema,
  extractRequestSchema,
} from "../../machines/session/outputs/extracted-content-schemas.ts";
import { extractText } from "../../machines/session/outputs/extracted-content-text.ts";
import {
  downloadListSchema,
  downloadRefSchema,
  downloadRemovedSchema,
  listDownloadsSchema,
} from "../../machines/session/outputs/session-file-schemas.ts";
import { roomRef } from "../../machines/session/session-name-in-request.ts";
import { roomOf, roomRefSchema, sessionOutcomeSchema } from "../../machines/session/session-protocol.ts";
import { storageStateSchema } from "../../machines/session/state/session-start-options.ts";
import { defineTool } from "./define-tool.ts";
import { readsPage } from "./tool-annotations.ts";

const reads = { ...readsPage, openWorldHint: false };

const extract = defineTool({
  name: "extract",
  scope: "read",
  description:
    "Extract the main content of the current page as Markdown, its links, its tables as JSON; of the whole page with " +
    "its frames, or of one element",
  advice: {
    instead: "The page to read: main content as Markdown, links, tables.",
    use: "next_offset is null at the end.",
  },
  sets: ["core", "sessions"],
  brief: { hidden: ["schema", "query"] },
  input: extractRequestSchema,
  output: extractedSchema,
  annotations: readsPage,
  handle: (cairn, { room_name, session_id, ...options }) =>
    cairn.sessions.extract(roomOf({ room_name, session_id }), options),
  forModel: extractText,
});

const consoleMessages = defineTool({
  name: "get_console_messages",
  scope: "read",
  description: "Console messages of the session's pages, with exceptions and the browser's warnings",
  sets: ["sessions"],
  input: consoleRequestSchema,
  output: consoleLogSchema,
  annotations: reads,
  handle: (cairn, { room_name, session_id, ...options }) =>
    cairn.sessions.console(roomOf({ room_name, session_id }), options),
  forModel: consoleText,
});

const networkLog = defineTool({
  name: "get_network_log",
  scope: "read",
  description: "Network requests of the session's pages with their outcome; no bodies, no secrets",
  sets: ["sessions"],
  input: networkRequestSchema,
  output: networkLogSchema,
  annotations: reads,
  handle: (cairn, { room_name, session_id, ...options }) =>
    cairn.sessions.network(roomOf({ room_name, session_id }), options),
  forModel: networkText,
});

const storageState = defineTool({
  name: "get_storage_state",
  scope: "act",
  description:
    "Cookies, localStorage and, if asked for, IndexedDB of a session, for storage_state of another start. Anyone who has them is signed in as the session is",
  sets: ["sessions"],
  input: roomRefSchema.extend({ indexed_db: z.boolean().default(false) }),
  output: storageStateSchema,
  annotations: reads,
  handle: (cairn, { indexed_db, ...input }) => cairn.sessions.storageState(roomOf(input), indexed_db),
});

function filePath(room: string, id: string): string {
  return `/api/sessions/${encodeURIComponent(room)}/downloads/${encodeURIComponent(id)}`;
}

function listed(room: string, records: readonly DownloadRecord[]): z.input<typeof downloadListSchema> {
  return { downloads: records.map((record) => ({ ...record, path: filePath(room, record.id) })) };
}

const listDownloads = defineTool({
  name: "list_downloads",
  scope: "read",
  description:
    "List the downloads of a session and the PDFs saved from its pages; GET the path of a file for its bytes",
  sets: ["sessions"],
  http: {
    method: "GET",
    path: "/api/sessions/:room_name/downloads",
    operationId: "listDownloads",
    tag: "Sessions",
    errors: [400, 404, 422],
  },
  input: listDownloadsSchema,
  output: downloadListSchema,
  annotations: reads,
  async handle(cairn, input) {
    const room = roomOf(input);
    return listed(room, await cairn.sessions.files(room));
  },
});

const removeDownload = defineTool({
  name: "remove_download",
  scope: "act",
  description: "Remove a file of a session from the data folder",
  sets: ["sessions"],
  http: {
    method: "DELETE",
    path: "/api/sessions/:room_name/downloads/:id",
    operationId: "removeDownload",
    tag: "Sessions",
    errors: [400, 404, 409, 422],
  },
  input: downloadRefSchema,
  output: downloadRemovedSchema,
  annotations: { ...reads, readOnlyHint: false, destructiveHint: true },
  async handle(cairn, { id, ...ref }) {
    await cairn.sessions.removeFile(roomOf(ref), id);
    return { id, status: "removed" as const };
  },
});

const saveAsPdf = defineTool({
  name: "save_as_pdf",
  scope: "act",
  description: "Save the current page as a PDF among the session's files; data.path is where to GET it",
  sets: ["sessions"],
  input: roomRef(actionSchemas.save_as_pdf.shape),
  output: sessionOutcomeSchema,
  annotations: { ...readsPage, readOnlyHint: false, idempotentHint: false },
  neverRan: ["session.not_found"],
  async handle(cairn, { room_name, session_id, ...params }, { commandId: id }) {
    const room = roomOf({ room_name, session_id });
    const outcome = await cairn.sessions.runAction(room, { name: "save_as_pdf", params }, { id });
    const { file } = outcome.data;
    const fileId = typeof file === "object" && file !== null && "id" in file ? String(file.id) : undefined;
    return fileId === undefined
      ? outcome
      : { ...outcome, data: { ...outcome.data, path: filePath(room, fileId) } };
  },
  forModel: actionText,
});

export const sessionOutputTools = [
  extract,
  consoleMessages,
  networkLog,
  listDownloads,
  removeDownload,
  saveAsPdf,
  storageState,
];
