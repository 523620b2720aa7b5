/** `POST /api/tickets`: issues a one-time ticket that opens a WebSocket (`?ticket=`). */
import { Elysia } from "elysia";
import { z } from "zod";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import type { Tickets } from "../security/websocket-tickets.ts";
import { operation, outputSchemaOf } from "./openapi-operation.ts";

const ticketSchema = z.object({
  ticket: z.string().describe("Opens one WebSocket, as ?ticket="),
  expires_at: z.string().describe("ISO 8601"),
});

export function ticketRoutes({ requests }: Surface, tickets: Tickets) {
  return new Elysia({ name: "tickets" }).post(
    "/api/tickets",
    ({ request }) => {
      const { ticket, expires } = tickets.issue(requests.authenticated(request).caller, Date.now());
      const body: z.infer<typeof ticketSchema> = { ticket, expires_at: new Date(expires).toISOString() };
      return Response.json(body, { headers: { "cache-control": "no-store" } });
    },
    {
      parse: "none",
      ...operation({
        operationId: "createTicket",
        summary:
          "Issue a one-time ticket that opens one WebSocket, for pages that cannot send a key with it; it has the scope of the key",
        tag: "Service",
        scope: "read",
        answer: outputSchemaOf(ticketSchema),
        errors: [401, 403],
      }),
    },
  );
}
