/**
 * `DELETE /api/sessions/{room_name}`: closes a browser session, as the tool does.
 */
import { Elysia } from "elysia";
import { closeSession } from "../tools/sessions.ts";
import { answer, documented, type Surface, toolOperation } from "./operation.ts";

const room = documented({ room_name: { type: "string", description: "LiveKit room name" } });

export function sessionRoutes(surface: Surface) {
  return new Elysia({ name: "sessions" }).delete(
    "/api/sessions/:room_name",
    ({ request, params: { room_name } }) => answer(surface, request, closeSession, { room_name }),
    { params: room, ...toolOperation(closeSession, "deleteSession", "Sessions", [400, 404, 422, 504]) },
  );
}
