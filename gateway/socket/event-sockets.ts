/**
 * The sockets `/mcp/events/{room_name}`, `/ws/explorations/{job_id}` and `/ws/navigations/{run_id}`: live
 * events of a session, an exploration or a navigation run. Each event is sent as published, with a `cursor`,
 * and `?epoch=&since=<cursor>` resumes. A client may subscribe before the session or job starts.
 */
import { Elysia } from "elysia";
import { z } from "zod";
import { Refused } from "../../machines/errors.ts";
import { explorationTopic } from "../../machines/exploration/exploration-events.ts";
import { navigationTopic } from "../../machines/navigation/navigation-context.ts";
import { runIdSchema } from "../../machines/navigation/navigation-schemas.ts";
import { addressLimits } from "../../machines/runtime/limits.ts";
import { roomNameSchema } from "../../machines/session/protocol.ts";
import { sessionTopic } from "../../machines/session/session-events.ts";
import type { Surface } from "../context.ts";
import { documented, operation, outputSchemaOf } from "../rest/openapi-operation.ts";
import { hidden } from "../security/route-scopes.ts";
import type { Wire } from "./connection.ts";
import type { Following } from "./sockets.ts";

const idSchema = z.string().min(1).max(addressLimits.maxIdBytes);
const querySchema = z.object({
  epoch: z.string().min(1).max(200).optional(),
  since: z.coerce.number().int().min(0).optional(),
});

function read<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => [...path, message].join(": "));
  throw new Refused("request.invalid", `${issues.join("; ")}.`, { status: 422 });
}

async function following(surface: Surface, topic: string, query: unknown): Promise<Following> {
  const cairn = await surface.system.available();
  const { epoch, since } = read(querySchema, query);
  return {
    key: topic,
    from: epoch === undefined || since === undefined ? undefined : { epoch, seq: since },
    source: (take) => cairn.watch(topic, take),
    // The cast is safe: every published event is an object.
    frame: (cursor, event) => ({ ...(event as object), cursor }),
  };
}

const roomTopic = (params: { readonly room_name: string }): string =>
  sessionTopic(read(roomNameSchema, params.room_name));
const jobTopic = (params: { readonly job_id: string }): string =>
  explorationTopic(read(idSchema, params.job_id));

const runTopic = (params: { readonly run_id: string }): string =>
  navigationTopic(read(runIdSchema, params.run_id));

const connectionsSchema = z.object({
  room_name: z.string(),
  connections: z.number().int().describe("WebSockets at this node that follow the room"),
});

export function eventSockets(surface: Surface) {
  const { sockets } = surface;
  return new Elysia({ name: "event-sockets" })
    .ws("/mcp/events/:room_name", {
      ...hidden("read"),
      beforeHandle({ params, query }) {
        roomTopic(params);
        read(querySchema, query);
        sockets.assertRoom();
      },
      async open(ws) {
        const { params, query } = ws.data;
        // The cast is needed: `ws.raw` is Bun's socket, but Elysia's type for it is a different one.
        const wire = ws.raw as unknown as Wire;
        await sockets.open(ws.id, wire, () => following(surface, roomTopic(params), query));
      },
      message: (ws, message: unknown) => sockets.receive(ws.id, message),
      close: (ws) => sockets.closed(ws.id),
    })
    .ws("/ws/explorations/:job_id", {
      ...hidden("read"),
      beforeHandle({ params, query }) {
        jobTopic(params);
        read(querySchema, query);
        sockets.assertRoom();
      },
      async open(ws) {
        const { params, query } = ws.data;
        // The cast is needed: `ws.raw` is Bun's socket, but Elysia's type for it is a different one.
        const wire = ws.raw as unknown as Wire;
        await sockets.open(ws.id, wire, () => following(surface, jobTopic(params), query));
      },
      message: (ws, message: unknown) => sockets.receive(ws.id, message),
      close: (ws) => sockets.closed(ws.id),
    })
    .ws("/ws/navigations/:run_id", {
      ...hidden("read"),
      beforeHandle({ params, query }) {
        runTopic(params);
        read(querySchema, query);
        sockets.assertRoom();
      },
      async open(ws) {
        const { params, query } = ws.data;
        // The cast is needed: `ws.raw` is Bun's socket, but Elysia's type for it is a different one.
        const wire = ws.raw as unknown as Wire;
        await sockets.open(ws.id, wire, () => following(surface, runTopic(params), query));
      },
      message: (ws, message: unknown) => sockets.receive(ws.id, message),
      close: (ws) => sockets.closed(ws.id),
    })
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
