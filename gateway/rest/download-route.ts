/**
 * `GET /api/sessions/{room_name}/downloads/{id}`: streams a file of a session. The response is an attachment
 * with a sandbox policy, because the file came from a page and must not run in Cairn's origin.
 */
import { Elysia } from "elysia";
import type { DownloadRecord } from "../../machines/session/outputs/download-names.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { documented, operation } from "./openapi-operation.ts";
import { streamedBody } from "./response-stream.ts";

const file = { room_name: { type: "string", description: "LiveKit room name" }, id: { type: "string" } };

/**
 * Returns the header Content-Disposition. It contains the file name in ASCII for old clients, and the exact
 * name (RFC 6266).
 */
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
  const body = streamedBody(bytes[Symbol.asyncIterator](), (error) =>
    surface.log.error("a file broke off", { error }),
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

export function downloadRoute(surface: Surface) {
  return new Elysia({ name: "downloads" }).get(
    "/api/sessions/:room_name/downloads/:id",
    ({ params: { room_name = "", id = "" } }) => fileResponse(surface, room_name, id),
    {
      params: documented(file),
      ...operation({
        operationId: "getDownload",
        summary: "A file of a session, to be saved",
        tag: "Sessions",
        scope: "read",
        answer: () => ({ type: "string", format: "binary" }),
        answerType: "application/octet-stream",
        errors: [400, 401, 403, 404, 409, 500, 503],
      }),
    },
  );
}
