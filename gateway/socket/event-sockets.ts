/**
 * The sockets `/mcp/events/{room_name}`, `/ws/explorations/{job_id}` and `/ws/navigations/{run_id}`: live
 * events of a session, an exploration or a navigation run. Each event is sent as published, with a `cursor`,
 * and `?epoch=&since=<cursor>` resumes. A client may subscribe before the session or job starts.
 */

import { Elysia } from "elysia";
import { z } from "zod";
import { explorationTopic } from "../../machines/exploration/build-exploration-events.ts";
import { navigationTopic } from "../../machines/navigation/navigation-run-context.ts";
import { runIdSchema } from "../../machines/navigation/navigation-run-schemas.ts";
import { addressLimits } from "../../machines/runtime/shared-runtime-limits.ts";
import { sessionTopic } from "../../machines/session/build-session-events.ts";
import { roomNameSchema } from "../../machines/session/session-protocol.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { documented, operation, outputSchemaOf } from "../rest/openapi-operation.ts";
import { hidden } from "../security/http-route-scopes.ts";
import { parseArguments } from "../tools/define-tool.ts";
import type { Following } from "./open-websockets.ts";
import type { Wire } from "./websocket-feed-connection.ts";

const idSchema = z.string().min(1).max(addressLimits.maxIdBytes);
const querySchema = z.object({
  epoch: z.string().min(1).max(200).optional(),
  since: z.coerce.number().int().min(0).optional(),
});

async function following(surface: Surface, topic: string, query: unknown): Promise<Following> {
  const cairn = await surface.system.available();
  const { epoch, since } = parseArguments(querySchema, query);
  return {
    key: topic,
    from: epoch === undefined || since === undefined ? undefined : { epoch, seq: since },
    source: (take) => cairn.watch(topic, take),
    // The cast is safe: every published event is an object.
    frame: (cursor, event) => ({ ...(event as object), cursor }),
  };
}

const roomTopic = (params: { readonly room_name: string }): string =>
  sessionTopic(parseArguments(roomNameSchema, params.room_name));
const jobTopic = (params: { readonly job_id: string }): string =>
  explorationTopic(parseArguments(idSchema, params.job_id));

const runTopic = (params: { readonly run_id: string }): string =>
  navigationTopic(parseArguments(runIdSchema, params.run_id));

/** Returns the handlers of a socket that sends the events of one topic. */
function followed<Params>(surface: Surface, topicOf: (params: Params) => string) {
  const { sockets } = surface;
  return {
    ...hidden("read"),
    beforeHandle({ params, query }: { readonly params: Params; readonly query: unknown }) {
      topicOf(params);
      parseArguments(querySchema, query);
      sockets.assertRoom();
    },
    async open(ws: FollowingSocket<Params>) {
      const { params, query } = ws.data;
      // The cast is needed: `ws.raw` is Bun's socket, but Elysia's type for it is a different one.
      await sockets.open(ws.id, ws.raw as Wire, () => following(surface, topicOf(params), query));
    },
    message: (ws: { readonly id: string }, message: unknown) => sockets.receive(ws.id, message),
    close: (ws: { readonly id: string }) => sockets.closed(ws.id),
  };
}

/** The members of Elysia's WebSocket object that this file uses. */
interface FollowingSocket<Params> {
  readonly id: string;
  readonly raw: unknown;
  readonly data: { readonly params: Params; readonly query: unknown };
}

const connectionsSchema = z.object({
  room_name: z.string(),
  connections: z.number().int().describe("WebSockets at this node that follow the room"),
});

export function eventSockets(surface: Surface) {
  const { sockets } = surface;
  return new Elysia({ name: "event-sockets" })
    .ws("/mcp/events/:room_name", followed(surface, roomTopic))
    .ws("/ws/explorations/:job_id", followed(surface, jobTopic))
    .ws("/ws/navigations/:run_id", followed(surface, runTopic))
    .get(
      "/rooms/:room_name/connections",
      ({ params: { room_name = "" } }) =>
        Response.json({ room_name, connections: sockets.readers(roomTopic({ room_name })) }),
      {
        params: documented({ room_name: { type: "string", description: "LiveKit room name" } }),
        ...operation({
          operationId: "getRoomConnections",
          summary: "How many WebSockets follow a room",
          tag: "Sessions",
          scope: "read",
          answer: outputSchemaOf(connectionsSchema),
          errors: [401, 403, 422],
        }),
      },
    );
}
