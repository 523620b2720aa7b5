/**
 * The files of sessions: listed, fetched as they are read, removed.
 *
 * A file is always given to be saved, never to be shown: it came from a page, and must not run as one of ours.
 */
import { Elysia } from "elysia";
import type { DownloadRecord } from "../../machines/session/downloads.ts";
import { listDownloads, removeDownload } from "../tools/session-outputs.ts";
import { answer, documented, operation, type Surface, toolOperation } from "./operation.ts";

const tag = "Sessions";
const room = { room_name: { type: "string", description: "LiveKit room name" } };
const file = { ...room, id: { type: "string" } };

/** Its name in ASCII for old clients, and as it is (RFC 6266). */
function disposition({ name }: DownloadRecord): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

async function fileResponse(surface: Surface, room_name: string, id: string): Promise<Response> {
  const cairn = await surface.system.available();
  const { record, bytes } = await cairn.sessions.file(room_name, id);
  const source = bytes[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await source.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          surface.log.error("a file broke off", { error });
          controller.error(error);
        }
      },
      async cancel() {
        await source.return?.();
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(body, {
    headers: {
      "content-type": record.mime_type,
      "content-length": String(record.bytes),
      "content-disposition": disposition(record),
      "content-security-policy": "sandbox",
      "x-content-type-options": "nosniff",
    },
  });
}

export function sessionFileRoutes(surface: Surface) {
  return new Elysia({ name: "session-files" })
    .get(
      "/api/sessions/:room_name/downloads",
      ({ request, params: { room_name } }) => answer(surface, request, listDownloads, { room_name }),
      { params: documented(room), ...toolOperation(listDownloads, "listDownloads", tag, [400, 404, 422]) },
    )
    .get(
      "/api/sessions/:room_name/downloads/:id",
      ({ params: { room_name = "", id = "" } }) => fileResponse(surface, room_name, id),
      {
        params: documented(file),
        ...operation({
          operationId: "getDownload",
          summary: "A file of a session, to be saved",
          tag,
          scope: "read",
          answer: { type: "string", format: "binary" },
          answerType: "application/octet-stream",
          errors: [400, 401, 403, 404, 409, 500, 503],
        }),
      },
    )
    .delete(
      "/api/sessions/:room_name/downloads/:id",
      ({ request, params: { room_name, id } }) => answer(surface, request, removeDownload, { room_name, id }),
      {
        params: documented(file),
        ...toolOperation(removeDownload, "removeDownload", tag, [400, 404, 409, 422]),
      },
    );
}
