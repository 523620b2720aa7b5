/**
 * The socket `/ws/inspect`: live inspection events of actors, for debugging. `?kind=&id=` selects actors,
 * `?what=state,event` selects event types, and `?epoch=&since=` resumes.
 */

import { Elysia } from "elysia";
import { z } from "zod";
import { INSPECTED, inspectTopic } from "../../machines/inspection/actor-inspection-topics.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { hidden } from "../security/http-route-scopes.ts";
import { assertKind } from "../tools/actor-and-node-administration-tools.ts";
import { parseArguments } from "../tools/define-tool.ts";
import type { Following } from "./open-websockets.ts";
import type { Wire } from "./websocket-feed-connection.ts";

const text = z.string().min(1).max(200).optional();
const querySchema = z.object({
  kind: text,
  id: text,
  what: z
    .string()
    .transform((list) => list.split(","))
    .pipe(z.array(z.enum(INSPECTED)).max(INSPECTED.length))
    .optional(),
  epoch: text,
  since: z.coerce.number().int().min(0).optional(),
});
type Query = z.infer<typeof querySchema>;

function topicsOf({ kind, id, what }: Query): readonly string[] {
  const all = what === undefined ? [undefined] : [...new Set(what)].sort();
  return all.map((one) => inspectTopic(one, kind, id));
}

async function following(surface: Surface, query: Query): Promise<Following> {
  const cairn = await surface.system.available();
  const topics = topicsOf(query);
  const { epoch, since } = query;
  return {
    key: topics.join(" "),
    from: epoch === undefined || since === undefined ? undefined : { epoch, seq: since },
    source: (take) => {
      const stops = topics.map((topic) => cairn.watch(topic, take));
      return () => {
        for (const stop of stops) stop();
      };
    },
    frame: (seq, event) => ({ type: "event", seq, event }),
  };
}

export function inspectSocket(surface: Surface) {
  const { sockets } = surface;
  return new Elysia({ name: "inspect-socket" }).ws("/ws/inspect", {
    ...hidden("read"),
    beforeHandle({ query }) {
      const { kind } = parseArguments(querySchema, query);
      if (kind !== undefined) assertKind(kind);
      sockets.assertRoom();
    },
    async open(ws) {
      // The cast is needed: `ws.raw` is Bun's socket, but Elysia declares a different type for `ws.raw`.
      await sockets.open(ws.id, ws.raw as unknown as Wire, () =>
        following(surface, parseArguments(querySchema, ws.data.query)),
      );
    },
    message: (ws, message: unknown) => sockets.receive(ws.id, message),
    close: (ws) => sockets.closed(ws.id),
  });
}
